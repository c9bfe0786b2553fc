// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace sme::native {

/// A memory write that waits for the end of the cycle.
struct Pending {
    std::uint64_t word;
    std::uint64_t value;
};
/// The word number of an entry without a write.
inline constexpr std::uint64_t no_word = ~std::uint64_t{0};

/// The argument of a kernel; the C has the same struct (prelude.cpp).
struct Block {
    const std::byte* read;
    std::byte* write;
    std::uint64_t cycle;
    std::uint64_t random; // of the family
    std::uint64_t first;  // first position
    std::uint64_t count;
    const std::int64_t* at;           // by map: of the first instance
    const std::int64_t* const* table; // by map: for each position
    std::byte* const* data;           // memories and tables
    Pending* pending;                 // starting at the instance at position 0
    std::uint8_t* wrote; // by position: set to 1 when an instance writes a memory; of kernels
    const std::uint8_t* needed =
        nullptr; // of kernels for some instances: as SteadyGroup::step_some
    std::uint64_t* changes = nullptr;
    std::uint64_t fresh = 0;         // of fused steps: as Frame::fresh
    std::uint64_t* counts = nullptr; // of kernels that count: those of the thread
};

/// The meeting of threads that run cycle kernels together; the C has the same struct. Each thread
/// has its own cache line, with these words.
struct Meeting {
    static constexpr std::size_t line_words = 16;
    enum Word : std::size_t {
        last,  ///< twice the number of its last meeting, plus one if it left there
        late,  ///< 1: it waited too long and leaves at the next meeting
        since, ///< the time when it began to wait
    };
    std::uint64_t* lines;
    std::uint64_t thread;
    std::uint64_t threads;
    void (*wait)(const Meeting*, std::uint64_t looks); // pauses, after `looks` tests of a line
    // For a compiler without atomic operations: an acquire load and a release store of a word.
    std::uint64_t (*load)(const std::uint64_t*);
    void (*store)(std::uint64_t*, std::uint64_t);
};

/// Steps the instances of a block in order. Returns the number of remaining instances: it stops at
/// the first one that needs the interpreter. Those instances are unchanged except for their output
/// slots.
using Kernel = std::uint64_t (*)(const Block*);

} // namespace sme::native
