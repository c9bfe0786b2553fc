// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sme/run.hpp"

namespace sme::cli {

// The types of options, which determine syntax, parsing and checking.

using Flag = bool; ///< true if given
/// True unless given: "--no-open".
struct Unless {
    bool value = true;
    operator bool() const { return value; }
};
/// Any text; if the row lists words, one of those. Empty if not given.
using Text = std::string;
using Texts = std::vector<std::string>; ///< may be repeated
struct TwoWords {
    std::vector<std::string> words; ///< two words, or empty
};
/// A whole number in a range.
template <std::uint64_t low, std::uint64_t high, std::uint64_t initial = 0> struct Number {
    std::uint64_t value = initial;
    operator std::uint64_t() const { return value; }
};
inline constexpr std::uint64_t max_cycles = std::uint64_t{1} << 62;
/// Cycles, from 1 to `max_cycles`; `nullopt` if not given.
struct CycleCount : std::optional<std::uint64_t> {
    using std::optional<std::uint64_t>::optional;
};
/// A cycle, from 0 to `max_cycles`; `nullopt` if not given.
struct CycleNumber : std::optional<std::uint64_t> {
    using std::optional<std::uint64_t>::optional;
};

/// A seed of random values; `nullopt` if not given.
struct Seed : std::optional<std::uint64_t> {
    using std::optional<std::uint64_t>::optional;
};

/// The words of --engine, in the order of Execution.
inline constexpr std::array<std::string_view, 3> execution_names{"auto", "interpreted", "native"};

/// The parsed command line.
struct Options {
    std::string command; // a name in the table of commands
    std::string network;
    std::string argument;              // for a command without a network
    std::vector<std::string> networks; // of a command that takes several; may be folders
    std::string second;                // second argument of a command that takes two

#define SME_OPTION(field, name, value, commands, text, ...) __VA_ARGS__ field{};
#include "cli/options.def"

    // Values derived from several options:
    std::map<std::string, std::string> parameters; // --set
    SimulatorOptions run;                          // threads, seed
    bool threads_given = false;
    bool seed_given = false;
    std::vector<unsigned> counts{1, 2, 4, 8, 16, 32, 64, 128}; // thread counts to predict for
    std::vector<unsigned> rank_counts;                         // of ranks
    Execution execution = Execution::automatic;
    std::uint64_t checkpoint_every = 0; // in cycles; 0: never
    std::string checkpoint;             // path
    bool for_network = false;           // loading or running options are given

    bool against = false; // load second implementations

    std::vector<std::string> words; // of the command line

    /// True if lines and branches of processes are counted. A report counts them, too, unless that
    /// would add them to a checkpoint.
    bool covers() const {
        return !coverage.empty() || (!page.empty() && checkpoint_every == 0 && resume.empty());
    }
};

/// The command ends here: the text to print, and its destination.
struct Ending {
    int exit_code; // 0: `text` is a result; otherwise an error
    std::string text;
};

/// Parses the arguments after the program name.
std::variant<Options, Ending> read_options(const std::vector<std::string>& arguments);

/// Fills `run` from --threads, --queue, --orchestration, --adaptive, --wait and --grain. Returns an
/// error if the threads are not a number, or the grain does not fit the queue.
std::optional<std::string> read_thread_options(Options& options);

/// Returns an error if --show, --wavedrom, --from, --to and --ascii do not fit together.
std::optional<std::string> check_waveform_options(const Options& options);

/// Why this file name is unsuitable for a graph, or empty.
std::string bad_graph_name(const std::string& path);

/// Exit codes, as sim/cli/README.md lists them.
namespace exit_code {
inline constexpr int fine = 0;
inline constexpr int model_failed = 1;
inline constexpr int usage = 2;
inline constexpr int building = 3; // another program is missing or failed
inline constexpr int file = 4;
} // namespace exit_code

} // namespace sme::cli
