// SPDX-License-Identifier: Apache-2.0
#include "export/modules/top.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "export/modules/scope_module.hpp"

namespace sme::hdl {

namespace {

/// Returns "node[3]", or "node" for a single instance.
std::string name_of(const expr::Unit& unit, std::uint64_t member) {
    std::string name = unit.name;
    for (const std::int64_t index : unit.shape.indices(member))
        name += fmt::format("[{}]", index);
    return name;
}

class Search {
public:
    explicit Search(const std::string& wanted) : wanted_{wanted} {}

    /// Searches a scope and the scopes inside it. In a family it visits only the members asked for,
    /// otherwise the first.
    void visit(const expr::ModuleView& scope, std::uint64_t instance, const std::string& path,
               const std::vector<std::string>& left_out) {
        for (const expr::Unit* each : scope.units) {
            const expr::Unit& unit = *each;
            std::vector<std::string> others = left_out;
            for (const expr::Unit* other : scope.units)
                if (other->name != unit.name &&
                    std::count(others.begin(), others.end(), path + other->name) == 0)
                    others.push_back(path + other->name);
            const bool by_index = wanted_.starts_with(path + unit.name + "[");
            for (std::uint64_t member = 0; member < (by_index ? unit.shape.count() : 1); ++member) {
                const std::string name = path + name_of(unit, member);
                const bool asked = wanted_ == name || wanted_.starts_with(name + ".");
                if (member != 0 && !asked)
                    continue;
                const Top found{&scope, &unit, instance, member, others};
                if (wanted_ == name || (member == 0 && wanted_ == path + unit.name))
                    by_path.push_back(found);
                if (unit.inside && member == 0) {
                    if (wanted_ == unit.inside->name) {
                        of_component.push_back(found);
                        paths.push_back(name);
                    }
                    if (std::count(components.begin(), components.end(), unit.inside->name) == 0)
                        components.push_back(unit.inside->name);
                }
                if (unit.inside && !unit.process)
                    visit(*unit.inside, found.instance(), name + ".", others);
            }
        }
    }

    std::vector<Top> by_path;
    std::vector<Top> of_component;
    std::vector<std::string> paths;      // of these instances
    std::vector<std::string> components; // all components

private:
    const std::string& wanted_;
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
    Search search{name};
    search.visit(network, 0, "", {});
    const auto refuse = [&](const std::string& text) {
        diagnostics.add(Code::bad_option, network.declared, "--top: " + text);
        return std::nullopt;
    };
    if (!search.by_path.empty())
        return search.by_path.front();
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
