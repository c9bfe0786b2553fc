// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/segments.hpp"
#include "sme/group.hpp"
#include "trace/collect/record_sink.hpp"

namespace sme::trace {

/// A traced scalar of a slot. The k-th of a slot has the slot's first signal + k.
struct TracedLeaf {
    static constexpr std::uint32_t always = 0;

    std::uint32_t offset;
    std::uint8_t bytes;      // of a word: 1, 2, 4 or 8
    std::uint8_t width_bits; // of the highest word; all others have 64
    /// Offset of the byte that says whether it was written; `always` when there is none.
    std::uint32_t presence = always;
    std::uint8_t words = 1;
};

/// Finds what changed on the traced buses from one cycle to the next, and keeps a shadow copy of
/// their slots to compare with. Wires without values keep the ones they had.
class ChangeFinder {
public:
    /// Adds slots of one layout, traced as `leaves` (in the order of offsets), with signals
    /// numbered slot by slot from `first_signal` on. `offsets`: where they lie, by a run of places,
    /// in the arena or behind `memory`, which stays in place.
    void add(const std::vector<TracedLeaf>& leaves, std::size_t slot_bytes, const Segment& offsets,
             bool wire, std::uint32_t first_signal, const std::byte* memory = nullptr);
    /// After the last `add`.
    void prepare() { shadow_.resize(shadow_bytes_); }

    /// Gives every value, as changes from nothing.
    void find_all(const Frame& frame, RecordSink& found);
    /// Gives the values that differ from those of the last call.
    void find(const Frame& frame, RecordSink& found);

    /// The slots as they were at the last call, to be kept.
    const std::vector<std::byte>& shadow() const { return shadow_; }
    /// Gives every value of slots that were kept; of wires only when they had values.
    void values(const std::vector<std::byte>& shadow, bool wires, RecordSink& found) const;

private:
    struct Layout {
        std::vector<TracedLeaf> leaves;
        std::vector<std::uint32_t>
            block_leaves; // the first leaf of each block of a slot, and the end
        std::size_t slot_bytes;
        bool words; // nothing but leaves of one width, side by side
        bool far;   // some leaves reach into other blocks: words of theirs, or a presence byte
    };
    struct Row {
        const std::byte* slots(const Frame& frame) const {
            return (memory ? memory : frame.read) + offset;
        }

        std::size_t layout;
        const std::byte* memory; // null: the arena
        std::size_t offset;
        std::int64_t stride;
        std::uint64_t count;
        std::size_t shadow;
        std::uint32_t signal;
        bool wire;
    };
    static Layout layout_of(const std::vector<TracedLeaf>& leaves, std::size_t slot_bytes);
    /// Joins slots that lie behind those of a row to it, so that families of one cost no more.
    bool extend(Row& row, const Row& next) const;
    static void find_words(const TracedLeaf& leaf, const std::byte* now, std::byte* before,
                           std::uint64_t count, std::uint32_t signal, RecordSink& found);
    static void find_in_slots(const Layout& layout, const std::byte* now, std::byte* before,
                              std::uint64_t count, std::uint32_t signal, RecordSink& found);
    static void find_in_slot(const Layout& layout, const std::byte* now, const std::byte* before,
                             std::uint32_t signal, RecordSink& found);

    std::vector<Layout> layouts_;
    std::vector<Row> rows_;
    std::size_t shadow_bytes_ = 0;
    std::vector<std::byte> shadow_;
};

} // namespace sme::trace
