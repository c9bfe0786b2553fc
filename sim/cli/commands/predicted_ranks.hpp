// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "engine/engine.hpp"
#include "runtime/transport.hpp"

namespace sme::cli {

/// Runs a network for about this time; `cycles`: it runs no more of them. Returns the median of the
/// nanoseconds a cycle in the second half of the run; 0 if the network ended at once.
double measured_cycle_ns(engine::Engine& engine, std::optional<std::uint64_t> cycles,
                         double spend_ns);

/// What ranks pay for a message.
struct RankLink {
    double latency_ns = 1000;
    double bytes_per_ns = 1.25;
    std::string origin = "assumed"; // of these figures
    double cpu_ns = 500;            // of the latency; meanwhile a rank cannot run processes
};

/// Measures the link between the first two of several ranks. All of them call it.
RankLink measured_link(Transport& ranks);

/// Measures a cycle of a network on one thread, and tells how long it would take on several ranks.
/// Returns an exit code.
int predict_ranks(const Options& options, const Loaded& loaded, RankLink link);

} // namespace sme::cli
