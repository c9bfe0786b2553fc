// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "network/graph.hpp"
#include "network/segments.hpp"
#include "runtime/observer.hpp"
#include "sme/type.hpp"

namespace sme::trace {

/// A memory of a family of processes, or some of its words, as a family of values: "core.regs[3]",
/// "node[1].grid[2, 5]"; or a let of one process.
struct TracedWords {
    BusFamily words; // those that are traced, of all instances
    std::uint32_t family = 0;
    std::uint32_t memory = 0;
    /// Of a let: where its value lies during a run, as in a slot of an `error` bus. Null: a memory.
    const std::byte* let = nullptr;
};

/// A let, whose value an observer puts there; without one, the bytes behind the value are 0.
TracedWords traced_let(const std::string& name, const TypeRef& type, const std::byte* value);

/// Memories that were asked for by patterns, as `Selection` has them. A memory by its name, or by
/// that of something it lies in, is all of it, "core.regs[0..15]" some words.
struct MemoryChoice {
    /// Of a memory that is not asked for word by word: the first of them in each instance.
    static constexpr std::uint64_t max_words = 4096;
    /// Of all memories.
    static constexpr std::uint64_t max_all_words = std::uint64_t{1} << 20;

    /// Words that are left out since there are more than `max_words`.
    struct Cut {
        std::string name; // of an instance's memory
        std::uint64_t words;
    };

    std::vector<TracedWords> memories;
    std::vector<Cut> cuts;
    std::vector<std::string> unmatched; // patterns
    bool too_many = false;              // more than `max_all_words`; the rest is left out
};

MemoryChoice choose_memories(const Graph& graph, std::string_view patterns);

/// Whether it is a memory that the user wrote, in a process.
bool has_own_memories(const ProcessFamily& family);

/// Where traced words lie: place in the family → offset behind `first`.
struct PlacedWords {
    const std::byte* first = nullptr;
    Segments offsets;
};

PlacedWords place_words(const TracedWords& traced, const Observed& observed);

} // namespace sme::trace
