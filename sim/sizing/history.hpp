// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.hpp"

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

} // namespace sme::sizing
