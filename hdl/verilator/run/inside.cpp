// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/inside.hpp"

#include <algorithm>
#include <iterator>

#include "sme/type.hpp"
#include "verilator/build/wrappers.hpp"

namespace sme::verilator {

std::vector<InsideSignal> inside_signals(Model& model, const std::string& path,
                                         const std::set<std::string>& clocks) {
    std::vector<InsideSignal> result, around; // the ports of a wrapper
    std::set<std::uint32_t> clock_codes;
    std::set<std::string> names;
    const std::string outer = path.substr(0, path.rfind('.') + 1);
    for (InsideSignal& signal : model.signals()) {
        signal.name.erase(0, signal.name.find(' ') + 1); // drops the model's name
        std::replace(signal.name.begin(), signal.name.end(), ' ', '.');
        const bool inner = signal.name.starts_with(path + ".");
        const std::size_t scopes = inner ? path.size() + 1 : outer.size();
        if ((!inner && (outer.empty() || !signal.name.starts_with(outer) ||
                        signal.name.find('.', scopes) != std::string::npos)) ||
            signal.width == 0 || signal.width > Type::max_bits)
            continue;
        signal.name.erase(0, scopes);
        if (clocks.count(signal.name) != 0)
            clock_codes.insert(signal.code);
        if (inner)
            names.insert(signal.name);
        else
            signal.name = inner_port(signal.name);
        (inner ? result : around).push_back(std::move(signal));
    }
    std::copy_if(around.begin(), around.end(), std::back_inserter(result),
                 [&](const InsideSignal& signal) { return names.count(signal.name) == 0; });
    for (InsideSignal& signal : result)
        signal.is_clock = clock_codes.count(signal.code) != 0;
    return result;
}

} // namespace sme::verilator
