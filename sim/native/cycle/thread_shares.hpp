// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "native/cycle/cycle_program.hpp"
#include "native/passes/passes.hpp"

namespace sme::native {

/// The steps of a schedule, dealt out to threads that meet once a cycle: what one of them computes
/// is seen by another in the next cycle only.
struct ThreadShares {
    /// A part of step `number`, in the order of the schedule.
    struct Piece {
        std::uint32_t number;
        Range range;
    };
    std::vector<std::vector<Piece>> pieces; // of each thread
    Ranges common;                          // slots that one thread writes and another one uses
    double largest = 1;                     // of all the work, by operations
};

/// Wires and memories keep what uses them on one thread. Nothing where what is left cannot be dealt
/// out so that it helps.
std::optional<ThreadShares> share_out(const Graph& graph, const std::vector<ScheduledStep>& steps,
                                      std::uint64_t wires_begin, unsigned threads);

} // namespace sme::native
