// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vcd/time.hpp"

namespace sme::vcd {

enum class Kind : std::uint8_t { bits, real, event, text };

/// A `$var`: a name for a signal. Several may be names of one.
struct Variable {
    std::uint32_t scope;  // in `Declarations::scopes`
    std::uint32_t signal; // in `Declarations::signals`
    std::string name;     // without the range, without the backslash of an escaped name
    std::string range;    // "[7:0]", "[3]", or ""
};

/// What values a signal has.
struct Signal {
    Kind kind;
    std::uint32_t width_bits; // of bits
    bool no_width = false;    // declared with width 0, which is read as one bit
};

/// A `$scope`; scope 0 is the file itself and has no name.
struct Scope {
    std::uint32_t outer;
    std::string name;
};

/// A variable that the file marks as a clock, as ours do.
struct MarkedClock {
    std::uint32_t variable; // in `Declarations::variables`
    std::string domain;     // "" for the network's
};

/// What a file says before its first value.
struct Declarations {
    std::optional<Femtoseconds> tick; // nothing when the file has no timescale
    std::vector<Scope> scopes;
    std::vector<Variable> variables;
    std::vector<Signal> signals;
    std::vector<MarkedClock> clocks;

    static constexpr std::uint32_t max_width = std::uint32_t{1} << 26;

    /// The variable that is marked as the clock of a domain or, "", of the network; else null.
    const Variable* clock_of(const std::string& domain) const;
    /// "top.core", or "" for the file itself.
    std::string path(std::uint32_t scope) const;
};

} // namespace sme::vcd
