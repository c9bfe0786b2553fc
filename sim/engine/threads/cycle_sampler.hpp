// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/threads/queue.hpp"
#include "runtime/clock.hpp"

namespace sme::engine {

/// Measures some of the cycles: which range ran how long on which thread, and how long threads
/// waited for each other. Measuring slows a cycle down, so only few are measured: the overhead is
/// below one percent of the time.
class CycleSampler {
public:
    static constexpr std::uint32_t waits = ~std::uint32_t{0};

    /// A period of one thread in a measured cycle.
    struct Event {
        std::uint64_t begin_ns;
        std::uint64_t end_ns;
        std::uint64_t cycle;
        std::uint32_t item; // or `waits`
        std::uint32_t section;
        Range range;
        std::uint32_t end_item = 0; // of complete items that ran in one call; 0: it is one item
    };

    /// The measurements of one thread.
    class alignas(64) Log {
    public:
        /// Runs a task in pieces: step(range) for each.
        template <class Step>
        void measure(const Task& task, std::size_t section, std::uint64_t cycle, Step step) {
            const std::uint64_t most = std::max<std::uint64_t>((*pieces_)[task.item], 1);
            std::uint64_t begin = now_ns();
            const std::uint64_t end = task.range.first + task.range.count;
            for (std::uint64_t at = task.range.first; at < end; at += most) {
                const Range piece{at, std::min(most, end - at)};
                step(piece);
                const std::uint64_t done = now_ns();
                events.push_back(
                    {begin, done, cycle, task.item, static_cast<std::uint32_t>(section), piece, 0});
                begin = done;
            }
        }
        /// Runs items up to `end_item` in one call; returns its result.
        template <class Step>
        std::uint32_t measure_together(std::uint32_t item, std::uint32_t end_item,
                                       std::size_t section, std::uint64_t cycle, Step step) {
            const std::uint64_t begin = now_ns();
            const std::uint32_t result = step();
            events.push_back({begin,
                              now_ns(),
                              cycle,
                              item,
                              static_cast<std::uint32_t>(section),
                              {0, 0},
                              end_item});
            return result;
        }
        void wait(std::size_t section, std::uint64_t cycle, std::uint64_t arrived_ns) {
            events.push_back({arrived_ns,
                              now_ns(),
                              cycle,
                              waits,
                              static_cast<std::uint32_t>(section),
                              {0, 0},
                              0});
        }

        std::vector<Event> events;

    private:
        friend class CycleSampler;
        const std::vector<std::uint64_t>* pieces_ = nullptr;
    };

    /// True if a cycle is to be measured; called once per cycle, in order.
    bool wants(std::uint64_t cycle) {
        if (cycle < next_) [[likely]]
            return false;
        next_ = cycle + interval_;
        ++measured_;
        return true;
    }
    /// Measures one cycle in `cycles`.
    void set_interval(std::uint64_t cycles) { interval_ = cycles; }
    void measure_next() { next_ = 0; }
    void stop() { next_ = ~std::uint64_t{0}; }
    /// The number of cycles measured since the last call.
    std::uint64_t take_measured() { return std::exchange(measured_, 0); }

    /// `pieces`: the number of instances per item that are timed together; must outlive the object.
    void set(unsigned threads, const std::vector<std::uint64_t>& pieces) {
        logs_.resize(std::max<std::size_t>(threads, logs_.size()));
        for (Log& log : logs_)
            log.pieces_ = &pieces;
    }
    Log& log(unsigned thread) { return logs_[thread]; }
    std::vector<Log>& logs() { return logs_; }

private:
    std::uint64_t next_ = 0;
    std::uint64_t interval_ = 1;
    std::uint64_t measured_ = 0;
    std::vector<Log> logs_;
};

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
