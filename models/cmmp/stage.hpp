// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "parts.hpp"

namespace models::cmmp {

/// A stage: every process works once, and the last one to finish wakes the others for the next.
class Stage {
public:
    explicit Stage(unsigned processes) : processes_{processes} {}

    enum class Step : std::uint8_t { work, wait, last };
    /// Returns the next action of a requesting process; `last` ends the stage.
    Step next(unsigned process) {
        if ((begun_ >> process & 1U) == 0) {
            begun_ |= 1U << process;
            return Step::work;
        }
        if (++done_ < processes_)
            return Step::wait;
        begun_ = 0;
        done_ = 0;
        return Step::last;
    }
    static Answer work(std::uint64_t amount, std::uint64_t input) {
        return {Order::work, 0, 0, amount, input};
    }
    static Answer wait() { return {Order::wait, 0, 0, 0, 0}; }
    /// Wakes all but this process.
    Answer release(unsigned process) const {
        const std::uint32_t all = (1U << processes_) - 1;
        return {Order::release, 0, static_cast<std::uint16_t>(all & ~(1U << process)), 0, 0};
    }

private:
    std::uint32_t processes_;
    std::uint32_t begun_ = 0; ///< a bit for each process that has started in this stage
    std::uint32_t done_ = 0;
};

} // namespace models::cmmp
