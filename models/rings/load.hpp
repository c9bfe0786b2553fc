// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <thread>

namespace models {

/// What a node does beside handing on.
enum class Load : std::uint8_t {
    pass,   ///< nothing
    divide, ///< divides a long double by 3, again and again
    uneven, ///< the same; the second half of the nodes a quarter as often
    sleep,  ///< one node in ten waits for something outside
};
inline constexpr std::array<std::string_view, 4> load_names{"pass", "divide", "uneven", "sleep"};

/// The work of one node, each time a token passes it.
class Work {
public:
    Work() = default;
    Work(Load load, std::uint64_t divisions, std::chrono::microseconds nap, std::uint64_t node,
         std::uint64_t nodes) {
        if (load == Load::divide || (load == Load::uneven && node < (nodes + 1) / 2))
            divisions_ = divisions;
        else if (load == Load::uneven)
            divisions_ = divisions / 4;
        else if (load == Load::sleep && node % 10 == 0)
            nap_ = nap;
    }

    bool sleeps() const { return nap_.count() > 0; }
    void operator()() const {
        if (divisions_ > 0) {
            volatile long double x = 9'223'372'036'854'775'807.0L; // volatile: none is left out
            for (std::uint64_t k = 0; k < divisions_; ++k)
                x = x / 3;
        }
        if (sleeps())
            std::this_thread::sleep_for(nap_);
    }

private:
    std::uint64_t divisions_ = 0;
    std::chrono::microseconds nap_{0};
};

} // namespace models
