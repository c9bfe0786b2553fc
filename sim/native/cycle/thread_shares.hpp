// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cut/cut.hpp"
#include "native/cycle/cycle_program.hpp"
#include "native/passes/passes.hpp"

namespace sme::native {

/// The threads that run whole cycles.
struct KernelThreads {
    unsigned count = 1;
    const Cut* cut = nullptr; // of the network; null for one thread
};

/// The steps of a schedule, dealt out to threads that meet once a cycle: a value of one thread
/// reaches another in the next cycle only.
struct ThreadShares {
    /// A part of step `number`, in the order of the schedule.
    struct Piece {
        std::uint32_t number;
        Range range;
    };
    std::vector<std::vector<Piece>> pieces; // by thread
    Ranges common;                          // slots that one thread writes and another uses
    double largest = 1;                     // largest share of all work, by operations
};

/// Deals out the steps, as the cut of the network orders them. Steps that share a wire or a memory
/// stay on one thread. `nullopt` if the rest cannot be dealt out profitably.
std::optional<ThreadShares> share_out(const Graph& graph, const std::vector<ScheduledStep>& steps,
                                      std::uint64_t wires_begin, const KernelThreads& threads);

} // namespace sme::native
