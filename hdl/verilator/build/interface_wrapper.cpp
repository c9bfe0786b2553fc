// SPDX-License-Identifier: Apache-2.0
//
// Verilator does not accept an interface as a port of the top. 1. Its messages name the ports; the
// source has their types before the names. 2. Verilator reads a probe that instantiates each
// interface, which shows the interface's contents. 3. A wrapper has a port for each signal.
#include "verilator/build/wrappers.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "base/files.hpp"
#include "verilator/inspect/element.hpp"
#include "verilator/inspect/netlist_types.hpp"

namespace sme::verilator {

namespace {

constexpr std::string_view refusal = ": Unsupported: Interfaced port on top level module";
constexpr const char* inner_name = "sme_inner";
constexpr std::size_t max_interface_source = std::size_t{64} << 20;

bool is_word_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// Parses "file:line:column" from the right.
bool read_place(std::string_view text, InterfacePort& into) {
    const std::size_t second = text.rfind(':');
    const std::size_t first =
        second == std::string_view::npos || second == 0 ? second : text.rfind(':', second - 1);
    if (first == std::string_view::npos || first == second)
        return false;
    const char* const end = text.data() + text.size();
    into.file = text.substr(0, first);
    return std::from_chars(text.data() + first + 1, end, into.line).ec == std::errc{} &&
           std::from_chars(text.data() + second + 1, end, into.column).ec == std::errc{};
}

/// Returns the offset of a line and column, both counted from 1.
std::size_t offset_of(const std::string& text, unsigned line, unsigned column) {
    std::size_t at = 0;
    for (unsigned k = 1; k < line && at != std::string::npos; ++k)
        at = text.find('\n', at) == std::string::npos ? std::string::npos : text.find('\n', at) + 1;
    return at == std::string::npos ? at : at + column - 1;
}

/// Returns the module that contains an offset of a text: the word after the last 'module' before it
/// that is not in a comment.
std::string module_at(std::string_view text, std::size_t place) {
    std::string before, found;
    for (std::size_t at = 0; at < std::min(place, text.size());) {
        const std::size_t begin = at;
        if (text.substr(at, 2) == "//" || text.substr(at, 2) == "/*") {
            const std::string_view close = text[at + 1] == '/' ? "\n" : "*/";
            at = std::min(text.find(close, at + 2), text.size() - close.size()) + close.size();
            continue;
        }
        while (at < text.size() && is_word_char(text[at]))
            ++at;
        if (at == begin) {
            ++at;
            continue;
        }
        const std::string word{text.substr(begin, at - begin)};
        if (before == "module" && (word == "automatic" || word == "static"))
            continue;
        if (before == "module")
            found = word;
        before = word;
    }
    return found;
}

/// Returns the text before the name: "axis.slave", or a comma if the port shares the type of the
/// port before it.
void read_type(const std::string& text, const InterfacePort* before, InterfacePort& port) {
    std::size_t at = offset_of(text, port.line, port.column);
    if (at == std::string::npos || at >= text.size() || !is_word_char(text[at]))
        return;
    std::size_t end = at;
    while (end < text.size() && is_word_char(text[end]))
        port.name += text[end++];
    const auto back = [&] {
        while (at > 0 && std::isspace(static_cast<unsigned char>(text[at - 1])) != 0)
            --at;
    };
    const auto word = [&] {
        const std::size_t last = at;
        while (at > 0 && is_word_char(text[at - 1]))
            --at;
        return text.substr(at, last - at);
    };
    back();
    if (at > 0 && text[at - 1] == ',' && before && before->line > 0) {
        port.type = before->type;
        port.modport = before->modport;
        return;
    }
    port.type = word();
    back();
    if (at > 0 && text[at - 1] == '.') {
        --at;
        back();
        port.modport = port.type;
        port.type = word();
    }
}

std::string parameters_of(const VerilogModule& module) {
    std::string text;
    for (const VerilogModule::Parameter& parameter : module.parameters)
        if (!parameter.of_interface())
            text += fmt::format("{}.{}({})", text.empty() ? "" : ", ", parameter.name.text,
                                parameter.value);
    return text.empty() ? text : "#(" + text + ") ";
}

std::string instances_of(const std::vector<InterfacePort>& ports) {
    std::string text;
    for (const InterfacePort& port : ports)
        text += fmt::format("    {} {}{}();\n", port.type, port.parameters, port.name);
    return text;
}

/// Returns the definition of an instance in a module.
Element defined_in(Element netlist, Element module, const char* kind, const std::string& instance) {
    return netlist.child(kind, "name",
                         module.child("instance", "name", instance).attribute("defName"));
}

class WrapperMaker {
public:
    WrapperMaker(Element netlist, const VerilogModule& module,
                 const std::vector<InterfacePort>& ports)
        : netlist_{netlist}, types_{netlist.child("typetable")}, module_{module}, interfaces_{
                                                                                      ports} {}

    PortWrapper run() {
        const Element probe = netlist_.child("module", "name", probe_name);
        const Element top = defined_in(netlist_, probe, "module", inner_name);
        for (Element variable : top.children("var"))
            if (variable.has("dir"))
                add_port(variable, name_of(std::string{variable.attribute("origName")}),
                         std::string{variable.attribute("dir")}, false);
        connections_.clear();
        for (Element variable : top.children("var"))
            if (variable.has("dir")) {
                const std::string name = name_of(std::string{variable.attribute("origName")});
                connect(name, outer_port(name));
            }
        for (const InterfacePort& port : interfaces_)
            add_interface(port, defined_in(netlist_, probe, "iface", port.name));
        made_.text = fmt::format("// The signals of interfaces as ports of their own.\n"
                                 "module {} ({});\n{}{}endmodule\n",
                                 wrapper_name(module_), ports_, body_,
                                 inner_instance(module_, connections_));
        return std::move(made_);
    }

private:
    void refuse(const InterfacePort& at, std::string why) {
        if (!made_.problem.empty())
            return;
        made_.problem = std::move(why);
        made_.at = at;
    }

    void connect(const std::string& name, const std::string& to) {
        connections_ += fmt::format("{}.{}({})", connections_.empty() ? "" : ", ", name, to);
    }

    void add_port(Element variable, const std::string& name, const std::string& direction,
                  bool in_interface) {
        const NetlistTypes::Info& type = types_.of(variable);
        const std::uint64_t width = type.elements > 0 ? type.each : type.width;
        ports_ += fmt::format("{}\n    {} logic {}[{}:0] {} {}", ports_.empty() ? "" : ",",
                              direction, type.is_signed ? "signed " : "",
                              width == 0 ? 0 : width - 1, outer_port(name), type.dimensions);
        ModulePort port;
        port.port.name = outer_port(name);
        port.port.in_interface = in_interface;
        port.shape = types_.shape_of(variable);
        port.file = variable.place().file;
        port.line = variable.place().line;
        port.column = variable.place().column;
        made_.ports.push_back(std::move(port));
    }

    /// Adds an interface. Its own ports connect to the module's ports of the same names.
    void add_interface(const InterfacePort& port, Element type) {
        const Element modport = type.child("modport", "name", port.modport);
        if (!modport)
            return refuse(port, fmt::format("port '{}' is interface '{}' without a modport, which "
                                            "says what is an input; name one, as in '{}.slave {}'",
                                            port.name, port.type, port.type, port.name));
        std::string own;
        for (Element variable : type.children("var"))
            if (variable.has("dir")) {
                const std::string name = name_of(std::string{variable.attribute("origName")});
                if (ports_.find(" " + outer_port(name)) == std::string::npos)
                    return refuse(port,
                                  fmt::format("port '{}' is interface '{}', whose own port '{}' is "
                                              "no port of the module; write a module around it",
                                              port.name, port.type, name));
                own += fmt::format("{}.{}({})", own.empty() ? "" : ", ", name, outer_port(name));
            }
        body_ += fmt::format("    {} {}{}({});\n", port.type, port.parameters, port.name, own);
        for (Element signal : modport.children("modportvarref")) {
            const std::string name{signal.name()};
            const std::string_view direction = signal.attribute("direction");
            const std::string outer = port.name + "_" + name;
            const Element variable = type.child("var", "name", name);
            if (!variable || (direction != "input" && direction != "output"))
                return refuse(port, fmt::format("signal '{}' of port '{}' is {}; write a module "
                                                "around it",
                                                name, port.name, direction));
            const bool output = direction == "output";
            add_port(variable, outer, output ? "output" : "input", true);
            body_ +=
                output
                    ? fmt::format("    assign {} = {}.{};\n", outer_port(outer), port.name, name)
                    : fmt::format("    assign {}.{} = {};\n", port.name, name, outer_port(outer));
        }
        connect(port.name, port.name);
    }

    const Element netlist_;
    const NetlistTypes types_;
    const VerilogModule& module_;
    const std::vector<InterfacePort>& interfaces_;
    PortWrapper made_;
    std::string ports_, body_, connections_;
};

} // namespace

std::vector<InterfacePort> interface_ports(const std::string& said, const std::string& top) {
    std::vector<InterfacePort> result;
    std::map<std::string, std::string> texts;
    for (std::size_t begin = 0; begin < said.size();) {
        const std::size_t end = std::min(said.find('\n', begin), said.size());
        const std::string_view line = std::string_view{said}.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t at = line.find(refusal);
        const std::size_t place = line.find(": ");
        if (at == std::string_view::npos || place >= at)
            continue;
        InterfacePort port;
        if (!read_place(line.substr(place + 2, at - place - 2), port))
            continue;
        auto [text, fresh] = texts.try_emplace(port.file);
        if (fresh)
            text->second = read_file(port.file, max_interface_source).text.value_or(std::string{});
        read_type(text->second, result.empty() ? nullptr : &result.back(), port);
        result.push_back(std::move(port));
    }
    // newer Verilators also name those of submodules
    const auto others =
        std::stable_partition(result.begin(), result.end(), [&](const InterfacePort& port) {
            const std::string& text = texts[port.file];
            return module_at(text, offset_of(text, port.line, port.column)) == top;
        });
    if (others != result.begin())
        result.erase(others, result.end());
    return result;
}

void give_parameters(std::vector<InterfacePort>& ports, const VerilogModule& module,
                     const std::optional<ElementTree>& declared) {
    const Element netlist = declared ? declared->root() : Element{};
    const Element probe = netlist.child("module", "name", probe_name);
    for (InterfacePort& port : ports) {
        const Element type = defined_in(netlist, probe, "iface", port.name);
        std::map<std::string, std::string> values;
        for (const VerilogModule::Parameter& parameter : module.parameters)
            if (const std::string& name = parameter.name.text;
                type.child("var", "name", name).has("param"))
                values[name] = parameter.value;
        for (const VerilogModule::Parameter& parameter : module.parameters)
            if (parameter.name.text.starts_with(port.name + "."))
                values[parameter.name.text.substr(port.name.size() + 1)] = parameter.value;
        port.parameters.clear();
        for (const auto& [name, value] : values)
            port.parameters +=
                fmt::format("{}.{}({})", port.parameters.empty() ? "#(" : ", ", name, value);
        if (!values.empty())
            port.parameters += ") ";
    }
}

std::string probe_of(const std::vector<InterfacePort>& ports) {
    return fmt::format("module {};\n{}endmodule\n", probe_name, instances_of(ports));
}

std::string probe_of(const VerilogModule& module, const std::vector<InterfacePort>& ports) {
    std::string connections;
    for (const InterfacePort& port : ports)
        connections +=
            fmt::format("{}.{}({})", connections.empty() ? "" : ", ", port.name, port.name);
    return fmt::format("module {};\n{}{}endmodule\n", probe_name, instances_of(ports),
                       inner_instance(module, connections));
}

PortWrapper wrapper_of(const ElementTree& tree, const VerilogModule& module,
                       const std::vector<InterfacePort>& ports) {
    return WrapperMaker{tree.root(), module, ports}.run();
}

std::string inner_instance(const VerilogModule& module, const std::string& connections) {
    return fmt::format("    {} {}{} ({});\n", module.top.text, parameters_of(module), inner_name,
                       connections);
}

std::string wrapper_name(const VerilogModule& module) {
    return "sme_ports_of_" + module.top.text;
}

std::string path_to(const VerilogModule& module, const Netlist& netlist) {
    return netlist.wrapper.empty() ? module.top.text : wrapper_name(module) + "." + inner_name;
}

} // namespace sme::verilator
