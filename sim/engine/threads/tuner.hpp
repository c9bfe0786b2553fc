// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "engine/placement/orchestrator.hpp"

namespace sme::engine {

/// Runs cycles with as many threads as are fastest: begins with one, and tries others in real
/// cycles when their costs promise something. Trials that lose take at most one percent of the run.
class Tuner {
public:
    /// Both must outlive it. `options.threads` 0: as many as are fastest; else so many.
    Tuner(Orchestrator& orchestrator, CycleLoop& loop, const SimulatorOptions& options);

    /// At most `cycles` more.
    void run(std::uint64_t cycles);
    /// Other code steps the processes from now on: everything is to be measured anew.
    void begin_anew();

private:
    void run_fixed();
    bool is_hopeless(double alone_ns);
    void go_alone();
    void run_auto();
    void slice(double ns);
    void consider();
    double promised_ns(unsigned threads) const;
    unsigned most_promising() const;
    double trial(unsigned threads, double ns, double guess_ns);
    void try_threads(unsigned threads);
    bool can_start(unsigned threads);
    std::uint64_t left() const;

    Orchestrator& orchestrator_;
    CycleLoop& loop_;
    const SimulatorOptions& options_;
    unsigned max_threads_;
    std::uint64_t end_ = 0;
    bool learnt_ = false;
    bool placed_ = false;
    double ns_per_cycle_ = 0;      // lately, with the threads that run
    std::uint64_t max_cycles_ = 4; // of a slice
    bool may_go_alone_ = false;    // with a given number of threads, for a while
    double alone_ns_ = 0;          // then: a cycle on one thread
    double alone_for_ns_ = 0;      // the last while
    double together_at_ns_ = 0;    // of elapsed time: its end
    double elapsed_ns_ = 0;
    double lost_ns_ = 0;       // to trials and to thinking about them
    double next_trial_ns_ = 0; // of elapsed time
    double settled_ns_ = 0;    // a cycle, when the number of threads was last thought about
    double chosen_ns_ = 0;     // a cycle, when it last changed
};

} // namespace sme::engine
