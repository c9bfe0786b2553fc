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

/// A change of a signal, or the start of a cycle. A value of several words has one record per word,
/// the highest word first.
struct Record {
    static constexpr std::uint32_t unknown = 1u << 8;
    static constexpr std::uint32_t cycle_begins = 1u << 9;
    static constexpr std::uint32_t more = 1u << 10; // further words of this value follow

    std::uint64_t value; // undefined above the width; or the cycle number
    std::uint32_t signal;
    std::uint32_t format; // the width of the word in bits, and flags
};

/// Stores records sequentially in memory that the derived class provides. Only one thread writes.
class RecordSink {
public:
    static constexpr std::size_t max_at_once = 64;

    /// Returns space for `count` records, at most `max_at_once`. `used` gives back the unused rest.
    Record* room(std::size_t count) {
        if (static_cast<std::size_t>(end_ - next_) < count)
            make_room();
        return next_;
    }
    void used(Record* end) { next_ = end; }
    void append(const Record& record) {
        Record* const at = room(1);
        *at = record;
        used(at + 1);
    }

    virtual ~RecordSink() = default;

protected:
    RecordSink() = default;
    RecordSink(const RecordSink&) = delete;
    RecordSink& operator=(const RecordSink&) = delete;

    /// Provides space for `max_at_once` more records.
    virtual void make_room() = 0;

    Record* begin_ = nullptr; // of the current memory
    Record* next_ = nullptr;
    Record* end_ = nullptr;
};

/// Passes records in chunks from the run's thread to the encoder's thread. When all chunks are
/// full, the run waits until half of them are read. One thread writes, one thread reads.
class ChunkRing final : public RecordSink {
public:
    ChunkRing();

    // Call on the writer's thread:

    /// The number of records written.
    std::uint64_t records() const {
        return handed_over_ + static_cast<std::uint64_t>(next_ - begin_);
    }
    /// Hands over a partly filled chunk.
    void flush() {
        if (next_ != begin_)
            hand_over();
    }
    /// Hands over the rest; no writes may follow.
    void finish();

    // Call on the reader's thread:

    /// Releases the previous chunk and waits for the next; empty after the last.
    std::span<const Record> next();

private:
    static constexpr std::size_t chunks = 4;
    static constexpr std::size_t chunk_records = 16384; // 256 KB: all four chunks fit into a cache

    void make_room() override { hand_over(); }
    void hand_over();

    std::unique_ptr<Record[]> records_;
    std::uint64_t handed_over_ = 0; // records

    std::mutex mutex_; // guards the following members
    std::condition_variable written_changed_;
    std::condition_variable read_changed_;
    std::array<std::size_t, chunks> sizes_{};
    std::uint64_t written_ = 0; // number of chunks
    std::uint64_t read_ = 0;
    bool reading_ = false; // the reader uses chunk number read_
    bool finished_ = false;
};

} // namespace sme::trace
