// SPDX-License-Identifier: Apache-2.0
#include "export/modules/module_text.hpp"

#include <fmt/format.h>

namespace sme::hdl {

void ModuleText::add_parameter(const std::string& name, Integer value, const KeptParameter* kept,
                               bool says_so) {
    if (kept) {
        kept_[name] = {*kept, {}};
        return;
    }
    folded_.insert(name);
    if (says_so)
        notes_ += fmt::format("    // written for {} = {}\n", name, to_string(value));
}

std::map<std::string, std::string> ModuleText::kept_parameters() const {
    std::map<std::string, std::string> used;
    for (const auto& [name, kept] : kept_)
        if (!kept.name.empty())
            used[name] = kept.name;
    return used;
}

std::vector<std::string> ModuleText::parameter_declarations() const {
    std::vector<std::string> made;
    for (const auto& [name, kept] : kept_)
        if (!kept.name.empty())
            made.push_back(fmt::format("{}    parameter integer {} = {}",
                                       kept.as.note.empty() ? "" : "    // " + kept.as.note + "\n",
                                       kept.name, to_string(kept.as.value)));
    return made;
}

std::string ModuleText::derived(const std::string& wanted, const std::string& expression,
                                Integer value) {
    std::string& known = known_["derived " + expression];
    if (known.empty()) {
        known = names_.take(wanted);
        constants_ += fmt::format("    localparam integer {} = {};\n", known, expression);
        known_[fmt::format("number {} {}", known, to_string(value))] = known;
    }
    return known;
}

std::optional<std::string> ModuleText::number(const std::string& name, Integer value) {
    if (const auto kept = kept_.find(name); kept != kept_.end()) {
        if (kept->second.name.empty())
            kept->second.name = names_.take(name);
        return kept->second.name;
    }
    if (folded_.count(name) > 0)
        return std::nullopt;
    std::string& known = known_[fmt::format("number {} {}", name, to_string(value))];
    if (known.empty()) {
        known = names_.take(name);
        constants_ += fmt::format("    localparam integer {} = {};\n", known, to_string(value));
    }
    return known;
}

void add_parameters(ModuleText& module,
                    const std::vector<std::pair<std::string, Integer>>& parameters,
                    const KeptParameters* kept, bool says_so) {
    for (const auto& [name, value] : parameters) {
        const auto found = kept ? kept->find(name) : KeptParameters::const_iterator{};
        module.add_parameter(name, value, kept && found != kept->end() ? &found->second : nullptr,
                             says_so);
    }
}

std::string ModuleText::constant(const std::string& name, const Type& type,
                                 const std::string& value) {
    std::string& known = known_[fmt::format("constant {} {} {}", name, range_of(type), value)];
    if (known.empty()) {
        known = names_.take(name);
        constants_ += fmt::format("    localparam {}{} = {};\n", range_of(type), known, value);
    }
    return known;
}

std::string ModuleText::member(const Type& type, std::uint64_t value) {
    const auto width = static_cast<unsigned>(type.width_bits());
    const Member* member = type.find_member(value);
    const std::string number = literal(static_cast<Integer>(value), width, false);
    return member ? constant(member->name, *Type::unsigned_integer(width), number) : number;
}

std::string ModuleText::table(const std::string& name, const expr::ConstantArray& array) {
    const Type& element = *array.type->element();
    const std::uint64_t count = array.type->count();
    const unsigned bits = index_width(count);
    std::vector<std::string> values;
    std::string key = fmt::format("table {}", range_of(element));
    for (std::uint64_t k = 0; k < count; ++k) {
        const Words value = packed(element, array.leaves.data() + k * element.leaf_count());
        values.push_back(is_zero(value) ? "" : literal(value, element.width_bits()));
        key += ' ' + values.back();
    }
    std::string& known = known_[key];
    if (!known.empty())
        return known;
    known = names_.take(name.empty() ? "table" : name);
    std::string cases;
    for (std::uint64_t k = 0; k < count; ++k)
        if (!values[k].empty()) // the rest is what stands under default
            cases += fmt::format("            {}'d{}: {} = {};\n", bits, k, known, values[k]);
    functions_ += fmt::format(
        "\n    // the constants '{0}'\n    function {1}{0};\n        input {2}index;\n"
        "        case (index)\n{3}            default: {0} = {4};\n        endcase\n"
        "    endfunction\n",
        known, range_of(element), range_of(bits), cases, literal({0}, element.width_bits()));
    return known;
}

std::string ModuleText::divide(const Type& type, bool remainder) {
    const auto width = static_cast<unsigned>(type.width_bits());
    const std::string wanted =
        fmt::format("{}_{}", remainder ? "remainder" : "quotient", type.name());
    std::string& known = known_["divide " + wanted];
    if (!known.empty())
        return known;
    known = names_.take(wanted);
    const std::string minus = type.is_signed()
                                  ? fmt::format("        else if (b == {})\n            {} = {};\n",
                                                literal(-1, width, true), known,
                                                remainder ? literal(0, width, true) : "-a")
                                  : std::string{};
    functions_ += fmt::format("\n    function {0}{1};\n        input {0}a;\n        input {0}b;\n"
                              "        if (b == {2})\n            {1} = {2};\n{3}        else\n"
                              "            {1} = a {4} b;\n    endfunction\n",
                              range_of(type), known, literal(0, width, type.is_signed()), minus,
                              remainder ? "%" : "/");
    return known;
}

std::string ModuleText::population(std::uint64_t width, unsigned result) {
    const std::string wanted = fmt::format("population_{}", width);
    std::string& known = known_[fmt::format("{} {}", wanted, result)];
    if (!known.empty())
        return known;
    known = names_.take(wanted);
    const std::string bit =
        result == 1 ? "x[bit_number]"
                    : fmt::format("{{{}, x[bit_number]}}", literal(0, result - 1, false));
    functions_ += fmt::format(
        "\n    // how many bits are set\n    function {0}{1};\n        input [{2}:0] x;\n"
        "        integer bit_number;\n        begin\n            {1} = {3};\n"
        "            for (bit_number = 0; bit_number < {4}; bit_number = bit_number + 1)\n"
        "                {1} = {1} + {5};\n        end\n    endfunction\n",
        range_of(result), known, width - 1, literal(0, result, false), width, bit);
    return known;
}

std::string ModuleText::reverse(std::uint64_t width) {
    std::string& known = known_[fmt::format("reverse {}", width)];
    if (!known.empty())
        return known;
    known = names_.take(fmt::format("reverse_{}", width));
    functions_ +=
        fmt::format("\n    // the bits in the other order\n    function [{1}:0] {0};\n        "
                    "input [{1}:0] x;\n"
                    "        integer bit_number;\n"
                    "        for (bit_number = 0; bit_number < {2}; bit_number = bit_number + 1)\n"
                    "            {0}[bit_number] = x[{1} - bit_number];\n    endfunction\n",
                    known, width - 1, width);
    return known;
}

} // namespace sme::hdl
