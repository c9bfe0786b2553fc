// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
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

/// `sme run --untimed`; returns the exit code.
int run_untimed(const Options& options);

/// Loads a network for export, and passes it to `write` before its modules are built. Diagnostics
/// that `write` adds to `found` count as those of loading. The run of the network records nothing.
LoadResult load_to_export(const Options& options, const Diagnostics& found,
                          const std::function<void(const expr::ModuleView&, const Graph&)>& write);

/// A run that the test bench of the exported network replays.
struct ReplayedRun {
    int exit_code; // if not `fine`, all else is empty
    std::vector<hdl::ExportedFile> values;
    std::uint64_t cycles = 0;
};
/// Runs a network and records its buses; reports an error if the record is too large.
ReplayedRun replayed_run(const Options& options, const Loaded& loaded,
                         const hdl::Exported& exported);

/// Writes files into a folder, and finally `list`, the file that names them; thus a list in the
/// folder never names outdated files. Returns the error message.
std::string write_listed(const std::string& folder, const hdl::ExportedFile& list,
                         const std::vector<const std::vector<hdl::ExportedFile>*>& files);

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

/// A run that writes no file and prints no result; only its outcome is used.
struct QuietRun {
    RunEnd end = RunEnd::stopped; // also if no cycle could run
    std::uint64_t cycles = 0;
    int exit_code = exit_code::fine; // of a failed run
    std::vector<Diagnostic> faults;
    std::vector<Diagnostic> failures; // of checks and expected outputs

    bool has_failed() const {
        return end == RunEnd::stopped || end == RunEnd::check_failed || end == RunEnd::faulted;
    }
};

/// Loads a network and runs it on one thread, interpreted. `cycles` returns the number of cycles
/// for the loaded network; `nullopt` skips the run, after reporting the reason.
QuietRun run_quietly(const Options& options, LoadHooks hooks,
                     const std::function<std::optional<std::uint64_t>(const Loaded&)>& cycles);

/// Runs a network several times with random stalls in all channels, and compares the messages of
/// each channel with those of a run without stalls. Prints the findings and returns the exit code.
int compare_stalled_runs(const Options& options);

/// Runs a network several times; in each run, values that cross between clock domains arrive at
/// random one edge late. Its checks and expected outputs must hold in each run. Prints the findings
/// and returns the exit code.
int judge_metastable_runs(const Options& options);

/// Adds a network's own exported Verilog to it, as a second implementation of all its processes, or
/// of the component, instance or process `top`. Keeps the exported files in a folder beside the
/// built modules. Returns false after reporting an error.
bool add_self(const hdl::Exported& exported, const std::string& top, yaml::Design& design,
              verilator::Modules& modules, Diagnostics& diagnostics);

} // namespace sme::cli
