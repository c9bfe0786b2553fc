// SPDX-License-Identifier: Apache-2.0
#include "sme/kahn.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "kahn/graph.hpp"
#include "kahn/team.hpp"
#include "kahn/timers.hpp"
#include "sme/untimed.hpp"

namespace sme {

void check_depth(const Name& name, Depth depth) {
    if (depth.messages > std::numeric_limits<std::uint32_t>::max() / 2)
        throw NetworkError{
            fmt::format("{}the depth of channel '{}' is {}, but the greatest is 2^31 - 1",
                        place_of(name), text_of(name), depth.messages)};
}

KahnNetwork::KahnNetwork(std::string name) : graph_{std::make_shared<KahnGraph>()} {
    graph_->name = std::move(name);
}
KahnNetwork::~KahnNetwork() = default;
KahnNetwork::KahnNetwork(KahnNetwork&&) noexcept = default;
KahnNetwork& KahnNetwork::operator=(KahnNetwork&&) noexcept = default;

std::uint64_t KahnNetwork::add_channels(const Name& name, std::uint64_t count, bool family,
                                        Depth depth, const internal::ChannelKind& kind) {
    const std::uint64_t first = graph_->channels.size();
    if (count > KahnGraph::none - first)
        throw NetworkError{place_of(name) + "a network has fewer than 2^32 channels"};
    check_depth(name, depth);
    graph_->families.push_back({name, first, count, family, depth, &kind});
    graph_->channels.resize(first + count);
    return graph_->number << 32 | first;
}

namespace {

std::uint32_t& end_of(KahnGraph::Ends& ends, internal::Side side) {
    return side == internal::Side::in ? ends.reader : ends.writer;
}

bool& is_shared(KahnGraph::Ends& ends, internal::Side side) {
    return side == internal::Side::in ? ends.shares_reader : ends.shares_writer;
}

/// Throws an error if a process of that name cannot take an end.
void check_end(const KahnGraph& graph, const Name& name, const internal::WantedEnd& wanted) {
    const std::uint32_t channel = KahnGraph::channel_of(wanted.channel);
    if (!graph.has(wanted.channel) || graph.family_of(channel).kind != wanted.kind)
        throw NetworkError{fmt::format("{}process '{}' has a channel of another network",
                                       place_of(name), text_of(name))};
    const bool reads = wanted.side == internal::Side::in;
    KahnGraph::Ends ends = graph.channels[channel];
    const std::uint32_t end = end_of(ends, wanted.side);
    if (end != KahnGraph::none && !(wanted.shared && is_shared(ends, wanted.side)))
        throw NetworkError{fmt::format("{0}process '{1}' {2} channel '{3}', but {4}'{5}' {2} it "
                                       "already; a channel has one {6}",
                                       place_of(name), text_of(name), reads ? "reads" : "writes",
                                       graph.channel_name(channel),
                                       place_of(graph.processes[end].name), graph.process_name(end),
                                       reads ? "reader" : "writer")};
}

} // namespace

/// Adds all of it or nothing: a network that refuses a process is unchanged.
std::uint32_t KahnNetwork::add_process(const Name& name,
                                       const std::vector<internal::WantedEnd>& ends,
                                       std::unique_ptr<internal::Maker> maker, const char* why) {
    if (graph_->processes.size() == KahnGraph::none - 1)
        throw NetworkError{place_of(name) + "a network has fewer than 2^32 processes"};
    const auto id = static_cast<std::uint32_t>(graph_->processes.size());
    graph_->processes.push_back({name, std::move(maker), std::nullopt, false, false, why});
    std::size_t taken = 0;
    const auto channel_of = [&](const internal::WantedEnd& end) -> KahnGraph::Ends& {
        return graph_->channels[KahnGraph::channel_of(end.channel)];
    };
    try {
        for (; taken < ends.size(); ++taken) {
            check_end(*graph_, name, ends[taken]);
            KahnGraph::Ends& channel = channel_of(ends[taken]);
            std::uint32_t& end = end_of(channel, ends[taken].side);
            if (end == KahnGraph::none)
                end = id;
            is_shared(channel, ends[taken].side) = ends[taken].shared;
        }
    } catch (...) {
        while (taken-- > 0)
            if (std::uint32_t& end = end_of(channel_of(ends[taken]), ends[taken].side); end == id)
                end = KahnGraph::none;
        graph_->processes.pop_back();
        throw;
    }
    return id;
}

std::string KahnNetwork::why_not_deterministic() const {
    return graph_->why_not_deterministic();
}

std::uint64_t KahnNetwork::add_barrier(const Name& name) {
    graph_->barriers.push_back(name);
    return graph_->number << 32 | (graph_->barriers.size() - 1);
}

void KahnNetwork::set_runner(KahnGraph& graph, std::uint32_t process, Runner runner) {
    graph.processes[process].runner = runner;
}
void KahnNetwork::set_timed(KahnGraph& graph, std::uint32_t process) {
    graph.processes[process].timed = true;
}
void KahnNetwork::set_high(KahnGraph& graph, std::uint32_t process) {
    graph.processes[process].high = true;
}

namespace kahn {

struct RunnerCounts {
    std::uint32_t thieves; ///< runners for all processes
    std::uint32_t own;     ///< runners for one process each
};

} // namespace kahn
namespace {

bool has_own(const KahnGraph::Process& process) {
    return process.runner && process.runner->number == Runner::own().number;
}

kahn::RunnerCounts threads_of(const KahnGraph& graph, const UntimedOptions& options) {
    const auto processes = static_cast<std::uint32_t>(graph.processes.size());
    if (options.thread_per_process)
        return {0, std::max(1U, processes)};
    const auto own = std::count_if(graph.processes.begin(), graph.processes.end(), has_own);
    return {std::max(1U, options.runners), static_cast<std::uint32_t>(own)};
}

const KahnGraph& checked(const KahnGraph& graph, const UntimedOptions& options) {
    graph.check();
    const std::string why = options.deterministic ? graph.why_not_deterministic() : "";
    if (!why.empty())
        throw NetworkError{fmt::format("network '{}' is not deterministic, as the options of its "
                                       "run want: {}",
                                       graph.name, why)};
    return graph;
}

bool has_time(const KahnGraph& graph) {
    return std::any_of(graph.processes.begin(), graph.processes.end(),
                       [](const KahnGraph::Process& each) { return each.timed; });
}

} // namespace

struct Untimed::Run final : internal::Ends {
    Run(std::shared_ptr<const KahnGraph> network, const UntimedOptions& wanted)
        : graph{std::move(network)}, options{wanted},
          threads{threads_of(checked(*graph, options), options)}, timed{has_time(*graph)},
          concurrent{threads.thieves + threads.own > 1 || timed}, storage{*graph, concurrent,
                                                                          options.digests},
          made{*graph, storage, options}, search{made, storage, options},
          team{made, search, threads.thieves, threads.own, options.seed}, timers{team} {
        for (const Name& name : graph->barriers) {
            barriers.push_back(std::make_unique<internal::BarrierCore>());
            barriers.back()->name = text_of(name);
        }
        made.set_time(time());
        make_processes();
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    ~Run() override {
        destroy_coroutines();
        for (const auto& [where, end] : shared_ends)
            end->end_run();
        const internal::QueueOfThread none{
            nullptr}; // what is destroyed wakes no process of any run
        made.clear();
        processes.clear();
        storage.clear();
    }

    internal::ChannelCore& channel(std::uint64_t id, internal::Side) override {
        return storage[KahnGraph::channel_of(id)];
    }
    internal::SharedEnd& shared(std::uint64_t id, internal::Side side) override {
        auto& result = shared_ends[{id, side}];
        if (!result)
            search.add_shared(*(result = std::make_unique<internal::SharedEnd>(
                                    channel(id, side), side == internal::Side::out)));
        return *result;
    }
    internal::BarrierCore& barrier(std::uint64_t id) override {
        return *barriers[graph->barrier_of(id)];
    }
    internal::TimeSource* time() override { return timed ? &timers : nullptr; }
    internal::Nursery* nursery() override { return options.thread_per_process ? nullptr : &made; }
    void make_processes();
    void place(internal::Hosted& process, std::uint32_t& next_own);
    void start();
    void destroy_coroutines();
    UntimedResult result() const;

    std::shared_ptr<const KahnGraph> graph;
    UntimedOptions options;
    kahn::RunnerCounts threads;
    bool timed;
    bool concurrent;
    // These two outlive messages in channels, which may hold links and places.
    std::map<std::pair<std::uint64_t, internal::Side>, std::unique_ptr<internal::SharedEnd>>
        shared_ends;
    std::vector<std::unique_ptr<internal::BarrierCore>> barriers;
    kahn::Storage storage;
    kahn::Made made;
    kahn::DeadlockSearch search;
    kahn::Team team; // outlives coroutines, whose locals may close channels
    kahn::Timers timers;
    std::vector<std::unique_ptr<internal::Hosted>> processes;
    bool started = false;
};

void Untimed::Run::make_processes() {
    const internal::QueueOfThread none{nullptr}; // a process may run another network
    std::vector<internal::ProcessDescriptor*> descriptors;
    for (std::uint32_t id = 0; id < graph->processes.size(); ++id) {
        processes.push_back(graph->processes[id].maker->make(*this));
        processes.back()->id = id;
        processes.back()->high = graph->processes[id].high;
        descriptors.push_back(processes.back().get());
    }
    for (std::uint64_t id = graph->channels.size(); id-- > 0;) {
        internal::ChannelCore& channel = storage[id];
        if (graph->channels[id].shares_writer)
            continue; // closed by the last of its writers
        internal::Hosted& writer = *processes[graph->channels[id].writer];
        channel.next_out = std::exchange(writer.outs, &channel);
    }
    search.set_processes(std::move(descriptors));
}

/// Chooses the runner on which a process starts: consecutive processes share one.
void Untimed::Run::place(internal::Hosted& process, std::uint32_t& next_own) {
    const std::optional<Runner>& wanted = graph->processes[process.id].runner;
    std::uint32_t number = 0;
    if (options.thread_per_process || has_own(graph->processes[process.id]))
        number = threads.thieves + next_own++;
    else if (wanted)
        number = wanted->number % threads.thieves;
    else
        number = static_cast<std::uint32_t>(std::uint64_t{process.id} * threads.thieves /
                                            processes.size());
    kahn::Runner& runner = team.runner(number);
    const bool pinned = options.thread_per_process || wanted;
    process.home = pinned && concurrent ? &runner : nullptr;
    process.special =
        process.home != nullptr || process.high || process.choice != nullptr || team.has_own();
    runner.add(process);
}

void Untimed::Run::start() {
    std::vector<std::size_t> order(processes.size());
    std::iota(order.begin(), order.end(), 0);
    if (options.seed != 0)
        std::shuffle(order.begin(), order.end(), std::mt19937_64{options.seed});
    std::uint32_t next_own = 0;
    for (const std::size_t id : order) {
        processes[id]->start();
        place(*processes[id], next_own);
    }
}

void Untimed::Run::destroy_coroutines() {
    timers.stop();
    const internal::QueueOfThread here{&team.runner(0)};
    made.stop();
    for (const auto& process : processes)
        process->task = {};
}

UntimedResult Untimed::Run::result() const {
    UntimedResult result;
    result.explanation = search.explain();
    result.made = made.count();
    result.end = result.explanation.empty() ? UntimedEnd::completed : UntimedEnd::deadlocked;
    for (const KahnGraph::Family& family : graph->families)
        for (std::uint64_t id = family.first; id < family.first + family.count; ++id) {
            const internal::ChannelCore& channel = storage[id];
            result.channels.push_back({graph->channel_name(id), family.depth.messages,
                                       channel.depth(),
                                       internal::Position<>::count(channel.sent.load()),
                                       internal::Position<>::count(channel.received.load()),
                                       channel.history != nullptr ? channel.history->digest : 0});
        }
    return result;
}

Untimed::Untimed(const KahnNetwork& network, const UntimedOptions& options)
    : run_{std::make_unique<Run>(network.graph(), options)} {}
Untimed::~Untimed() = default;
Untimed::Untimed(Untimed&&) noexcept = default;
Untimed& Untimed::operator=(Untimed&&) noexcept = default;

UntimedResult Untimed::run() {
    if (!run_)
        throw NetworkError{"this run was moved to another object"};
    if (std::exchange(run_->started, true))
        throw NetworkError{"a run of network '" + run_->graph->name + "' runs once; make another"};
    struct Ending {
        Run& run;
        ~Ending() { run.destroy_coroutines(); }
    } const ending{*run_};
    run_->start();
    run_->team.run();
    return run_->result();
}

const KahnGraph* Untimed::graph() const {
    return run_ ? run_->graph.get() : nullptr;
}

internal::Hosted& Untimed::hosted(std::uint32_t id) {
    const auto& processes = run_->processes;
    if (id >= processes.size())
        throw NetworkError{"this process was added to its network after the run was made"};
    return *processes[id];
}

} // namespace sme
