// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/commands/compared_run.hpp"
#include "cli/commands/inputs_file.hpp"

namespace sme::cli {

/// Call after random values showed a difference in a cycle. Searches for fewer inputs that show
/// one, for a few seconds at most; prints and keeps them. `graph` holds only the pair, without
/// inputs.
void show_shrunk(const Options& options, const Graph& graph, const Pair& pair,
                 const lockstep::RandomRules& rules, std::uint64_t cycle, KeptInputs& kept);

} // namespace sme::cli
