// SPDX-License-Identifier: Apache-2.0
#include "systemc/module_process.hpp"

#include <fmt/format.h>

namespace sme::systemc::internal {

std::string bus_name(const Graph& graph, std::uint64_t bus) {
    return graph.bus_name(bus);
}

void check_binding(const Graph& graph, const sme::internal::BusKey& key, bool output, bool matches,
                   const std::string& port_type, const Name& process) {
    const auto fail = [&](const std::string& what) {
        throw NetworkError{fmt::format("{}:{}: process '{}', a SystemC module: {}", process.file(),
                                       process.line(), process.text(), what)};
    };
    if (!graph.has(key))
        fail("it is bound to a bus of another network");
    const std::uint64_t bus = key.id;
    const BusFamily& family = graph.family_of(bus);
    if (!matches)
        fail(fmt::format("bus '{}' is {}, but its port is {}; write a type of {} bits that "
                         "hdl/systemc/README.md has for it",
                         bus_name(graph, bus), family.type->name(), port_type,
                         family.type->width_bits()));
    if (output && family.wire())
        fail(fmt::format("bus '{}' is a wire, but a module's output is a register; give the bus a "
                         "delay of 1",
                         bus_name(graph, bus)));
}

std::vector<std::byte> initial_of(const Graph& graph, std::uint64_t bus) {
    const BusFamily& family = graph.family_of(bus);
    const std::size_t size = family.type->size();
    if (family.initial.size() <= size)
        return family.initial; // zero, or one value for all elements
    const auto from =
        family.initial.begin() + static_cast<std::ptrdiff_t>((bus - family.first) * size);
    return {from, from + static_cast<std::ptrdiff_t>(size)};
}

} // namespace sme::systemc::internal
