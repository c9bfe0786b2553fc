// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "coverage/lcov.hpp"
#include "runtime/observer.hpp"

namespace sme::coverage {

/// The toggles of the bits of a family of buses, or of a state of all instances of a process.
struct ToggleCoverage {
    std::string name;
    std::uint64_t bits = 0; // of all elements
    std::uint64_t rose = 0; // number of bits that rose at least once
    std::uint64_t fell = 0;
    /// Some bits that did not: "node[3].value[7] never rose".
    std::vector<std::string> missing;
};

/// The members that an enumeration took, at one position of a family's type, over all its elements.
struct StateCoverage {
    std::string name;                   // "lights.main"
    const Type* type;                   // owned by the network
    std::vector<std::uint64_t> entered; // by member: number of entries, including the first value
    /// By member numbers (from, to): number of transitions.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> transitions;
};

/// Observes the toggles of buses and private states. Ignores cycles without a value (an unwritten
/// `error` bus, a wire without a value): compares the next value with the last one.
class ToggleObserver final : public Observer {
public:
    void open(const Observed& observed) override;
    void step(unsigned part, Range range, const Frame& frame) override;
    void close(std::uint64_t cycles) override;

    /// Call between `open` and the first step, or between steps.
    void state(Archive& archive) override;

    /// Valid after `close`, in the order of the network's buses.
    const std::vector<ToggleCoverage>& toggles() const { return toggles_; }
    const std::vector<StateCoverage>& states() const { return states_; }

private:
    /// A scalar of a slot.
    struct Scalar {
        std::string path;
        std::uint32_t offset;
        unsigned bytes;
        unsigned width_bits;     // of the highest word
        unsigned words;          // number of 64-bit words, for a wide scalar
        std::uint32_t presence;  // offset of the first byte that tells whether it was written; or 0
        const Type* enumeration; // null if not an enumeration
        std::size_t state;       // index in `states_`
    };
    /// Equidistant slots of a family.
    struct Row {
        std::size_t family;
        std::size_t offset; // in the arena
        std::int64_t stride;
        std::uint64_t first, count; // indices in the family
        std::size_t slot_bytes;
        std::size_t own = 0; // in `last_`, `rose_` and `fell_`
        std::size_t members; // in `members_`
        bool wire;
        bool may_be_unwritten;

        std::size_t bytes() const { return count * slot_bytes; }
    };
    /// Bytes of the arena that are compared together: slots of several rows, and what lies between.
    struct Span {
        std::size_t offset, own, bytes;
        bool wire;
    };
    struct Family {
        std::string name;
        std::vector<Scalar> scalars;
        std::size_t enumerations = 0; // number of enumerations among the scalars
    };

    void add(std::size_t number, const BusFamily& bus, const Segments& slots);
    bool is_plain(const Row& row) const;
    void arrange();
    std::vector<std::byte> in_order(const std::vector<std::byte>& bytes) const;
    void look(const Row& row, const std::byte* read, bool first);
    void look_at_slot(const std::byte* now, std::size_t own, std::size_t bytes, bool first);
    void look_at_unwritten(const Row& row, const std::byte* now, std::size_t own, bool first);
    void look_at_members(const Row& row, const std::byte* slot, std::uint64_t place);
    bool are_members(const std::vector<std::uint32_t>& members) const;
    void sum(const Row& row, ToggleCoverage& into, const BusFamily& bus) const;

    const Graph* graph_ = nullptr;
    std::vector<Family> families_;
    std::vector<Row> rows_; // in the order of the buses
    std::vector<Span> spans_;
    std::vector<std::size_t> slots_; // the rows that are compared slot by slot
    std::vector<std::byte> last_, rose_, fell_;
    std::vector<std::uint32_t> members_; // the last member of each enumeration, or `no_member`
    std::vector<std::byte> slot_;        // a slot with previous values for unwritten scalars
    std::vector<ToggleCoverage> toggles_;
    std::vector<StateCoverage> states_;
    bool any_ = false;
};

} // namespace sme::coverage
