// SPDX-License-Identifier: Apache-2.0
//
// Generates C++ from a Verilog module, for sme_add_verilog: NAME.hpp and NAME_class.cpp (the
// process class), NAME_fast*.cpp and NAME_slow.cpp (Verilator's output), NAME.d (dependencies). The
// build runs it as `sme_verilog_class NAME FOLDER [--option value]...`.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "verilator/build/builder.hpp"
#include "verilator/build/verilator_output.hpp"
#include "verilator/run/library.hpp"

namespace {

using namespace sme;
using namespace sme::verilator;

/// The number of sources into which Verilator's are merged, for any module: the build must know
/// their names before it reads the module.
constexpr std::size_t fast_sources = 4;

struct Wanted {
    std::string name;
    std::string folder;
    VerilogModule module;
    Settings settings;
};

[[noreturn]] void refuse(const std::string& what) {
    fmt::print(stderr, "sme_add_verilog: {}\n", what);
    std::exit(2);
}

/// "clk" or "clk every 2 offset 1".
VerilogClock clock_of(const std::string& text) {
    const std::size_t blank = text.find(' ');
    VerilogClock result{{text.substr(0, blank), {}}, {}};
    if (blank == std::string::npos)
        return result;
    const auto rate = ClockRate::parse(std::string_view{text}.substr(blank + 1));
    if (!rate)
        refuse(fmt::format("'{}' is no clock; write CLOCK \"port every 2 offset 1\"", text));
    if (const std::string problem = rate->problem(); !problem.empty())
        refuse(fmt::format("clock '{}': {}", result.port.text, problem));
    result.rate = *rate;
    return result;
}

/// "rst", "rst high" or "rst_n low".
VerilogReset reset_of(const std::string& text) {
    const std::size_t blank = text.find(' ');
    VerilogReset result{{text.substr(0, blank), {}}};
    const std::string level = blank == std::string::npos ? "high" : text.substr(blank + 1);
    result.high = level == "high";
    if (!result.high && level != "low")
        refuse(fmt::format("'{}' is no reset; write RESET \"port low\"", text));
    return result;
}

void set_option(Wanted& wanted, const std::string& option, const std::string& value) {
    VerilogModule& module = wanted.module;
    const Placed placed{value, {}};
    if (option == "--file") {
        if (VerilogModule::is_c_source(value))
            refuse(
                fmt::format("'{}' is no Verilog; add it to the target with target_sources", value));
        module.files.push_back(placed);
    } else if (option == "--top")
        module.top = placed;
    else if (option == "--parameter") {
        const std::size_t equal = value.find('=');
        if (equal == std::string::npos || equal == 0)
            refuse(fmt::format("'{}' is no parameter; write NAME=VALUE", value));
        module.parameters.push_back({{value.substr(0, equal), {}}, value.substr(equal + 1)});
    } else if (option == "--include")
        module.include.push_back(placed);
    else if (option == "--define")
        module.define.push_back(placed);
    else if (option == "--list")
        module.lists.push_back(placed);
    else if (option == "--plusarg")
        module.plusargs.push_back(placed);
    else if (option == "--clock")
        module.clocks.push_back(clock_of(value));
    else if (option == "--reset")
        module.resets.push_back(reset_of(value));
    else if (option == "--reset-low")
        for (VerilogReset& reset : module.resets)
            reset.high = false;
    else if (option == "--reset-cycles") {
        char* end = nullptr;
        const unsigned long cycles = std::strtoul(value.c_str(), &end, 10);
        constexpr unsigned long most = 1'000'000;
        if (*end != '\0' || value.empty() || cycles > most)
            refuse(fmt::format("RESET_CYCLES is '{}', but must be a number up to {}", value, most));
        for (VerilogReset& reset : module.resets)
            reset.cycles = static_cast<unsigned>(cycles);
    } else if (option == "--trace-inside")
        module.trace_inside = true;
    else if (option == "--savable")
        module.savable = true;
    else if (option == "--verilator")
        wanted.settings.verilator = value;
    else
        refuse(fmt::format("unknown option '{}'", option));
}

Wanted wanted_of(const std::vector<std::string>& arguments) {
    if (arguments.size() < 2 || arguments.size() % 2 != 0)
        refuse("the arguments are NAME FOLDER [--option value]...");
    Wanted wanted;
    wanted.name = arguments[0];
    wanted.folder = arguments[1];
    if (!is_class_name(wanted.name))
        refuse(fmt::format("'{}' cannot name a class; give the target another name", wanted.name));
    for (std::size_t k = 2; k < arguments.size(); k += 2)
        set_option(wanted, arguments[k], arguments[k + 1]);
    wanted.settings.compiler = "c++"; // unused here
    return wanted;
}

std::string dependencies_of(const Wanted& wanted) {
    std::string text = fmt::format("{}/{}.hpp:", wanted.folder, wanted.name);
    for (const std::string& path : sources_read(wanted.folder, "V" + wanted.name, wanted.module)) {
        text += ' ';
        for (const char sign : path) {
            if (sign == ' ')
                text += '\\';
            text += sign;
        }
    }
    return text + "\n";
}

/// Returns false if it reported an error.
bool make(const Wanted& wanted, Diagnostics& diagnostics) {
    const std::optional<Netlist> netlist =
        Builder{wanted.settings}.inspect(wanted.module, diagnostics);
    if (!netlist)
        return false;
    VerilogSources sources;
    add_messages(netlist->said, wanted.module, sources, diagnostics);
    if (!netlist->problem.empty()) {
        diagnostics.add(
            Code::verilog_port,
            sources.at(netlist->problem_file, netlist->problem_line, netlist->problem_column),
            fmt::format("module '{}': {}", wanted.module.top.text, netlist->problem));
        return false;
    }
    const OutputNames names{"V" + wanted.name, "sme_module_" + wanted.name};
    const std::optional<VerilatorOutput> output =
        run_verilator(wanted.settings, wanted.module, *netlist, wanted.folder, names, diagnostics);
    if (!output)
        return false;
    std::string problem;
    bool good = true;
    const auto write = [&](const std::string& ending, const std::string& text) {
        good = good && write_file(wanted.folder + "/" + wanted.name + ending, text, problem);
    };
    std::vector<std::string> groups = output->fast_sources(wanted.folder, 0);
    std::vector<std::string> shared(fast_sources);
    for (std::size_t k = 0; k < groups.size(); ++k)
        shared[k % fast_sources] += groups[k];
    for (std::size_t k = 0; k < fast_sources; ++k)
        write(fmt::format("_fast{}.cpp", k), shared[k] + (k == 0 ? output->abi : ""));
    write("_slow.cpp", output->slow_source());
    write("_class.cpp", class_source(wanted.name, wanted.module, *netlist));
    write(".d", dependencies_of(wanted));
    write(".hpp", class_header(wanted.name, wanted.module, *netlist));
    if (!good)
        diagnostics.add(Code::verilog_build, {}, problem);
    return good;
}

} // namespace

int main(int count, char** arguments) {
    const Wanted wanted = wanted_of({arguments + 1, arguments + count});
    std::error_code error;
    std::filesystem::create_directories(wanted.folder, error);
    Diagnostics diagnostics;
    const bool result = make(wanted, diagnostics);
    fmt::print(stderr, "{}", render(diagnostics));
    return result && !diagnostics.has_errors() ? 0 : 3;
}
