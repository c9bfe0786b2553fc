// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "cli/options.hpp"

namespace sme::cli {

/// A command and the function that carries it out and returns its exit code.
struct Command {
    std::string_view name;
    int (*carry_out)(const Options&);
};

/// Carries out a command that may throw; prints an exception, and returns its exit code.
int without_exceptions(const std::function<int()>& command);

/// The main function of a program that carries out these commands. For any other command, it
/// becomes the program that carries it out: in `libexec` of an installation, or beside it in a
/// build folder, where it is built when it is first needed.
int run_main(int count, char** values, std::span<const Command> commands);

/// The target of the library for Verilog modules, verilator/run/plugin.hpp.
inline constexpr std::string_view verilog_plugin = "sme_verilog_plugin";

/// Returns the path of a part of the command besides `sme`, given by its target. In a build folder
/// it is built when it is first needed. `problem` receives why it cannot be used, if so.
std::string path_of_part(std::string_view target, const Options& options, std::string& problem);

/// Builds a target of the build folder that contains this program, unless `is_built`. Other
/// processes wait meanwhile. Returns the error message, or empty.
std::string build_target(const std::string& target, const std::string& note,
                         const std::function<bool()>& is_built);

} // namespace sme::cli
