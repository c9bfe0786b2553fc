// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options/options_description.hpp>

#include "cli/options.hpp"

namespace sme::cli {

/// One command. Help, shell completion and the man page come from this table and from options.def.
struct CommandInfo {
    std::string_view name;
    std::string_view argument; // "NETWORK", "[CODE]" if optional, "bash|zsh", or ""
    std::string_view summary;  // one line
    std::string_view text;     // the rest of the description, for the man page
    int (*carry_out)(const Options&);
};

std::span<const CommandInfo> all_commands();

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

} // namespace sme::cli
