// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/make/component_maker.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::fuzz {

namespace {

void section(Lines& to, const char* key, const Lines& lines) {
    if (lines.empty())
        return;
    to.push_back(fmt::format("{}:", key));
    append(to, indented(lines));
}

std::string all_of(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

std::string declared(const BusName& port, bool wire) {
    std::string counts;
    for (const unsigned count : port.counts)
        counts += (counts.empty() ? "[" : ", ") + std::to_string(count);
    return fmt::format("{}{}: {}{}", port.name, counts.empty() ? "" : counts + "]",
                       wire ? "wire " : "", port.type->text);
}

} // namespace

std::vector<std::string> ComponentMaker::places(const Instance& instance,
                                                const std::string& behind) {
    std::vector<std::string> result;
    for (const auto& at : instance.members.all()) {
        std::string indices;
        for (const unsigned index : at)
            indices += (indices.empty() ? "[" : ", ") + std::to_string(index);
        result.push_back(
            fmt::format("{}{}{}{}", instance.name, indices, indices.empty() ? "" : "]", behind));
    }
    return result;
}

std::string ComponentMaker::use(const Names& library, const std::string& library_file, Home& home,
                                std::vector<Watched>& watched,
                                const std::vector<DomainName>& domains) {
    const std::string name = m_.fresh("comp");
    Instance instance{m_.fresh("inst"), {}};
    if (c_.chance(50)) {
        m_.use(Production::instance_family);
        instance.members = {{m_.fresh("k")}, {c_.between(2, 4)}, {c_.below(2)}};
    }
    Home inside{library};
    Lines body, parameter_lines, in, out;
    parameters(inside, instance, parameter_lines);
    inputs(home, inside, instance, in);
    const bool is_single = c_.chance(50);
    choose_domains(domains, is_single, instance);
    const std::vector<BusName> written = outputs(home, instance, out);
    m_.use(is_single ? Production::single_component : Production::composite);
    const Lines rest = is_single ? single(inside, instance, written, watched)
                                 : composite(inside, instance, written, watched);
    body.push_back("component: " + name);
    body.push_back(fmt::format("import: [{}]", library_file));
    section(body, "parameters", parameter_lines);
    if (!instance.domains.empty())
        body.push_back(instance.declared_domains());
    section(body, "in", in);
    section(body, "out", out);
    append(body, rest);
    std::string file = name + ".yaml";
    files_.emplace_back(file, all_of(body));
    Lines used{"use: " + name};
    section(used, "with", instance.with);
    append(used, instance.domain_lines);
    section(used, "in", instance.in);
    section(used, "out", instance.out);
    home.process_lines.push_back(instance.name + instance.members.text() + ":");
    append(home.process_lines, indented(used));
    return file;
}

/// Chooses one domain for the whole component, or local domains bound to domains of the network.
void ComponentMaker::choose_domains(const std::vector<DomainName>& all, bool is_single,
                                    Instance& instance) {
    if (all.empty())
        return;
    instance.first = instance.last = m_.one_of(all);
    instance.domain_lines = {"domain: " + instance.first.name};
    instance.first.name = instance.last.name = "";
    if (is_single || c_.chance(30))
        return;
    m_.use(Production::domains_of_component);
    instance.domain_lines = {"domains:"};
    for (DomainName* const each : {&instance.first, &instance.last}) {
        *each = m_.one_of(all);
        const std::string own = m_.fresh("d");
        instance.domains.push_back(own);
        instance.domain_lines.push_back(fmt::format("  {}: {}", own, each->name));
        each->name = own;
    }
    if (c_.chance(50))
        instance.first.name = ""; // processes without a domain use the first one
}

std::string ComponentMaker::Instance::declared_domains() const {
    return fmt::format("domains: [{}, {}]", domains[0], domains[1]);
}

void ComponentMaker::parameters(Home& inside, Instance& instance, Lines& lines) {
    if (c_.chance(60)) {
        m_.use(Production::number_parameter);
        const std::string name = m_.fresh("n");
        const auto value = static_cast<std::int64_t>(c_.between(1, 12));
        lines.push_back(fmt::format("{}: {}", name, c_.between(1, 12)));
        instance.with.push_back(fmt::format("{}: {}", name, value));
        inside.globals.exact.push_back({name, [value](const Env&) { return value; }, value, value});
    }
    if (c_.chance(60)) {
        m_.use(Production::type_parameter);
        const std::string name = m_.fresh("T");
        Names none;
        auto type = std::make_shared<Shape>(*TermMaker{m_, none}.some_integer());
        lines.push_back(fmt::format("{}: type = u8", name));
        instance.with.push_back(fmt::format("{}: {}", name, type->text));
        type->text = name;
        inside.globals.types.push_back(std::move(type));
    }
}

/// Adds ports, each bound in the enclosing home; unused ports are removed later.
void ComponentMaker::inputs(const Home& home, Home& inside, Instance& instance, Lines& lines) {
    for (unsigned k = home.buses.empty() ? 0 : c_.below(4); k > 0; --k) {
        const BusName& from = m_.one_of(home.buses);
        const std::vector<TypeOf>& types = inside.globals.types;
        const bool sayable = // in a file that sees only the library
            std::all_of(from.type->text.begin(), from.type->text.end(),
                        [](char c) { return c != 'T'; }) ||
            std::any_of(types.begin(), types.end(),
                        [&](const TypeOf& type) { return type->text == from.type->text; });
        if (!from.known || !sayable)
            continue;
        std::vector<std::vector<unsigned>> elements;
        PortText port = processes_.bound(from, instance.members, false, elements);
        if (port.key != port.name || !port.counts.empty())
            continue;
        BusName result{m_.fresh("a"), from.type};
        result.followed = from.followed;
        for (const std::vector<unsigned>& each : elements)
            result.element_of.push_back(each[0]);
        result.wire = from.wire;
        result.domain = from.domain;
        const bool says_wire = from.wire && c_.chance(70);
        if (says_wire)
            m_.use(Production::wire_port);
        lines.push_back(declared(result, says_wire));
        instance.in.push_back(fmt::format("{}: {}", result.name, port.binding));
        inside.buses.push_back(std::move(result));
    }
    if (c_.chance(50))
        value_input(inside, instance, lines);
}

/// Adds an input bound to a value, which may differ along a family.
void ComponentMaker::value_input(Home& inside, Instance& instance, Lines& lines) {
    m_.use(Production::bound_value);
    BusName result{m_.fresh("a"), integer(c_.between(8, 40), false)};
    FollowedBus followed{result.type};
    std::vector<Bits> values;
    const unsigned factor = c_.between(1, 40);
    const bool differs = !instance.members.indices.empty();
    for (const auto& at : instance.members.all()) {
        result.element_of.push_back(static_cast<unsigned>(values.size()));
        values.push_back(bits_of(differs ? factor * at[0] : factor, result.type->width));
    }
    followed.start(values);
    result.followed = follower_.add(std::move(followed));
    lines.push_back(declared(result, false));
    instance.in.push_back(
        differs ? fmt::format("{}: {} * {}", result.name, factor, instance.members.indices[0])
                : fmt::format("{}: {}", result.name, factor));
    inside.buses.push_back(std::move(result));
}

/// Adds new buses outside for the outputs, and returns their names inside.
std::vector<BusName> ComponentMaker::outputs(Home& home, Instance& instance, Lines& lines) {
    std::vector<BusName> result;
    Home declares{home.globals};
    std::erase_if(declares.globals.types, // ports are declared where only the library is visible
                  [](const TypeOf& type) { return type->text[0] == 'T'; });
    for (unsigned k = c_.between(1, 2); k > 0; --k) {
        BusName outer = processes_.bus(instance.members, true, true, declares);
        outer.domain = instance.last.number;
        BusName port{m_.fresh("o"), outer.type};
        port.followed = outer.followed;
        for (unsigned each = 0; each < instance.count(); ++each)
            port.element_of.push_back(each);
        port.wire = outer.wire;
        port.domain = outer.domain;
        port.always_written = outer.always_written;
        lines.push_back(declared(port, outer.wire && c_.chance(50)));
        std::string binding = outer.name;
        if (!instance.members.indices.empty())
            binding += "[" + instance.members.indices[0] + "]";
        instance.out.push_back(fmt::format("{}: {}", port.name, binding));
        home.buses.push_back(outer);
        result.push_back(std::move(port));
    }
    append(home.bus_lines, declares.bus_lines);
    return result;
}

Lines ComponentMaker::single(Home& inside, const Instance& instance,
                             const std::vector<BusName>& outputs, std::vector<Watched>& watched) {
    ProcessPlan plan;
    plan.members.copies = instance.count();
    plan.component = true;
    plan.outputs = outputs;
    plan.domain = instance.last;
    ProcessSyntax text = processes_.process(plan, inside);
    for (const BusName& port : inside.buses) { // including those that it does not read
        const bool is_said =
            std::any_of(text.inputs.begin(), text.inputs.end(),
                        [&](const PortText& input) { return input.name == port.name; });
        if (port.domain != plan.domain.number && !is_said)
            text.crossings.push_back(port.name + ": stable");
    }
    watched.push_back({places(instance, ""), text.followed, text.states});
    Lines result;
    section(result, "crosses", text.crossings);
    section(result, "state", text.state);
    section(result, "let", text.let);
    if (!text.reset.empty())
        result.push_back("reset: " + text.reset);
    section(result, "step", text.step.empty() ? Lines{} : text.step);
    if (text.step.empty())
        result.emplace_back("step: {}");
    m_.use(Production::check_in_component);
    const std::string& state = text.states[0].text;
    section(result, "checks", {fmt::format("- always: {} == {}", state, state)});
    return result;
}

Lines ComponentMaker::composite(Home& inside, const Instance& instance,
                                const std::vector<BusName>& outputs,
                                std::vector<Watched>& watched) {
    ProcessPlan plan;
    plan.members.copies = instance.count();
    for (const bool last : {false, true}) {
        if (last)
            plan.outputs = outputs;
        plan.domain = last ? instance.last : instance.first;
        const ProcessSyntax text = processes_.process(plan, inside);
        append(inside.process_lines, processes_.lines(text));
        watched.push_back({places(instance, "." + text.name), text.followed, text.states});
    }
    Lines result;
    section(result, "buses", inside.bus_lines);
    section(result, "processes", inside.process_lines);
    return result;
}

} // namespace sme::fuzz
