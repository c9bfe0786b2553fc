// SPDX-License-Identifier: Apache-2.0
#include "verilator/build/arguments.hpp"

#include <set>

#include <fmt/format.h>

#include "verilator/inspect/element.hpp"

namespace sme::verilator {

std::vector<std::string> arguments_of(const VerilogModule& module,
                                      const std::optional<OuterModule>& outer) {
    std::vector<std::string> result{"--no-timing", "--assert", "-Wno-fatal", "--top-module",
                                    outer ? outer->name : module.top.text};
    for (const VerilogModule::Parameter& parameter : module.parameters)
        if (!outer && !parameter.of_interface())
            result.push_back(fmt::format("-G{}={}", key_of(parameter.name.text), parameter.value));
    for (const Placed& folder : module.include)
        result.push_back("-I" + folder.text); // +incdir+ would split "user+project"
    for (const Placed& name : module.define)
        result.push_back("-D" + name.text); // +define+ would split "A=1+B"
    for (const Placed& list : module.lists) {
        result.emplace_back("-F"); // names in it are relative to its own folder
        result.push_back(list.text);
    }
    for (const Placed& file : module.files)
        result.push_back(file.text);
    if (outer)
        result.push_back(outer->path);
    result.insert(result.end(), {"-Wwarn-STMTDLY", "-Wwarn-ASSIGNDLY"}); // also after a list's -Wno
    return result;
}

std::string identity_of(const VerilogModule& module) {
    std::string text;
    for (const std::string& argument : arguments_of(module))
        text += argument + '\n';
    for (const VerilogModule::Parameter& parameter : module.parameters)
        if (parameter.of_interface())
            text += fmt::format("parameter {}={}\n", parameter.name.text, parameter.value);
    for (const Placed& source : module.sources)
        text += "source " + source.text + '\n';
    for (const std::string& name : module.seen)
        text += "seen " + name + '\n';
    if (module.seen_arrays)
        text += "seen arrays\n";
    std::set<std::string> controls; // in any order
    for (const VerilogClock& clock : module.known_clocks())
        controls.insert(fmt::format("clock {}{}\n", clock.port.text,
                                    clock.rate.falls_within_cycles() ? "" : " even"));
    for (const VerilogReset& reset : module.resets)
        controls.insert(fmt::format("reset {}\n", reset.port.text));
    for (const std::string& control : controls)
        text += control;
    return text + fmt::format("inside {}\nsavable {}\n", module.trace_inside, module.savable);
}

} // namespace sme::verilator
