// SPDX-License-Identifier: Apache-2.0
#include "yaml/scope/domains.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "expr/syntax/parser.hpp"
#include "yaml/read/tree.hpp"
#include "yaml/syntax/readers.hpp"

namespace sme::yaml {

namespace {

std::optional<std::uint64_t> number(const expr::Text& text, const char* what, Integer least,
                                    Context& context) {
    const expr::AstRef ast = expr::parse_expression(text, context.diagnostics);
    if (!ast)
        return std::nullopt;
    Constants constants{context.scope, context.diagnostics};
    const auto found = constants.elaborator().constant(*ast, what);
    if (!found)
        return std::nullopt;
    constexpr Integer most = std::numeric_limits<std::uint32_t>::max();
    if (*found >= least && *found <= most)
        return static_cast<std::uint64_t>(*found);
    context.diagnostics.add(Code::bad_cycles, ast->where,
                            fmt::format("{} is {} to {}, but this is {}", what, to_string(least),
                                        to_string(most), to_string(*found)));
    return std::nullopt;
}

/// Returns true for a number of 2 or more without a leading zero.
bool is_number(const Node& node) {
    return node.is_text() && !node.text.text.empty() && node.text.text[0] != '0' &&
           node.text.text.find_first_not_of("0123456789") == std::string::npos;
}

} // namespace

std::optional<ClockRate> read_clock_rate(const Node& node, Context& context) {
    constexpr std::string_view every = "every ", offset = " offset ";
    if (node.is_text() && node.text.text == "1")
        return ClockRate{};
    if (!node.is_text() || !node.text.text.starts_with(every)) {
        if (is_number(node))
            context.diagnostics.add(Code::wrong_shape, node.where,
                                    fmt::format("{0} is no rate of a clock; write 'every {0}' for "
                                                "an edge in every {0} cycles",
                                                node.text.text));
        else
            wrong_shape(node, "a rate such as 1, 'every 2' or 'every 2 offset 1'",
                        context.diagnostics);
        return std::nullopt;
    }
    expr::Text period = node.text;
    std::optional<expr::Text> behind;
    if (const std::size_t at = period.text.find(offset); at != std::string::npos) {
        behind = tail(period, at + offset.size());
        period.text.resize(at);
    }
    const auto found = number(tail(period, every.size()), "the period of a clock", 1, context);
    const auto later = behind ? number(*behind, "the offset of a clock", 0, context)
                              : std::optional{std::uint64_t{0}};
    if (!found || !later)
        return std::nullopt;
    const ClockRate result{*found, *later};
    const std::string problem = result.problem();
    if (problem.empty())
        return result;
    context.diagnostics.add(Code::bad_cycles, node.where, problem);
    return std::nullopt;
}

// Clock domains. Processes hold their values between the edges of their clock; see
// expr/process/process.cpp. network/checks verifies which buses may be read in which domain.

namespace {

std::uint32_t add_domain(ClockDomain domain, Context& context) {
    Graph& graph = context.design.graph;
    const auto number = static_cast<std::uint32_t>(graph.domains.size());
    context.domains.known[domain.name] = number;
    if (number == 0)
        context.domains.own = number;
    graph.domains.push_back(std::move(domain));
    return number;
}

std::vector<std::string> names_of(const Domains& domains) {
    std::vector<std::string> names;
    for (const auto& [name, number] : domains.known)
        names.push_back(name);
    return names;
}

} // namespace

std::optional<std::uint32_t> find_domain(const Word& name, const Context& context) {
    const auto found = context.domains.known.find(name.text);
    if (found != context.domains.known.end())
        return found->second;
    if (context.domains.broken)
        return std::nullopt;
    const std::string hint = did_you_mean(name.text, names_of(context.domains));
    context.diagnostics.add(Code::bad_domain, name.where,
                            fmt::format("there is no clock domain '{}'{}", name.text,
                                        !hint.empty() ? hint
                                        : context.component || context.domains.alone
                                            ? "; declare it in the component: 'domains: [a, b]'"
                                            : "; declare it in the network: 'domains: {a: 1, b: "
                                              "every 4}'"));
    return std::nullopt;
}

void load_domains(const Node& section, Context& context) {
    context.domains.broken =
        !is_map_or_empty(section, "a map as in {fast: 1, slow: every 4}", context.diagnostics);
    for (const auto& [key, value] : section.entries)
        if (is_name(key, "a clock domain", context.diagnostics))
            add_domain(
                {key.text.text, read_clock_rate(value, context).value_or(ClockRate{}), key.where},
                context);
}

ClockRate steps_in(std::uint32_t domain, const Context& context) {
    return context.loading.options.untimed ? ClockRate{} : context.design.graph.rate_of(domain);
}

void load_domains_alone(const std::vector<Word>& names, Context& context) {
    context.domains.alone = true;
    for (const Word& name : names)
        add_domain({name.text, {}, name.where}, context);
}

bool bind_domains(const ComponentFile& component, const ProcessSyntax& instance, Context& inside,
                  const Context& outer) {
    Diagnostics& diagnostics = inside.diagnostics;
    const std::size_t errors = diagnostics.errors();
    const std::vector<Word>& declared = component.syntax.domains;
    inside.domains.own = outer.domains.own;
    std::vector<std::string> names, missing;
    for (const Word& each : declared)
        names.push_back(each.text);
    for (const DomainBindingSyntax& binding : instance.domains) {
        const auto number = find_domain(binding.outer, outer);
        if (std::find(names.begin(), names.end(), binding.inner.text) == names.end())
            diagnostics.add(Code::bad_domain, binding.inner.where,
                            fmt::format("component '{}' has no clock domain '{}'{}", component.name,
                                        binding.inner.text,
                                        did_you_mean(binding.inner.text, names)));
        else if (number && !inside.domains.known.try_emplace(binding.inner.text, *number).second)
            diagnostics.add(Code::duplicate_name, binding.inner.where,
                            fmt::format("the domain '{}' is bound twice", binding.inner.text));
    }
    if (diagnostics.errors() != errors)
        return false;
    if (declared.size() == 1)
        inside.domains.known.try_emplace(declared[0].text, outer.domains.own);
    for (const std::string& name : names)
        if (inside.domains.known.count(name) == 0)
            missing.push_back(name + ": ...");
    if (!missing.empty())
        diagnostics
            .add(Code::bad_domain, instance.where,
                 fmt::format("component '{}' has {} clock domains; write 'domains: {{{}}}' with "
                             "those of the {}",
                             component.name, declared.size(), fmt::join(missing, ", "),
                             outer.component ? "component around it" : "network"))
            .note(declared[0].where, "they are declared here");
    if (!names.empty() && missing.empty())
        inside.domains.own = inside.domains.known.at(names[0]);
    return missing.empty();
}

InDomain::InDomain(const ProcessSyntax& process, Context& context)
    : context_{context}, before_{context.domains.own} {
    if (process.domain)
        context.domains.own = find_domain(*process.domain, context).value_or(before_);
}

void place_ports(const expr::ProcessView& text, const std::vector<CrossingSyntax>& crossings,
                 ProcessFamily& family, Context& context) {
    family.domain = context.domains.own;
    for (Port& port : family.ports)
        port.domain = context.domains.own;
    for (const CrossingSyntax& crossing : crossings) {
        const auto input =
            std::find_if(text.inputs.begin(), text.inputs.end(), [&](const expr::PortText& each) {
                return each.name == crossing.port.text;
            });
        if (input == text.inputs.end()) {
            std::vector<std::string> names;
            for (const expr::PortText& each : text.inputs)
                names.push_back(each.name);
            context.diagnostics.add(Code::unknown_name, crossing.port.where,
                                    fmt::format("there is no input '{}'{}", crossing.port.text,
                                                did_you_mean(crossing.port.text, names)));
            continue;
        }
        for (std::uint64_t k = 0; k < input->count(); ++k)
            family.ports[input->read_port + k].domain = no_domain;
    }
}

std::uint32_t domain_of_readers(const Graph& graph, std::uint64_t element) {
    for (const ProcessFamily& family : graph.processes)
        for (const Port& port : family.ports)
            if (!port.output && port.domain != no_domain)
                for (const Segment& run : port.buses.runs())
                    for (std::uint64_t k = run.first; k < run.end(); ++k)
                        if (static_cast<std::uint64_t>(run.at(k)) == element)
                            return port.domain;
    return no_domain;
}

void settle_delays(Context& context) {
    Graph& graph = context.design.graph;
    Diagnostics& diagnostics = context.diagnostics;
    if (graph.domains.empty())
        return;
    std::vector<std::uint32_t> domains(graph.buses.size(), no_domain);
    for (const ProcessFamily& family : graph.processes)
        for (const Port& port : family.ports)
            for (std::uint64_t k = 0; port.output && k < port.buses.size(); ++k) {
                const BusFamily& bus =
                    graph.family_of(static_cast<std::uint64_t>(port.buses.at(k)));
                std::uint32_t& known = domains[static_cast<std::size_t>(&bus - graph.buses.data())];
                if (known == no_domain)
                    known = port.domain;
                else if (bus.delay > 1 && port.domain != no_domain &&
                         graph.rate_of(known) != graph.rate_of(port.domain)) {
                    diagnostics.add(Code::bad_domain, bus.declared,
                                    fmt::format("'{}' has a delay of {} cycles, but its members "
                                                "are written in the domains '{}' and '{}'; declare "
                                                "them as two families",
                                                bus.name, bus.delay, graph.domains[known].name,
                                                graph.domains[port.domain].name));
                    return;
                }
            }
    for (std::size_t b = 0; b < graph.buses.size(); ++b) {
        BusFamily& bus = graph.buses[b];
        bus.domain = domains[b];
        const std::uint64_t every = graph.rate_of(domains[b]).every;
        if (bus.delay <= 1 || every == 1)
            continue;
        const std::uint64_t cycles = 1 + (bus.delay - 1) * every;
        const Integer bytes = static_cast<Integer>(bus.type->size()) *
                              static_cast<Integer>(bus.count) *
                              static_cast<Integer>(cycles - bus.delay);
        if (cycles > BusFamily::longest_delay)
            diagnostics.add(Code::bad_delay, bus.declared,
                            fmt::format("a delay of {} cycles of the domain '{}' is {} cycles of "
                                        "the network, but there can be {}",
                                        bus.delay, graph.domains[domains[b]].name, cycles,
                                        BusFamily::longest_delay));
        else if (context.take_memory(bytes, bus.name, bus.declared))
            bus.delay = static_cast<std::uint32_t>(cycles);
    }
}

} // namespace sme::yaml
