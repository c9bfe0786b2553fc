// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "engine/cycle/orchestrator.hpp"

namespace sme::engine {

/// Runs cycles with the fastest number of threads: begins with one, and tries others in real cycles
/// when costs promise a gain; and finds out whether to skip idle processes. Losing trials take at
/// most one percent of the run.
class Tuner {
public:
    /// Both must outlive the object. `options.threads` 0: the fastest number; otherwise that many,
    /// or one while one is faster, unless another option asks for threads. `fixed_slice`: see
    /// Options::slice.
    Tuner(Orchestrator& orchestrator, CycleLoop& loop, const SimulatorOptions& options,
          std::uint64_t fixed_slice);

    /// Runs at most `cycles` more cycles.
    void run(std::uint64_t cycles);
    /// Call it when other code steps the processes: discards all measurements.
    void begin_anew();

private:
    void run_fixed();
    bool is_hopeless(double alone_ns);
    void go_alone();
    void compare_with_one();
    void run_auto();
    void compare_skipping();
    void slice(double ns);
    void consider();
    double promised_ns(unsigned threads) const;
    unsigned most_promising() const;
    double trial(unsigned threads, double ns, double guess_ns);
    void try_threads(unsigned threads);
    bool can_start(unsigned threads);
    std::uint64_t left() const;
    double trial_ns() const;
    bool has_time(double ns) const;

    Orchestrator& orchestrator_;
    CycleLoop& loop_;
    const SimulatorOptions& options_;
    std::uint64_t fixed_slice_; // 0: slices last a given time
    unsigned max_threads_;
    std::uint64_t end_ = 0;
    bool learnt_ = false;
    bool placed_ = false;
    double ns_per_cycle_ = 0;        // recent, with the current threads
    std::uint64_t max_cycles_ = 4;   // of a slice
    bool may_go_alone_ = false;      // with a given number of threads, for a while
    double alone_ns_ = 0;            // then: time of a cycle on one thread
    double alone_for_ns_ = 0;        // length of the last such while
    double together_at_ns_ = 0;      // its end, in elapsed time
    double next_look_ns_ = 0;        // then: at one thread again, in elapsed time
    double next_comparison_ns_ = 0;  // of skipping, in elapsed time
    double comparison_after_ns_ = 0; // the time until then
    double elapsed_ns_ = 0;
    double lost_ns_ = 0;       // to trials and decisions
    double next_trial_ns_ = 0; // in elapsed time
    double settled_ns_ = 0;    // per cycle, at the last decision
    double chosen_ns_ = 0;     // per cycle, at the last change of threads
};

} // namespace sme::engine
