// SPDX-License-Identifier: Apache-2.0
#include "trace/collect/chunk_ring.hpp"

namespace sme::trace {

ChunkRing::ChunkRing() : records_{new Record[chunks * chunk_records]} {
    begin_ = next_ = records_.get();
    end_ = begin_ + chunk_records;
}

void ChunkRing::hand_over() {
    std::unique_lock lock{mutex_};
    const auto size = static_cast<std::size_t>(next_ - begin_);
    handed_over_ += size;
    sizes_[written_ % chunks] = size;
    ++written_;
    written_changed_.notify_one();
    // Waiting for half of the ring wakes the threads less often than waiting for one chunk.
    if (written_ - read_ == chunks)
        read_changed_.wait(lock, [&] { return written_ - read_ <= chunks / 2; });
    begin_ = next_ = records_.get() + written_ % chunks * chunk_records;
    end_ = begin_ + chunk_records;
}

void ChunkRing::finish() {
    flush();
    const std::lock_guard lock{mutex_};
    finished_ = true;
    written_changed_.notify_one();
}

std::span<const Record> ChunkRing::next() {
    std::unique_lock lock{mutex_};
    if (reading_) {
        ++read_;
        reading_ = false;
        if (written_ - read_ == chunks / 2)
            read_changed_.notify_one();
    }
    written_changed_.wait(lock, [&] { return written_ > read_ || finished_; });
    if (written_ == read_)
        return {};
    reading_ = true;
    return {records_.get() + read_ % chunks * chunk_records, sizes_[read_ % chunks]};
}

} // namespace sme::trace
