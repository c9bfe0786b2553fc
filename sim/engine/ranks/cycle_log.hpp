// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/ranks/rank_slots.hpp"
#include "engine/slots/zeroed_bytes.hpp"
#include "runtime/transport.hpp"

namespace sme::engine {

/// Brings the values that observers read to rank 0, where they run: those of many cycles in one
/// message of each rank.
class CycleLog {
public:
    /// `spans`: the slots that each rank supplies, the same argument on all ranks.
    CycleLog(Transport& transport, std::vector<std::vector<Span>> spans, std::size_t arena_bytes);

    /// How many cycles it can hold; the same on all ranks.
    std::uint64_t most() const { return most_; }
    /// Bytes of a cycle that this rank supplies.
    std::uint64_t bytes() const { return sources_[transport_.rank()].bytes; }
    void clear() { noted_ = 0; }
    /// Adds the values of a cycle.
    void note(const std::byte* arena);
    /// Moves the noted cycles to rank 0. Every rank calls it, after the same cycles.
    void collect();
    /// On rank 0, after `collect`: an arena with the values of a noted cycle.
    std::byte* values(std::uint64_t cycle);
    /// Brings the values that the next cycle reads into the arena of rank 0. Every rank calls it.
    void settle(std::byte* arena);

private:
    struct Source {
        std::vector<Span> spans;
        std::uint64_t bytes = 0;       // of a cycle
        std::vector<std::byte> cycles; // on rank 0, and on this rank
    };
    void unpack(std::uint64_t cycle, std::byte* arena) const;

    Transport& transport_;
    std::vector<Source> sources_; // by rank
    std::uint64_t most_ = 1;
    std::uint64_t noted_ = 0;
    ZeroedBytes arena_; // on rank 0
};

} // namespace sme::engine
