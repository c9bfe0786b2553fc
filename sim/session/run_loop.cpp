// SPDX-License-Identifier: Apache-2.0
#include "session/run_loop.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "runtime/clock.hpp"

namespace sme::session {

namespace {

/// The number of cycles per slice.
class Slices {
public:
    std::uint64_t cycles() const { return cycles_; }
    /// Call after each slice and the work that follows it.
    void adapt() {
        constexpr double least_s = 0.025, max_s = 0.1;
        constexpr std::uint64_t max_cycles = std::uint64_t{1} << 40;
        const Clock::time_point now = Clock::now();
        const double s = seconds_of(now - last_);
        last_ = now;
        if (s < least_s)
            cycles_ = std::min(cycles_ * 2, max_cycles);
        else if (s > max_s)
            cycles_ = std::max<std::uint64_t>(cycles_ / 2, 1);
    }

private:
    using Clock = std::chrono::steady_clock;
    std::uint64_t cycles_ = 1;
    Clock::time_point last_ = Clock::now();
};

} // namespace

bool run_until(engine::Engine& engine, std::uint64_t until, const BetweenSlices& between) {
    Slices slices;
    while (engine.cycle() < until && engine.ending() == engine::Ending::completed) {
        const std::uint64_t before = engine.cycle();
        std::uint64_t cycles = std::min(slices.cycles(), until - before);
        if (between.checkpoints)
            cycles = std::min(cycles, between.checkpoints->until_next(before));
        engine.run(cycles);
        if (engine.cycle() == before) // the run has ended
            return true;
        const bool goes_on = !between.look || between.look();
        if (goes_on && between.checkpoints)
            between.checkpoints->after(engine);
        slices.adapt();
        if (between.native)
            between.native->poll(between.endless ? std::nullopt
                                                 : std::optional{until - engine.cycle()});
        if (!goes_on && engine.cycle() < until && engine.ending() == engine::Ending::completed)
            return false;
    }
    return true;
}

} // namespace sme::session
