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
    std::string_view argument; // "NETWORK", "[CODE]" when it may be left out, "bash|zsh", or ""
    std::string_view summary;  // one line
    std::string_view text;     // more of it, for the man page
    int (*carry_out)(const Options&);
};

std::span<const CommandInfo> all_commands();

/// The command of that name, or null.
const CommandInfo* find_command(std::string_view name);

/// The options of a command. The name of a value says what may follow: FILE... is a file, a|b is
/// one of these words.
boost::program_options::options_description options_of(const CommandInfo& command);

/// An option as it is listed elsewhere than in the help.
struct OptionInfo {
    std::string name;       // "--trace"
    std::string short_name; // "-o", or ""
    std::string value;      // "FILE.vcd"; "" when nothing follows
    std::string text;
};
std::vector<OptionInfo> listed_options(const CommandInfo& command);

/// The words that "a|b|c" stands for; none when it stands for something else.
std::vector<std::string> words_of(std::string_view value);

/// "usage: sme COMMAND ..." and the list of commands.
std::string overview();

/// What to do next, for a call without a command.
std::string first_steps();

} // namespace sme::cli
