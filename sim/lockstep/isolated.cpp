// SPDX-License-Identifier: Apache-2.0
#include "lockstep/isolated.hpp"

#include <algorithm>
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

std::vector<std::byte> initial_of(const Graph& graph, std::uint64_t element) {
    const BusFamily& family = graph.family_of(element);
    const std::size_t size = family.type->size();
    if (family.initial.empty())
        return std::vector<std::byte>(size);
    const std::size_t place = family.initial.size() == size ? 0 : (element - family.first) * size;
    const auto from = family.initial.begin() + static_cast<std::ptrdiff_t>(place);
    return {from, from + static_cast<std::ptrdiff_t>(size)};
}

void set_initial(Graph& graph, std::uint64_t element, const std::byte* value) {
    const auto found = std::find_if(graph.buses.begin(), graph.buses.end(), [&](const auto& each) {
        return element >= each.first && element < each.first + each.count;
    });
    BusFamily& family = *found;
    const std::size_t size = family.type->size();
    if (family.initial.size() != size * family.count) {
        std::vector<std::byte> all;
        for (std::uint64_t k = 0; k < family.count; ++k) {
            const std::vector<std::byte> one = initial_of(graph, family.first + k);
            all.insert(all.end(), one.begin(), one.end());
        }
        family.initial = std::move(all);
    }
    std::copy(value, value + size,
              family.initial.begin() +
                  static_cast<std::ptrdiff_t>((element - family.first) * size));
    family.has_initial = true;
}

} // namespace sme::lockstep
