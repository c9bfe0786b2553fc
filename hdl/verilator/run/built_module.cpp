// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/built_module.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "verilator/inspect/netlist_text.hpp"

namespace sme::verilator {

using Json = nlohmann::ordered_json;

std::string description_of(const VerilogModule& module, const Netlist& netlist) {
    Json json = json_of(netlist);
    json["said"] = ""; // the build already reported it
    json["top"] = module.top.text;
    json["clocks"] = Json::array();
    for (const VerilogClock& clock : module.clocks)
        json["clocks"].push_back({{"port", clock.port.text},
                                  {"every", clock.rate.every},
                                  {"offset", clock.rate.offset}});
    json["resets"] = Json::array();
    for (const VerilogReset& reset : module.resets)
        json["resets"].push_back(
            {{"port", reset.port.text}, {"high", reset.high}, {"cycles", reset.cycles}});
    json["trace inside"] = module.trace_inside;
    json["savable"] = module.savable;
    json["files"] = Json::array(); // files that the module reads may lie beside them
    for (const Placed& file : module.files)
        json["files"].push_back(file.text);
    json["plusargs"] = Json::array();
    for (const Placed& plusarg : module.plusargs)
        json["plusargs"].push_back(plusarg.text);
    return json.dump(1);
}

BuiltDescription read_description(const std::string& text) {
    const Json json = Json::parse(text);
    BuiltDescription made;
    made.netlist = netlist_of(json);
    VerilogModule& module = made.module;
    module.top.text = json.at("top").get<std::string>();
    for (const Json& clock : json.at("clocks"))
        module.clocks.push_back(
            {{clock.at("port").get<std::string>(), {}},
             {clock.at("every").get<std::uint64_t>(), clock.at("offset").get<std::uint64_t>()}});
    for (const Json& reset : json.at("resets"))
        module.resets.push_back({{reset.at("port").get<std::string>(), {}},
                                 reset.at("high").get<bool>(),
                                 reset.at("cycles").get<unsigned>()});
    module.trace_inside = json.at("trace inside").get<bool>();
    module.savable = json.at("savable").get<bool>();
    for (const Json& file : json.at("files"))
        module.files.push_back({file.get<std::string>(), {}});
    for (const Json& plusarg : json.at("plusargs"))
        module.plusargs.push_back({plusarg.get<std::string>(), {}});
    return made;
}

namespace {

constexpr std::array<std::string_view, 107> keywords{
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "sme",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "std",
    "NULL",
    "EOF",
    "BUFSIZ",
    "CHAR_BIT",
    "assert",
    "errno",
    "linux",
    "sched_priority",
    "stderr",
    "stdin",
    "stdout",
    "typeof",
    "unix",
};

/// Returns a port's name as a struct member: appends "_" to reserved or invalid names of C++.
std::string member_of(std::string name) {
    for (char& sign : name)
        if (std::string_view{"$.[]:\\ -"}.find(sign) != std::string_view::npos)
            sign = '_';
    if (std::find(keywords.begin(), keywords.end(), name) != keywords.end())
        name += '_';
    return name;
}

template <class Visit>
void each_port(const VerilogModule& module, const Netlist& netlist, Visit v) {
    for (const ModulePort& port : netlist.ports)
        if (!module.is_control(port.port.name))
            v(port.port);
}

} // namespace

bool is_class_name(const std::string& name) {
    return name != "Ports" && name != "Options" && member_of(name) == name;
}

std::string class_header(const std::string& name, const VerilogModule& module,
                         const Netlist& netlist) {
    std::string ports;
    each_port(module, netlist, [&](const VerilogPort& port) {
        ports += fmt::format("        sme::Verilog{}<{}> {} = {{}};{}\n",
                             port.output ? "Output" : "Input", port.width, member_of(port.name),
                             port.is_signed ? " // signed" : "");
    });
    return fmt::format(R"(// Made of Verilog module '{0}'.
#pragma once

#include <sme/verilog.hpp>

/// Module '{0}' as a process: network.add<{1}>("name", {{.port = sme::in(bus), ...}}).
class {1} : public sme::VerilogProcess {{
public:
    struct Ports {{
{2}    }};
    static void add_to(sme::Network& network, const sme::Name& name, const Ports& ports,
                       const sme::VerilogOptions& options);
}};
)",
                       module.top.text, name, ports);
}

std::string class_source(const std::string& name, const VerilogModule& module,
                         const Netlist& netlist) {
    std::string ports;
    each_port(module, netlist, [&](const VerilogPort& port) {
        ports +=
            fmt::format("            {{\"{}\", ports.{}}},\n", port.name, member_of(port.name));
    });
    return fmt::format("// Made of Verilog module '{0}'.\n#include \"{1}.hpp\"\n"
                       R"_text_(
struct sme_module_face;
extern "C" const sme_module_face* sme_module_{1}();

void {1}::add_to(sme::Network& network, const sme::Name& name, const Ports& ports,
                 const sme::VerilogOptions& options) {{
    static const sme::detail::BuiltModule module{{
        R"json({2})json", [] {{ return static_cast<const void*>(sme_module_{1}()); }}}};
    sme::detail::add_verilog(
        network, name, module,
        {{
{3}        }},
        options);
}}
)_text_",
                       module.top.text, name, description_of(module, netlist), ports);
}

} // namespace sme::verilator
