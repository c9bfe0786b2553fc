// SPDX-License-Identifier: Apache-2.0
#include "actors/run.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "actors/processes.hpp"
#include "kahn/graph.hpp"

namespace sme::actors {

namespace {

std::string path_of(const Location& where) {
    return where.source ? where.source->path() : std::string{};
}

} // namespace

struct Run::Network {
    Network(const Graph& all, std::vector<Plan> result, const RunOptions& wanted)
        : graph{all}, options{wanted}, plans{std::move(result)}, layout{graph, plans, 0} {
        shared.print = options.print;
        shared.can_write = options.can_write;
        shared.interrupt = options.interrupt;
        shared.firings_max = options.firings;
        add_channels();
        for (std::uint32_t k = 0; k < plans.size(); ++k)
            add_family(k);
        for (std::uint32_t k = 0; k < plans.size(); ++k)
            if (plans[k].kind == Plan::Kind::recorder)
                add_tap(k);
        for (std::uint32_t k = 0; k < plans.size(); ++k)
            if (plans[k].kind != Plan::Kind::recorder)
                for (std::uint64_t i = 0; i < family_of(k).count; ++i)
                    add_process(k, i);
        add_sinks();
    }

    const ProcessFamily& family_of(std::uint32_t plan) const {
        return graph.processes[plans[plan].family];
    }
    std::uint64_t element(std::uint32_t plan, std::size_t port, std::uint64_t instance) const {
        const std::uint32_t number = plans[plan].ports[port].data;
        return static_cast<std::uint64_t>(family_of(plan).ports[number].buses.at(instance));
    }
    /// The location that an internal error would name.
    Name name_of(std::string text, const Location& where) {
        const std::string& path = *paths.insert(paths.end(), path_of(where));
        return {std::move(text), path.c_str(), 0};
    }

    void add_channels();
    void add_family(std::uint32_t plan);
    void add_tap(std::uint32_t plan);
    void add_process(std::uint32_t plan, std::uint64_t instance);
    void add_sinks();
    Slots slots_of(std::uint32_t plan, const ChannelPort& port) const;
    Instance instance_of(std::uint32_t plan, std::uint64_t instance);
    RawEnds::End end_of(std::uint64_t element, internal::Side side) const {
        const Channel& channel = channels.at(element);
        return {channel.id, side, channel.kind};
    }
    Result result(Untimed& run, const UntimedResult& came) const;

    struct Channel {
        std::uint64_t id;
        const RawKind* kind;
        bool received = false;
        Taps taps = {};        // until they are moved to the reader
        std::string file = {}; // the file that records it
    };

    const Graph& graph;
    RunOptions options;
    std::vector<Plan> plans;
    Layout layout;
    Shared shared;
    std::deque<std::string> paths;
    std::deque<RawKind> kinds;
    std::map<std::uint64_t, Channel> channels; // by bus element
    std::deque<FamilyControl> controls;
    std::deque<RunningFamily> families; // by plan
    std::vector<Group*> groups;
    KahnNetwork kahn{"actors"};
    std::vector<KahnHandle<Actor>> actors;
};

void Run::Network::add_channels() {
    for (const BusFamily& bus : graph.buses) {
        if (bus.places == 0)
            continue;
        const RawKind& kind = kinds.emplace_back(*bus.type->fields().at(1).type);
        const std::uint32_t depth = std::max(bus.places, options.places);
        for (std::uint64_t k = 0; k < bus.count; ++k) {
            const std::uint64_t id = KahnAccess::add_channel(
                kahn, name_of(bus.element_name(bus.first + k), bus.declared), Depth{depth}, kind);
            channels.emplace(bus.first + k, Channel{id, &kind});
        }
    }
}

Slots Run::Network::slots_of(std::uint32_t plan, const ChannelPort& port) const {
    const std::vector<std::uint32_t>& at = layout[plan].ports;
    const Type& type = *family_of(plan).ports[port.data].type;
    const auto of = [&](std::uint32_t number) { return number == none ? none : at[number]; };
    return {at[port.data] + type.fields().at(0).offset, at[port.data] + type.fields().at(1).offset,
            of(port.ready), of(port.closed)};
}

void Run::Network::add_family(std::uint32_t plan) {
    RunningFamily& result = families.emplace_back();
    const ProcessFamily& family = family_of(plan);
    result.group = layout[plan].group.get();
    result.parts = static_cast<unsigned>(family.parts.size());
    result.states = layout[plan].states;
    if (plans[plan].firing != none)
        result.firing = layout[plan].ports[plans[plan].firing];
    for (const ChannelPort& port : plans[plan].ports)
        result.ends.push_back(slots_of(plan, port));
    result.frame = layout.frame(controls.emplace_back(shared, family));
    groups.resize(graph.processes.size());
    groups[plans[plan].family] = layout[plan].group.get();
}

Instance Run::Network::instance_of(std::uint32_t plan, std::uint64_t instance) {
    return {&families[plan], instance, layout.read(plan, instance), layout.write(plan, instance),
            &shared};
}

void Run::Network::add_tap(std::uint32_t plan) {
    Channel& channel = channels.at(element(plan, 0, 0));
    channel.taps.push_back({instance_of(plan, 0)});
    channel.file = family_of(plan).file;
}

void Run::Network::add_process(std::uint32_t plan, std::uint64_t instance) {
    const ProcessFamily& family = family_of(plan);
    RawEnds ends;
    std::vector<Taps> taps;
    for (std::size_t p = 0; p < plans[plan].ports.size(); ++p) {
        const bool sends = plans[plan].ports[p].sends;
        const std::uint64_t at = element(plan, p, instance);
        ends.ends.push_back(end_of(at, sends ? internal::Side::out : internal::Side::in));
        if (sends)
            continue;
        channels.at(at).received = true;
        taps.push_back(std::exchange(channels.at(at).taps, {}));
    }
    const Name name = name_of(family.helper ? family.file : family.instance_name(instance),
                              family.instance_location(instance));
    if (plans[plan].kind == Plan::Kind::source)
        kahn.add<Source>(name, instance_of(plan, instance), std::move(ends));
    else
        actors.push_back(
            kahn.add<Actor>(name, instance_of(plan, instance), std::move(taps), std::move(ends)));
}

void Run::Network::add_sinks() {
    for (auto& [element, channel] : channels)
        if (!channel.received && !channel.taps.empty())
            kahn.add<Sink>(name_of(channel.file, graph.family_of(element).declared),
                           std::ref(shared), std::exchange(channel.taps, {}),
                           RawEnds{{end_of(element, internal::Side::in)}});
}

Result Run::Network::result(Untimed& run, const UntimedResult& came) const {
    Result made;
    made.channels = came.channels;
    made.actors = actors.size();
    made.channel_count = channels.size();
    bool all_done = true; // a file may have rows left that are never received
    for (const KahnHandle<Actor>& actor : actors) {
        made.firings += run.process(actor).firings();
        all_done = all_done && run.process(actor).is_done();
    }
    made.faults = shared.faults;
    const auto is = [](const std::atomic<bool>& what) {
        return what.load(std::memory_order_relaxed);
    };
    if (!made.faults.empty())
        made.end = RunEnd::faulted;
    else if (is(shared.failed))
        made.end = RunEnd::check_failed;
    else if (is(shared.halted))
        made.end = RunEnd::halted;
    else if (shared.interrupted())
        made.end = RunEnd::stopped;
    else if (is(shared.cut))
        made.at_limit = true;
    else if (!all_done && !came.completed()) {
        made.end = RunEnd::deadlocked;
        made.explanation = came.explanation;
    }
    return made;
}

Run::Run(const Graph& graph, std::vector<Plan> plans, const RunOptions& options)
    : network_{std::make_unique<Network>(graph, std::move(plans), options)} {}
Run::~Run() = default;

const std::vector<Group*>& Run::groups() const {
    return network_->groups;
}

void Run::swap_executor(std::uint32_t family, InstanceSteps* const* steps) {
    for (std::size_t k = 0; k < network_->plans.size(); ++k)
        if (network_->plans[k].family == family)
            network_->families[k].exchanged.store(steps, std::memory_order_release);
}

Result Run::run() {
    Untimed run{network_->kahn, network_->options.untimed};
    UntimedResult came;
    try {
        came = run.run();
    } catch (const KahnFault&) {
        if (!network_->shared.stopped() && !network_->shared.interrupted())
            throw;
    }
    return network_->result(run, came);
}

} // namespace sme::actors
