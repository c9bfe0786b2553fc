// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/segments.hpp"
#include "sme/group.hpp"
#include "trace/collect/record_sink.hpp"

namespace sme::trace {

/// A traced scalar of a slot. Scalar k has the signal number of the slot's first signal + k.
struct TracedLeaf {
    static constexpr std::uint32_t always = 0;

    std::uint32_t offset;
    std::uint8_t bytes;      // per word: 1, 2, 4 or 8
    std::uint8_t width_bits; // of the highest word; all lower words have 64
    /// Offset of the byte that tells whether the scalar was written; `always` if it has no such
    /// byte.
    std::uint32_t presence = always;
    std::uint8_t words = 1;
};

/// Finds the changes on the traced buses from one cycle to the next, by comparison with a shadow
/// copy of their slots. Wires without values keep their previous values.
class ChangeFinder {
public:
    /// Adds slots of one layout, traced as `leaves` (in the order of offsets). Numbers their
    /// signals slot by slot from `first_signal`. `offsets`: their positions in the arena, or
    /// relative to `memory`, which must not move.
    void add(const std::vector<TracedLeaf>& leaves, std::size_t slot_bytes, const Segment& offsets,
             bool wire, std::uint32_t first_signal, const std::byte* memory = nullptr);
    /// Call after the last `add`.
    void prepare() { shadow_.resize(shadow_bytes_); }

    /// Reports every value as a change.
    void find_all(const Frame& frame, RecordSink& found);
    /// Reports the values that differ from those of the last call.
    void find(const Frame& frame, RecordSink& found);

    /// The slots as of the last call, for `values`.
    const std::vector<std::byte>& shadow() const { return shadow_; }
    /// Reports every value of a shadow copy; the values of wires only if they had any.
    void values(const std::vector<std::byte>& shadow, bool wires, RecordSink& found) const;

private:
    struct Layout {
        std::vector<TracedLeaf> leaves;
        std::vector<std::uint32_t>
            block_leaves; // index of the first leaf of each block of a slot, and the end
        std::size_t slot_bytes;
        bool words; // only leaves of one width, without gaps
        bool far;   // some leaves extend into other blocks with words or a presence byte
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
    /// Appends adjacent slots to a row, so that many families of one member cost no more than one
    /// family.
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
