// SPDX-License-Identifier: Apache-2.0
#include "engine/threads/tuner.hpp"

#include <algorithm>
#include <cmath>
#include <system_error>

#include "engine/threads/machine.hpp"
#include "runtime/clock.hpp"

namespace sme::engine {

namespace {

constexpr double slice_ns = 5e6; // between two looks at what was measured
constexpr double adaptive_slice_ns = 1.5e6;
constexpr double first_look_ns = 1e6;   // before threads are thought of
constexpr double least_cycle_ns = 1500; // below, no second thread can help
constexpr double max_trial_ns = 20e6;
constexpr double least_trial_ns = 200e3;
constexpr double trials_share = 0.01; // of the run, lost to trials
constexpr double better_by = 0.03;    // than one thread fewer, to be worth it
constexpr double changed_by = 0.25;   // a cycle's time, so that trials begin anew
constexpr double hopeless = 4;        // times as long as on one thread
constexpr double noticed_ns = 1e6;    // less than that is lost to starting and waking threads
constexpr double few_cycles = 64;

} // namespace

Tuner::Tuner(Orchestrator& orchestrator, CycleLoop& loop, const SimulatorOptions& options)
    : orchestrator_{orchestrator}, loop_{loop}, options_{options}, max_threads_{usable_cpus()} {}

std::uint64_t Tuner::left() const {
    return loop_.ending() == Ending::completed ? end_ - loop_.cycle() : 0;
}

void Tuner::begin_anew() {
    orchestrator_.forget();
    learnt_ = placed_ = false;
    ns_per_cycle_ = elapsed_ns_ = lost_ns_ = next_trial_ns_ = settled_ns_ = chosen_ns_ = 0;
    may_go_alone_ = false;
    together_at_ns_ = alone_for_ns_ = 0;
    max_cycles_ = 4;
}

void Tuner::run(std::uint64_t cycles) {
    end_ = loop_.cycle() + std::min(cycles, ~std::uint64_t{0} - loop_.cycle());
    orchestrator_.set_end(end_);
    if (options_.threads == 0)
        run_auto();
    else
        run_fixed();
}

/// The cycles that take about so long; notes what each took.
void Tuner::slice(double ns) {
    constexpr std::uint64_t growth = 16; // what was measured so far may be far from true
    const double each = std::max(ns_per_cycle_, 1.0);
    const std::uint64_t cycles =
        std::min({left(), static_cast<std::uint64_t>(std::max(ns / each, 1.0)), max_cycles_});
    if (cycles == 0)
        return;
    max_cycles_ = std::max(max_cycles_, cycles * growth);
    const std::uint64_t before = loop_.cycle();
    ns_per_cycle_ = orchestrator_.run(cycles);
    elapsed_ns_ += ns_per_cycle_ * static_cast<double>(loop_.cycle() - before);
}

void Tuner::run_fixed() {
    if (orchestrator_.threads() > 1) // it repeats what another run decided
        learnt_ = placed_ = true;
    if (options_.threads > 1 && !learnt_ && left() > 0) {
        learnt_ = orchestrator_.learn(left());
        ns_per_cycle_ = orchestrator_.sequential_ns();
    }
    if (options_.threads > 1 && !placed_ && left() > 0) {
        alone_ns_ = orchestrator_.sequential_ns();
        may_go_alone_ = options_.queue == QueueKind::fixed && !options_.policy &&
                        !options_.adaptive && options_.wait == Wait::automatic &&
                        options_.serial_levels && !loop_.is_audited(); // else threads are tested
        orchestrator_.set_threads(options_.threads);
        placed_ = true;
        if (!options_.adaptive)
            orchestrator_.stop_deciding();
    }
    if (options_.threads == 1 && elapsed_ns_ == 0)
        slice(0);
    if (may_go_alone_ && elapsed_ns_ < together_at_ns_)
        go_alone();
    while (left() > 0) {
        const double before_ns = elapsed_ns_;
        slice(options_.adaptive ? adaptive_slice_ns : slice_ns);
        if (may_go_alone_ && ns_per_cycle_ > hopeless * alone_ns_ &&
            elapsed_ns_ - before_ns > noticed_ns)
            go_alone();
    }
}

/// A few cycles with the threads it has, twice at most; ends with whether they take far longer than
/// one thread does. Where other programs have the CPUs, threads that meet in every cycle wait for
/// whoever has none, and a cycle may take a thousand times as long.
bool Tuner::is_hopeless(double alone_ns) {
    for (int k = 0; k < 2; ++k) {
        ns_per_cycle_ = alone_ns;
        slice(few_cycles * alone_ns);
        if (ns_per_cycle_ < hopeless * alone_ns)
            return false;
    }
    return true;
}

/// One thread goes on for a while, and longer each time that several soon were hopeless again. A
/// while may be longer than a run: the next one goes on with it.
void Tuner::go_alone() {
    constexpr double shortest_ns = 10e6, longest_ns = 500e6;
    do {
        if (elapsed_ns_ >= together_at_ns_) {
            alone_for_ns_ = elapsed_ns_ - together_at_ns_ > alone_for_ns_
                                ? shortest_ns
                                : std::min(2 * alone_for_ns_, longest_ns);
            together_at_ns_ = elapsed_ns_ + alone_for_ns_;
        }
        orchestrator_.set_threads(1);
        ns_per_cycle_ = alone_ns_;
        const double begin_ns = elapsed_ns_;
        const std::uint64_t begin = loop_.cycle();
        while (elapsed_ns_ < together_at_ns_ && left() > 0)
            slice(slice_ns);
        // of a few, one may have waited for a CPU longer than all others took
        if (const auto cycles = static_cast<double>(loop_.cycle() - begin); cycles > few_cycles)
            alone_ns_ = (elapsed_ns_ - begin_ns) / cycles;
        orchestrator_.set_threads(options_.threads);
    } while (left() > 0 && is_hopeless(alone_ns_));
}

void Tuner::run_auto() {
    while (left() > 0) {
        if (elapsed_ns_ == 0)
            slice(0); // one cycle, to know what one takes
        else if (elapsed_ns_ < first_look_ns)
            slice(std::min(first_look_ns, 2 * elapsed_ns_ + 10e3));
        else
            slice(options_.adaptive ? adaptive_slice_ns : slice_ns);
        if (elapsed_ns_ >= first_look_ns && left() > 0)
            consider();
    }
}

/// Whether another number of threads is worth a trial, and which. Even asking has its price.
void Tuner::consider() {
    constexpr double asking_ns = 200; // a chunk
    const unsigned now = orchestrator_.threads();
    const bool changed = settled_ns_ > 0 && std::abs(ns_per_cycle_ / settled_ns_ - 1) > changed_by;
    if (max_threads_ == 1 || (elapsed_ns_ < next_trial_ns_ && !changed))
        return;
    const double budget_ns =
        trials_share * (elapsed_ns_ + ns_per_cycle_ * static_cast<double>(left())) - lost_ns_;
    const auto chunks = static_cast<double>(orchestrator_.costs().max_chunks());
    if ((now == 1 && ns_per_cycle_ < least_cycle_ns) || chunks * asking_ns > budget_ns) {
        next_trial_ns_ = 2 * elapsed_ns_;
        return;
    }
    const std::uint64_t begin = now_ns();
    unsigned wanted = most_promising();
    lost_ns_ += static_cast<double>(now_ns() - begin);
    if (wanted == now && now > 1 && ns_per_cycle_ > chosen_ns_ * (1 + changed_by))
        wanted = 1; // other programs may have taken CPUs, which no cost tells
    if (wanted != now)
        try_threads(wanted);
    settled_ns_ = ns_per_cycle_;
    if (orchestrator_.threads() != now)
        chosen_ns_ = ns_per_cycle_;
    next_trial_ns_ = elapsed_ns_ * 2;
}

/// What a cycle should take with so many threads. Where whole cycles go by in one call, costs of
/// single steps say nothing of them, but the share of the busiest thread does.
double Tuner::promised_ns(unsigned threads) const {
    const double barrier_ns = orchestrator_.barrier_guess_ns(threads);
    const unsigned now = orchestrator_.threads();
    const CycleKernel* const ours = loop_.cycle_kernel(now);
    const CycleKernel* const other = loop_.cycle_kernel(threads);
    if (!ours || !other)
        return orchestrator_.predicted_ns(threads, barrier_ns);
    const double meeting_ns = barrier_ns * ((threads > 1 ? 1 : 0) - (now > 1 ? 1 : 0));
    return ns_per_cycle_ * other->largest_share() / ours->largest_share() + meeting_ns;
}

/// By costs; the one that runs when no other promises enough.
unsigned Tuner::most_promising() const {
    const unsigned now = orchestrator_.threads();
    const unsigned most = std::min(max_threads_, orchestrator_.useful_threads());
    unsigned wanted = now;
    double best = ns_per_cycle_ * (1 - better_by);
    for (unsigned threads = 1; threads <= most;
         threads = std::min(threads * 2, std::max(threads + 1, most)))
        if (threads != now) {
            const double promised = promised_ns(threads);
            if (promised < best) {
                best = promised;
                wanted = threads;
            }
        }
    return wanted;
}

/// Goes over to so many threads; for good to those it has, when there are no more.
bool Tuner::can_start(unsigned threads) {
    const unsigned before = orchestrator_.threads();
    try {
        orchestrator_.set_threads(threads);
        orchestrator_.start_threads();
        return true;
    } catch (const std::system_error&) {
        orchestrator_.set_threads(before);
        max_threads_ = before;
        return false;
    }
}

/// A trial with so many threads: what a cycle takes once caches have followed the work.
double Tuner::trial(unsigned threads, double ns, double guess_ns) {
    constexpr double fewest_cycles = 8;
    orchestrator_.set_threads(threads);
    if (threads > 1 && is_hopeless(guess_ns))
        return ns_per_cycle_;
    ns_per_cycle_ = guess_ns;
    slice(std::max(ns / 2, fewest_cycles * guess_ns));
    slice(std::max(ns, fewest_cycles * guess_ns));
    return ns_per_cycle_;
}

/// Pairs of trials, one right after the other, so that both see the same machine. Two pairs, unless
/// the first leaves no doubt.
void Tuner::try_threads(unsigned threads) {
    constexpr double doubtless = 0.2;
    const unsigned before = orchestrator_.threads();
    const double worth = threads > before ? 1 - better_by : 1.0;
    const double run_ns = elapsed_ns_ + ns_per_cycle_ * static_cast<double>(left());
    const double each = std::clamp(run_ns * trials_share / 4, least_trial_ns, max_trial_ns);
    if (!can_start(threads))
        return;
    const double guess = ns_per_cycle_;
    double sum = 0;
    for (int pair = 1; pair <= 2; ++pair) {
        const double with_ns = trial(threads, each, guess);
        if (pair == 1 && with_ns < guess * (worth - doubtless))
            return; // and it goes on with these
        const double without_ns = trial(before, each, guess);
        if (left() == 0)
            return;
        const double ratio = with_ns / without_ns;
        lost_ns_ += std::max(ratio - 1, 0.0) * each;
        sum += ratio;
        if (pair == 1 && ratio > worth + doubtless)
            return;
    }
    if (sum / 2 < worth) {
        orchestrator_.set_threads(threads);
        ns_per_cycle_ *= sum / 2;
    }
}

} // namespace sme::engine
