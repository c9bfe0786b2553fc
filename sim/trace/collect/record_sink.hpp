// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

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

} // namespace sme::trace
