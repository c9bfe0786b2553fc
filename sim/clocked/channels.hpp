// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "kahn/graph.hpp"

namespace sme::clocked {

/// The word of a position as it was at the begin of a cycle.
class Shown {
public:
    /// Several processes take turns at writing it, and not in every cycle.
    void share() { mutex_ = std::make_unique<std::mutex>(); }

    std::uint64_t at(std::uint64_t cycle) const {
        if (!mutex_)
            return words_[cycle & 1];
        const std::lock_guard lock{*mutex_};
        return words_[cycle > changed_ ? 1 : 0];
    }
    /// By the side whose position it is, in a cycle: what it will have been in the next one. In
    /// every cycle, unless it is shared.
    void set(std::uint64_t cycle, std::uint64_t word) {
        if (!mutex_) {
            words_[(cycle + 1) & 1] = word;
            return;
        }
        const std::lock_guard lock{*mutex_};
        if (cycle > changed_)
            words_[0] = words_[1];
        changed_ = cycle;
        words_[1] = word;
    }

private:
    /// By the parity of the cycle: written in the cycle before by one side, read by the other. Of
    /// one that is shared: before the cycle of the last change, and behind it.
    alignas(64) std::array<std::uint64_t, 2> words_{};
    std::unique_ptr<std::mutex> mutex_; ///< null: it is not shared
    std::uint64_t changed_ = 0;
};

/// A channel in a clocked run. Sender and receiver each have a core of their own, so that neither
/// sees what the other does in the same cycle: `sent` and `received` hold what it saw when the
/// cycle began. They share the slots, and never touch the same one in one cycle.
struct Channel {
    detail::ChannelCore* writer = nullptr; // counts in its `sent`
    detail::ChannelCore* reader = nullptr; // counts in its `received`
    std::uint32_t depth = 1;               // places
    Shown sent, received;

    /// Messages in it at the begin of a cycle.
    std::uint32_t fill(std::uint64_t cycle) const {
        return static_cast<std::uint32_t>(detail::Position<>::count(sent.at(cycle)) -
                                          detail::Position<>::count(received.at(cycle)));
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
