// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vcd/time.hpp"

namespace sme::vcd {

enum class Kind : std::uint8_t { bits, real, event, text };

/// A `$var`: a name for a signal. Several variables may name the same signal.
struct Variable {
    std::uint32_t scope;  // index in `Declarations::scopes`
    std::uint32_t signal; // index in `Declarations::signals`
    std::string name;     // without the range, without the backslash of an escaped name
    std::string range;    // "[7:0]", "[3]", or ""
};

/// The type of a signal's values.
struct Signal {
    Kind kind;
    std::uint32_t width_bits; // for bits
    bool no_width = false;    // declared with width 0, which is read as one bit
};

/// A `$scope`; scope 0 is the file itself and has no name.
struct Scope {
    std::uint32_t outer;
    std::string name;
};

/// A variable that the file marks as a clock, as our files do.
struct MarkedClock {
    std::uint32_t variable; // index in `Declarations::variables`
    std::string domain;     // "" for the network's clock
};

/// The declarations of a file, before its first value.
struct Declarations {
    std::optional<Femtoseconds> tick; // `nullopt` without a timescale
    std::vector<Scope> scopes;
    std::vector<Variable> variables;
    std::vector<Signal> signals;
    std::vector<MarkedClock> clocks;

    static constexpr std::uint32_t max_width = std::uint32_t{1} << 26;

    /// Returns the variable marked as the clock of a domain (or of the network, for ""), or null.
    const Variable* clock_of(const std::string& domain) const;
    /// Returns "top.core", or "" for the file itself.
    std::string path(std::uint32_t scope) const;
};

} // namespace sme::vcd
