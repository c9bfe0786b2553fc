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

// The types of options: how each is written, read and checked.

using Flag = bool; ///< true when it is given
/// True unless it is given: "--no-open".
struct Unless {
    bool value = true;
    operator bool() const { return value; }
};
/// Any text; when the row lists words, one of those. Empty: not given.
using Text = std::string;
using Texts = std::vector<std::string>; ///< may be repeated
struct TwoWords {
    std::vector<std::string> words; ///< two, or none
};
/// A whole number in a range.
template <std::uint64_t low, std::uint64_t high, std::uint64_t initial = 0> struct Number {
    std::uint64_t value = initial;
    operator std::uint64_t() const { return value; }
};
inline constexpr std::uint64_t max_cycles = std::uint64_t{1} << 62;
/// Cycles, from 1 to `max_cycles`; nothing when it is not given.
struct CycleCount : std::optional<std::uint64_t> {
    using std::optional<std::uint64_t>::optional;
};
/// A cycle, from 0 to `max_cycles`; nothing when it is not given.
struct CycleNumber : std::optional<std::uint64_t> {
    using std::optional<std::uint64_t>::optional;
};

/// A number that decides what is random; nothing when it is not given.
struct Seed : std::optional<std::uint64_t> {
    using std::optional<std::uint64_t>::optional;
};

/// The words of --engine, in the order of Execution.
inline constexpr std::array<std::string_view, 3> execution_names{"auto", "interpreted", "native"};

/// What the command line asks for.
struct Options {
    std::string command; // a name in the table of commands
    std::string network;
    std::string argument; // of a command that takes no network
    std::string second;   // argument of a command that takes two

#define SME_OPTION(field, name, value, commands, text, ...) __VA_ARGS__ field{};
#include "cli/options.def"

    // What some of them come to:
    std::map<std::string, std::string> parameters; // --set
    SimulatorOptions run;                          // threads, seed
    bool threads_given = false;
    bool seed_given = false;
    std::vector<unsigned> counts{1, 2, 4, 8, 16, 32, 64, 128}; // of threads, to predict for
    Execution execution = Execution::automatic;
    std::uint64_t checkpoint_every = 0; // cycles; 0: never
    std::string checkpoint;             // the file
    bool for_network = false;           // an option is given that says how to load or run one

    bool against = false; // second implementations are loaded

    std::vector<std::string> words; // of the command line

    /// Whether lines and branches of processes are counted: for a report as well, except where that
    /// would be a part of what is saved.
    bool covers() const {
        return !coverage.empty() || (!page.empty() && checkpoint_every == 0 && resume.empty());
    }
};

/// The command ends here: what to print, and where.
struct Ending {
    int exit_code; // 0: `text` is a result; else a complaint
    std::string text;
};

/// Reads the arguments after the program's name.
std::variant<Options, Ending> read_options(const std::vector<std::string>& arguments);

/// Exit codes (design: the command).
namespace exit_code {
inline constexpr int fine = 0;
inline constexpr int model_failed = 1;
inline constexpr int usage = 2;
inline constexpr int building = 3; // another program is missing or failed
inline constexpr int file = 4;
} // namespace exit_code

} // namespace sme::cli
