// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "native/ir/routine.hpp"

namespace sme::native {

// The order for whole cycles: wires, slots, memories, equal values, dead code, lasting effects,
// branches. Loads of wires must be forwarded before their stores become variables; only lasting
// effects may be moved, so what becomes variables comes before; nothing comes behind branches.

/// Takes out the values, and the loops, that no effect depends on.
void remove_dead_code(Routine& routine);

/// Computes equal values of the body once: operations, and loads of what does not change.
/// Registers start at offset 0 of the arenas and end before `wires_begin`.
void share_values(Routine& routine, std::uint64_t wires_begin);

/// A wire that is read behind its store is the value that was stored.
void forward_wires(Routine& routine, std::uint64_t wires_begin);

/// Variables that live while the function runs: C that declares them with their first values, and
/// C that writes the last ones back.
struct Variables {
    std::string before;
    std::string after;
    bool is_fit = true; // there are not too many, and each has one type
};

/// Ranges of bytes.
class Ranges {
public:
    void add(std::uint64_t begin, std::uint64_t end);
    bool contains(std::uint64_t at) const;

private:
    std::map<std::uint64_t, std::uint64_t> ranges_; // begin → end, apart
};

/// Of a function that runs whole cycles: makes the scalars of slots variables, registers all, and
/// wires where they last from cycle to cycle; other stores into wires go. What lies in `reached`
/// stays in the arenas. A load at an offset in `inputs` is the expression given there.
Variables slots_to_variables(Routine& routine, std::uint64_t wires_begin, const Ranges& reached,
                             const std::map<std::uint64_t, std::string>& inputs);

/// Of a function that runs whole cycles: makes small memories variables whose words are all
/// accessed by constants. What is in `reached` stays in memory.
Variables memories_to_variables(Routine& routine, const std::vector<Words>& reached);

/// Moves the effects that last behind all else, in their order.
void sink_lasting_effects(Routine& routine);

/// Makes a branch of what is only needed when a select goes one way, where that is enough work to
/// be worth a jump. Selects, and lasting effects, by the same condition share a branch.
///
/// Behind sink_lasting_effects.
void selects_to_branches(Routine& routine);

} // namespace sme::native
