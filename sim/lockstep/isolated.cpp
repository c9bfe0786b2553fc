// SPDX-License-Identifier: Apache-2.0
#include "lockstep/isolated.hpp"

#include <set>

namespace sme::lockstep {

Graph isolated(const Graph& graph, Pair& pair) {
    Graph made;
    made.name = pair.name;
    made.declared = graph.declared;
    made.buses = graph.buses;
    for (Pair::Families* const families : {&pair.first, &pair.second}) {
        const std::size_t begin = made.processes.size();
        for (std::size_t f = families->begin; f < families->end; ++f)
            made.processes.push_back(graph.processes[f]);
        *families = {begin, made.processes.size()};
    }
    return made;
}

std::vector<std::uint64_t> open_inputs(const Graph& graph) {
    std::set<std::uint64_t> read, written;
    for (const ProcessFamily& family : graph.processes)
        for (const Port& port : family.ports)
            for (std::uint64_t k = 0; k < port.buses.size(); ++k)
                (port.output ? written : read).insert(static_cast<std::uint64_t>(port.buses.at(k)));
    std::vector<std::uint64_t> open;
    for (const std::uint64_t element : read)
        if (!written.count(element) && !graph.family_of(element).input)
            open.push_back(element);
    return open;
}

ProcessFamily feeder_of(const Graph& graph, const std::vector<std::uint64_t>& elements,
                        const std::string& name) {
    ProcessFamily feeder;
    feeder.name = name;
    feeder.helper = true;
    Part& part = feeder.parts.emplace_back();
    part.may_fault = false;
    for (const std::uint64_t element : elements) {
        Port port;
        port.name = graph.bus_name(element);
        port.output = true;
        port.type = graph.family_of(element).type;
        port.buses = Segments::affine(1, static_cast<std::int64_t>(element), 0);
        part.writes.push_back({static_cast<std::uint32_t>(feeder.ports.size())});
        feeder.ports.push_back(std::move(port));
    }
    return feeder;
}

} // namespace sme::lockstep
