// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "network/graph.hpp"
#include "network/segments.hpp"

namespace sme {

/// Returns the bytes of a slot: the value and, if the bus has marks, a byte for each leaf that
/// tells whether it was written; rounded up to the alignment of the type.
std::size_t slot_size(const BusFamily& bus);

/// The location of a port's slots: position → offset in the arenas, position → bus element.
struct PortSlots {
    Segments offsets;
    Segments buses;
};

/// The words of a memory of a family: the instance at position p has words [p · words, …).
struct MemorySlots {
    std::byte* words = nullptr;
    std::uint64_t words_each = 0;
    TypeRef element;
};

/// The wires that a fault keeps from being computed in a cycle, as ranges of bus elements,
/// ascending.
struct MissingWires {
    bool others_computed = false; // only in that cycle; in all others, see `settled`
    std::vector<Range> ranges = {};

    /// True if a wire has its value; `settled` is that of the frame.
    bool computed(std::uint64_t element, bool settled) const;
};

/// The data from which a group is built, provided by the engine's layout. It lives only while
/// groups are built; the memories it points to live as long as the simulator.
class Build {
public:
    const Graph& graph;
    const ProcessFamily& family;
    const Segments& order; // position → instance in source order
    std::vector<PortSlots> ports;
    std::vector<MemorySlots> memories;
    std::vector<MemorySlots> looks_at; // offset to the observed instance
    std::uint64_t seed = 0;
    /// True for the instances, in source order, that this simulator steps; null: it steps all.
    std::function<bool(std::uint64_t instance)> is_here = {};
    const MissingWires* missing = nullptr; // for observers; null: after a fault no wire has a value

    const BusFamily& bus_at(std::uint32_t port, std::uint64_t position) const {
        return graph.family_of(static_cast<std::uint64_t>(ports[port].buses.at(position)));
    }
};

/// Returns a factory that constructs groups of a class from these arguments and a `Build`.
template <class Made, class... Arguments>
std::shared_ptr<const GroupFactory> factory_of(Arguments... arguments) {
    return std::make_shared<const GroupFactory>(
        [arguments...](const Build& build) { return std::make_unique<Made>(arguments..., build); });
}

/// Initialises the output slots of ranges of a group, the first duty of its step: zero, or for
/// `hold` the current value.
class Outputs {
public:
    explicit Outputs(const Build& build);

    /// Initialises the slots that `part` writes for a range.
    void prepare(unsigned part, Range range, const Frame& frame) const;

private:
    /// Consecutive positions with consecutive slots.
    struct Run {
        std::uint64_t first;
        std::uint64_t count;
        std::uint64_t offset;
        std::uint32_t slot_bytes;
        bool hold;
        std::uint32_t value_bytes; // bytes before the marks; the slot's size without marks
        std::uint64_t end() const { return first + count; }
    };
    using PortRuns = std::vector<Run>; // ordered by position

    static PortRuns runs_of(const Build& build, std::uint32_t port);
    static void append(const Run& run, PortRuns& runs);

    std::vector<std::vector<PortRuns>> parts_;
};

} // namespace sme
