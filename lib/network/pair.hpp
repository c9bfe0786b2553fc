// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock_rate.hpp"
#include "base/source.hpp"

namespace sme {

/// Which bits of an element's values are known, cycle by cycle; all others are not compared.
struct KnownBits {
    std::uint64_t cycles = 0; // of the network; from here on nothing is known
    std::size_t bytes = 0;    // of a value
    ClockRate rate;
    /// [cycle of a clock of that rate], with as many bytes each, whose bits are 1 where the value's
    /// are known; empty: all of them are.
    std::vector<std::byte> bits;
};

/// Two implementations of one process that read the same buses; the second writes buses of its own.
struct Pair {
    std::string name;  // of the first
    std::string other; // what the second is: "module 'aes'"
    Location where;    // of the second
    /// Places in Graph::processes.
    struct Families {
        std::size_t begin = 0, end = 0;
        bool operator==(const Families&) const = default;
    };
    Families first, second;
    /// Elements of buses that both write.
    struct Outputs {
        std::uint64_t first;
        std::uint64_t second;
    };
    std::vector<Outputs> outputs;
    /// What is known of the second's values of each of these; empty: all is, in every cycle.
    std::vector<std::shared_ptr<const KnownBits>> known;
    /// What both read, to be shown with a difference; empty: what the first reads and does not
    /// write.
    std::vector<std::uint64_t> inputs;
};

} // namespace sme
