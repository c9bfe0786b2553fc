// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/inside.hpp"

#include <algorithm>
#include <string_view>

#include "sme/type.hpp"

namespace sme::verilator {

std::vector<InsideSignal> inside_signals(Model& model, const std::set<std::string>& clocks) {
    std::vector<InsideSignal> all = model.signals();
    std::vector<InsideSignal> made;
    std::set<std::uint32_t> clock_codes;
    constexpr int outer = 2; // the model, and the module in it, which has the ports again
    for (InsideSignal& signal : all) {
        std::string_view name = signal.name;
        int scopes = 0;
        for (; scopes < outer && name.find(' ') != std::string_view::npos; ++scopes)
            name.remove_prefix(name.find(' ') + 1);
        if (scopes < outer || signal.width == 0 || signal.width > Type::max_bits)
            continue;
        signal.name = name;
        std::replace(signal.name.begin(), signal.name.end(), ' ', '.');
        if (clocks.count(signal.name) != 0)
            clock_codes.insert(signal.code);
        made.push_back(std::move(signal));
    }
    for (InsideSignal& signal : made)
        signal.is_clock = clock_codes.count(signal.code) != 0;
    return made;
}

} // namespace sme::verilator
