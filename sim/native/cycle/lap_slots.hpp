// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "native/emit/statement.hpp"
#include "network/graph.hpp"

namespace sme::native {

/// Where the scalars of slots stand in a function that runs many cycles: registers in variables
/// that live as long as it runs, or in the arenas, where something else reaches them; wires in the
/// variable that was written last.
class LapSlots {
public:
    LapSlots(std::uint64_t wires_begin, Names& names) : wires_begin_{wires_begin}, names_{names} {}

    /// A scalar of a slot.
    struct Scalar {
        std::uint32_t offset;
        CType type;
        std::string path; // ".a[2]"
        bool is_mark;
    };
    /// All that lie in the slots of a family of buses.
    static std::vector<Scalar> scalars_of(const BusFamily& bus);

    /// What is read here is this expression in every cycle; not for what lies in memory.
    void stand_for(std::uint64_t at, std::string expression) { fed_[at] = std::move(expression); }

    /// Something else reaches these bytes, in memory. Before anything is read or written.
    void reach(std::uint64_t begin, std::uint64_t end);
    bool in_memory(std::uint64_t at) const;
    bool is_wire(std::uint64_t at) const { return at >= wires_begin_; }

    /// The value that is read in this cycle.
    std::string read(std::uint64_t at, CType type, const std::string& name);
    /// Where a value is to be put: in memory at once, else behind all values of the cycle.
    struct Target {
        std::string lvalue;
        std::uint64_t at;
        bool in_memory;
    };
    Target write(std::uint64_t at, CType type, const std::string& name);
    /// What a wire carries in this cycle; empty: not known.
    std::string known(std::uint64_t at) const;
    void put_on_wire(std::uint64_t at, const std::string& value) {
        if (is_wire(at))
            wires_[at] = value;
    }

    /// Whether a wire is read before it is written, so that it lasts from cycle to cycle.
    bool is_carried(std::uint64_t at) const;
    bool is_fit() const { return fit_ && variables_.size() <= most_variables; }
    bool uses_memory() const { return uses_memory_; }
    /// The declarations, and what is written back to the arena behind the last cycle.
    std::string before() const;
    std::string after() const;

private:
    static constexpr std::size_t most_variables = 600; // a compiler takes long for more

    struct Variable {
        std::string name;
        CType type;
        bool written = false;
        bool read = false;
    };
    Variable& variable(std::uint64_t at, CType type, const std::string& name);
    bool lasts(std::uint64_t at, const Variable& variable) const {
        return !is_wire(at) || variable.read;
    }

    std::uint64_t wires_begin_;
    Names& names_;
    std::map<std::uint64_t, std::uint64_t> reached_; // begin → end, apart
    std::map<std::uint64_t, Variable> variables_;    // by offset
    std::map<std::uint64_t, std::string> wires_;
    std::map<std::uint64_t, std::string> fed_;
    bool uses_memory_ = false;
    bool fit_ = true;
};

} // namespace sme::native
