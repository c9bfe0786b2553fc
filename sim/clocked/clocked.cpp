// SPDX-License-Identifier: Apache-2.0
#include "sme/clocked.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "clocked/channels.hpp"
#include "clocked/group.hpp"
#include "engine/engine.hpp"
#include "network/access.hpp"
#include "session/run/run.hpp"

namespace sme {
namespace {

/// The channels of the group that was built last on each thread. A simulator builds its groups in
/// sequence on one thread, and streams after these.
std::weak_ptr<clocked::Channels>& last_built(const ClockedOptions* of) {
    thread_local std::map<const ClockedOptions*, std::weak_ptr<clocked::Channels>> channels;
    return channels[of];
}

/// Adds a wire for an unsigned number; returns the number of its first element.
std::uint64_t add_wire(Graph& graph, std::string name, const Name& declared,
                       std::uint64_t count = 1, bool indexed = false) {
    BusFamily bus;
    bus.name = std::move(name);
    if (indexed)
        bus.shape.dimensions.push_back({0, count, {}});
    bus.type = type_of<std::uint32_t>();
    bus.delay = 0;
    bus.generated = true;
    bus.declared = location_of(declared);
    return graph.add(std::move(bus)).first;
}

ProcessFamily::NameRun named(std::uint64_t first, const Name& name) {
    return {first, name.text(), name.index().has_value(), name.index().value_or(0),
            location_of(name)};
}

/// The instances of the group, and the wires that they write: processes, then channels.
ProcessFamily family_of(const KahnGraph& kahn, Graph& graph) {
    ProcessFamily result;
    result.name = kahn.name;
    Segments buses;
    for (std::uint64_t k = 0; k < kahn.processes.size(); ++k) {
        const Name& name = kahn.processes[k].name;
        result.names.push_back(named(k, name));
        buses.append(static_cast<std::int64_t>(add_wire(graph, text_of(name) + ".state", name)));
    }
    std::uint64_t count = kahn.processes.size();
    for (const KahnGraph::Family& family : kahn.families) {
        const std::string& text = family.name.text();
        result.names.push_back({count, "the channel " + text_of(family.name), family.indexed, 0,
                                location_of(family.name)});
        const std::uint64_t first = add_wire(graph, family.indexed ? text : text_of(family.name),
                                             family.name, family.count, family.indexed);
        buses.append(family.count, static_cast<std::int64_t>(first), 1);
        count += family.count;
    }
    result.count = count;
    result.shape.dimensions.push_back({0, count, {}});
    result.declared = result.names.empty() ? Location{} : result.names[0].declared;
    Port port;
    port.name = "value";
    port.output = true;
    port.type = type_of<std::uint32_t>();
    port.wants_wire = true;
    port.buses = std::move(buses);
    port.declared = result.declared;
    result.ports.push_back(std::move(port));
    Part part;
    part.writes = {{0}};
    result.parts.push_back(std::move(part));
    return result;
}

bool is_joined(const std::vector<JoinedStream>& streams, std::uint64_t channel) {
    return std::any_of(streams.begin(), streams.end(), [&](const JoinedStream& stream) {
        return KahnGraph::channel_of(stream.channel) == channel;
    });
}

/// A joined channel has one end in this network and one outside.
void check_joined(const KahnGraph& kahn, const std::vector<JoinedStream>& streams) {
    for (std::size_t k = 0; k < streams.size(); ++k) {
        const JoinedStream& stream = streams[k];
        if (!kahn.has(stream.channel))
            throw NetworkError{"a stream is joined to a channel of another network than '" +
                               kahn.name + "'"};
        const std::uint32_t channel = KahnGraph::channel_of(stream.channel);
        const std::string name = kahn.channel_name(channel);
        for (std::size_t other = 0; other < k; ++other)
            if (streams[other].channel == stream.channel)
                throw NetworkError{"channel '" + name + "' is joined to two streams"};
        const KahnGraph::Ends& ends = kahn.channels[channel];
        const auto [here, there] = stream.to_stream ? std::pair{ends.writer, ends.reader}
                                                    : std::pair{ends.reader, ends.writer};
        const char* const does = stream.to_stream ? "writes" : "reads";
        if (here == KahnGraph::none)
            throw NetworkError{"no process " + std::string{does} + " channel '" + name +
                               "', which is joined to a stream"};
        if (there != KahnGraph::none)
            throw NetworkError{"process '" + kahn.process_name(there) +
                               "' has the end of channel '" + name +
                               "' that is joined to a stream"};
    }
}

} // namespace

ClockedKahn add_clocked(Network& network, const KahnNetwork& kahn, const ClockedOptions& options) {
    std::shared_ptr<const KahnGraph> graph = kahn.graph();
    check_joined(*graph, options.streams);
    graph->check([&](std::uint64_t channel) { return is_joined(options.streams, channel); });
    if (graph->processes.empty())
        throw NetworkError{"the Kahn network '" + graph->name + "' has no process"};
    Graph& clocked = NetworkAccess::graph(network);
    ProcessFamily family = family_of(*graph, clocked);
    const auto own = std::make_shared<const ClockedOptions>(options);
    family.kind = std::make_shared<const GroupFactory>([graph, own](const Build& build) {
        auto group = std::make_unique<clocked::KahnGroup>(graph, *own, build);
        last_built(own.get()) = group->channels();
        return group;
    });
    const auto number = static_cast<std::uint32_t>(clocked.processes.size());
    clocked.processes.push_back(std::move(family));
    for (const JoinedStream& stream : options.streams)
        clocked::add_stream(clocked, *graph, stream,
                            [own] { return last_built(own.get()).lock(); });
    return {std::move(graph), number};
}

namespace {

clocked::KahnGroup& group_of(Simulator& simulator, std::uint32_t family, const KahnGraph& graph) {
    const Graph& network = SimulatorAccess::graph(simulator);
    if (family < network.processes.size())
        if (auto* const found =
                abilities_of(&SimulatorAccess::engine(simulator).group(family)).kahn;
            found != nullptr && &found->graph() == &graph)
            return *found;
    throw NetworkError{"this simulator is not one of the network to which the Kahn network '" +
                       graph.name + "' was added"};
}

} // namespace

internal::Hosted& ClockedKahn::hosted(Simulator& simulator, std::uint32_t process) const {
    return group_of(simulator, family_, *graph_).process(process);
}

std::vector<ChannelReport> ClockedKahn::channels(Simulator& simulator) const {
    return group_of(simulator, family_, *graph_).reports();
}

} // namespace sme
