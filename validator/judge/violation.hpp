// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/observer.hpp"

namespace sme::validator {

/// Detects writes to memory that is mapped read-only. Lets the write proceed, and records it for
/// the thread that wrote.
///
/// While a guard exists, its SIGSEGV handler takes faults at these addresses and forwards others to
/// the previous handler.
class Guard {
public:
    /// Throws std::runtime_error if too many guards exist at a time (more than 16).
    explicit Guard(const std::array<Audited::Memory, 2>& memories);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

    /// Returns the arena offset of the first byte that this thread wrote illegally since the last
    /// call.
    std::optional<std::size_t> take() const;

private:
    std::size_t place_;
};

/// The invariants of every cycle of every run.
enum class Invariant : std::uint8_t {
    ran_once,       ///< every part of every process runs exactly once
    read_constant,  ///< the value does not change while processes run
    read_matches,   ///< the value read is the last one written
    prepared,       ///< a step prepares or writes every field of its outputs
    unwritten_rule, ///< an unwritten field follows the rule of its bus
    canonical,      ///< unused bits of a value are zero, or its sign
    one_writer,     ///< only its writer changes the next value of a bus
    delay,          ///< a written value is visible after exactly the delay of the bus
    wire_order,     ///< a wire is written before it is read
    wire_settled,   ///< a wire has one value in a cycle
    same_for_all,   ///< all readers of a bus read the same slot, and no other bus uses it
    initial,        ///< the first value read is the initial value
};
inline constexpr std::array<std::string_view, 12> invariant_names{
    "ran-once",   "read-constant", "read-matches", "prepared",     "unwritten-rule", "canonical",
    "one-writer", "delay",         "wire-order",   "wire-settled", "same-for-all",   "initial"};

inline std::string_view name_of(Invariant invariant) {
    return invariant_names[static_cast<std::size_t>(invariant)];
}

/// A violation of an invariant.
struct Violation {
    Invariant invariant;
    std::uint64_t cycle;
    std::string process; // empty: unknown
    std::string bus;     // empty: no bus
    std::string text;    // a sentence with both, without the cycle
};

/// Returns "in cycle 3, process 'node[2]': it runs twice".
std::string sentence(const Violation& violation);

} // namespace sme::validator
