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
    BusFamily words; // the traced words of all instances
    std::uint32_t family = 0;
    std::uint32_t memory = 0;
    /// For a let: its value during a run, laid out as in a slot of an `error` bus. Null for a
    /// memory.
    const std::byte* let = nullptr;
};

/// Creates a traced let, whose value an observer stores at `value`; without an observer, the bytes
/// after the value are 0.
TracedWords traced_let(const std::string& name, const TypeRef& type, const std::byte* value);

/// The memories that patterns of a `Selection` request. The name of a memory, or of a scope that
/// contains it, selects all of it; "core.regs[0..15]" selects some words.
struct MemoryChoice {
    /// The limit per instance for a memory requested by name: its first words.
    static constexpr std::uint64_t max_words = 4096;
    /// The limit for all memories together.
    static constexpr std::uint64_t max_all_words = std::uint64_t{1} << 20;

    /// A memory that is truncated to `max_words` words.
    struct Cut {
        std::string name; // of the memory of an instance
        std::uint64_t words;
    };

    std::vector<TracedWords> memories;
    std::vector<Cut> cuts;
    std::vector<std::string> unmatched; // patterns without a match
    bool too_many = false;              // more than `max_all_words`; the excess is omitted
};

MemoryChoice choose_memories(const Graph& graph, std::string_view patterns);

/// True if the process family has a memory that the user declared.
bool has_own_memories(const ProcessFamily& family);

/// The positions of traced words: index in the family → offset from `first`.
struct PlacedWords {
    const std::byte* first = nullptr;
    Segments offsets;
};

PlacedWords place_words(const TracedWords& traced, const Observed& observed);

} // namespace sme::trace
