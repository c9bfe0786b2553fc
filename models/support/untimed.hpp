// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>

#include <sme/untimed.hpp>

#include "support/program.hpp"

namespace models {

/// The runners of a Kahn network without a clock.
struct Runners {
    std::uint64_t count = 1;
    bool threads = false; ///< an operating system thread per process

    void add_to(Program& program) {
        program.number("runners", count, 1, 256, "threads that run the processes")
            .flag("threads", threads, "a thread of the operating system for each process");
    }
    sme::UntimedOptions options() const {
        return {.runners = static_cast<unsigned>(count), .thread_per_process = threads};
    }
};

/// Runs a network to its end and returns the duration in seconds. Throws std::runtime_error if it
/// does not complete.
inline double seconds_of(sme::Untimed& run) {
    const auto start = std::chrono::steady_clock::now();
    const sme::UntimedResult result = run.run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (!result.completed())
        throw std::runtime_error{result.explanation};
    return seconds.count();
}

} // namespace models
