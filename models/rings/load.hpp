// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <thread>

namespace models {

/// The load of a node, besides passing tokens on.
enum class Load : std::uint8_t {
    pass,   ///< no load
    divide, ///< repeatedly divides a long double by 3
    uneven, ///< the same; a quarter as often in the second half of the nodes
    sleep,  ///< one node in ten waits for an external event
};
inline constexpr std::array<std::string_view, 4> load_names{"pass", "divide", "uneven", "sleep"};

/// The work of one node for each token that passes it.
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
            volatile long double x = 9'223'372'036'854'775'807.0L; // volatile: keeps all divisions
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
