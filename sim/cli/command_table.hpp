// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/loading.hpp"
#include "cli/options.hpp"

namespace boost::program_options {
class options_description;
}

namespace sme::cli {

/// Each function carries out one command and returns its exit code.
int new_command(const Options& options);
int run_command(const Options& options);
int test_command(const Options& options);
int check_command(const Options& options);
int fifos_command(const Options& options);
int graph_command(const Options& options);
int debug_command(const Options& options);
int vpi_command(const Options& options);
int diff_command(const Options& options);
int explain_command(const Options& options);
int schema_command(const Options& options);
int completion_command(const Options& options);
int man_command(const Options& options);
int predict_command(const Options& options);
int cosim_command(const Options& options);
int view_command(const Options& options);
int validate_command(const Options& options);
int verilog_command(const Options& options);
int vhdl_command(const Options& options);

/// Under `mpirun`, other ranks than 0 print nothing from now on. Call it first.
void let_rank_0_speak();

/// Runs a loaded network as 'sme run' does. `loading` is the time that loading took. `cycles`, if
/// not null, receives the number of cycles that began.
int run_loaded(const Options& options, const Loaded& loaded, std::chrono::nanoseconds loading,
               std::uint64_t* cycles = nullptr);

/// One command. Help, shell completion and the man page come from this table and from options.def.
struct CommandInfo {
    std::string_view name;
    std::string_view argument; // "NETWORK", "[CODE]" if optional, "bash|zsh", or ""
    std::string_view summary;  // one line
    std::string_view text;     // the rest of the description, for the man page
    std::string_view program;  // the program that carries it out
};

std::span<const CommandInfo> all_commands();

/// True for "NETWORK", "NETWORK|TRACE.vcd" and "[NETWORK...]".
inline bool takes_network(std::string_view argument) {
    return argument.starts_with("NETWORK") || argument.starts_with("[NETWORK");
}

/// Returns the command with this name, or null.
const CommandInfo* find_command(std::string_view name);

/// Returns the options of a command. The name of a value describes what may follow: FILE... is a
/// file, a|b is one of these words.
boost::program_options::options_description options_of(const CommandInfo& command);

/// An option as completion and the man page list it.
struct OptionInfo {
    std::string name;       // "--trace"
    std::string short_name; // "-o", or ""
    std::string value;      // "FILE.vcd"; "" if the option takes no value
    std::string text;
};
std::vector<OptionInfo> listed_options(const CommandInfo& command);

/// Returns the words of "a|b|c"; empty if the value is not a list of words.
std::vector<std::string> words_of(std::string_view value);

/// "usage: sme COMMAND ..." and the list of commands.
std::string overview();

/// The first steps, printed for a call without a command.
std::string first_steps();

/// Returns the arguments with the current names of renamed options; the old names work for one
/// release more.
std::vector<std::string> with_new_names(const std::string& command,
                                        std::vector<std::string> arguments);

} // namespace sme::cli
