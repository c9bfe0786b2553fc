// SPDX-License-Identifier: Apache-2.0
//
// The declarations of a process: its states, output buses and initial values; and its text.
#include <algorithm>

#include <fmt/format.h>

#include "yaml/fuzz/make/process_maker.hpp"

namespace sme::fuzz {

TypeOf ProcessMaker::some_type(const Names& names, bool needs_zero) {
    if (!names.types.empty() && c_.chance(55)) {
        const TypeOf& type = m_.one_of(names.types);
        if (!needs_zero || type->has_zero())
            return type;
    }
    Names none;
    TermMaker terms{m_, none};
    return c_.chance(25) ? boolean() : terms.some_integer();
}

std::string ProcessMaker::initial(const TypeOf& type, const Members& members, bool must,
                                  const Names& globals, std::vector<Bits>& values) {
    const auto all = members.all();
    values.assign(all.size(), Bits(type->width));
    if (!must && c_.chance(30))
        return {};
    m_.use(Production::initial);
    Names names = globals;
    names.known = true;
    names.random = names.faults = false;
    add_indices(members, names);
    TermMaker terms{m_, names};
    terms.set_budget(6);
    const Term value = terms.term(type, 1);
    for (std::size_t k = 0; k < all.size(); ++k) {
        Env env{&constants_, {}};
        for (std::size_t d = 0; d < all[k].size(); ++d)
            env.values[members.indices[d]] = bits_of(all[k][d], 32);
        values[k] = value.meaning(env);
    }
    for (const std::string& index : members.indices)
        if (value.text.find(index) != std::string::npos)
            m_.use(Production::initial_index);
    return " = " + value.text;
}

BusName ProcessMaker::bus(const Members& members, bool known, bool may_be_wire, Home& home) {
    BusName result{m_.fresh("b"), some_type(home.globals, true)};
    result.counts = members.counts;
    result.lows = members.lows;
    result.known = known;
    result.wire = may_be_wire && c_.chance(25);
    FollowedBus followed{result.type};
    Members own = members; // the bus has all members, with its own indices
    own.keep = {};
    for (std::string& index : own.indices)
        index = m_.fresh("k");
    std::string text;
    if (result.wire) {
        m_.use(Production::wire);
        text = "wire ";
        followed.delay = 0;
    } else if (c_.chance(20)) {
        m_.use(Production::delay);
        followed.delay = c_.between(1, 4);
        text = fmt::format("delay {} ", followed.delay);
    }
    if (!result.wire && c_.chance(30)) {
        m_.use(Production::hold);
        text += "hold ";
        followed.hold = true;
    } else if (!result.wire && members.indices.empty() && c_.chance(12)) {
        m_.use(Production::error_rule);
        text += "error ";
        result.always_written = true;
    }
    text += result.type->text;
    std::vector<Bits> values(own.all().size(), Bits(result.type->width));
    if (!result.wire)
        text += initial(result.type, own, result.always_written, home.globals, values);
    if (members.copies > 1)
        for (unsigned k = 0; k < members.copies; ++k)
            result.element_of.push_back(k);
    followed.start(values);
    result.followed = follower_.add(std::move(followed));
    home.bus_lines.push_back(fmt::format("{}{}: {}", result.name, own.text(), text));
    return result;
}

/// Returns "[a, b]" or "[[a, b], [c, d]]" for a memory, the same in every instance.
std::string ProcessMaker::initial_list(const TypeOf& type, const Names& globals,
                                       const Members& members, std::vector<Bits>& values) {
    Bits all;
    const std::function<std::string(const TypeOf&)> list = [&](const TypeOf& part) -> std::string {
        Names names = globals;
        names.known = true;
        names.random = names.faults = false;
        TermMaker terms{m_, names};
        if (part->kind != Shape::Kind::array) {
            terms.set_budget(2);
            const Term value = part->is_integer() && c_.chance(70) ? terms.literal(part, true)
                                                                   : terms.term(part, 1);
            const Bits bits = value.meaning(constants_);
            all.insert(all.end(), bits.begin(), bits.end());
            return value.text;
        }
        std::string text;
        for (unsigned k = 0; k < part->count; ++k)
            text += (text.empty() ? "" : ", ") + list(part->element);
        return "[" + text + "]";
    };
    TypeOf word = type;
    while (word->kind == Shape::Kind::array)
        word = word->element;
    if (c_.chance(25)) { // one value for all words
        m_.use(Production::initial_words);
        std::string one = " = " + list(word);
        const Bits bits = all;
        while (all.size() < type->width)
            all.insert(all.end(), bits.begin(), bits.end());
        values.assign(members.all().size(), all);
        return one;
    }
    m_.use(Production::initial_list);
    std::string text = " = " + list(type);
    values.assign(members.all().size(), all);
    return text;
}

void ProcessMaker::states(const ProcessPlan& plan, const Home& home, ProcessSyntax& text,
                          FollowedProcess& followed, Names& names, std::vector<Unit>& units) {
    Names globals = home.globals;
    for (unsigned k = c_.between(1, 4); k > 0; --k) {
        TypeOf type = some_type(home.globals, false);
        const bool memory = c_.chance(25) && type->width * 4 <= 2048;
        if (memory) {
            const bool two = c_.chance(40) && type->kind != Shape::Kind::array;
            m_.use(two ? Production::memory_two : Production::memory);
            type = array_of(type, c_.between(1, 4));
            if (two)
                type = array_of(type, c_.between(1, 3));
        }
        const std::string name = m_.fresh("s");
        std::vector<Bits> values;
        const std::string value =
            memory && c_.chance(60)
                ? initial_list(type, globals, plan.members, values)
                : initial(type, plan.members, !type->has_zero(), globals, values);
        text.state.push_back(fmt::format("{}: {}{}", name, type->text, value));
        for (std::size_t each = 0; each < values.size(); ++each)
            followed.instances[each].states[name] = followed.instances[each].initial[name] =
                values[each];
        Name result{name, type, plan.known};
        result.memory = memory;
        result.state = true;
        names.values.push_back(result);
        text.states.push_back(result);
        units.push_back({name, type, 0, name, false});
    }
}

/// Returns "in: x", "in: [x, y]", or a map.
Lines ProcessMaker::ports(const char* key, const std::vector<PortText>& ports) {
    if (ports.empty())
        return {};
    if (std::all_of(ports.begin(), ports.end(), [](const PortText& port) { return port.plain; })) {
        std::string names;
        for (const PortText& port : ports)
            names += (names.empty() ? "" : ", ") + port.name;
        if (ports.size() == 1 && c_.chance(50)) {
            m_.use(Production::one_name);
            return {fmt::format("{}: {}", key, names)};
        }
        m_.use(Production::names_list);
        return {fmt::format("{}: [{}]", key, names)};
    }
    Lines result{fmt::format("{}:", key)};
    for (const PortText& port : ports)
        result.push_back(fmt::format("  {}: {}", port.key, port.binding));
    return result;
}

Lines ProcessMaker::lines(const ProcessSyntax& text) {
    Lines body;
    if (!text.members.where.empty()) {
        m_.use(Production::where_family);
        body.push_back("where: " + text.members.where);
    }
    append(body, ports("in", text.inputs));
    append(body, ports("out", text.outputs));
    const auto section = [&](const char* key, const Lines& lines) {
        if (lines.empty())
            return;
        body.push_back(fmt::format("{}:", key));
        append(body, indented(lines));
    };
    if (!text.domain.empty())
        body.push_back("domain: " + text.domain);
    section("crosses", text.crossings);
    section("state", text.state);
    section("let", text.let);
    if (!text.reset.empty())
        body.push_back("reset: " + text.reset);
    if (text.step.empty())
        body.emplace_back("step: {}");
    section("step", text.step);
    section("checks", text.checks);
    Lines result{text.name + text.members.text() + ":"};
    append(result, indented(body));
    return result;
}

} // namespace sme::fuzz
