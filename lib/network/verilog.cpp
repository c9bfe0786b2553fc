// SPDX-License-Identifier: Apache-2.0
#include "network/verilog.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace sme {

bool VerilogModule::is_c_source(const std::string& path) {
    const std::initializer_list<const char*> endings{".c", ".cc", ".cpp", ".cxx"};
    return std::any_of(endings.begin(), endings.end(),
                       [&](const char* ending) { return path.ends_with(ending); });
}

std::vector<VerilogClock> VerilogModule::known_clocks() const {
    return clocks.empty() && !clocks_named
               ? std::vector<VerilogClock>{{{"clk", where}, rate, domain}}
               : clocks;
}

bool VerilogModule::is_control(const std::string& port) const {
    const auto is_it = [&](const auto& control) { return control.port.text == port; };
    const std::vector<VerilogClock> known = known_clocks();
    return std::any_of(known.begin(), known.end(), is_it) ||
           std::any_of(resets.begin(), resets.end(), is_it);
}

unsigned VerilogModule::reset_cycles() const {
    unsigned most = 0;
    for (const VerilogReset& reset : resets)
        most = std::max(most, reset.cycles);
    return most;
}

const char* usual_role(const std::string& port) {
    std::string lower = port;
    for (char& letter : lower)
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    const auto has = [&](const char* part) { return lower.find(part) != std::string::npos; };
    return has("clk") || has("clock") ? "clock" : has("rst") || has("reset") ? "reset" : nullptr;
}

} // namespace sme
