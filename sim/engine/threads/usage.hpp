// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/threads/cycle_sampler.hpp"

namespace sme::engine {

/// A measured event and its thread.
struct TimedEvent {
    unsigned thread;
    std::uint32_t level; // first level of its section
    CycleSampler::Event event;
};

/// How threads spent their time in the measured cycles, by thread and level.
class Usage {
public:
    struct Share {
        double busy_ns = 0;
        double wait_ns = 0;
    };
    /// Adds one event.
    void add(const TimedEvent& timed) {
        Share& share = shares_[{timed.thread, timed.level}];
        const auto ns = static_cast<double>(timed.event.end_ns - timed.event.begin_ns);
        (timed.event.item == CycleSampler::waits ? share.wait_ns : share.busy_ns) += ns;
    }
    void add_cycles(std::uint64_t cycles) { cycles_ += cycles; }
    /// (thread, level) → share, summed over the measured cycles.
    const std::map<std::pair<unsigned, std::uint32_t>, Share>& shares() const { return shares_; }
    std::uint64_t cycles() const { return cycles_; }

private:
    std::map<std::pair<unsigned, std::uint32_t>, Share> shares_;
    std::uint64_t cycles_ = 0;
};

} // namespace sme::engine
