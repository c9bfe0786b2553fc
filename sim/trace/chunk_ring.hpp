// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

namespace sme::trace {

/// A change of a signal, or the begin of a cycle. A value of several words is as many records, the
/// highest word first.
struct Record {
    static constexpr std::uint32_t unknown = 1u << 8;
    static constexpr std::uint32_t cycle_begins = 1u << 9;
    static constexpr std::uint32_t more = 1u << 10; // words of this value follow

    std::uint64_t value; // of the signal, above its width anything; or the cycle's number
    std::uint32_t signal;
    std::uint32_t format; // the width of the word in bits, and the flags above
};

/// Takes records from the thread of the run to the encoder's, a chunk at a time. When all chunks
/// are full the run waits until half of them are read. One thread writes, one reads.
class ChunkRing {
public:
    ChunkRing();

    // The writer's thread:

    /// Room for `count` records, at most `most_at_once`. What is left after the last one used is
    /// given back by `used`.
    Record* room(std::size_t count) {
        if (static_cast<std::size_t>(end_ - next_) < count)
            hand_over();
        return next_;
    }
    void used(Record* end) { next_ = end; }
    void append(const Record& record) {
        Record* const at = room(1);
        *at = record;
        used(at + 1);
    }
    /// How many records were written.
    std::uint64_t records() const {
        return handed_over_ + static_cast<std::uint64_t>(next_ - begin_);
    }
    /// Hands over the rest; nothing is written afterwards.
    void finish();

    // The reader's thread:

    /// Gives back the chunk it returned before, waits for the next; empty after the last.
    std::span<const Record> next();

    static constexpr std::size_t most_at_once = 64;

private:
    static constexpr std::size_t chunks = 4;
    static constexpr std::size_t chunk_records = 16384; // 256 KB: all four stay in a cache

    void hand_over();

    std::unique_ptr<Record[]> records_;
    Record* begin_; // of the chunk that is written
    Record* next_;
    Record* end_;
    std::uint64_t handed_over_ = 0; // records

    std::mutex mutex_; // of all that follows
    std::condition_variable written_changed_;
    std::condition_variable read_changed_;
    std::array<std::size_t, chunks> sizes_{};
    std::uint64_t written_ = 0; // chunks
    std::uint64_t read_ = 0;
    bool reading_ = false; // chunk number read_ is with the reader
    bool finished_ = false;
};

} // namespace sme::trace
