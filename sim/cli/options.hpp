// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sme/threads.hpp"

namespace sme::cli {

/// What 'sme diff' is asked for, as it is written.
struct DiffOptions {
    std::vector<std::string> maps, select, ignore;
    std::string shift, any_x, tolerance;
    std::uint64_t most = 10; // differences that are shown
};

/// How YAML processes run.
enum class Execution : std::uint8_t {
    automatic,   ///< interpreted at once, native as soon as that is compiled
    interpreted, ///< and no compiler is started
    native,      ///< from the first cycle on
};

/// What the command line asks for.
struct Options {
    std::string command; // a name in the table of commands
    std::string network;
    std::string argument; // of a command that takes no network
    std::string second;   // argument of a command that takes two
    DiffOptions diff;
    std::map<std::string, std::string> parameters; // --set
    std::optional<std::uint64_t> cycles;
    std::string trace;
    std::string trace_select;
    bool trace_state = false;
    std::uint64_t keep_last = 0; // cycles of the trace, written when something goes wrong; 0: all
    SimulatorOptions run;        // threads, seed
    bool threads_given = false;  // they are asked for
    std::vector<unsigned> counts{1, 2, 4, 8, 16, 32, 64, 128}; // of threads, to predict for
    bool stats = false;
    Execution execution = Execution::automatic;
    std::string emit_c;                  // the folder that the C of native code is written to
    std::uint64_t checkpoint_every = 0;  // cycles; 0: never
    std::string checkpoint;              // the file
    std::string resume;                  // the checkpoint to go on from
    bool seed_given = false;             // --seed
    std::string profile;                 // where the time line goes
    std::string schedule;                // is repeated, or written
    std::string results;                 // where what became of checks goes, as JSON
    std::string junit;                   // and as JUnit XML
    std::vector<std::string> coverage;   // where what was tried goes: FILE.info, FILE.json
    bool compile = true;                 // compilers may be started; --no-compile
    bool self = false;                   // the network's own Verilog is the second implementation
    bool against = false;                // second implementations are loaded
    std::optional<std::uint64_t> random; // cycles with random values
    bool validate = false;               // a judge looks at every step
    unsigned orders = 20;                // others than source order, to compare with
    bool strict = false;
    bool print = false;             // the network as one file
    bool report = false;            // what Verilog costs on FPGAs
    std::string output;             // --output: where a picture or a save file goes
    bool open = true;               // the viewer; --no-open
    bool overwrite = false;         // a save file that somebody changed
    bool force = false;             // existing files of another kind are written over
    std::vector<std::string> allow; // what a network may write, beside its folder and this one
    bool safe = false;              // a network reads only there, too, and starts no program
    bool compile_asked = false;     // --compile: also by a command that does not run the network
    bool for_network = false;       // an option is given that says how to load or run one
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
