// SPDX-License-Identifier: Apache-2.0
#include "verilator/build/builder.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/codes.hpp"
#include "base/digest.hpp"
#include "base/disk_cache.hpp"
#include "base/files.hpp"
#include "base/program.hpp"
#include "verilator/build/arguments.hpp"
#include "verilator/build/build_steps.hpp"
#include "verilator/build/installation.hpp"
#include "verilator/build/netlist_dump.hpp"
#include "verilator/build/settings.hpp"
#include "verilator/build/verilator_output.hpp"
#include "verilator/build/wrappers.hpp"
#include "verilator/inspect/list_check.hpp"

namespace sme::verilator {

namespace {

/// Returns a text that differs between versions of a program.
std::string version_of(const std::string& program) {
    struct stat found {};
    const std::string path = program.ends_with("verilator") ? program + "_bin" : program;
    if (::stat(path.c_str(), &found) != 0 && ::stat(program.c_str(), &found) != 0)
        return program;
    return fmt::format("{} {} {}", program, found.st_size, found.st_mtim.tv_sec);
}

/// Tests whether the ports for which the module names parameters are interfaces; reports the
/// others.
bool has_interfaces_of_parameters(const VerilogModule& module,
                                  const std::vector<InterfacePort>& ports,
                                  Diagnostics& diagnostics) {
    const std::size_t errors = diagnostics.errors();
    for (const VerilogModule::Parameter& parameter : module.parameters) {
        const std::string port = parameter.name.text.substr(0, parameter.name.text.find('.'));
        if (parameter.of_interface() &&
            std::none_of(ports.begin(), ports.end(),
                         [&](const InterfacePort& each) { return each.name == port; }))
            diagnostics.add(Code::verilog_port, parameter.name.where,
                            fmt::format("module '{}' has no port '{}' that is an interface",
                                        module.top.text, port));
    }
    return diagnostics.errors() == errors;
}

/// Gives the port of a wrapper, and the ports that it names, their names in the module.
void use_inner_names(ModulePort& port) {
    port.port.name = inner_port(port.port.name);
    for (std::string& clock : port.port.clocks)
        clock = inner_port(clock);
    std::map<std::string, Follows> follows;
    for (const auto& [input, how] : port.follows)
        follows[inner_port(input)] = how;
    port.follows = std::move(follows);
}

std::string identity_of_netlist(const std::string& identity) {
    return identity + "netlist\n";
}

/// Returns the limits of the program if they may explain its failure.
std::string allowed(const ProgramLimit& limit) {
    return limit.memory_bytes == 0 ? std::string{}
                                   : fmt::format("; it may take {} MiB of memory and write {} MiB",
                                                 limit.memory_bytes >> 20, limit.file_bytes >> 20);
}

} // namespace

VerilogModule Builder::wanted(const VerilogModule& module) const {
    VerilogModule result = module;
    result.savable = module.savable || settings_.savable;
    return result;
}

std::string Builder::identity(const VerilogModule& module) const {
    Digest contents; // of the named files; the cache checks the files that they include
    constexpr std::size_t max_bytes = std::size_t{256} << 20;
    for (const auto* files : {&module.files, &module.sources})
        for (const Placed& file : *files)
            contents.add(read_file(file.text, max_bytes).text.value_or(std::string{}));
    return fmt::format(
        "{}{}with {} {}\nwith {}\nby {:016x}\nread {}\nof {:016x}\n", identity_of(wanted(module)),
        variables_of_lists(module), version_of(settings_.verilator),
        installed_beside(settings_.verilator).version, version_of(settings_.compiler),
        texts_digest(), netlist_version, contents.value());
}

bool Builder::can_build(const VerilogModule& module, Diagnostics& diagnostics) const {
    if (!settings_.may_build)
        diagnostics.add(
            Code::verilog_missing, module.where,
            fmt::format("module '{}' is not built yet, and {} forbids to start Verilator "
                        "and a compiler",
                        module.top.text, settings_.forbidden_by));
    else if (settings_.verilator.empty())
        diagnostics.add(Code::verilog_missing, module.where,
                        "Verilog needs Verilator, which is not in PATH; on Debian: apt-get "
                        "install verilator");
    else if (settings_.compiler.empty())
        diagnostics.add(Code::verilog_missing, module.where,
                        "Verilog needs a C++ compiler, but there is no c++ in PATH; on Debian: "
                        "apt-get install g++");
    else if (const std::string problem = installation_of(settings_).problem(); !problem.empty())
        diagnostics.add(Code::verilog_missing, module.where, problem);
    else
        return true;
    return false;
}

std::optional<Netlist> Builder::inspect(const VerilogModule& module,
                                        Diagnostics& diagnostics) const {
    const TemporaryFolder folder{"sme-verilog"};
    if (!can_build(module, diagnostics))
        return std::nullopt;
    if (folder.path().empty()) {
        diagnostics.add(Code::verilog_build, module.where, folder.problem());
        return std::nullopt;
    }
    settings_.progress(fmt::format("reading module '{}'", module.top.text));
    try {
        std::optional<Netlist> result = read(module, folder.path(), diagnostics);
        if (result && result->problem.empty())
            ModuleCache{settings_.folder}.keep(identity_of_netlist(identity(module)), *result, "\n",
                                               sources_read(folder.path(), "Vmodule", module));
        return result;
    } catch (const ReadingInterrupted&) {
        interrupted(module, diagnostics);
        return std::nullopt;
    }
}

void Builder::interrupted(const VerilogModule& module, Diagnostics& diagnostics) {
    diagnostics.add(Code::verilog_build, module.where,
                    fmt::format("reading module '{}' was interrupted", module.top.text));
}

std::optional<Netlist> Builder::kept_netlist(const std::string& identity) const {
    if (auto found = ModuleCache{settings_.folder}.find(identity_of_netlist(identity)))
        return std::move(found->netlist);
    return std::nullopt;
}

std::optional<Netlist> Builder::read(const VerilogModule& module, const std::string& folder,
                                     Diagnostics& diagnostics) const {
    std::vector<std::string> arguments{"--flatten"};
    const std::vector<std::string> own = arguments_of(module);
    arguments.insert(arguments.end(), own.begin(), own.end());
    const NetlistDump dump = dump_netlist(settings_, folder, arguments);
    const ProgramEnd& end = dump.end;
    const bool limited = settings_.reading.memory_bytes > 0;
    const bool out_of_memory = limited && end.output.find("Verilator aborted") != end.output.npos;
    if (!end.good() && !interface_ports(end.output, module.top.text).empty())
        return inspect_around(module, folder, end.output, diagnostics);
    if (!end.good() && !out_of_memory) {
        const std::size_t errors = diagnostics.errors();
        VerilogSources sources;
        add_messages(end.output, module, sources, diagnostics);
        if (diagnostics.errors() != errors)
            return std::nullopt;
    }
    std::optional<Netlist> result;
    if (dump.tree) {
        settings_.progress(fmt::format("following the logic of module '{}'", module.top.text));
        result = read_netlist(*dump.tree, module, settings_.unwanted);
    }
    if (result && !has_interfaces_of_parameters(module, {}, diagnostics))
        return std::nullopt;
    if (const PortWrapper split = result ? port_wrapper(*result, module) : PortWrapper{};
        !split.text.empty())
        return read_wrapped(module, folder, split, diagnostics);
    if (result) {
        result->said = end.output;
        return result;
    }
    const std::string unwritable = why_unwritable(folder); // Verilator may exit with 0 in this case
    diagnostics.add(Code::verilog_build, module.where,
                    !unwritable.empty()
                        ? fmt::format("Verilator cannot write what it read of module '{}': {}",
                                      module.top.text, unwritable)
                    : end.problem.empty()
                        ? fmt::format("Verilator read module '{}' and ended with code {}{}{}",
                                      module.top.text, end.exit_code,
                                      dump.problem.empty() ? "; what it wrote cannot be understood"
                                                           : "; it wrote nothing: " + dump.problem,
                                      allowed(settings_.reading))
                        : end.problem);
    return std::nullopt;
}

/// Returns Verilator's netlist of a wrapper module in the folder of its file; `output` gets its
/// messages.
std::optional<ElementTree> Builder::read_around(const VerilogModule& module,
                                                const OuterModule& outer, const std::string& text,
                                                bool flat, std::string& output,
                                                Diagnostics& diagnostics) const {
    std::string problem;
    std::vector<std::string> arguments;
    if (flat)
        arguments.emplace_back("--flatten");
    for (std::string& argument : arguments_of(module, outer))
        arguments.push_back(std::move(argument));
    if (!write_file(outer.path, text, problem)) {
        diagnostics.add(Code::verilog_build, module.where, problem);
        return std::nullopt;
    }
    NetlistDump dump =
        dump_netlist(settings_, outer.path.substr(0, outer.path.rfind('/')), arguments);
    const ProgramEnd& end = dump.end;
    output = end.output;
    if (dump.tree)
        return std::move(dump.tree);
    const std::size_t errors = diagnostics.errors();
    VerilogModule silent = module; // the wrapper may cause its warnings
    silent.lint = false;
    VerilogSources sources;
    add_messages(end.output, silent, sources, diagnostics);
    if (diagnostics.errors() == errors)
        diagnostics.add(Code::verilog_build, module.where,
                        end.problem.empty() ? fmt::format("Verilator read module '{}' and "
                                                          "ended with code {}",
                                                          module.top.text, end.exit_code)
                                            : end.problem);
    return std::nullopt;
}

/// Reads a module with interfaces as ports: see interface_wrapper.hpp.
std::optional<Netlist> Builder::inspect_around(const VerilogModule& module,
                                               const std::string& folder, const std::string& said,
                                               Diagnostics& diagnostics) const {
    VerilogSources sources;
    const auto refuse = [&](const InterfacePort& at, const std::string& why) {
        diagnostics.add(Code::verilog_port, sources.at(at.file, at.line, at.column), why)
            .note(module.where, "the module is used here");
        return std::nullopt;
    };
    std::vector<InterfacePort> ports = interface_ports(said, module.top.text);
    for (const InterfacePort& port : ports)
        if (port.type.empty())
            return refuse(port, "a port is an interface whose type cannot be read here; write "
                                "'type.modport name'");
    if (!has_interfaces_of_parameters(module, ports, diagnostics))
        return std::nullopt;
    const OuterModule probe_file{probe_name, folder + "/" + probe_name + ".sv"};
    std::string output;
    Diagnostics quiet;
    if (!module.parameters.empty())
        give_parameters(ports, module,
                        read_around(module, probe_file, probe_of(ports), false, output, quiet));
    const auto probe =
        read_around(module, probe_file, probe_of(module, ports), false, output, diagnostics);
    if (!probe)
        return std::nullopt;
    const PortWrapper wrapper = wrapper_of(*probe, module, ports);
    if (!wrapper.problem.empty())
        return refuse(wrapper.at, wrapper.problem);
    return read_wrapped(module, folder, wrapper, diagnostics);
}

/// Reads the wrapper's netlist, with the positions of the module's own ports.
std::optional<Netlist> Builder::read_wrapped(const VerilogModule& module, const std::string& folder,
                                             const PortWrapper& wrapper,
                                             Diagnostics& diagnostics) const {
    std::string output;
    const std::string name = wrapper_name(module);
    const auto tree = read_around(module, {name, folder + "/" + name + ".sv"}, wrapper.text, true,
                                  output, diagnostics);
    if (!tree)
        return std::nullopt;
    VerilogModule outside = module; // its clocks and resets as the wrapper calls them
    for (VerilogClock& clock : outside.clocks)
        clock.port.text = outer_port(clock.port.text);
    for (VerilogReset& reset : outside.resets)
        reset.port.text = outer_port(reset.port.text);
    std::optional<Netlist> result = read_netlist(*tree, outside, settings_.unwanted);
    result->wrapper = wrapper.text;
    result->said = output;
    for (ModulePort& port : result->ports) {
        for (const ModulePort& declared : wrapper.ports)
            if (declared.port.name == port.port.name) {
                port.port.in_interface = declared.port.in_interface;
                port.port.of_inout = declared.port.of_inout;
                port.shape = declared.shape;
                port.file = declared.file;
                port.line = declared.line;
                port.column = declared.column;
            }
        use_inner_names(port);
    }
    return result;
}

std::optional<std::string> Builder::build(const VerilogModule& module, const Netlist& netlist,
                                          Diagnostics& diagnostics, bool& built) const {
    const std::string text = identity(module);
    const ModuleCache kept{settings_.folder};
    const ModuleCache::Lock lock{settings_.folder, ModuleCache::key_of(text), settings_.unwanted};
    if (lock.problem().empty())
        if (std::optional<KeptModule> found = kept.find(text)) // another process built it meanwhile
            return found->object;
    if (!can_build(module, diagnostics))
        return std::nullopt;
    built = true;
    return BuildSteps{settings_, wanted(module), diagnostics}.run(kept, text, netlist);
}

} // namespace sme::verilator
