// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "native/ir/routine.hpp"

namespace sme::native {

// The order for whole cycles: wires, slots, memories, equal values, dead code, lasting effects,
// branches. Loads of wires must be forwarded before their stores become variables. Only lasting
// effects may be moved, so slots and memories become variables before that. No pass may follow
// branches.

/// Removes the values and the loops on which no effect depends.
void remove_dead_code(Routine& routine);

/// Computes equal values of the body once: operations, and loads of data that do not change.
/// Registers start at offset 0 of the arenas and end before `wires_begin`.
void share_values(Routine& routine, std::uint64_t wires_begin);

/// Replaces the load of a wire after its store with the stored value.
void forward_wires(Routine& routine, std::uint64_t wires_begin);

/// The variables of a function: C that declares them with their first values, and C that writes the
/// last ones back.
struct Variables {
    std::string before;
    std::string after;
    bool is_fit = true; // there are not too many, and each has one type
};

/// A set of byte ranges.
class Ranges {
public:
    void add(std::uint64_t begin, std::uint64_t end);
    bool contains(std::uint64_t at) const;

private:
    std::map<std::uint64_t, std::uint64_t> ranges_; // begin → end, disjoint
};

/// For a function that runs whole cycles: turns the scalars of slots into variables: all registers,
/// and wires that last from cycle to cycle. Removes stores into other wires. Scalars in `reached`
/// stay in the arenas. A load at an offset in `inputs` becomes the expression given there.
Variables slots_to_variables(Routine& routine, std::uint64_t wires_begin, const Ranges& reached,
                             const std::map<std::uint64_t, std::string>& inputs);

/// For a function that runs whole cycles: turns small memories whose words all have constant
/// addresses into variables. Words in `reached` stay in memory.
Variables memories_to_variables(Routine& routine, const std::vector<Words>& reached);

/// Moves the effects that last to the end, in their order.
void sink_lasting_effects(Routine& routine);

/// Moves values that only one arm of a select needs into a branch, if they are enough work to be
/// worth a jump. Selects, and lasting effects, with the same condition share a branch.
///
/// Call it after sink_lasting_effects.
void selects_to_branches(Routine& routine);

} // namespace sme::native
