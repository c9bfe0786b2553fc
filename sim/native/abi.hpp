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
/// The word of one that writes nothing.
inline constexpr std::uint64_t no_word = ~std::uint64_t{0};

/// What a kernel is called with; the C has the same struct (prelude.cpp).
struct Block {
    const std::byte* read;
    std::byte* write;
    std::uint64_t cycle;
    std::uint64_t random; // of the family
    std::uint64_t first;  // position
    std::uint64_t count;
    const std::int64_t* at;           // of each map: of the first instance
    const std::int64_t* const* table; // of each map: by position
    std::byte* const* data;           // memories and tables
    Pending* pending;                 // of the instance at position 0
};

/// Where threads meet that run cycle kernels at the same time; the C has the same struct. Each has
/// a line of its own, of these words.
struct Meeting {
    static constexpr std::size_t line_words = 16;
    enum Word : std::size_t {
        last,  ///< the number of its last meeting times two, plus one when it left there
        late,  ///< 1: it waited so long that it leaves at the next meeting
        since, ///< when it began to wait
    };
    std::uint64_t* lines;
    std::uint64_t thread;
    std::uint64_t threads;
    void (*wait)(const Meeting*, std::uint64_t looks); // a moment, after so many looks at a line
};

/// Steps the instances of a block in order. Returns how many are left: one at which something is to
/// be done that only the interpreter does, and those behind it. Nothing of these has changed but
/// their output slots.
using Kernel = std::uint64_t (*)(const Block*);

} // namespace sme::native
