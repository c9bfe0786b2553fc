// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/commands/compared_run.hpp"
#include "cli/commands/inputs_file.hpp"

namespace sme::cli {

/// After a difference that random values showed in a cycle: looks for fewer inputs that show one,
/// for a few seconds at most, and prints and keeps them. `graph` holds the pair alone, without
/// inputs.
void show_shrunk(const Options& options, const Graph& graph, const Pair& pair,
                 const lockstep::RandomRules& rules, std::uint64_t cycle, KeptInputs& kept);

} // namespace sme::cli
