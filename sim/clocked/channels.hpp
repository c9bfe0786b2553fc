// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kahn/graph.hpp"

namespace sme::clocked {

/// A channel in a clocked run. Sender and receiver each have a core of their own, so that neither
/// sees what the other does in the same cycle: `sent` and `received` hold what it saw when the
/// cycle began. They share the slots, and never touch the same one in one cycle.
struct Channel {
    detail::ChannelCore* writer = nullptr; // counts in its `sent`
    detail::ChannelCore* reader = nullptr; // counts in its `received`
    std::uint32_t depth = 1;               // places
    /// Words of positions at the begin of a cycle, by its parity: written in the cycle before by
    /// one side, read by the other.
    alignas(64) std::array<std::uint64_t, 2> sent{};
    alignas(64) std::array<std::uint64_t, 2> received{};

    /// Messages in it at the begin of a cycle.
    std::uint32_t fill(std::uint64_t cycle) const {
        return static_cast<std::uint32_t>(detail::Position<>::count(sent[cycle & 1]) -
                                          detail::Position<>::count(received[cycle & 1]));
    }
};

/// The channels of one simulator.
class Channels {
public:
    Channels(const KahnGraph& graph, bool digests);
    ~Channels();
    Channels(const Channels&) = delete;
    Channels& operator=(const Channels&) = delete;

    Channel& operator[](std::uint64_t id) { return *channels_[id]; }
    const Channel& operator[](std::uint64_t id) const { return *channels_[id]; }
    std::uint64_t size() const { return channels_.size(); }

private:
    struct Freed {
        std::size_t alignment;
        void operator()(std::byte* memory) const {
            ::operator delete (memory, std::align_val_t{alignment});
        }
    };
    using Memory = std::unique_ptr<std::byte, Freed>;

    std::byte* allocate(std::size_t bytes, std::size_t alignment);
    detail::ChannelCore* make(const detail::ChannelKind& kind, std::uint64_t id);

    const KahnGraph& graph_;
    std::vector<Memory> memory_;
    std::vector<std::unique_ptr<Channel>> channels_;
    std::unique_ptr<detail::ChannelHistory[]> histories_;
};

} // namespace sme::clocked
