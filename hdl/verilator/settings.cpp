// SPDX-License-Identifier: Apache-2.0
#include "verilator/settings.hpp"

#include <fmt/format.h>

namespace sme::verilator {

ProgramEnd run_tool(const Settings& settings, const std::string& path,
                    const std::vector<std::string>& arguments, ProgramStreams streams) {
    const ProgramLimit limit{0, settings.unwanted};
    ProgramEnd end = run_program(path, arguments, streams, {}, &limit);
    if (end.stopped) {
        end.problem = fmt::format("'{}' was interrupted", path);
        end.output.clear(); // it complains of the signal
    }
    return end;
}

} // namespace sme::verilator
