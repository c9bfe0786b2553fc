// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/source.hpp"
#include "expr/process/observe.hpp"

namespace sme::sizing {

/// A cycle, counted from 0.
using Time = std::uint32_t;

/// The steps of the processes of a network of Kahn actors in a run, in the order of each process.
/// Their times depend on the depths of channels; the steps themselves do not.
struct History {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct Channel {
        std::string name;
        std::uint32_t declaration;      // all channels of one declaration have the same depth
        std::uint64_t bits;             // of a message
        Time latency;                   // cycles between sending and receiving
        std::uint32_t sender, receiver; // processes
        std::uint64_t messages = 0;     // number sent
    };
    /// A line under `channels` of a file.
    struct Declaration {
        std::string name; // of its first channel
        Location where;
        std::uint64_t depth; // in the run
        std::uint64_t bits;  // of one place in all its channels
        std::uint32_t channels = 0;
    };
    /// A condition of a step on a channel.
    struct Need {
        enum class Kind : std::uint8_t {
            look,     ///< a message, which remains
            take,     ///< a message, which is removed
            room,     ///< a place; the step sends
            end,      ///< the end: no message will come
            some_end, ///< the end of any of these needs, whichever comes first
        };
        Kind kind;
        std::uint32_t channel;
        bool operator==(const Need&) const = default;
    };
    /// An actor, or a file at the end of a channel. It performs at most one step per cycle.
    struct Process {
        std::string name;
        bool is_file = false;
        Time start = 0;                            // no step is earlier
        std::vector<std::vector<Need>> patterns{}; // the kinds of steps
        std::vector<std::uint32_t> steps{};        // patterns, in order
        std::vector<Time> times{};                 // of the steps, in the run
        bool counts = true;                        // the run lasts until its last step
        bool closes = false;                       // closes its outputs after its last step
    };
    std::vector<Channel> channels;
    std::vector<Declaration> declarations;
    std::vector<Process> processes;
    bool ended = false; // the run continued until all were done

    std::uint64_t steps() const {
        std::uint64_t sum = 0;
        for (const Process& process : processes)
            sum += process.steps.size();
        return sum;
    }
};

/// Depths, by declaration.
using Depths = std::vector<std::uint64_t>;

/// The total number of bits: places times bits per message, over all channels.
inline std::uint64_t bits_of(const History& history, const Depths& depths) {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < depths.size(); ++k)
        sum += depths[k] * history.declarations[k].bits;
    return sum;
}

/// Records the steps of the actors of a network in a run.
class Recorder {
public:
    /// The network must consist only of actors and channels with places.
    explicit Recorder(std::shared_ptr<const expr::ActorNetwork> network);

    /// Records a cycle from the results of the network's program.
    void take(std::uint64_t cycle, const std::vector<std::uint64_t>& results);

    /// True if the history exceeded the memory limit.
    bool is_full() const { return steps_ > max_steps; }

    /// Channels on which an actor waited for room in the last cycle, by declaration.
    const std::vector<std::uint32_t>& full() const { return full_; }

    /// True if all actors were done in the last cycle; all sent messages must then be received.
    bool all_done() const { return all_done_; }
    /// `ended`: the run continued until all actors were done.
    History history(bool ended) const;

    static constexpr std::uint64_t max_steps = 30'000'000;

private:
    using Pattern = std::vector<History::Need>;

    void step(std::uint32_t process, const Pattern& pattern, std::uint64_t cycle);

    std::shared_ptr<const expr::ActorNetwork> network_;
    History history_;
    std::vector<std::vector<const expr::ActorNetwork::End*>> ends_; // by actor
    std::vector<std::map<std::vector<std::pair<std::uint8_t, std::uint32_t>>, std::uint32_t>>
        known_;                                  // by process: its patterns
    std::vector<std::uint32_t> sources_, sinks_; // files of channels, by channel
    std::vector<std::uint32_t> full_;
    std::uint64_t steps_ = 0;
    bool all_done_ = false;
};

} // namespace sme::sizing
