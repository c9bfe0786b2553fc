// SPDX-License-Identifier: Apache-2.0
#include "interpret/test/random_network.hpp"

#include <fmt/format.h>

namespace sme::test {

namespace {

std::string entry(const Line& line, std::size_t k) {
    const auto& [value, condition] = line.entries[k];
    return value->text + (condition ? " when " + condition->text : "");
}

std::string lines(const std::string& indent, const std::string& target, const Line& line) {
    if (line.entries.empty())
        return "";
    if (line.entries.size() == 1)
        return fmt::format("{}{}: {}\n", indent, target, entry(line, 0));
    std::string text = fmt::format("{}{}:\n", indent, target);
    for (std::size_t k = 0; k < line.entries.size(); ++k)
        text += fmt::format("{}  - {}\n", indent, entry(line, k));
    return text;
}

std::string step_of(const RandomFamily& family) {
    std::vector<std::pair<std::string, const TargetLines*>> targets{{"o", &family.out}};
    for (std::size_t k = 0; k < family.states.size(); ++k)
        targets.emplace_back(fmt::format("s{}", k), &family.state_lines[k]);
    if (family.has_wire)
        targets.emplace_back("w", &family.wire);
    if (family.has_memory)
        targets.emplace_back(fmt::format("m[{}]", family.memory.word->text), &family.memory);
    std::string text = "    step:\n";
    for (std::size_t arm = 0; arm < family.conditions.size(); ++arm) {
        text += !family.conditions[arm] ? "      else:\n"
                                        : fmt::format("      {} {}:\n", arm ? "elif" : "if",
                                                      family.conditions[arm]->text);
        std::string body;
        for (const auto& [name, target] : targets)
            body += lines("        ", name, target->arms[arm]);
        text += body.empty() ? "        {}\n" : body;
    }
    for (const auto& [name, target] : targets)
        text += lines("      ", name, target->outer);
    return text;
}

} // namespace

std::string RandomNetwork::yaml() const {
    std::string text = "network: random\nbuses:\n";
    for (std::size_t f = 0; f < families.size(); ++f) {
        const RandomFamily& family = families[f];
        text += fmt::format("  o{}[{}]: delay {} {}{}\n", f, family.size, family.delay,
                            family.hold ? "hold " : "", family.out_type.name());
        if (family.has_wire)
            text += fmt::format("  w{}[{}]: wire {}\n", f, family.size, family.wire_type.name());
    }
    text += "processes:\n";
    for (std::size_t f = families.size(); f-- > 0;) { // readers of wires first
        const RandomFamily& family = families[f];
        text += fmt::format("  p{}[k < {}]:\n    in:\n", f, family.size);
        for (std::size_t k = 0; k < family.inputs.size(); ++k) {
            const InputPort& input = family.inputs[k];
            text += fmt::format("      a{}: {}{}[(k + {}) % {}]\n", k, input.wire ? "w" : "o",
                                input.family, input.shift, families[input.family].size);
        }
        text += fmt::format("    out:\n      o: o{}[k]\n", f);
        if (family.has_wire)
            text += fmt::format("      w: w{}[k]\n", f);
        text += "    state:\n";
        for (std::size_t k = 0; k < family.states.size(); ++k)
            text += fmt::format("      s{}: {} = {}\n", k, family.states[k].name(),
                                family.states[k].is_bool ? (family.initial[k] ? "true" : "false")
                                                         : to_string(family.initial[k]));
        if (family.has_memory)
            text += fmt::format("      m: {}[{}] = {}\n", family.memory_type.name(), memory_words,
                                to_string(family.memory_type.wrap(1)));
        if (!family.lets.empty())
            text += "    let:\n";
        for (std::size_t k = family.lets.size(); k-- > 0;)
            text += fmt::format("      l{}: {}\n", k, family.lets[k]->text);
        text += step_of(family);
    }
    return text;
}

} // namespace sme::test
