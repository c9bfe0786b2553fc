// SPDX-License-Identifier: Apache-2.0
#include "actors/plans.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "network/graph.hpp"

namespace sme::actors {

namespace {

constexpr std::uint64_t line = 64; // bytes of a cache line

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t to) {
    return (bytes + to - 1) / to * to;
}

const BusFamily& bus_of(const Graph& graph, const Port& port) {
    return graph.family_of(static_cast<std::uint64_t>(port.buses.at(0)));
}

/// The output port whose value a process reads back at this port; `none` if there is no such port.
std::uint32_t written_at(const ProcessFamily& family, const Port& port) {
    for (std::uint32_t p = 0; p < family.ports.size(); ++p)
        if (family.ports[p].output && family.ports[p].name == port.name)
            return p;
    return none;
}

} // namespace

void Layout::Freed::operator()(std::byte* memory) const {
    ::operator delete (memory, std::align_val_t{line});
}

Layout::Layout(const Graph& graph, const std::vector<Plan>& plans, std::uint64_t seed) {
    for (const Plan& plan : plans)
        place(graph, graph.processes[plan.family]);
    for (Arena& arena : arenas_) {
        arena.reset(static_cast<std::byte*>(
            ::operator new (std::max(bytes_, line), std::align_val_t{line})));
        std::memset(arena.get(), 0, bytes_);
    }
    for (std::size_t k = 0; k < plans.size(); ++k) {
        fill(graph, graph.processes[plans[k].family], families_[k]);
        build(graph, graph.processes[plans[k].family], seed, families_[k]);
    }
}

/// Places states first, as one block. A port that is read back has the slot of the port that writes
/// it.
void Layout::place(const Graph& graph, const ProcessFamily& family) {
    Family result;
    result.ports.assign(family.ports.size(), none);
    std::uint64_t next = 0;
    const auto give = [&](std::uint32_t p) {
        const BusFamily& bus = bus_of(graph, family.ports[p]);
        next = round_up(next, bus.type->alignment());
        result.ports[p] = static_cast<std::uint32_t>(next);
        next += slot_size(bus);
    };
    for (const bool states : {true, false}) {
        for (std::uint32_t p = 0; p < family.ports.size(); ++p)
            if (!family.ports[p].own && bus_of(graph, family.ports[p]).state == states)
                give(p);
        if (states)
            result.states = next;
    }
    for (std::uint32_t p = 0; p < family.ports.size(); ++p)
        if (family.ports[p].own)
            result.ports[p] = result.ports[written_at(family, family.ports[p])];
    result.stride = round_up(next, line);
    result.first = bytes_;
    bytes_ += result.stride * family.count;
    families_.push_back(std::move(result));
}

/// Fills in the initial states.
void Layout::fill(const Graph& graph, const ProcessFamily& family, Family& result) {
    for (std::uint32_t p = 0; p < family.ports.size(); ++p) {
        const Port& port = family.ports[p];
        const BusFamily& bus = bus_of(graph, port);
        if (!port.output || !bus.state || bus.initial.empty())
            continue;
        const std::size_t bytes = bus.type->size();
        for (std::uint64_t k = 0; k < family.count; ++k) {
            const auto element = static_cast<std::uint64_t>(port.buses.at(k)) - bus.first;
            const std::size_t from = bus.initial.size() == bytes ? 0 : element * bytes;
            std::memcpy(arenas_[0].get() + result.first + k * result.stride + result.ports[p],
                        bus.initial.data() + from, bytes);
        }
    }
}

void Layout::build(const Graph& graph, const ProcessFamily& family, std::uint64_t seed,
                   Family& result) {
    Build build{graph, family, Segments::identity(family.count), {}, {}, {}, seed};
    for (std::uint32_t p = 0; p < family.ports.size(); ++p)
        build.ports.push_back(
            {Segments::affine(family.count,
                              static_cast<std::int64_t>(result.first + result.ports[p]),
                              static_cast<std::int64_t>(result.stride)),
             family.ports[p].buses});
    for (const Memory& memory : family.memories) {
        const std::size_t each = memory.words * memory.element->size();
        std::vector<std::byte> words(each * family.count, std::byte{0});
        if (!memory.initial.empty())
            for (std::uint64_t k = 0; k < family.count; ++k)
                std::memcpy(words.data() + k * each,
                            memory.initial.data() + (memory.initial.size() == each ? 0 : k * each),
                            each);
        build.memories.push_back({words.data(), memory.words, memory.element});
        memories_.push_back(std::move(words));
    }
    result.group = family.kind->build(build);
}

namespace {

class Planner {
public:
    Planner(const Graph& graph, Diagnostics& diagnostics)
        : graph_{graph}, diagnostics_{diagnostics} {}

    std::vector<Plan> run() {
        for (std::uint32_t f = 0; f < graph_.processes.size(); ++f) {
            const ProcessFamily& family = graph_.processes[f];
            if (family.observer)
                add_recorder(f, family);
            else if (family.helper)
                add_source(f, family);
            else
                add_actor(f, family);
        }
        check_ends();
        return std::move(plans_);
    }

private:
    struct Ends {
        unsigned senders = 0, receivers = 0, recorders = 0;
    };

    /// Each channel has one sender and one receiver; a file receives if no actor does.
    void check_ends() {
        std::map<std::uint64_t, Ends> ends;
        for (const Plan& plan : plans_)
            for (const ChannelPort& port : plan.ports)
                for (std::uint64_t k = 0; k < graph_.processes[plan.family].count; ++k) {
                    const auto at = static_cast<std::uint64_t>(
                        graph_.processes[plan.family].ports[port.data].buses.at(k));
                    ++(port.sends                          ? ends[at].senders
                       : plan.kind == Plan::Kind::recorder ? ends[at].recorders
                                                           : ends[at].receivers);
                }
        if (diagnostics_.has_errors())
            return; // an unsupported process may be at the missing end
        for (const BusFamily& bus : graph_.buses)
            for (std::uint64_t k = 0; bus.places > 0 && k < bus.count; ++k) {
                const Ends& found = ends[bus.first + k];
                const unsigned receivers =
                    found.receivers + (found.receivers == 0 && found.recorders > 0 ? 1 : 0);
                if (found.senders != 1)
                    fail_end(bus, k, found.senders, "sends to");
                if (receivers != 1)
                    fail_end(bus, k, receivers, "receives from");
            }
    }
    void fail_end(const BusFamily& bus, std::uint64_t place, unsigned processes, const char* does) {
        diagnostics_.add(Code::bad_channel, bus.declared,
                         fmt::format("{} process {} channel '{}'; a channel has one sender and "
                                     "one receiver",
                                     processes == 0 ? "no" : "more than one", does,
                                     bus.element_name(bus.first + place)));
    }

    void fail(const Location& where, std::string message) {
        diagnostics_.add(Code::needs_clock, where, std::move(message));
    }
    std::uint64_t element(const Port& port) const {
        return static_cast<std::uint64_t>(port.buses.at(0));
    }
    bool is_channel_port(const Port& port) const {
        return !port.buses.empty() && is_channel(graph_, element(port));
    }
    static std::uint32_t find(const ProcessFamily& family, const std::string& name, bool output) {
        for (std::uint32_t p = 0; p < family.ports.size(); ++p)
            if (const Port& port = family.ports[p];
                port.name == name && port.output == output && !port.own)
                return p;
        return none;
    }

    static ChannelPort channel_port(const ProcessFamily& family, std::uint32_t number) {
        ChannelPort result{number, none, none, family.ports[number].output};
        for (std::uint32_t p = 0; p < family.ports.size(); ++p)
            if (const Port& port = family.ports[p]; port.beside == number && !port.own)
                (port.output == result.sends ? result.closed : result.ready) = p;
        return result;
    }

    void add_actor(std::uint32_t number, const ProcessFamily& family) {
        Plan plan{Plan::Kind::actor, number, {}, find(family, firing_state, true)};
        if (plan.firing == none)
            return fail(
                family.declared,
                is_crossing(family)
                    ? fmt::format("'{}' takes what comes from another clock domain at "
                                  "edges of its own clock, so it runs with a clock only",
                                  family.name)
                    : fmt::format("'{}' is no actor: it steps in every cycle", family.name));
        for (const bool outputs : {false, true})
            for (std::uint32_t p = 0; p < family.ports.size(); ++p) {
                const Port& port = family.ports[p];
                if (port.output != outputs || port.own)
                    continue;
                if (is_channel_port(port))
                    plan.ports.push_back(channel_port(family, p));
                else if (!belongs_to_channel(port))
                    fail(port.declared,
                         fmt::format("'{}' {} the bus '{}', which has another value in each cycle; "
                                     "an actor without a clock has channels only",
                                     family.name, outputs ? "writes" : "reads",
                                     graph_.bus_name(element(port))));
            }
        plans_.push_back(std::move(plan));
    }
    static bool is_crossing(const ProcessFamily& family) {
        return std::any_of(family.ports.begin(), family.ports.end(), [&](const Port& port) {
            return !port.output && !port.own && port.domain == no_domain &&
                   family.domain != no_domain;
        });
    }
    /// True for a state, and for the `ready` and `closed` of a channel.
    bool belongs_to_channel(const Port& port) const {
        return port.buses.empty() || graph_.family_of(element(port)).state || port.beside;
    }

    void add_source(std::uint32_t number, const ProcessFamily& family) {
        if (family.ports.size() != 2 || !is_channel_port(family.ports[0]))
            return fail(family.declared,
                        fmt::format("'{}' feeds a bus, a row in each cycle", family.file));
        plans_.push_back({Plan::Kind::source, number, {{0, 1, none, true}}});
    }

    /// A recorder reads the valid, the message and the ready of one channel.
    void add_recorder(std::uint32_t number, const ProcessFamily& family) {
        Plan plan{Plan::Kind::recorder, number, {}};
        for (std::uint32_t p = 0; p < family.ports.size(); ++p)
            if (is_channel_port(family.ports[p]))
                plan.ports.push_back({p, none, none, false});
        if (plan.ports.empty())
            return fail(family.declared,
                        fmt::format("'{}' records a bus, which has another value in each cycle; "
                                    "without a clock it can record a channel",
                                    family.file));
        const BusFamily& channel = graph_.family_of(element(family.ports[plan.ports[0].data]));
        for (std::uint32_t p = 0; p < family.ports.size(); ++p) {
            const Port& port = family.ports[p];
            if (port.buses.empty() || p == plan.ports[0].data)
                continue;
            if (graph_.bundle_of(graph_.family_of(element(port))) != &channel)
                return fail(family.declared,
                            fmt::format("'{}' looks at '{}' beside the channel '{}', which it "
                                        "records; without a clock nothing happens at the same time",
                                        family.file, graph_.bus_name(element(port)), channel.name));
            plan.ports[0].ready = p;
        }
        plans_.push_back(std::move(plan));
    }

    const Graph& graph_;
    Diagnostics& diagnostics_;
    std::vector<Plan> plans_;
};

} // namespace

std::vector<Plan> plans_of(const Graph& graph, Diagnostics& diagnostics) {
    return Planner{graph, diagnostics}.run();
}

} // namespace sme::actors
