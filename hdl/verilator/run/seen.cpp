// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/seen.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "verilator/run/binding.hpp"

namespace sme::verilator {

namespace {

TypeRef type_of(const VerilogSignal& signal) {
    constexpr unsigned widest_signed = 64;
    if (signal.width == 1)
        return Type::boolean();
    return signal.is_signed && signal.width <= widest_signed ? Type::signed_integer(signal.width)
                                                             : Type::unsigned_integer(signal.width);
}

} // namespace

std::uint64_t look_at(const VerilogSignal& signal, std::uint64_t element, ModulePlan& plan,
                      ProcessFamily& family, Graph& graph) {
    std::string indices;
    std::uint64_t rest = element;
    for (auto range = signal.ranges.rbegin(); range != signal.ranges.rend(); ++range) {
        const auto number = static_cast<std::int64_t>(rest % range->count);
        indices = fmt::format("({}){}", range->low + number, indices);
        rest /= range->count;
    }
    std::string name = signal.path() + indices;
    const std::string full = fmt::format("{}.{}", family.name, name);
    for (const BusFamily& bus : graph.buses) // already observed, or an input with a value
        if (bus.name == full)
            return bus.first;
    BusFamily bus;
    bus.name = full;
    bus.shape = nested(family.shape, family.name.size(), {});
    bus.type = type_of(signal);
    bus.delay = 0;
    bus.state = true;
    bus.traced = true;
    bus.declared = family.declared;
    const BusFamily& added = graph.add(std::move(bus));
    const auto number = static_cast<std::uint32_t>(family.ports.size());
    Part& part = looking_part(plan, family);
    part.writes.push_back({number});
    plan.settles[*plan.looks].outputs.push_back(plan.ports.size());
    BoundPort bound;
    bound.binding.name = name;
    bound.binding.output = true;
    bound.binding.wire = true;
    bound.binding.port = number;
    bound.type = added.type;
    bound.width = signal.width;
    const std::string scope = signal.scope.empty() ? plan.path : plan.path + "." + signal.scope;
    bound.seen = SeenSignal{signal.home.empty() ? scope : signal.home, signal.name,
                            element * PortCodec::port_bytes(signal.width)};
    plan.ports.push_back(std::move(bound));
    Port port;
    port.name = std::move(name);
    port.type = added.type;
    port.output = true;
    port.declared = family.declared;
    port.buses = Segments::affine(family.count, static_cast<std::int64_t>(added.first), 1);
    family.ports.push_back(std::move(port));
    plan.module.seen_arrays = plan.module.seen_arrays || signal.nested;
    std::vector<std::string>& keys = plan.module.seen;
    if (const auto place = std::lower_bound(keys.begin(), keys.end(), signal.key);
        place == keys.end() || *place != signal.key)
        keys.insert(place, signal.key);
    return added.first;
}

bool check_seen(const ModulePlan& plan, Diagnostics& diagnostics) {
    if (!plan.looks)
        return true;
    const Model model{plan.library, {}, 0};
    bool good = true;
    for (const BoundPort& port : plan.ports)
        if (model && port.seen && !model.inside(port.seen->scope, port.seen->name)) {
            diagnostics.add(Code::verilog_port, plan.module.where,
                            fmt::format("signal '{}' inside module '{}' cannot be looked at: "
                                        "Verilator does not keep it",
                                        port.binding.name, plan.module.top.text));
            good = false;
        }
    return good;
}

} // namespace sme::verilator
