// SPDX-License-Identifier: Apache-2.0
//
// A process: inputs from existing buses, new buses for its outputs, states, lets and a step.
#include "yaml/fuzz/make/process_maker.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::fuzz {

std::string Members::text() const {
    std::string result;
    for (std::size_t d = 0; d < indices.size(); ++d)
        result += fmt::format("{}{}{} < {}", result.empty() ? "" : ", ",
                              lows[d] != 0 ? fmt::format("{} <= ", lows[d]) : "", indices[d],
                              lows[d] + counts[d]);
    return result.empty() ? result : "[" + result + "]";
}

std::vector<std::vector<unsigned>> Members::all() const {
    std::vector<std::vector<unsigned>> result;
    for (unsigned copy = 0; copy < copies; ++copy) {
        if (indices.empty())
            result.emplace_back();
        for (unsigned i = 0; !indices.empty() && i < counts[0]; ++i)
            for (unsigned j = 0; j < (indices.size() == 2 ? counts[1] : 1); ++j) {
                std::vector<unsigned> at{lows[0] + i};
                if (indices.size() == 2)
                    at.push_back(lows[1] + j);
                if (!keep || keep(at))
                    result.push_back(std::move(at));
            }
    }
    return result;
}

void ProcessMaker::add_indices(const Members& members, Names& names) {
    for (std::size_t d = 0; d < members.indices.size(); ++d)
        names.exact.push_back({members.indices[d],
                               [index = members.indices[d]](const Env& env) {
                                   return static_cast<std::int64_t>(number_of(env.at(index)));
                               },
                               members.lows[d],
                               std::int64_t{members.lows[d]} + members.counts[d] - 1});
}

ProcessSyntax ProcessMaker::process(const ProcessPlan& plan, Home& home) {
    ProcessSyntax text{m_.fresh("p"), plan.members};
    text.known = plan.known;
    text.domain = plan.domain.name;
    m_.use(plan.members.indices.empty()       ? Production::single_process
           : plan.members.indices.size() == 2 ? Production::family_two
                                              : Production::family);
    FollowedProcess followed;
    followed.every = plan.domain.every;
    followed.offset = plan.domain.offset;
    for (const auto& at : plan.members.all()) {
        followed.instances.emplace_back();
        for (std::size_t d = 0; d < at.size(); ++d)
            followed.instances.back().indices[plan.members.indices[d]] = bits_of(at[d], 32);
    }
    Names names = home.globals;
    names.known = plan.known;
    names.random = !plan.known;
    names.faults = plan.faults;
    add_indices(plan.members, names);
    std::vector<Unit> units;
    for (unsigned k = home.buses.empty() ? 0 : c_.between(0, 3); k > 0; --k)
        input(plan, home, text, followed, names);
    states(plan, home, text, followed, names, units);
    for (const BusName& given : plan.outputs)
        output(given, plan, text, followed, names, units);
    std::vector<BusName> result; // for later processes
    for (unsigned k = plan.outputs.empty() ? c_.between(1, 3) : 0; k > 0; --k) {
        result.push_back(bus(plan.members, plan.known, plan.wires, home));
        result.back().domain = plan.domain.number;
        output(result.back(), plan, text, followed, names, units);
    }
    StepMaker steps{m_, names};
    lets(plan, text, followed, names, steps.rhs());
    if (c_.chance(15)) {
        steps.rhs().terms().set_budget(8);
        const Term when = steps.rhs().terms().condition(2);
        text.reset = when.text;
        followed.reset = when.meaning;
    }
    const StepText step = steps.step(units);
    text.step = step.lines;
    followed.step = step.meaning;
    if (plan.known)
        text.followed = follower_.add(std::move(followed));
    home.buses.insert(home.buses.end(), result.begin(), result.end());
    return text;
}

void ProcessMaker::input(const ProcessPlan& plan, Home& home, ProcessSyntax& text,
                         FollowedProcess& followed, Names& names) {
    const BusName& from = m_.one_of(home.buses);
    if (plan.known && !from.known)
        return;
    std::vector<std::vector<unsigned>> elements;
    PortText port = bound(from, plan.members, plan.component, elements);
    for (const PortText& other : text.inputs)
        if (other.name == port.name)
            return;
    port.wire = from.wire && c_.chance(40);
    if (from.domain != plan.domain.number) {
        const bool is_bits = port.counts.empty() && !port.type->is_signed &&
                             (port.type->kind == Shape::Kind::boolean || port.type->is_integer());
        const bool is_sampled = is_bits && c_.chance(60);
        m_.use(is_sampled ? Production::sampled_input : Production::stable_input);
        text.crossings.push_back(port.name + (is_sampled ? ": sampled" : ": stable"));
    }
    TypeOf type = port.type;
    for (std::size_t d = port.counts.size(); d-- > 0;)
        type = array_of(type, port.counts[d]);
    names.values.push_back(
        {port.name, type, from.known, static_cast<unsigned>(port.counts.size())});
    followed.inputs.push_back({port.name, from.followed, std::move(elements)});
    text.inputs.push_back(std::move(port));
}

PortText ProcessMaker::bound(const BusName& bus, const Members& members, bool one_or_all,
                             std::vector<std::vector<unsigned>>& elements) {
    const auto all = members.all();
    PortText port{m_.fresh("a"), bus.type};
    const bool whole =
        !bus.counts.empty() && (one_or_all || c_.chance(30)) &&
        std::all_of(bus.lows.begin(), bus.lows.end(), [](unsigned low) { return low == 0; });
    if (bus.counts.empty() || whole) {
        port.plain = one_or_all || c_.chance(40);
        if (port.plain)
            port.name = bus.name;
        port.binding = bus.name;
        port.counts = bus.counts;
        for (std::size_t k = 0; k < all.size(); ++k) {
            elements.emplace_back();
            for (unsigned e = 0; e < (whole ? bus.count() : 1); ++e)
                elements.back().push_back(bus.element_of.empty() ? e : bus.element_of[k]);
        }
        if (whole)
            m_.use(Production::whole_family_port);
        port.key = port.name;
        return port;
    }
    std::vector<std::vector<unsigned>> places(bus.counts.size());
    const unsigned several = !one_or_all && c_.chance(40) ? c_.between(1, bus.counts[0]) : 0;
    if (several != 0) { // x[i < 2]: bus[i, ...]
        m_.use(bus.counts.size() == 2 ? Production::range_port_two : Production::range_port);
        const std::string index = m_.fresh("k");
        port.key = fmt::format("{}[{} < {}]", port.name, index, several);
        port.counts = {several};
        port.binding = fmt::format("{}[{} + {}", bus.name, bus.lows[0], index);
        if (bus.counts.size() == 2)
            port.binding += ", " + place(bus.counts[1], bus.lows[1], members, places[1]);
    } else {
        port.key = port.name;
        port.binding = bus.name + "[" + place(bus.counts[0], bus.lows[0], members, places[0]);
        if (bus.counts.size() == 2)
            port.binding += ", " + place(bus.counts[1], bus.lows[1], members, places[1]);
    }
    port.binding += "]";
    for (std::size_t k = 0; k < all.size(); ++k) {
        elements.emplace_back();
        for (unsigned i = 0; i < std::max(several, 1u); ++i) {
            const unsigned first = several != 0 ? i : places[0][k];
            elements.back().push_back(bus.counts.size() == 2 ? first * bus.counts[1] + places[1][k]
                                                             : first);
        }
    }
    return port;
}

std::string ProcessMaker::place(unsigned count, unsigned low, const Members& members,
                                std::vector<unsigned>& found) {
    const auto all = members.all();
    const unsigned shift = c_.below(count);
    if (members.indices.empty() || c_.chance(20)) {
        found.assign(all.size(), shift);
        return std::to_string(low + shift);
    }
    m_.use(Production::shifted_binding);
    const unsigned d = c_.below(static_cast<unsigned>(members.indices.size()));
    for (const auto& at : all)
        found.push_back((at[d] + shift) % count);
    return fmt::format("{} + ({} + {}) % {}", low, members.indices[d], shift, count);
}

void ProcessMaker::output(const BusName& bus, const ProcessPlan& plan, ProcessSyntax& text,
                          FollowedProcess& followed, Names& names, std::vector<Unit>& units) {
    PortText port{m_.fresh("o"), bus.type};
    port.key = port.name;
    port.wire = bus.wire && c_.chance(40);
    const Members& members = plan.members;
    std::vector<std::vector<unsigned>> elements;
    const auto all = members.all();
    if (members.indices.empty()) { // one bus, or all of a family
        port.plain = plan.component || c_.chance(40);
        if (port.plain)
            port.name = port.key = bus.name;
        port.binding = bus.name;
        port.counts = bus.counts;
    } else {
        std::string at;
        for (std::size_t d = 0; d < members.indices.size(); ++d) {
            const std::int64_t shift = std::int64_t{bus.lows[d]} - members.lows[d];
            at += (at.empty() ? "" : ", ") + members.indices[d] +
                  (shift == 0  ? ""
                   : shift > 0 ? fmt::format(" + {}", shift)
                               : fmt::format(" - {}", -shift));
        }
        port.binding = fmt::format("{}[{}]", bus.name, at);
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
        elements.emplace_back();
        if (!members.indices.empty()) {
            const unsigned first = all[k][0] - members.lows[0];
            elements.back().push_back(members.indices.size() == 2
                                          ? first * members.counts[1] + all[k][1] - members.lows[1]
                                          : first);
        } else if (!bus.element_of.empty())
            elements.back().push_back(bus.element_of[k]);
        else
            for (unsigned e = 0; e < (bus.counts.empty() ? 1 : bus.count()); ++e)
                elements.back().push_back(e);
    }
    TypeOf type = bus.type;
    for (std::size_t d = port.counts.size(); d-- > 0;)
        type = array_of(type, port.counts[d]);
    const auto dimensions = static_cast<unsigned>(port.counts.size());
    if (!bus.wire && c_.chance(50)) {
        m_.use(Production::own_output);
        names.values.push_back({port.name, type, plan.known, dimensions});
    }
    units.push_back(
        {port.name, type, dimensions, port.name, bus.always_written && dimensions == 0});
    followed.outputs.push_back({port.name, bus.followed, std::move(elements)});
    text.outputs.push_back(std::move(port));
}

void ProcessMaker::lets(const ProcessPlan& plan, ProcessSyntax& text, FollowedProcess& followed,
                        Names& names, RhsMaker& rhs) {
    std::vector<Lines> result;
    for (unsigned k = c_.below(4); k > 0; --k) {
        if (c_.chance(25)) {
            let_array(text, followed, names, rhs);
            result.push_back(text.let);
            continue;
        }
        m_.use(Production::let);
        const TypeOf type = rhs.terms().some_type();
        const std::string name = m_.fresh("l");
        const RhsText value = rhs.rhs(type, 3, true);
        result.push_back(entry(name, value));
        names.values.push_back({name, type, plan.known});
        if (value.meaning)
            followed.lets.emplace_back(name, whole(value, type->width));
    }
    text.let.clear();
    while (!result.empty()) { // in any order
        const auto at = result.begin() + c_.below(static_cast<unsigned>(result.size()));
        append(text.let, *at);
        result.erase(at);
    }
}

/// Adds name[k < n]: an array with its elements computed from their indices.
void ProcessMaker::let_array(ProcessSyntax& text, FollowedProcess& followed, Names& names,
                             RhsMaker& rhs) {
    const bool two = c_.chance(40);
    m_.use(two ? Production::let_array_two : Production::let_array);
    const TypeOf element = rhs.terms().some_integer();
    Members ranges{{m_.fresh("n")}, {c_.between(1, 4)}, {0}};
    if (two) {
        ranges.indices.push_back(m_.fresh("n"));
        ranges.counts.push_back(c_.between(1, 3));
        ranges.lows.push_back(0);
    }
    add_indices(ranges, names);
    const RhsText value = rhs.rhs(element, 2, true);
    names.exact.resize(names.exact.size() - ranges.indices.size());
    const std::string name = m_.fresh("l");
    text.let = entry(name + ranges.text(), value);
    TypeOf type = element;
    for (std::size_t d = ranges.counts.size(); d-- > 0;)
        type = array_of(type, ranges.counts[d]);
    names.values.push_back({name, type, names.known});
    if (value.meaning)
        followed.lets.emplace_back(name, [=](const Env& env) {
            Bits all;
            for (const auto& at : ranges.all()) {
                Env inner{&env, {}};
                for (std::size_t d = 0; d < at.size(); ++d)
                    inner.values[ranges.indices[d]] = bits_of(at[d], 32);
                Patches patches;
                value.meaning(inner, 0, patches);
                Bits bits(element->width);
                for (const Patch& patch : patches)
                    put(bits, patch.low, patch.bits);
                all.insert(all.end(), bits.begin(), bits.end());
            }
            return all;
        });
}

} // namespace sme::fuzz
