// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "trace/collect/record_sink.hpp"

namespace sme::trace {

/// Takes records from the thread of the run to the encoder's, a chunk at a time. When all chunks
/// are full the run waits until half of them are read. One thread writes, one reads.
class ChunkRing final : public RecordSink {
public:
    ChunkRing();

    // The writer's thread:

    /// How many records were written.
    std::uint64_t records() const {
        return handed_over_ + static_cast<std::uint64_t>(next_ - begin_);
    }
    /// Hands over what there is.
    void flush() {
        if (next_ != begin_)
            hand_over();
    }
    /// Hands over the rest; nothing is written afterwards.
    void finish();

    // The reader's thread:

    /// Gives back the chunk it returned before, waits for the next; empty after the last.
    std::span<const Record> next();

private:
    static constexpr std::size_t chunks = 4;
    static constexpr std::size_t chunk_records = 16384; // 256 KB: all four stay in a cache

    void make_room() override { hand_over(); }
    void hand_over();

    std::unique_ptr<Record[]> records_;
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
