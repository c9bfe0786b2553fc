// SPDX-License-Identifier: Apache-2.0
#include "engine/cycle/tuner.hpp"

#include <algorithm>
#include <cmath>
#include <system_error>

#include "engine/threads/cpus.hpp"
#include "engine/threads/team.hpp"
#include "runtime/clock.hpp"

namespace sme::engine {

namespace {

constexpr double slice_ns = 5e6; // between two reviews of the measurements
constexpr double adaptive_slice_ns = 1.5e6;
constexpr double first_look_ns = 1e6;   // before more threads are considered
constexpr double least_cycle_ns = 1500; // below this, a second thread cannot help
constexpr double max_trial_ns = 20e6;
constexpr double least_trial_ns = 200e3;
constexpr double trials_share = 0.01; // of the run, lost to trials
constexpr double better_by = 0.03;    // required gain over one thread fewer
constexpr double changed_by = 0.25;   // of a cycle's time, for trials to begin again
constexpr double hopeless = 4;        // times as long as on one thread
constexpr double noticed_ns = 1e6;    // a smaller loss to starting and waking threads is ignored
constexpr double few_cycles = 64;

} // namespace

Tuner::Tuner(Orchestrator& orchestrator, CycleLoop& loop, const SimulatorOptions& options,
             std::uint64_t fixed_slice)
    : orchestrator_{orchestrator}, loop_{loop}, options_{options}, fixed_slice_{fixed_slice},
      max_threads_{usable_cpus()} {
    loop_.set_skipping(options.skipping == Skipping::always);
}

std::uint64_t Tuner::left() const {
    return loop_.ending() == RunEnd::completed ? end_ - loop_.cycle() : 0;
}

void Tuner::begin_anew() {
    orchestrator_.forget();
    learnt_ = placed_ = false;
    ns_per_cycle_ = elapsed_ns_ = lost_ns_ = next_trial_ns_ = settled_ns_ = chosen_ns_ = 0;
    may_go_alone_ = false;
    together_at_ns_ = alone_for_ns_ = next_look_ns_ = 0;
    next_comparison_ns_ = comparison_after_ns_ = 0;
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

/// The length of a trial, a small share of the run so far.
double Tuner::trial_ns() const {
    return std::clamp(elapsed_ns_ * trials_share, least_trial_ns, max_trial_ns);
}

/// True if the rest of this call is longer than `ns`: a comparison needs all its trials.
bool Tuner::has_time(double ns) const {
    return static_cast<double>(left()) * ns_per_cycle_ > ns;
}

/// Runs cycles for about `ns`; records the time per cycle.
void Tuner::slice(double ns) {
    constexpr std::uint64_t growth = 16; // earlier measurements may be far off
    const double each = std::max(ns_per_cycle_, 1.0);
    const std::uint64_t cycles =
        fixed_slice_ > 0
            ? std::min(left(), fixed_slice_)
            : std::min({left(), static_cast<std::uint64_t>(std::max(ns / each, 1.0)), max_cycles_});
    if (cycles == 0)
        return;
    max_cycles_ = std::max(max_cycles_, cycles * growth);
    const std::uint64_t before = loop_.cycle();
    ns_per_cycle_ = orchestrator_.run(cycles);
    elapsed_ns_ += ns_per_cycle_ * static_cast<double>(loop_.cycle() - before);
}

void Tuner::run_fixed() {
    if (orchestrator_.threads() > 1) // it repeats the decisions of another run
        learnt_ = placed_ = true;
    if (options_.threads > 1 && !learnt_ && left() > 0) {
        learnt_ = orchestrator_.learn(left());
        ns_per_cycle_ = orchestrator_.sequential_ns();
    }
    if (options_.threads > 1 && !placed_ && left() > 0) {
        alone_ns_ = orchestrator_.sequential_ns();
        may_go_alone_ = options_.queue == QueueKind::fixed && !options_.policy &&
                        !options_.adaptive && options_.wait == Wait::automatic &&
                        options_.serial_levels &&
                        !loop_.is_audited(); // otherwise threads are tested
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
        if (may_go_alone_ && elapsed_ns_ > std::max(next_look_ns_, first_look_ns))
            compare_with_one();
        compare_skipping();
        const double before_ns = elapsed_ns_;
        slice(options_.adaptive ? adaptive_slice_ns : slice_ns);
        if (may_go_alone_ && orchestrator_.threads() > 1 && ns_per_cycle_ > hopeless * alone_ns_ &&
            elapsed_ns_ - before_ns > noticed_ns)
            go_alone();
    }
}

/// Runs a few cycles on one thread and on the given number, and keeps the faster number. Such
/// looks become rarer as the run goes on.
void Tuner::compare_with_one() {
    constexpr double latest_ns = 1e9;
    const double each = trial_ns();
    if (!has_time(4 * each))
        return;
    const bool was_alone = orchestrator_.threads() == 1;
    double alone_ns = trial(1, each, ns_per_cycle_);
    double together_ns = trial(options_.threads, each, alone_ns);
    const auto is_better_alone = [&] { return alone_ns < together_ns * (1 - better_by); };
    if (left() > 0 && is_better_alone() != was_alone) { // another program may have disturbed one
        alone_ns = std::min(alone_ns, trial(1, each, alone_ns));
        together_ns = std::min(together_ns, trial(options_.threads, each, together_ns));
    }
    next_look_ns_ = elapsed_ns_ + std::min(elapsed_ns_, latest_ns);
    if (left() > 0 && is_better_alone()) {
        orchestrator_.set_threads(1);
        ns_per_cycle_ = alone_ns;
    }
}

/// Runs a few cycles with the current number of threads, twice at most; true if they take far
/// longer than on one thread. When other programs occupy the CPUs, threads that meet in every cycle
/// wait for the thread without a CPU, and a cycle may take a thousand times as long.
bool Tuner::is_hopeless(double alone_ns) {
    for (int k = 0; k < 2; ++k) {
        ns_per_cycle_ = alone_ns;
        slice(few_cycles * alone_ns);
        if (ns_per_cycle_ < hopeless * alone_ns)
            return false;
    }
    return true;
}

/// Continues on one thread for a while; the while doubles when several threads were soon hopeless
/// again. It may be longer than a run; the next run then resumes it.
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
        // in few cycles, one wait for a CPU may exceed all other time
        if (const auto cycles = static_cast<double>(loop_.cycle() - begin); cycles > few_cycles)
            alone_ns_ = (elapsed_ns_ - begin_ns) / cycles;
        orchestrator_.set_threads(options_.threads);
    } while (left() > 0 && is_hopeless(alone_ns_));
}

void Tuner::run_auto() {
    while (left() > 0) {
        compare_skipping();
        if (elapsed_ns_ == 0)
            slice(0); // one cycle, to learn its time
        else if (elapsed_ns_ < first_look_ns)
            slice(std::min(first_look_ns, 2 * elapsed_ns_ + 10e3));
        else
            slice(options_.adaptive ? adaptive_slice_ns : slice_ns);
        if (elapsed_ns_ >= first_look_ns && left() > 0)
            consider();
    }
}

/// Runs a few cycles in which idle processes are skipped, and a few in which they are not, and
/// keeps the faster way. As the share of idle processes may change at any time, such comparisons
/// never end, but they become rarer.
void Tuner::compare_skipping() {
    constexpr double soonest_ns = 20e6, latest_ns = 1e9;
    if (options_.skipping != Skipping::automatic || !loop_.can_skip() || left() == 0 ||
        elapsed_ns_ < std::max(first_look_ns, next_comparison_ns_) || !has_time(4 * trial_ns()))
        return;
    const double each = trial_ns();
    const bool before = loop_.skips();
    const double before_ns = ns_per_cycle_;
    const auto time = [&](bool skips) {
        loop_.set_skipping(skips);
        ns_per_cycle_ = before_ns;
        slice(2 * before_ns); // in the first cycle all processes run
        ns_per_cycle_ = before_ns;
        slice(4 * before_ns);
        if (ns_per_cycle_ < hopeless / 2 * before_ns) {
            ns_per_cycle_ = before_ns;
            slice(std::max(each, few_cycles / 2 * before_ns));
        }
        return ns_per_cycle_;
    };
    const double other_ns = time(!before), same_ns = time(before);
    if (left() > 0 && other_ns < same_ns * (1 - better_by)) {
        loop_.set_skipping(!before);
        ns_per_cycle_ = other_ns;
        comparison_after_ns_ = 0;
    }
    comparison_after_ns_ = std::clamp(2 * comparison_after_ns_, soonest_ns, latest_ns);
    next_comparison_ns_ = elapsed_ns_ + comparison_after_ns_;
}

/// Decides whether another number of threads is worth a trial, and which. The decision itself costs
/// time.
void Tuner::consider() {
    constexpr double asking_ns = 200; // per chunk
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
        wanted = 1; // other programs may have taken CPUs, which costs do not show
    if (wanted != now)
        try_threads(wanted);
    settled_ns_ = ns_per_cycle_;
    if (orchestrator_.threads() != now)
        chosen_ns_ = ns_per_cycle_;
    next_trial_ns_ = elapsed_ns_ * 2;
}

/// Predicts the time of a cycle with `threads` threads. Where one call runs many steps, the costs
/// of single steps are too high, but the share of the busiest thread applies.
double Tuner::promised_ns(unsigned threads) const {
    const double barrier_ns = orchestrator_.barrier_guess_ns(threads);
    const unsigned now = orchestrator_.threads();
    const CycleKernel* const ours = loop_.cycle_kernel(now);
    const CycleKernel* const other = loop_.cycle_kernel(threads);
    if (!ours || !other) {
        const double alone_ns = orchestrator_.predicted_ns(now, 0);
        const double scale = std::clamp(ns_per_cycle_ / std::max(alone_ns, 1.0), 1e-6, 1.0);
        return orchestrator_.predicted_ns(threads, barrier_ns / scale) * scale;
    }
    const double meeting_ns = barrier_ns * ((threads > 1 ? 1 : 0) - (now > 1 ? 1 : 0));
    return ns_per_cycle_ * other->largest_share() / ours->largest_share() + meeting_ns;
}

/// The best number by predicted time; the current one if no other promises enough.
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

/// Switches to `threads` threads. If the system cannot start them, stays with the current number
/// for good.
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

/// Runs a trial with `threads` threads: the time of a cycle once the caches are warm.
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

/// Runs trials in adjacent pairs, so that both see the same machine state. Two pairs, unless the
/// first one is conclusive.
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
            return; // keeps these threads
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
