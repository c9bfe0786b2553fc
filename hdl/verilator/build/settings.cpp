// SPDX-License-Identifier: Apache-2.0
#include "verilator/build/settings.hpp"

#include <fmt/format.h>

#include "base/program.hpp"

namespace sme::verilator {

Settings settings_of(const VerilogTools& tools) {
    const auto path_of = [](const std::string& program) {
        return program.find('/') != program.npos ? program
                                                 : find_program(program).value_or(std::string{});
    };
    Settings settings;
    settings.verilator = path_of(tools.verilator);
    settings.compiler = path_of(tools.compiler);
    settings.folder = tools.folder;
    settings.may_build = tools.may_build;
    settings.jobs = tools.jobs;
    if (tools.message)
        settings.progress = tools.message;
    return settings;
}

ProgramEnd run_tool(const Settings& settings, const std::string& path,
                    const std::vector<std::string>& arguments, ProgramStreams streams,
                    ProgramLimit limit) {
    limit.unwanted = settings.unwanted;
    ProgramEnd end = run_program(path, arguments, streams, {}, &limit);
    if (end.stopped) {
        end.problem =
            settings.unwanted && settings.unwanted->load()
                ? fmt::format("'{}' was interrupted", path)
                : fmt::format("'{}' took more than {} s, or printed more than {} MiB, and was "
                              "stopped",
                              path, limit.seconds, limit.output_bytes >> 20);
        end.output.clear(); // the output only mentions the signal
    }
    return end;
}

} // namespace sme::verilator
