// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sizing/history.hpp"

namespace sme::sizing {

/// What a network takes with some depths.
struct Outcome {
    bool complete = false;    // all steps that count happen; else they wait for each other
    std::uint64_t cycles = 0; // with the last of those that count; when complete
    /// Declarations, one of which must be deeper for fewer cycles, or for none that waits for
    /// ever. Empty: no depth helps.
    std::vector<std::uint32_t> critical;
};

/// How long a process waits at an end of a channel.
struct Wait {
    std::uint32_t process;
    std::uint32_t channel;
    bool for_room;        // else for a message, or the end
    std::uint64_t cycles; // in which that kept it, and it alone or as the last
};

/// What keeps a network from being faster.
struct Slowness {
    std::vector<Wait> waits;             // the longest first
    std::uint32_t bottleneck;            // the process that the run waits for most
    std::uint64_t bottleneck_cycles = 0; // in which it does
    bool drained = false;                // a file was at its end before the first result
};

/// Computes when the steps of a history happen with other depths: each as early as it can, which is
/// what the clocked network does. A run of the network is not needed.
class Schedule {
public:
    explicit Schedule(const History& history);

    /// Depths of 1 and more, one for each declaration.
    Outcome run(const Depths& depths);

    /// Whether the steps happen when they did in the run, which had the depths of the history.
    /// False says that the history does not tell all, and its outcomes are not to be relied on.
    bool agrees();

    /// The depths with which no step is later than with endless ones. No run with less room in all
    /// channels at once is faster.
    Depths roomy();

    /// After run() with an outcome that is complete.
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
        Cause blocked = Cause::own; // what it waits for; own: it has done all
        std::uint32_t channel = 0;  // where
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
    std::vector<std::uint32_t> ready_; // processes that may go on
    std::vector<bool> is_ready_;
};

} // namespace sme::sizing
