// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kahn/graph.hpp"

namespace sme::kahn {

/// The channels of a run, with their slots.
class Storage {
public:
    Storage(const KahnGraph& graph, bool concurrent, bool digests);
    ~Storage();
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;

    detail::ChannelCore& operator[](std::uint64_t channel) const;
    std::uint64_t size() const { return graph_.channels.size(); }

    /// The total bytes of the slots of all channels.
    std::size_t slot_bytes() const { return slot_bytes_; }
    /// The value of `slot_bytes` after `enlarge`.
    std::size_t slot_bytes_enlarged(const detail::ChannelCore& channel) const;
    /// Makes a channel deeper by one message. Both of its sides must sleep.
    void enlarge(detail::ChannelCore& channel);

private:
    struct Block { ///< the channels of a family
        std::byte* memory;
        std::size_t stride;
    };
    struct Freed {
        std::size_t alignment;
        void operator()(std::byte* memory) const {
            ::operator delete (memory, std::align_val_t{alignment});
        }
    };
    using Memory = std::unique_ptr<std::byte, Freed>;

    Memory allocate(std::size_t bytes, std::size_t alignment) {
        return Memory{static_cast<std::byte*>(::operator new (bytes, std::align_val_t{alignment})),
                      Freed{alignment}};
    }
    void make(const KahnGraph::Family& family, bool concurrent, bool digests);

    const KahnGraph& graph_;
    std::vector<Block> blocks_; ///< by family
    std::vector<Memory> memory_;
    std::vector<std::pair<std::uint32_t, Memory>> enlarged_; ///< the slots of a channel
    std::unique_ptr<detail::ChannelHistory[]> histories_;
    std::size_t slot_bytes_ = 0;
};

} // namespace sme::kahn
