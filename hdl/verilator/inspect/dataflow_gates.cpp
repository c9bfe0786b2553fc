// SPDX-License-Identifier: Apache-2.0
//
// Clock gates. Behind "gclk = clk & enable", however `enable` is computed, gclk is 0 while clk is
// low. A module settles with the clocks low that fall within the cycle, so gclk rises with clk
// only, at the end of a cycle, and its registers load there as those of clk do.
#include <algorithm>

#include "verilator/inspect/dataflow.hpp"
#include "verilator/inspect/element.hpp"

namespace sme::verilator {

/// Notes that an element drives a net; without a value, in a way that is not understood here.
void Dataflow::note_drivers(Element element) {
    const Element only = element.kind() == "always" ? element.first_child() : element;
    const bool is_one = is_assignment(only.kind()) && only.last_child().kind() == "varref" &&
                        only == (element.kind() == "always" ? element.last_child() : element);
    std::vector<Target> targets;
    written(element, targets);
    for (const Target& target : targets)
        drivers_[target.variable].push_back(is_one && target.sure ? only.first_child() : Element{});
}

/// Tests whether a net of one bit has this value whenever the clock is low.
bool Dataflow::is_fixed(const Variable& net, bool value, const Clock& clock,
                        std::set<const Variable*>& open) {
    if (clock.nets.count(&net) != 0)
        return !value;
    constexpr std::size_t most = 1000; // nets between a clock and its gates
    if (net.width != 1 || net.input || open.size() > most || !open.insert(&net).second)
        return false;
    const auto drivers = drivers_.find(&net);
    if (drivers != drivers_.end() && drivers->second.size() == 1 &&
        is_fixed(drivers->second[0], value, clock, open))
        return true;
    const auto aliases = aliases_.find(&net);
    return aliases != aliases_.end() &&
           std::any_of(aliases->second.begin(), aliases->second.end(),
                       [&](const Variable* other) { return is_fixed(*other, value, clock, open); });
}

bool Dataflow::is_fixed(Element bit, bool value, const Clock& clock,
                        std::set<const Variable*>& open) {
    if (!bit || types_.of(bit).width != 1)
        return false;
    const std::string_view kind = bit.kind();
    const auto operand = [&](Element each, bool wanted) {
        return is_fixed(each, wanted, clock, open);
    };
    const Element first = bit.first_child(), last = bit.last_child();
    if (kind == "varref") {
        const Meant& meant = find(bit.name());
        return meant.sure() && is_fixed(*meant.variables[0], value, clock, open);
    }
    if (kind == "not" || kind == "lognot")
        return operand(first, !value);
    if (kind == "cond")
        return operand(first.next_sibling(), value) && operand(last, value);
    const bool is_and = kind == "and" || kind == "logand";
    if (!is_and && kind != "or" && kind != "logor")
        return false;
    return is_and == value ? operand(first, value) && operand(last, value)
                           : operand(first, value) || operand(last, value);
}

const Dataflow::Clock* Dataflow::gated_clock(Element event) {
    for (const Clock& clock : clocks_) {
        std::set<const Variable*> open;
        if (clock.falls_within_cycles && is_fixed(event, false, clock, open))
            return &clock;
    }
    return nullptr;
}

} // namespace sme::verilator
