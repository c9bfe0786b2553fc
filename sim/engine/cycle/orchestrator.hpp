// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "engine/cycle/cycle_loop.hpp"
#include "engine/placement/costs.hpp"
#include "engine/placement/plan.hpp"
#include "engine/threads/cycle_sampler.hpp"
#include "engine/threads/team.hpp"
#include "sme/threads.hpp"

namespace sme::engine {

/// Runs cycles with a given number of threads: measures the costs of chunks, asks the policy for a
/// placement, and rebalances the plan if the options ask for it.
class Orchestrator {
public:
    /// All arguments must outlive the object. `options.threads` is ignored.
    Orchestrator(const Graph& graph, const Layout& layout, const Analysis& analysis,
                 const Schedule& schedule, const SimulatorOptions& options, CycleLoop& loop);

    /// Sets the number of threads, at most the number of chunks that can run at a time. Throws
    /// PlacementError, or std::system_error when no more threads can start.
    void set_threads(unsigned threads);
    /// Starts the threads of the plan if needed. Throws std::system_error.
    void start_threads() { team(now_->plan.threads); }
    unsigned threads() const { return now_->plan.threads; }

    /// Runs at most `cycles` more cycles. Returns nanoseconds per cycle.
    double run(std::uint64_t cycles);
    /// Measures on one thread until all costs are known, for at most `cycles` cycles; false if too
    /// few cycles were measured to place by. Measurements accumulate over calls.
    bool learn(std::uint64_t cycles);
    /// Call it when other code steps the same instances: continues on one thread and discards all
    /// measurements.
    void forget();
    /// Asks the policy for a placement without using it. Throws PlacementError when it is invalid.
    void check_policy(unsigned threads) const;
    /// Asks the policy again.
    void place_again();
    /// Continues with these chunks in this placement. Throws PlacementError.
    void set_placement(ChunkTable table, Placement placement);
    const ChunkTable& chunks() const { return now_->table; }
    const Placement& placement() const { return now_->placement; }
    const Plan& plan() const { return now_->plan; }
    /// Policies may try placements before this cycle only.
    void set_end(std::uint64_t cycle) { end_ = cycle; }

    /// The time of a cycle by costs, on one thread and on the current number.
    double sequential_ns() const;
    double predicted_ns(Policy& policy, unsigned threads, double barrier_ns) const;
    double predicted_ns(unsigned threads, double barrier_ns) const {
        return predicted_ns(*policy_, threads, barrier_ns);
    }
    /// Estimates the time of a barrier; differences near it are insignificant.
    double barrier_guess_ns(unsigned threads) const;
    /// The most threads that can have work at the same time.
    unsigned useful_threads() const;

    const Costs& costs() const { return costs_; }
    const Usage& usage() const { return usage_; }
    /// Keeps up to `most` measured events.
    void record_events(std::size_t most) { max_events_ = most; }
    /// Sums up the threads' activity for `usage`.
    void keep_usage() { keeps_usage_ = true; }
    /// Stops decisions from measurements; keeps measuring only for `usage` and for events.
    void stop_deciding() {
        if (!keeps_usage_ && max_events_ == 0)
            sampler_.stop();
    }
    const std::vector<TimedEvent>& events() const { return events_; }
    std::uint64_t placements() const { return placements_; }

private:
    Placement ask(Policy& policy, const ChunkTable& table, unsigned threads,
                  const std::function<double(const Placement&)>& time) const;
    Placement ask_and_time(const ChunkTable& table, unsigned threads);
    void use(ChunkTable table, Placement placement);
    double imbalance();
    Plan plan_of(const ChunkTable& table, const Placement& placement) const;
    double time(const ChunkTable& table, const Placement& placement);
    double run(const Plan& plan, std::uint64_t cycles);
    Team* team(unsigned threads);
    void take_logs(const Plan& plan, double ns_per_cycle);
    void rebalance();

    const Schedule& schedule_;
    const SimulatorOptions& options_;
    CycleLoop& loop_;
    Costs costs_;
    ChunkDependencies dependencies_;
    std::shared_ptr<Policy> policy_;
    CycleSampler sampler_;
    /// A plan and its inputs.
    struct Stage {
        Plan plan;
        ChunkTable table;
        Placement placement;
    };
    std::map<unsigned, Stage> stages_; // by number of threads
    Stage* now_;
    std::map<unsigned, std::unique_ptr<Team>> teams_;
    std::uint64_t end_ = 0;

    std::uint64_t learnt_cycles_ = 0;
    double learnt_ns_ = 0;
    unsigned unbalanced_ = 0; // consecutive slices
    unsigned patience_ = 3;   // unbalanced slices before chunks move
    std::uint64_t placements_ = 0;

    bool keeps_usage_ = false;
    Usage usage_;
    std::size_t max_events_ = 0;
    std::vector<TimedEvent> events_;
};

} // namespace sme::engine
