// SPDX-License-Identifier: Apache-2.0
#include "export/clock_ports.hpp"

namespace sme::hdl {

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
