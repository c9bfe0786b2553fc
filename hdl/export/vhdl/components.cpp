// SPDX-License-Identifier: Apache-2.0
#include "export/vhdl/vhdl_text.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "export/modules/hdl_value.hpp"
#include "export/rtl/module.hpp"
#include "export/verilog/verilog_text.hpp"
#include "export/vhdl/expr_text.hpp"
#include "export/vhdl/names.hpp"

namespace sme::hdl::vhdl {

namespace {

/// A parameter's value as Verilog writes it: a quoted string, a number with a width, or a number.
struct Given {
    explicit Given(const rtl::ExprRef& value)
        : text{value->text}, is_text{text.starts_with('"')}, tick{text.find('\'')} {}

    bool has_width() const { return !is_text && tick != std::string::npos; }
    unsigned width() const { return static_cast<unsigned>(std::stoul(text.substr(0, tick))); }
    /// Returns the bits of "128'd1234".
    Words words() const {
        Integer value = 0;
        for (const char c : text.substr(tick + 2))
            value = value * 10 + (c - '0');
        Words words;
        for (Integer rest = value; rest > 0; rest >>= 64)
            words.push_back(static_cast<std::uint64_t>(rest));
        words.resize((width() + 63) / 64);
        return words;
    }

    std::string text;
    bool is_text;
    std::size_t tick;
};

std::string type_of(const rtl::ExprRef& value) {
    const Given given{value};
    if (given.has_width())
        return fmt::format("std_logic_vector({} downto 0)", given.width() - 1);
    return given.is_text ? "string" : "integer";
}

std::string declaration(const Component& component, const std::string& name) {
    std::string generics, ports;
    for (const rtl::Parameter& each : component.module.parameters)
        generics += fmt::format("{}            {} : {}", generics.empty() ? "" : ";\n",
                                component.names.at(each.what.name), type_of(each.value));
    for (const rtl::Port& each : component.module.ports)
        ports += fmt::format("{}            {} : {} {}", ports.empty() ? "" : ";\n",
                             component.names.at(each.what.name), each.output ? "out" : "in",
                             port_type(each.what));
    return fmt::format(
        "    component {} is\n{}        port (\n{}\n        );\n    end component;\n", name,
        generics.empty() ? "" : fmt::format("        generic (\n{}\n        );\n", generics),
        ports);
}

std::string key_of(const std::string& module, const std::vector<rtl::Given>& parameters) {
    return module + rtl::verilog(parameters);
}

} // namespace

std::string port_type(const rtl::Declared& port) {
    return port.width == 1 ? "std_logic"
                           : fmt::format("std_logic_vector({} downto 0)", port.width - 1);
}

std::string Component::value(const rtl::ExprRef& given) {
    const Given value{given};
    if (value.has_width())
        return bit_string(value.words(), value.width());
    if (value.text == "-2147483648") // its digits exceed an integer
        return "-2147483647 - 1";
    if (!value.is_text)
        return value.text;
    std::string result;
    for (std::size_t at = 1; at + 1 < value.text.size(); ++at) {
        if (value.text[at] == '\\' && at + 2 < value.text.size())
            ++at;
        result += value.text[at] == '"' ? "\"\"" : std::string(1, value.text[at]);
    }
    return "\"" + result + "\"";
}

Components::Components(const Exported& exported, Names& names) {
    std::set<std::string> modules;
    for (const rtl::Module& module : exported.foreign)
        modules.insert(module.name);
    for (const rtl::Module& module : exported.foreign)
        add(module, exact_name(module.name, {modules.begin(), modules.end()}),
            exported.top + "_components", names);
}

void Components::add(const rtl::Module& module, const std::string& name, const std::string& wanted,
                     Names& names) {
    Component result{module, {}, {}};
    std::vector<std::string> all;
    std::vector<rtl::Given> given;
    for (const rtl::Parameter& each : module.parameters) {
        all.push_back(each.what.name);
        given.push_back({each.what.name, each.value});
    }
    for (const rtl::Port& each : module.ports)
        all.push_back(each.what.name);
    for (const std::string& each : all)
        result.names[each] = exact_name(each, all);
    const std::string text = declaration(result, name);
    auto package = std::find_if(packages_.begin(), packages_.end(), [&](const Package& each) {
        const auto found = each.texts.find(module.name);
        return found == each.texts.end() || found->second == text;
    });
    if (package == packages_.end())
        package = packages_.insert(packages_.end(), {names.fresh(wanted), {}});
    package->texts[module.name] = text;
    result.path = fmt::format("work.{}.{}", package->name, name);
    all_.emplace(key_of(module.name, given), std::move(result));
}

std::vector<ExportedFile> Components::files() const {
    std::vector<ExportedFile> result;
    for (const Package& package : packages_) {
        std::string all;
        for (const auto& [module, text] : package.texts)
            all += "\n" + text;
        result.push_back({package.name + ".vhd",
                          fmt::format("library ieee; -- written by sme vhdl\n"
                                      "use ieee.std_logic_1164.all;\n\n"
                                      "-- Modules in Verilog, whose files verilog.f names.\n"
                                      "package {} is{}end package;\n",
                                      package.name, all)});
    }
    return result;
}

const Component* Components::of(const rtl::Instance& instance) const {
    const auto found = all_.find(key_of(instance.module, instance.parameters));
    return found == all_.end() ? nullptr : &found->second;
}

} // namespace sme::hdl::vhdl
