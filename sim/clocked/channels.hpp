// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "kahn/graph.hpp"
#include "network/graph.hpp"
#include "sme/clocked.hpp"

namespace sme::clocked {

/// The word of a position as it was at the beginning of a cycle.
class Shown {
public:
    /// Call it if several processes write in turn, and not in every cycle.
    void share() { mutex_ = std::make_unique<std::mutex>(); }

    std::uint64_t at(std::uint64_t cycle) const {
        if (!mutex_)
            return words_[cycle & 1];
        const std::lock_guard lock{*mutex_};
        return words_[cycle > changed_ ? 1 : 0];
    }
    /// Sets the word for the next cycle. Only the side that owns the position calls it, in every
    /// cycle unless the position is shared.
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
    /// By the parity of the cycle: one side writes for the next cycle, the other reads. If shared:
    /// the words before and after the cycle of the last change.
    alignas(64) std::array<std::uint64_t, 2> words_{};
    std::unique_ptr<std::mutex> mutex_; ///< null: not shared
    std::uint64_t changed_ = 0;
};

/// A channel in a clocked run. Sender and receiver have separate cores, so that neither sees the
/// other's actions in the same cycle: `sent` and `received` hold the other side's word at the
/// beginning of the cycle. They share the slots, but never access the same slot in one cycle.
struct Channel {
    internal::ChannelCore* writer = nullptr; // counts in its `sent`
    internal::ChannelCore* reader = nullptr; // counts in its `received`
    std::uint32_t depth = 1;                 // places
    Shown sent, received;

    /// The number of messages at the beginning of a cycle.
    std::uint32_t fill(std::uint64_t cycle) const {
        return static_cast<std::uint32_t>(internal::Position<>::count(sent.at(cycle)) -
                                          internal::Position<>::count(received.at(cycle)));
    }
};

/// Data shared by the processes of one simulator besides channels.
struct Meetings {
    std::vector<std::unique_ptr<internal::BarrierCore>> barriers; ///< by number
    std::map<std::pair<std::uint64_t, internal::Side>, std::unique_ptr<internal::SharedEnd>> ends;
};

/// The channels of one simulator.
class Channels {
public:
    Meetings meetings; ///< outlives messages, which may hold links and places

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
    internal::ChannelCore* make(const internal::ChannelKind& kind, std::uint64_t id);

    const KahnGraph& graph_;
    std::vector<Memory> memory_;
    std::vector<std::unique_ptr<Channel>> channels_;
    std::unique_ptr<internal::ChannelHistory[]> histories_;
};

/// Adds the process at the other end of a channel, which drives or reads the wires of a stream.
/// `shared` returns the channels of the simulator under construction. Throws NetworkError if there
/// is no such stream, or if its messages have another type.
void add_stream(Graph& graph, const KahnGraph& kahn, const JoinedStream& stream,
                std::function<std::shared_ptr<Channels>()> shared);

} // namespace sme::clocked
