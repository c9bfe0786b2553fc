// SPDX-License-Identifier: Apache-2.0
//
// A wrapper module around the top module has a port for each bus, at any depth of the hierarchy.
#include "cli/commands/compared_run.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "base/digest.hpp"
#include "base/disk_cache.hpp"
#include "base/files.hpp"
#include "export/rtl/module.hpp"
#include "export/verilog/verilog_text.hpp"
#include "lockstep/comparison.hpp"

namespace sme::cli {

namespace {

constexpr std::size_t max_ports = 20'000;

class SelfPair {
public:
    SelfPair(const hdl::Exported& exported, const std::string& top, yaml::Design& design,
             VerilogModules& modules, Diagnostics& diagnostics)
        : exported_{exported}, top_{top}, design_{design}, modules_{modules}, diagnostics_{
                                                                                  diagnostics} {}

    bool run() {
        Graph& graph = design_.graph;
        pair_.name = top_.empty() ? graph.name : top_;
        pair_.other = "its Verilog";
        pair_.where = graph.declared;
        pair_.first = {0, graph.processes.size()};
        while (
            std::any_of(graph.buses.begin(), graph.buses.end(),
                        [&](const BusFamily& bus) { return bus.name.starts_with(name_ + '.'); }) ||
            std::any_of(graph.processes.begin(), graph.processes.end(),
                        [&](const ProcessFamily& process) { return process.name == name_; }))
            name_ += '_';
        family_.name = name_;
        family_.declared = graph.declared;
        for (std::size_t k = 0; k < exported_.inputs.size(); ++k)
            add_input(exported_.inputs[k], k);
        for (std::size_t k = 0; k < exported_.watched.size(); ++k)
            add_output(exported_.watched[k], k);
        VerilogModule module;
        if (bindings_.size() > max_ports) {
            diagnostics_.add(Code::too_large, graph.declared,
                             fmt::format("the buses of '{}' have {} ports, but its Verilog is "
                                         "compared with at most {}",
                                         graph.name, bindings_.size(), max_ports));
            return false;
        }
        if (!write(module) || !modules_.ports(module, diagnostics_) ||
            !modules_.attach(module, bindings_, family_, graph, diagnostics_))
            return false;
        graph.processes.push_back(std::move(family_));
        pair_.second = {pair_.first.end, graph.processes.size()};
        design_.pairs.push_back(std::move(pair_));
        return true;
    }

private:
    void bind(const std::string& name, bool output, std::uint64_t element, int field,
              std::uint32_t port) {
        VerilogBinding binding;
        binding.name = name;
        binding.output = output;
        binding.port = port;
        binding.field = field;
        binding.wire = design_.graph.family_of(element).wire();
        binding.where = design_.graph.declared;
        bindings_.push_back(std::move(binding));
    }

    std::uint32_t add_port(std::uint64_t element, bool output) {
        Port port;
        port.name = design_.graph.bus_name(element);
        port.output = output;
        port.type = design_.graph.family_of(element).type;
        port.buses = Segments::affine(1, static_cast<std::int64_t>(element), 0);
        family_.ports.push_back(std::move(port));
        return static_cast<std::uint32_t>(family_.ports.size() - 1);
    }

    /// "signed [15:0] "
    std::string range(const hdl::Watched::Part& part) const {
        const Type* type = design_.graph.family_of(part.element).type.get();
        if (part.field >= 0)
            type = type->fields()[static_cast<std::size_t>(part.field)].type.get();
        return fmt::format("{}[{}:0] ", type->is_signed() ? "signed " : "", part.width - 1);
    }

    void add_input(const hdl::Watched& watched, std::size_t number) {
        std::string joined;
        for (std::size_t p = 0; p < watched.parts.size(); ++p) {
            const hdl::Watched::Part& part = watched.parts[p];
            const std::string name = fmt::format("i{}_{}", number, p);
            ports_ += fmt::format("    input wire {}{},\n", range(part), name);
            joined.insert(0, p == 0 ? name : name + ", "); // the first part is the rightmost
            const auto [place, result] = inputs_.try_emplace(part.element, 0);
            if (result) {
                place->second = add_port(part.element, false);
                pair_.inputs.push_back(part.element);
            }
            bind(name, false, part.element, part.field, place->second);
        }
        connections_ += fmt::format("        .{}({{{}}}),\n", watched.path, joined);
    }

    void add_output(const hdl::Watched& watched, std::size_t number) {
        const bool inside = watched.path.starts_with("dut.");
        (inside ? body_ : wires_) += fmt::format("    wire [{}:0] w{}{};\n", watched.width - 1,
                                                 number, inside ? " = " + watched.path : "");
        if (!inside)
            connections_ += fmt::format("        .{}(w{}),\n", watched.path, number);
        std::uint64_t low = 0;
        for (std::size_t p = 0; p < watched.parts.size(); ++p) {
            const hdl::Watched::Part& part = watched.parts[p];
            const std::string name = fmt::format("o{}_{}", number, p);
            ports_ += fmt::format("    output wire {}{},\n", range(part), name);
            body_ += fmt::format("    assign {} = w{}[{}:{}];\n", name, number,
                                 low + part.width - 1, low);
            low += part.width;
            const auto [place, result] = outputs_.try_emplace(part.element, 0);
            if (result) {
                const std::uint64_t shadow = add_shadow(part.element, watched.late);
                place->second = add_port(shadow, true);
                pair_.outputs.push_back({part.element, shadow});
            }
            bind(name, true, part.element, part.field, place->second);
        }
    }

    /// Adds a copy of a bus, which readers see at the same time as the original.
    std::uint64_t add_shadow(std::uint64_t element, std::uint32_t late) {
        const BusFamily& old = design_.graph.family_of(element);
        BusFamily result;
        result.name = name_ + "." + old.element_name(element);
        result.type = old.type;
        result.delay = old.wire() ? 0 : 1 + late; // the module contains the rest of a longer delay
        if (late > 0 && old.has_initial) {
            result.initial = lockstep::initial_of(design_.graph, element);
            result.has_initial = true;
        }
        result.declared = old.declared;
        return design_.graph.add(std::move(result)).first;
    }

    /// Writes the wrapper module around the network; adds its clocks and resets to `module`.
    std::string around(VerilogModule& module) {
        std::vector<std::string> ports, connections;
        module.clocks_named = true;
        for (const auto& [names, rate] : exported_.clocks) {
            module.clocks.push_back({{names.clock, design_.graph.declared}, rate});
            VerilogReset reset{{names.reset, design_.graph.declared}};
            reset.cycles = std::max(exported_.reset_cycles, reset.cycles);
            module.resets.push_back(reset);
            for (const std::string& name : {names.clock, names.reset}) {
                ports.push_back("    input wire " + name);
                connections.push_back(fmt::format("        .{0}({0})", name));
            }
        }
        return fmt::format("// verilator lint_off PINMISSING\nmodule {0}_self (\n{1}{2}\n);\n{3}"
                           "    {0}{4} dut (\n{5}{6}\n    );\n{7}endmodule\n",
                           exported_.top, ports_, fmt::join(ports, ",\n"), wires_,
                           hdl::rtl::verilog(exported_.parameters), connections_,
                           fmt::join(connections, ",\n"), body_);
    }

    bool write(VerilogModule& module) {
        std::vector<hdl::ExportedFile> files = exported_.sources;
        files.insert(files.end(), exported_.modules.begin(), exported_.modules.end());
        files.push_back({exported_.top + "_self.v", around(module)});
        const std::size_t read = files.size(); // other files are included by these
        files.insert(files.end(), exported_.included.begin(), exported_.included.end());
        Digest digest;
        for (const hdl::ExportedFile& file : files)
            digest.add(file.name).add(file.text);
        const std::string folder =
            fmt::format("{}/written-{:016x}", modules_folder(), digest.value());
        if (const std::string problem = own_folder(folder); !problem.empty()) {
            diagnostics_.add(Code::file_unwritable, {}, problem);
            return false;
        }
        // Lets concurrent commands write the same files in sequence.
        const DiskCache::Lock lock{modules_folder(),
                                   fmt::format("written-{:016x}", digest.value())};
        for (std::size_t k = 0; k < files.size(); ++k) {
            const std::filesystem::path path = std::filesystem::path{folder} / files[k].name;
            std::error_code error;
            std::filesystem::create_directories(path.parent_path(), error);
            OutputFile out{path.string()};
            if (!out.write(files[k].text) || !out.commit()) {
                diagnostics_.add(Code::file_unwritable, {}, out.problem());
                return false;
            }
            if (k < read)
                module.files.push_back({path.string(), design_.graph.declared});
        }
        module.where = design_.graph.declared;
        module.top = {exported_.top + "_self", design_.graph.declared};
        if (!exported_.included.empty())
            module.include.push_back({folder, design_.graph.declared});
        for (const std::string& define : exported_.defines)
            module.define.push_back({define, design_.graph.declared});
        for (const std::string& argument : exported_.plusargs)
            module.plusargs.push_back({argument, design_.graph.declared});
        return true;
    }

    const hdl::Exported& exported_;
    const std::string& top_; // the part that is compared; empty: the whole network
    yaml::Design& design_;
    VerilogModules& modules_;
    Diagnostics& diagnostics_;
    Pair pair_;
    ProcessFamily family_;
    std::string name_ = "verilog"; // name prefix; longer if the network uses it
    std::vector<VerilogBinding> bindings_;
    std::map<std::uint64_t, std::uint32_t> inputs_, outputs_; // element → port
    std::string ports_, wires_, connections_, body_;
};

} // namespace

bool add_self(const hdl::Exported& exported, const std::string& top, yaml::Design& design,
              VerilogModules& modules, Diagnostics& diagnostics) {
    return SelfPair{exported, top, design, modules, diagnostics}.run();
}

} // namespace sme::cli
