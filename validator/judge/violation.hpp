// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sme::validator {

/// What holds in every cycle of every run.
enum class Invariant : std::uint8_t {
    ran_once,       ///< every part of every process runs exactly once
    read_constant,  ///< what is read does not change while processes run
    read_matches,   ///< what is read is what was written last
    prepared,       ///< a step prepares or writes every field of its outputs
    unwritten_rule, ///< a field that nobody wrote follows the rule of its bus
    canonical,      ///< unused bits of a value are zero, or its sign
    one_writer,     ///< nobody but its writer changes what a bus is to become
    delay,          ///< what is written comes after exactly the cycles of the bus's delay
    wire_order,     ///< a wire is written before it is read
    wire_settled,   ///< a wire has one value in a cycle
    same_for_all,   ///< all readers of a bus read the same slot, which is no other bus's
    initial,        ///< what is read first is the initial value
};
inline constexpr std::array<std::string_view, 12> invariant_names{
    "ran-once",   "read-constant", "read-matches", "prepared",     "unwritten-rule", "canonical",
    "one-writer", "delay",         "wire-order",   "wire-settled", "same-for-all",   "initial"};

inline std::string_view name_of(Invariant invariant) {
    return invariant_names[static_cast<std::size_t>(invariant)];
}

/// A place where an invariant did not hold.
struct Violation {
    Invariant invariant;
    std::uint64_t cycle;
    std::string process; // empty: not known
    std::string bus;     // empty: none
    std::string text;    // a sentence with both, without the cycle
};

/// "in cycle 3, process 'node[2]': it runs twice"
std::string sentence(const Violation& violation);

} // namespace sme::validator
