// SPDX-License-Identifier: Apache-2.0
#include "export/modules/top.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "export/modules/scope_module.hpp"
#include "network/path.hpp"

namespace sme::hdl {

namespace {

/// Returns "node[3]", or "node" for a single instance.
std::string name_of(const expr::Unit& unit, std::uint64_t member) {
    std::string name = unit.name;
    for (const std::int64_t index : unit.shape.indices(member))
        name += fmt::format("[{}]", index);
    return name;
}

/// Searches a scope and the scopes inside it.
class Search {
public:
    /// Finds what a path names; a family without an index is its first member.
    void find(const expr::ModuleView& scope, std::uint64_t instance, PathRest path,
              const std::string& around, const std::vector<std::string>& left_out) {
        for (const expr::Unit* unit : scope.units) {
            PathRest rest = path;
            std::optional<std::uint64_t> member = take_member(unit->name, unit->shape, rest);
            if (!member) {
                rest = path;
                if (!take_member(unit->name, {}, rest) || (!rest.empty() && rest[0].name.empty()))
                    continue;
                member = 0;
            }
            const Top top{&scope, unit, instance, *member, others(*unit, scope, around, left_out)};
            if (rest.empty())
                by_path = top;
            else if (unit->inside && !unit->process)
                find(*unit->inside, top.instance(), rest, around + name_of(*unit, *member) + ".",
                     top.left_out);
        }
    }

    /// Finds the instances of a component, in the first member of each family.
    void find_component(const std::string& wanted, const expr::ModuleView& scope,
                        std::uint64_t instance, const std::string& around,
                        const std::vector<std::string>& left_out) {
        for (const expr::Unit* unit : scope.units) {
            if (!unit->inside)
                continue;
            const Top top{&scope, unit, instance, 0, others(*unit, scope, around, left_out)};
            const std::string name = around + name_of(*unit, 0);
            if (wanted == unit->inside->name) {
                of_component.push_back(top);
                paths.push_back(name);
            }
            if (std::count(components.begin(), components.end(), unit->inside->name) == 0)
                components.push_back(unit->inside->name);
            if (!unit->process)
                find_component(wanted, *unit->inside, top.instance(), name + ".", top.left_out);
        }
    }

    std::optional<Top> by_path;
    std::vector<Top> of_component;
    std::vector<std::string> paths;      // of these instances
    std::vector<std::string> components; // all components

private:
    /// Adds the other units of a scope to those that are left out.
    static std::vector<std::string> others(const expr::Unit& unit, const expr::ModuleView& scope,
                                           const std::string& around,
                                           std::vector<std::string> left_out) {
        for (const expr::Unit* other : scope.units)
            if (other->name != unit.name &&
                std::count(left_out.begin(), left_out.end(), around + other->name) == 0)
                left_out.push_back(around + other->name);
        return left_out;
    }
};

std::string quoted_list(const std::vector<std::string>& names) {
    std::string list;
    for (std::size_t k = 0; k < names.size(); ++k)
        list += fmt::format("{}'{}'",
                            k == 0                  ? ""
                            : k + 1 == names.size() ? " or "
                                                    : ", ",
                            names[k]);
    return list;
}

} // namespace

std::optional<Top> find_top(const expr::ModuleView& network, const std::string& name,
                            Diagnostics& diagnostics) {
    Search search;
    if (const std::optional<Path> path = parse_path(name))
        search.find(network, 0, *path, "", {});
    const auto refuse = [&](const std::string& text) {
        diagnostics.add(Code::bad_option, network.declared, "--top: " + text);
        return std::nullopt;
    };
    if (search.by_path)
        return search.by_path;
    search.find_component(name, network, 0, "", {});
    if (name == network.name)
        return refuse(fmt::format("'{}' is the whole network; leave out --top", name));
    if (search.of_component.empty())
        return refuse(fmt::format(
            "no component or process of '{}' is called '{}'; {}", network.name, name,
            search.components.empty() ? "give the name of a process"
                                      : "give a process, or " + quoted_list(search.components)));
    if (search.of_component.size() > 1)
        return refuse(fmt::format("'{}' is the component of several; give one of them: {}", name,
                                  quoted_list(search.paths)));
    return search.of_component.front();
}

ClockPorts clock_ports(const std::string& domain) {
    const std::string before = domain.empty() ? "" : domain + "_";
    return {before + "clk", before + "rst"};
}

ClockPorts clock_ports(const expr::ModuleView& scope, std::uint32_t domain) {
    for (const expr::ModuleView::Domain& each : scope.domains)
        if (each.number == domain)
            return clock_ports(each.name);
    return clock_ports(scope.domains.front().name);
}

std::vector<std::string> clock_port_names(const expr::ModuleView& scope) {
    std::vector<std::string> names;
    for (const expr::ModuleView::Domain& each : scope.domains) {
        const ClockPorts ports = clock_ports(each.name);
        names.push_back(ports.clock);
        names.push_back(ports.reset);
    }
    return names;
}

} // namespace sme::hdl
