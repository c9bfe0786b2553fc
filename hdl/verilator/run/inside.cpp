// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/inside.hpp"

#include <algorithm>
#include <string_view>

#include "sme/type.hpp"

namespace sme::verilator {

std::vector<InsideSignal> inside_signals(Model& model, const std::string& clock) {
    std::vector<InsideSignal> all = model.signals();
    std::vector<InsideSignal> made;
    std::uint32_t clock_code = 0;
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
        if (!clock.empty() && signal.name == clock)
            clock_code = signal.code;
        made.push_back(std::move(signal));
    }
    for (InsideSignal& signal : made)
        signal.is_clock = clock_code != 0 && signal.code == clock_code;
    return made;
}

} // namespace sme::verilator
