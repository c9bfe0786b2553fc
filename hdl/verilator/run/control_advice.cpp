// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/binding.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

namespace sme::verilator {

namespace {

/// Returns the ports of a module that can be controls.
template <class Control>
std::vector<Control> known(const std::vector<Control>& controls, const Netlist& netlist) {
    std::vector<Control> result;
    for (const Control& control : controls)
        if (const ModulePort* const port = netlist.find(control.port.text);
            port && is_control_port(*port))
            result.push_back(control);
    return result;
}

std::string clock_advice(const std::vector<VerilogClock>& named,
                         const std::vector<const ModulePort*>& unbound) {
    std::vector<std::string> names, clocks;
    for (const VerilogClock& clock : named)
        clocks.push_back(fmt::format("{}: {}", clock.port.text, clock.rate.text()));
    for (const ModulePort* port : unbound)
        if (port->edges ? is_control_port(*port) && !is_usually(*port, "reset")
                        : named.empty() && is_usually(*port, "clock")) {
            names.push_back(port->port.name);
            clocks.push_back(names.back() + ": every 1");
        }
    if (names.empty())
        return {};
    return clocks.size() == 1 ? "clock: " + names[0]
                              : fmt::format("clock: {{{}}}", fmt::join(clocks, ", "));
}

std::string reset_advice(const std::vector<VerilogReset>& named,
                         const std::vector<const ModulePort*>& unbound) {
    std::vector<std::string> resets;
    const auto add = [&](const std::string& name, bool high) {
        resets.push_back(high ? name : fmt::format("{{port: {}, active: low}}", name));
    };
    for (const VerilogReset& reset : named)
        add(reset.port.text, reset.high);
    for (const ModulePort* port : unbound)
        if (is_usually(*port, "reset"))
            add(port->port.name, !is_active_low(port->port.name));
    if (resets.size() == named.size())
        return {};
    return resets.size() == 1 ? "reset: " + resets[0]
                              : fmt::format("reset: [{}]", fmt::join(resets, ", "));
}

} // namespace

bool is_usually(const ModulePort& port, std::string_view role) {
    const char* const usual = is_control_port(port) ? usual_role(port.port.name) : nullptr;
    return usual && usual == role;
}

bool is_active_low(const std::string& name) {
    std::string words = "_"; // "_rst_n_"
    for (const char letter : name)
        words += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    words += '_';
    constexpr std::array low{"_n_",     "_ni_",  "_nin_",   "_b_",    "_bi_",     "_bar_",
                             "_low_",   "rstn_", "resetn_", "rstni_", "resetni_", "rstb_",
                             "resetb_", "_nrst", "_nreset", "_nares"};
    return std::any_of(low.begin(), low.end(), [&](const char* part) {
        return words.find(part, part[1] == 'b' || part[1] == 'l' ? 1 : 0) != std::string::npos;
    });
}

std::string high_advice(const std::string& reset, const std::string& module) {
    return fmt::format("reset '{0}' of {1} is active high here, but its name says that it is "
                       "active low; write '{{port: {0}, active: low}}', or 'active: high' if it "
                       "is not",
                       reset, module);
}

std::string control_advice(const VerilogModule& module, const Netlist& netlist,
                           const std::vector<const ModulePort*>& unbound, std::string_view before) {
    std::string result;
    for (const std::string& key : {clock_advice(known(module.clocks, netlist), unbound),
                                   reset_advice(known(module.resets, netlist), unbound)})
        if (!key.empty())
            result += fmt::format("{}'{}'", result.empty() ? before : " and ", key);
    return result;
}

} // namespace sme::verilator
