// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/observer.hpp"

namespace sme::coverage {

/// What the bits of the buses of a family, or of a state of all instances of a process, did.
struct ToggleCoverage {
    std::string name;
    std::uint64_t bits = 0; // of all elements
    std::uint64_t rose = 0; // how many of them did at least once
    std::uint64_t fell = 0;
    /// Some that did not: "node[3].value[7] never rose".
    std::vector<std::string> missing;
};

/// Which members an enumeration took, in one place of a family's type, over all its elements.
struct StateCoverage {
    std::string name;                   // "lights.main"
    const Type* type;                   // the network's
    std::vector<std::uint64_t> entered; // of each member: how often, the first value counts
    /// (from, to): members by number, how often.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> transitions;
};

/// An observer that finds out what buses and private states do. Values that nobody wrote (of an
/// `error` bus, of a wire without a value) are no values: the next one is compared with the last.
class ToggleObserver final : public Observer {
public:
    void open(const Observed& observed) override;
    void step(unsigned part, Range range, const Frame& frame) override;
    void close(std::uint64_t cycles) override;

    /// Between `open` and the first step, or between steps.
    void state(Archive& archive) override;

    /// After `close`, in the order of the network's buses.
    const std::vector<ToggleCoverage>& toggles() const { return toggles_; }
    const std::vector<StateCoverage>& states() const { return states_; }

private:
    /// A scalar of a slot.
    struct Scalar {
        std::string path;
        std::uint32_t offset;
        unsigned bytes;
        unsigned width_bits;     // of the highest word
        unsigned words;          // of 64 bits, when it is wide
        std::uint32_t presence;  // offset of the first byte that says whether it was written; or 0
        const Type* enumeration; // null: none
        std::size_t state;       // which of `states_`
    };
    /// Slots of a family that lie at even distances.
    struct Row {
        std::size_t family;
        std::size_t offset; // in the arena
        std::int64_t stride;
        std::uint64_t first, count; // places in the family
        std::size_t slot_bytes;
        std::size_t own;     // in `last_`, `rose_` and `fell_`
        std::size_t members; // in `members_`
        bool wire;
        bool may_be_unwritten;
    };
    struct Family {
        std::string name;
        std::vector<Scalar> scalars;
        std::size_t enumerations = 0; // how many of the scalars
    };

    void add(std::size_t number, const BusFamily& bus, const Segments& slots);
    void look(const Row& row, const std::byte* read, bool first);
    void look_at_slot(const std::byte* now, std::size_t own, std::size_t bytes, bool first);
    void look_at_unwritten(const Row& row, const std::byte* now, std::size_t own, bool first);
    void look_at_members(const Row& row, const std::byte* slot, std::uint64_t place);
    bool are_members(const std::vector<std::uint32_t>& members) const;
    void sum(const Row& row, ToggleCoverage& into, const BusFamily& bus) const;

    const Graph* graph_ = nullptr;
    std::vector<Family> families_;
    std::vector<Row> rows_;
    std::vector<std::byte> last_, rose_, fell_;
    std::vector<std::uint32_t> members_; // the last member of each enumeration, or none
    std::vector<std::byte> slot_;        // with what was not written as it was
    std::vector<ToggleCoverage> toggles_;
    std::vector<StateCoverage> states_;
    bool any_ = false;
};

} // namespace sme::coverage
