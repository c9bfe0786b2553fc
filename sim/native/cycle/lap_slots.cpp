// SPDX-License-Identifier: Apache-2.0
#include "native/cycle/lap_slots.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::native {

std::vector<LapSlots::Scalar> LapSlots::scalars_of(const BusFamily& bus) {
    std::vector<Scalar> made;
    for (const Leaf& leaf : bus.type->leaves())
        made.push_back(
            {leaf.offset, Arithmetic::in_slot(expr::Scalar::of(*leaf.type)), leaf.path, false});
    const std::size_t leaves = made.size();
    for (std::uint32_t k = 0; bus.has_marks() && k < leaves; ++k)
        made.push_back({static_cast<std::uint32_t>(bus.type->size()) + k,
                        {1, false},
                        made[k].path + ".mark",
                        true});
    return made;
}

void LapSlots::reach(std::uint64_t begin, std::uint64_t end) {
    auto next = reached_.upper_bound(begin);
    if (next != reached_.begin() && std::prev(next)->second >= begin) {
        --next;
        begin = next->first;
    }
    while (next != reached_.end() && next->first <= end) {
        end = std::max(end, next->second);
        next = reached_.erase(next);
    }
    reached_[begin] = end;
}

bool LapSlots::in_memory(std::uint64_t at) const {
    const auto next = reached_.upper_bound(at);
    return next != reached_.begin() && std::prev(next)->second > at;
}

LapSlots::Variable& LapSlots::variable(std::uint64_t at, CType type, const std::string& name) {
    auto [found, fresh] = variables_.try_emplace(at);
    if (fresh)
        found->second = {names_.unique("_" + name), type};
    fit_ = fit_ && found->second.type == type;
    return found->second;
}

std::string LapSlots::read(std::uint64_t at, CType type, const std::string& name) {
    if (in_memory(at)) {
        uses_memory_ = true;
        return fmt::format("*(const {} *)({} + {})", type.name(), is_wire(at) ? "write" : "read",
                           at);
    }
    if (const auto fed = fed_.find(at); fed != fed_.end())
        return fed->second;
    Variable& found = variable(at, type, name);
    found.read = true;
    return found.name;
}

LapSlots::Target LapSlots::write(std::uint64_t at, CType type, const std::string& name) {
    if (in_memory(at)) {
        uses_memory_ = true;
        return {fmt::format("*({} *)(write + {})", type.name(), at), at, true};
    }
    Variable& found = variable(at, type, name);
    found.written = true;
    return {found.name, at, false};
}

std::string LapSlots::known(std::uint64_t at) const {
    const auto found = wires_.find(at);
    return found == wires_.end() ? "" : found->second;
}

bool LapSlots::is_carried(std::uint64_t at) const {
    const auto found = variables_.find(at);
    return found != variables_.end() && found->second.read;
}

std::string LapSlots::before() const {
    std::string made;
    for (const auto& [at, variable] : variables_)
        if (lasts(at, variable))
            made += fmt::format("    {0} {1} = *(const {0} *)(b->read + {2});\n",
                                variable.type.name(), variable.name, at);
    return made;
}

std::string LapSlots::after() const {
    std::string made;
    for (const auto& [at, variable] : variables_)
        if (lasts(at, variable) && variable.written)
            made += fmt::format("    *({} *)(last + {}) = {};\n", variable.type.name(), at,
                                variable.name);
    return made;
}

} // namespace sme::native
