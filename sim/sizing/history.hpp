// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.hpp"

namespace sme::sizing {

/// A cycle, counted from 0.
using Time = std::uint32_t;

/// What the processes of a network of Kahn actors did in a run, in the order of each process. When
/// they did it depends on the depths of channels; what they did does not.
struct History {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct Channel {
        std::string name;
        std::uint32_t declaration;      // all channels of one declaration have the same depth
        std::uint64_t bits;             // of a message
        Time latency;                   // cycles after which what is sent can be received
        std::uint32_t sender, receiver; // processes
        std::uint64_t messages = 0;     // that are sent
    };
    /// A line under `channels` of a file.
    struct Declaration {
        std::string name; // of its first channel
        Location where;
        std::uint64_t depth; // in the run
        std::uint64_t bits;  // of a place in each of its channels
        std::uint32_t channels = 0;
    };
    /// What a step needs of a channel before it can happen.
    struct Need {
        enum class Kind : std::uint8_t {
            look,     ///< a message; it stays
            take,     ///< a message
            room,     ///< a place; the step sends
            end,      ///< to see that no message will come
            some_end, ///< the same of one of these needs, whichever comes first
        };
        Kind kind;
        std::uint32_t channel;
        bool operator==(const Need&) const = default;
    };
    /// An actor, or a file at the end of a channel. It does one step a cycle at most.
    struct Process {
        std::string name;
        bool is_file = false;
        Time start = 0;                            // no step is earlier
        std::vector<std::vector<Need>> patterns{}; // the kinds of steps
        std::vector<std::uint32_t> steps{};        // patterns, in order
        std::vector<Time> times{};                 // of the steps, in the run
        bool counts = true;                        // the run lasts until its last step
        bool closes = false;                       // what it sends to, after its last step
    };
    std::vector<Channel> channels;
    std::vector<Declaration> declarations;
    std::vector<Process> processes;
    bool ended = false; // the run went on until all were done

    std::uint64_t steps() const {
        std::uint64_t sum = 0;
        for (const Process& process : processes)
            sum += process.steps.size();
        return sum;
    }
};

/// Depths, by declaration.
using Depths = std::vector<std::uint64_t>;

/// Places in all channels, times the bits of a message.
inline std::uint64_t bits_of(const History& history, const Depths& depths) {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < depths.size(); ++k)
        sum += depths[k] * history.declarations[k].bits;
    return sum;
}

} // namespace sme::sizing
