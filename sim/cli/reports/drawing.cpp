// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/drawing.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/program.hpp"
#include "cli/signals.hpp"

namespace sme::cli {

std::optional<std::string> drawn_by(const std::string& program,
                                    const std::vector<std::string>& arguments,
                                    const std::string& text,
                                    int (*complain)(const std::string& problem), int& failed) {
    // an interrupted run is drawn, too; a second signal ends the command
    const ProgramLimit limit{0, interrupted() ? nullptr : &interrupted()};
    ProgramEnd end = run_program(program, arguments, ProgramStreams::output_taken, text, &limit);
    if (end.stopped)
        failed = signal_exit_code();
    else if (!end.problem.empty())
        failed = complain(end.problem);
    else if (end.exit_code != 0)
        failed = complain(fmt::format("'{}' ended with {}", program, end.exit_code));
    else if (end.output.find("<svg") == std::string::npos)
        failed = complain(fmt::format("'{}' drew nothing", program));
    else
        return std::move(end.output);
    return std::nullopt;
}

} // namespace sme::cli
