// SPDX-License-Identifier: Apache-2.0
#include "engine/cycle/orchestrator.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "engine/placement/policies.hpp"
#include "engine/threads/cpus.hpp"
#include "engine/threads/team.hpp"
#include "runtime/clock.hpp"

namespace sme::engine {

namespace {

/// The share of time that measuring may take.
constexpr double measuring = 0.01;
/// The cost of a measured cycle besides its events: another path through the code, colder caches.
constexpr double disturbance_ns = 200;
/// The threads are out of balance when the longest exceeds their mean by this share.
constexpr double unbalanced_at = 0.05;
/// The gain that a new placement must promise, and the longest patience after it did not deliver.
constexpr double worth_moving = 0.03;
constexpr unsigned max_patience = 100;
/// How long a policy may try one placement.
constexpr double trial_ns = 5e6;

} // namespace

Orchestrator::Orchestrator(const Graph& graph, const Layout& layout, const Analysis& analysis,
                           const Schedule& schedule, const SimulatorOptions& options,
                           CycleLoop& loop)
    : schedule_{schedule}, options_{options}, loop_{loop}, costs_{graph, schedule},
      dependencies_{graph, layout, analysis, schedule},
      policy_{options.policy ? options.policy : make_policy("optimize")}, now_{&stages_[1]} {
    now_->plan = Plan::sequential(schedule);
}

unsigned Orchestrator::useful_threads() const {
    const ChunkTable table = costs_.chunks();
    std::uint32_t most = 1;
    for_each_level(table.chunks, [&](std::uint32_t begin, std::uint32_t end) {
        most = std::max(most, end - begin);
    });
    return most;
}

void Orchestrator::set_threads(unsigned threads) {
    threads = std::max(std::min(threads, useful_threads()), 1u);
    if (const auto known = stages_.find(threads); known != stages_.end()) {
        now_ = &known->second;
        return;
    }
    ChunkTable table = costs_.chunks();
    Placement placement = ask_and_time(table, threads);
    use(std::move(table), std::move(placement));
}

void Orchestrator::forget() {
    std::erase_if(stages_, [](const auto& stage) { return stage.first != 1; });
    now_ = &stages_.at(1);
    costs_.forget();
    learnt_cycles_ = 0;
    learnt_ns_ = 0;
    sampler_.measure_next();
    unbalanced_ = 0;
}

void Orchestrator::set_placement(ChunkTable table, Placement placement) {
    const std::string problem =
        placement_problem(placement, table.chunks.size(), static_cast<unsigned>(placement.size()));
    if (!problem.empty())
        throw PlacementError{problem};
    use(std::move(table), std::move(placement));
}

/// Threads beyond the number of CPUs must be woken at each barrier, and so must threads that block.
double Orchestrator::barrier_guess_ns(unsigned threads) const {
    constexpr double spinning_ns = 400, crowded_ns = 6000, blocking_ns = 15'000;
    static const unsigned cpus = usable_cpus();
    return options_.wait == Wait::block ? blocking_ns : threads > cpus ? crowded_ns : spinning_ns;
}

Placement Orchestrator::ask(Policy& policy, const ChunkTable& table, unsigned threads,
                            const std::function<double(const Placement&)>& time) const {
    const Workload work{threads, table.chunks, options_.seed,
                        [&] { return dependencies_.between(table.chunks); }, time};
    Placement result = policy.place(work);
    if (!options_.policy && options_.queue == QueueKind::fixed && threads > 1)
        join_fused(schedule_, table, loop_.fused(), result);
    const std::string problem = placement_problem(result, table.chunks.size(), threads);
    if (!problem.empty())
        throw PlacementError{
            fmt::format("the placement that the policy gave cannot be used: {}", problem)};
    return result;
}

void Orchestrator::check_policy(unsigned threads) const {
    ask(*policy_, costs_.chunks(), std::max(std::min(threads, useful_threads()), 1u),
        [](const Placement&) { return 0.0; });
}

Plan Orchestrator::plan_of(const ChunkTable& table, const Placement& placement) const {
    const auto threads = static_cast<double>(placement.size());
    const double barrier_ns = barrier_guess_ns(static_cast<unsigned>(placement.size()));
    PlanOptions options;
    options.queue = options_.queue;
    options.grain = options_.grain;
    options.cheap_level_ns = options_.serial_levels ? 2 * barrier_ns * threads / (threads - 1) : 0;
    options.joined = [&](std::uint32_t level, std::uint32_t since) {
        return dependencies_.joined(level, since, table.chunks, placement);
    };
    options.fused = &loop_.fused();
    return make_plan(schedule_, table, placement, options);
}

void Orchestrator::use(ChunkTable table, Placement placement) {
    Plan plan = plan_of(table, placement);
    Stage& stage = stages_[plan.threads];
    stage = {std::move(plan), std::move(table), std::move(placement)};
    now_ = &stage;
    unbalanced_ = 0;
}

Team* Orchestrator::team(unsigned threads) {
    if (threads <= 1)
        return nullptr;
    std::unique_ptr<Team>& result = teams_[threads];
    if (!result)
        result = std::make_unique<Team>(threads, options_.wait);
    return result.get();
}

double Orchestrator::run(const Plan& plan, std::uint64_t cycles) {
    Team* const threads = team(plan.threads);
    sampler_.set(plan.threads, costs_.pieces());
    const std::uint64_t before = loop_.cycle();
    const std::uint64_t begin = now_ns();
    loop_.run(cycles, plan, threads, sampler_);
    const std::uint64_t ran = loop_.cycle() - before;
    if (ran == 0)
        return 0;
    const double each = static_cast<double>(now_ns() - begin) / static_cast<double>(ran);
    take_logs(plan, each);
    return each;
}

double Orchestrator::run(std::uint64_t cycles) {
    const double each = run(now_->plan, cycles);
    if (options_.adaptive && threads() > 1 && loop_.ending() == RunEnd::completed)
        rebalance();
    return each;
}

bool Orchestrator::learn(std::uint64_t cycles) {
    constexpr std::uint64_t fewest = 4, most = 64; // the first cycles find caches and pages cold
    constexpr double enough_ns = 300e3;
    const auto enough = [&] {
        return learnt_cycles_ >= most || (learnt_cycles_ >= fewest && learnt_ns_ >= enough_ns);
    };
    const std::uint64_t end = loop_.cycle() + cycles;
    while (!enough() && loop_.cycle() < end && loop_.ending() == RunEnd::completed) {
        const std::uint64_t slice = std::min(end - loop_.cycle(), fewest);
        sampler_.set_interval(1);
        sampler_.measure_next();
        learnt_ns_ += run(now_->plan, slice) * static_cast<double>(slice);
        learnt_cycles_ += slice;
    }
    return learnt_cycles_ >= fewest;
}

/// Sums up the measurements, and decides how often to measure from now on.
void Orchestrator::take_logs(const Plan& plan, double ns_per_cycle) {
    const std::uint64_t begin = now_ns();
    std::uint64_t events = 0, measured_ns = 0; // of the busiest thread
    for (unsigned thread = 0; thread < sampler_.logs().size(); ++thread) {
        std::vector<CycleSampler::Event>& log = sampler_.log(thread).events;
        std::uint64_t own_ns = 0;
        for (const CycleSampler::Event& event : log) {
            own_ns += event.end_ns - event.begin_ns;
            const TimedEvent timed{
                thread, schedule_.items[plan.sections[event.section].first_item].level, event};
            if (keeps_usage_)
                usage_.add(timed);
            if (event.item != CycleSampler::waits)
                costs_.learn(event);
            if (events_.size() < max_events_)
                events_.push_back(timed);
        }
        events = std::max<std::uint64_t>(events, log.size());
        measured_ns = std::max(measured_ns, own_ns);
        log.clear();
    }
    if (events != 0)
        costs_.settle();
    if (const std::uint64_t cycles = sampler_.take_measured(); cycles != 0) {
        usage_.add_cycles(cycles);
        // one clock read per event, as much again for recording it, and the processing here
        const double clock_ns = (static_cast<double>(events) * 2 * clock_cost_ns() +
                                 static_cast<double>(now_ns() - begin)) /
                                static_cast<double>(cycles);
        // or the loss from splitting steps that other cycles run in one call; the comparison needs
        // some unmeasured cycles
        const double slower_ns =
            static_cast<double>(measured_ns) / static_cast<double>(cycles) - ns_per_cycle;
        const double extra = std::max(clock_ns, slower_ns) + disturbance_ns;
        sampler_.set_interval(static_cast<std::uint64_t>(
            std::ceil(std::max(extra / (measuring * ns_per_cycle), 2.0))));
    }
}

double Orchestrator::sequential_ns() const {
    double sum = 0;
    for (std::uint32_t k = 0; k < schedule_.items.size(); ++k)
        sum += costs_.of_item(k);
    return sum;
}

/// How much longer the longest threads of all levels take than under perfect balance.
double Orchestrator::imbalance() {
    costs_.update(now_->table);
    std::map<std::uint32_t, std::vector<double>> loads; // by level
    for (std::uint32_t t = 0; t < threads(); ++t)
        for (const std::uint32_t k : now_->placement[t]) {
            const Chunk& chunk = now_->table.chunks[k];
            std::vector<double>& of_level = loads[chunk.level];
            of_level.resize(threads());
            of_level[t] += chunk.cost_ns;
        }
    double longest = 0, sum = 0;
    for (const auto& [level, each] : loads) {
        longest += *std::max_element(each.begin(), each.end());
        sum += std::accumulate(each.begin(), each.end(), 0.0);
    }
    return sum > 0 ? longest * threads() / sum - 1 : 0;
}

/// One bad cycle, or one bad slice, moves nothing; a move that did not help is not soon repeated.
void Orchestrator::rebalance() {
    const double before = imbalance();
    unbalanced_ = before > unbalanced_at ? unbalanced_ + 1 : 0;
    if (unbalanced_ < patience_)
        return;
    ChunkTable table = now_->table;
    Placement placement = now_->placement;
    place_again();
    if (before - imbalance() < worth_moving) {
        patience_ = std::min(patience_ * 2, max_patience);
        use(std::move(table), std::move(placement));
    }
}

void Orchestrator::place_again() {
    if (threads() <= 1)
        return;
    ChunkTable table = costs_.chunks();
    Placement placement = ask_and_time(table, threads());
    use(std::move(table), std::move(placement));
}

double Orchestrator::predicted_ns(Policy& policy, unsigned threads, double barrier_ns) const {
    if (threads <= 1)
        return sequential_ns();
    const ChunkTable table = costs_.chunks();
    const auto priced = [&](const Placement& placement) {
        return plan_of(table, placement).predicted_ns(barrier_ns);
    };
    const Workload work{threads, table.chunks, options_.seed,
                        [] { return std::vector<ChunkLink>{}; }, priced};
    return priced(policy.place(work));
}

Placement Orchestrator::ask_and_time(const ChunkTable& table, unsigned threads) {
    ++placements_;
    return ask(*policy_, table, threads,
               [&](const Placement& placement) { return time(table, placement); });
}

/// For policies that try placements: measures real cycles while any remain, else estimates by
/// costs.
double Orchestrator::time(const ChunkTable& table, const Placement& placement) {
    const double barrier_ns = barrier_guess_ns(static_cast<unsigned>(placement.size()));
    const std::string problem =
        placement_problem(placement, table.chunks.size(), static_cast<unsigned>(placement.size()));
    if (!problem.empty())
        throw PlacementError{fmt::format("the policy returned an invalid placement: {}", problem)};
    const Plan plan = plan_of(table, placement);
    const double predicted = plan.predicted_ns(barrier_ns);
    const std::uint64_t left = end_ > loop_.cycle() ? end_ - loop_.cycle() : 0;
    const auto cycles = std::min(
        left, static_cast<std::uint64_t>(std::max(trial_ns / std::max(predicted, 1.0), 1.0)));
    if (cycles == 0 || loop_.ending() != RunEnd::completed)
        return predicted;
    return run(plan, cycles);
}

} // namespace sme::engine
