// SPDX-License-Identifier: Apache-2.0
//
// What happens before cycle 0.
#include <cstring>

#include "verilator/run/instance_group.hpp"
#include "verilator/run/moves.hpp"

namespace sme::verilator {

namespace {

/// The bytes that readers see of an element in cycle 0.
std::vector<std::byte> first_value(const BusFamily& bus, std::uint64_t element) {
    const std::size_t size = bus.type->size();
    if (bus.initial.empty())
        return std::vector<std::byte>(size);
    const std::size_t place = bus.initial.size() == size ? 0 : (element - bus.first) * size;
    const auto begin = bus.initial.begin() + static_cast<std::ptrdiff_t>(place);
    return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

void set_input(const BoundPort& port, std::uint64_t instance, Model& model, const Graph& graph,
               const ProcessFamily& family) {
    std::vector<std::byte> values;
    std::vector<std::int64_t> places;
    for (std::uint64_t k = 0; k < port.binding.count; ++k) {
        const auto element =
            static_cast<std::uint64_t>(family.ports[port.binding.port + k].buses.at(instance));
        const std::vector<std::byte> value = first_value(graph.family_of(element), element);
        places.push_back(static_cast<std::int64_t>(values.size()));
        values.insert(values.end(), value.begin(), value.end());
    }
    Moves{port.type, port.binding.count, port.offset, port.elements}.to_port(
        values.data(), places.data(), model.port(port.number));
}

} // namespace

std::unique_ptr<Model> started(const ModulePlan& plan, std::uint64_t instance, std::uint64_t seed,
                               const Graph& graph, const ProcessFamily& family) {
    std::vector<std::string> plusargs;
    for (const Placed& text : plan.module.plusargs)
        plusargs.push_back("+" + text.text);
    auto model = std::make_unique<Model>(
        plan.library, plusargs,
        static_cast<std::uint32_t>(plan.module.seed.value_or(seed) * 2654435761U + instance),
        &plan.data_files);
    if (!*model)
        return model;
    for (const BoundPort& port : plan.ports)
        if (!port.binding.output)
            set_input(port, instance, *model, graph, family);
    const auto set = [&](const std::optional<std::size_t>& port, bool high) {
        if (port)
            *model->port(*port) = static_cast<std::byte>(high ? 1 : 0);
    };
    set(plan.reset, plan.module.reset_high);
    const bool rest = plan.falls; // the clock falls within cycle 0, as in all others
    set(plan.clock, rest);
    model->eval();
    for (unsigned cycle = 0; plan.reset && cycle < plan.module.reset_cycles && !model->end();
         ++cycle)
        for (const bool high : {!rest, rest}) {
            set(plan.clock, high);
            model->eval();
        }
    set(plan.reset, !plan.module.reset_high);
    if (!model->end())
        model->eval();
    return model;
}

} // namespace sme::verilator
