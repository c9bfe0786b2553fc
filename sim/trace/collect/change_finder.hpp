// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "network/build.hpp"
#include "network/graph.hpp"
#include "network/segments.hpp"
#include "runtime/observer.hpp"
#include "sme/internal/group.hpp"
#include "trace/collect/chunk_ring.hpp"
#include "trace/collect/memories.hpp"
#include "trace/collect/selection.hpp"

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
/// copy of their slots. After the last cycle, wires keep their previous values; in the cycle of a
/// fault, those that it keeps from being computed have none.
class ChangeFinder {
public:
    /// Adds slots of one layout, traced as `leaves` (in the order of offsets). Numbers their
    /// signals slot by slot from `first_signal`. `offsets`: their positions in the arena, or
    /// relative to `memory`, which must not move.
    /// `wires`: the bus element of the first slot, if it is a wire; the others follow it.
    void add(const std::vector<TracedLeaf>& leaves, std::size_t slot_bytes, const Segment& offsets,
             std::optional<std::uint64_t> wires, std::uint32_t first_signal,
             const std::byte* memory = nullptr);
    /// Must outlive the finder; null: no fault keeps only some wires from being computed.
    void set_missing(const MissingWires* missing) { missing_ = missing; }
    /// Records that slots of these elements of the network were added.
    void add_elements(Range elements) { elements_.push_back(elements); }
    const std::vector<Range>& elements() const { return elements_; }
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
        std::optional<std::uint64_t> wires; // their first bus element
    };
    static Layout layout_of(const std::vector<TracedLeaf>& leaves, std::size_t slot_bytes);
    /// Appends adjacent slots to a row, so that many families of one member cost no more than one
    /// family.
    bool extend(Row& row, const Row& next) const;
    bool has_value(const Row& row, std::uint64_t slot, const Frame& frame) const {
        return !row.wires || frame.wires_settled ||
               (missing_ && missing_->computed(*row.wires + slot, false));
    }
    void find_computed(const Row& row, const Frame& frame, RecordSink& found);
    static void find_words(const TracedLeaf& leaf, const std::byte* now, std::byte* before,
                           std::uint64_t count, std::uint32_t signal, RecordSink& found);
    static void find_in_slots(const Layout& layout, const std::byte* now, std::byte* before,
                              std::uint64_t count, std::uint32_t signal, RecordSink& found);
    static void find_in_slot(const Layout& layout, const std::byte* now, const std::byte* before,
                             std::uint32_t signal, RecordSink& found);

    std::vector<Layout> layouts_;
    std::vector<Row> rows_;
    std::vector<Range> elements_;
    std::size_t shadow_bytes_ = 0;
    std::vector<std::byte> shadow_;
    const MissingWires* missing_ = nullptr;
};

/// The traced parts of a network.
struct Traced {
    Selection selection;
    bool state;                          // trace private states, too
    std::vector<TracedWords> words = {}; // traced memories and lets

    bool may_take(const BusFamily& bus) const { return state || !bus.state || bus.traced; }

    /// Families have numbers: first the buses in the order of the network, then memories and lets,
    /// which are always traced completely.
    std::size_t families(const Graph& graph) const { return graph.buses.size() + words.size(); }
    bool is_chosen(const Graph& graph, std::size_t number) const {
        return number >= graph.buses.size();
    }
    const BusFamily& family(const Graph& graph, std::size_t number) const {
        return is_chosen(graph, number) ? words[number - graph.buses.size()].words
                                        : graph.buses[number];
    }
    bool may_take(const Graph& graph, std::size_t number) const {
        return is_chosen(graph, number) || may_take(graph.buses[number]);
    }
    /// The selection that applies to a family.
    const Selection& selection_of(const Graph& graph, std::size_t number) const {
        static const Selection all{""};
        return is_chosen(graph, number) ? all : selection;
    }
};

/// True if the bus is the clock inside a module. Signals inside a module are wires, but the clock
/// has no value within a cycle; a trace shows the clock of the run instead.
inline bool is_inside_clock(const BusFamily& bus) {
    return bus.traced && !bus.wire();
}

/// Selects the traced scalars of the elements of one family, and gives the finder the positions of
/// their values. Every selected scalar of an element is a signal.
class FamilySignals {
public:
    /// Takes the family with this number.
    FamilySignals(const Traced& traced, std::size_t number, const Observed& observed,
                  ChangeFinder& finder);

    FamilySignals(const FamilySignals&) = delete;
    FamilySignals& operator=(const FamilySignals&) = delete;

    const std::vector<Leaf>& scalars() const { return scalars_; }
    /// The name of an element, in the network and in selections; the names of its `scalars`
    /// continue it.
    std::string name(std::uint64_t element) const {
        return bus_.shape.element_name(bus_.name, element);
    }

    /// Called for each element with traced scalars, in order, with their numbers.
    using Declare =
        std::function<void(std::uint64_t element, const std::vector<std::uint32_t>& scalars)>;

    /// Takes `count` elements from `first`. Numbers their signals from `signal`, and returns the
    /// next free number.
    std::uint32_t take(std::uint64_t first, std::uint64_t count, const Selection& selection,
                       std::uint32_t signal, const Declare& declare);

private:
    std::vector<std::uint32_t> chosen_of(std::uint64_t element, const Selection& selection) const;
    void add_run(std::uint64_t first, std::uint64_t count,
                 const std::vector<std::uint32_t>& scalars, std::uint32_t signal);
    std::vector<TracedLeaf> leaves_of(const std::vector<std::uint32_t>& scalars) const;

    const BusFamily& bus_;
    PlacedWords words_; // for a memory
    const Segments& slots_;
    ChangeFinder& finder_;
    const std::vector<Leaf> scalars_;
};

} // namespace sme::trace
