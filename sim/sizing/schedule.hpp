// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sizing/recorder.hpp"

namespace sme::sizing {

/// The result of a network with given depths.
struct Outcome {
    bool complete = false;    // all steps that count happen; otherwise they wait for each other
    std::uint64_t cycles = 0; // up to the last step that counts, if complete
    /// Declarations, one of which must be deeper for fewer cycles, or to avoid the deadlock. Empty:
    /// no depth helps.
    std::vector<std::uint32_t> critical;
};

/// How long a process waits at an end of a channel.
struct Wait {
    std::uint32_t process;
    std::uint32_t channel;
    bool for_room;        // otherwise for a message, or the end
    std::uint64_t cycles; // in which this was the only or the last cause of waiting
};

/// The causes that keep a network from being faster.
struct Slowness {
    std::vector<Wait> waits;             // the longest first
    std::uint32_t bottleneck;            // the process for which the run waits most
    std::uint64_t bottleneck_cycles = 0; // spent waiting for it
    bool drained = false;                // a file ended before the first result
};

/// Computes the times of the steps of a history with other depths, without running the network:
/// each step happens as early as it can, as in the clocked network.
class Schedule {
public:
    explicit Schedule(const History& history);

    /// Depths of at least 1, one per declaration.
    Outcome run(const Depths& depths);

    /// True if the steps have the same times as in the run, with the depths of the history. False
    /// means that the history is incomplete, and its outcomes are unreliable.
    bool agrees();

    /// The depths with which no step is later than with unbounded ones. No run with less room in
    /// all channels at once is faster.
    Depths roomy();

    /// Call it after run() with a complete outcome.
    Slowness slowness() const;

private:
    enum class Cause : std::uint8_t { own, message, end, room };
    struct Step {
        Time time;
        Cause cause;
        std::uint32_t channel; // of the cause
        std::uint32_t message; // its number in the channel
    };
    struct Line { // a process
        std::vector<Step> steps;
        Cause blocked = Cause::own; // the cause of its wait; own: it is done
        std::uint32_t channel = 0;  // where it waits
    };
    struct Queue {                              // a channel
        std::vector<std::uint32_t> sent, taken; // steps of the sender and the receiver
        std::uint32_t looked = 0;
    };

    bool is_done(std::uint32_t process) const {
        return lines_[process].steps.size() == history_.processes[process].steps.size();
    }
    void advance(std::uint32_t process, const Depths& depths);
    bool find_time(std::uint32_t process, const std::vector<History::Need>& needs,
                   const Depths& depths, Step& step);
    bool find_end(std::uint32_t process, const std::vector<History::Need>& needs, Step& step,
                  bool known_only);
    bool end_earliest();
    const std::vector<History::Need>& next_needs(std::uint32_t process) const {
        const History::Process& of = history_.processes[process];
        return of.patterns[of.steps[lines_[process].steps.size()]];
    }
    void put(std::uint32_t process, const Step& step);
    void wake(std::uint32_t process);
    Outcome stuck() const;
    std::vector<std::uint32_t> path() const;
    template <class Use> void walk(Use use) const;
    bool find_last(std::uint32_t& process) const;
    Time time_of(std::uint32_t process, std::uint32_t step) const {
        return lines_[process].steps[step].time;
    }

    const History& history_;
    std::vector<Line> lines_;
    std::vector<Queue> queues_;
    std::vector<std::uint32_t> ready_; // processes that may continue
    std::vector<bool> is_ready_;
};

} // namespace sme::sizing
