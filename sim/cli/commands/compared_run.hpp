// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/commands/inputs_file.hpp"
#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "export/export.hpp"
#include "lockstep/comparison.hpp"
#include "lockstep/random_rows.hpp"

namespace sme::cli {

using Comparisons = std::vector<std::shared_ptr<const lockstep::Comparison>>;

/// Runs the loaded network with its comparisons, and prints their results, each followed by `more`.
/// Returns the exit code.
int run_compared(const Options& options, const Loaded& loaded, const Comparisons& comparisons,
                 const std::string& more = {});

/// Runs one pair in a network of its own, without the checks and files of the original network.
/// Stores the cycle of a difference in `differs`.
int run_alone(const Options& options, const Loaded& loaded, Graph graph, const Pair& pair,
              std::uint64_t cycles, const std::string& more = {},
              std::optional<std::uint64_t>* differs = nullptr);

/// Runs each pair alone, in sequence, with random values for --random cycles. Returns the worst
/// exit code.
int run_random(const Options& options, const Loaded& loaded, const std::vector<Pair>& pairs,
               const lockstep::RandomRules& rules);

/// Runs alone, with its recorded inputs, each pair whose inputs are in --inputs. Returns the worst
/// exit code.
int run_fed(const Options& options, const Loaded& loaded, const std::vector<Pair>& pairs);

/// Call after random values showed a difference in a cycle. Searches for fewer inputs that show
/// one, for a few seconds at most; prints and keeps them. `graph` holds only the pair, without
/// inputs.
void show_shrunk(const Options& options, const Graph& graph, const Pair& pair,
                 const lockstep::RandomRules& rules, std::uint64_t cycle, KeptInputs& kept);

/// Adds a network's own exported Verilog to it, as a second implementation of all its processes, or
/// of the component, instance or process `top`. Keeps the exported files in a folder beside the
/// built modules. Returns false after reporting an error.
bool add_self(const hdl::Exported& exported, const std::string& top, yaml::Design& design,
              VerilogModules& modules, Diagnostics& diagnostics);

} // namespace sme::cli
