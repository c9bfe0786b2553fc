// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

namespace sme::expr {

/// The cost limit for loading one file, in units of a few nanoseconds and bytes. A file that
/// exceeds it is refused, which protects the machine.
struct Fuel {
    /// The maximum number of steps of all loops in one cycle, including inner loops and all
    /// instances: about half a second.
    static constexpr std::uint64_t max_loop_steps = std::uint64_t{1} << 25;
    static constexpr std::uint64_t usual_loops_from = 1000;
    /// The maximum number of steps to unroll where a loop is not possible or not wanted.
    static constexpr std::uint64_t max_unrolled = 16'384;

    /// The maximum number of operations of a process.
    static constexpr std::size_t max_operations = 2'000'000;

    std::uint64_t left = 1'000'000'000; // a few seconds
    std::uint64_t loop_steps = max_loop_steps;
    std::uint64_t loops_from = usual_loops_from; // minimum steps of a loop; 0: all unrolled
    bool reported = false;
    std::set<std::pair<const void*, std::uint32_t>> wraps; // locations already warned about

    /// Returns the maximum number of operations of a process: exporters write unrolled what was
    /// loaded with loops.
    std::size_t most_operations() const {
        return loops_from > max_unrolled ? max_operations * (max_unrolled / usual_loops_from)
                                         : max_operations;
    }
    /// Consumes fuel; false if too little is left.
    bool spend(std::uint64_t units) {
        const bool fits = units <= left;
        left = fits ? left - units : 0;
        return fits;
    }
};

} // namespace sme::expr
