// SPDX-License-Identifier: Apache-2.0
#include "lockstep/isolated.hpp"

#include <set>

#include "lockstep/random_values.hpp"

namespace sme::lockstep {

Graph isolated(const Graph& graph, Pair& pair, std::uint64_t seed) {
    Graph made;
    made.name = pair.name;
    made.declared = graph.declared;
    made.buses = graph.buses;
    std::set<std::uint64_t> read, written;
    for (std::size_t f = pair.begin; f < pair.end; ++f) {
        made.processes.push_back(graph.processes[f]);
        for (const Port& port : graph.processes[f].ports)
            for (std::uint64_t k = 0; k < port.buses.size(); ++k)
                (port.output ? written : read).insert(static_cast<std::uint64_t>(port.buses.at(k)));
    }
    pair.middle -= pair.begin;
    pair.end -= pair.begin;
    pair.begin = 0;
    ProcessFamily source;
    source.name = "random values";
    source.helper = true;
    Part& part = source.parts.emplace_back();
    part.may_fault = false;
    for (const std::uint64_t element : read) {
        const BusFamily& bus = made.family_of(element);
        if (written.count(element) || bus.input) // a constant is one
            continue;
        Port port;
        port.name = made.bus_name(element);
        port.output = true;
        port.type = bus.type;
        port.buses = Segments::affine(1, static_cast<std::int64_t>(element), 0);
        part.writes.push_back({static_cast<std::uint32_t>(source.ports.size())});
        source.ports.push_back(std::move(port));
    }
    source.kind = random_values(seed);
    if (!source.ports.empty())
        made.processes.push_back(std::move(source));
    return made;
}

} // namespace sme::lockstep
