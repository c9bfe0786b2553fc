// SPDX-License-Identifier: Apache-2.0
#include "sme/untimed.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "kahn/team.hpp"

namespace sme {
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

const KahnGraph& checked(const KahnGraph& graph) {
    graph.check();
    return graph;
}

} // namespace

struct Untimed::Run final : detail::Ends {
    Run(std::shared_ptr<const KahnGraph> network, const UntimedOptions& wanted)
        : graph{std::move(network)}, options{wanted}, threads{threads_of(checked(*graph), options)},
          concurrent{threads.thieves + threads.own > 1}, storage{*graph, concurrent,
                                                                 options.digests},
          search{*graph, storage, options}, team{*graph, search, threads.thieves, threads.own,
                                                 options.seed} {
        for (const Name& name : graph->barriers) {
            barriers.push_back(std::make_unique<detail::BarrierCore>());
            barriers.back()->name = text_of(name);
        }
        make_processes();
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    ~Run() override { destroy_coroutines(); }

    detail::ChannelCore& channel(std::uint64_t id, detail::Side) override { return storage[id]; }
    detail::SharedEnd& shared(std::uint64_t id, detail::Side side) override {
        auto& made = shared_ends[{id, side}];
        if (!made)
            search.add_shared(*(made = std::make_unique<detail::SharedEnd>(
                                    storage[id], side == detail::Side::out)));
        return *made;
    }
    detail::BarrierCore& barrier(std::uint32_t id) override { return *barriers[id]; }
    void make_processes();
    void place(detail::Hosted& process, std::uint32_t& next_own);
    void start();
    void destroy_coroutines();
    UntimedResult result() const;

    std::shared_ptr<const KahnGraph> graph;
    UntimedOptions options;
    kahn::RunnerCounts threads;
    bool concurrent;
    kahn::Storage storage;
    kahn::DeadlockSearch search;
    kahn::Team team; // outlives coroutines, whose locals may close channels
    std::map<std::pair<std::uint64_t, detail::Side>, std::unique_ptr<detail::SharedEnd>>
        shared_ends;
    std::vector<std::unique_ptr<detail::BarrierCore>> barriers;
    std::vector<std::unique_ptr<detail::Hosted>> processes;
    bool started = false;
};

void Untimed::Run::make_processes() {
    std::vector<detail::ProcessDescriptor*> descriptors;
    for (std::uint32_t id = 0; id < graph->processes.size(); ++id) {
        processes.push_back(graph->processes[id].maker->make(*this));
        processes.back()->id = id;
        processes.back()->high = graph->processes[id].high;
        descriptors.push_back(processes.back().get());
    }
    for (std::uint64_t id = graph->channels.size(); id-- > 0;) {
        detail::ChannelCore& channel = storage[id];
        if (graph->channels[id].shares_writer)
            continue; // closed by the last of its writers
        detail::Hosted& writer = *processes[graph->channels[id].writer];
        channel.next_out = std::exchange(writer.outs, &channel);
    }
    search.set_processes(std::move(descriptors));
}

/// Chooses the runner on which a process starts: consecutive processes share one.
void Untimed::Run::place(detail::Hosted& process, std::uint32_t& next_own) {
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
    process.special = process.home != nullptr || process.high || process.choice != nullptr;
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
    const kahn::Runner::ThisThread here{team.runner(0)};
    for (const auto& process : processes)
        process->task = {};
}

UntimedResult Untimed::Run::result() const {
    UntimedResult result;
    result.explanation = search.explain();
    result.end = result.explanation.empty() ? UntimedEnd::completed : UntimedEnd::deadlocked;
    for (const KahnGraph::Family& family : graph->families)
        for (std::uint64_t id = family.first; id < family.first + family.count; ++id) {
            const detail::ChannelCore& channel = storage[id];
            result.channels.push_back({graph->channel_name(id), family.depth.messages,
                                       channel.depth(),
                                       detail::Position<>::count(channel.sent.load()),
                                       detail::Position<>::count(channel.received.load()),
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

detail::Hosted* Untimed::hosted(std::uint32_t id) {
    return run_ && id < run_->processes.size() ? run_->processes[id].get() : nullptr;
}

} // namespace sme
