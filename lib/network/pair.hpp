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

/// The bits of an element's values that are known in each cycle; unknown bits are not compared.
struct KnownBits {
    std::uint64_t cycles = 0; // network cycles; no bit is known from this cycle on
    std::size_t bytes = 0;    // of a value
    ClockRate rate;
    /// [cycle of a clock of that rate], each with `bytes` bytes, where a 1 marks a known bit;
    /// empty: all bits are known.
    std::vector<std::byte> bits;
};

/// Two implementations of one process that read the same buses; the second writes separate buses.
struct Pair {
    std::string name;  // of the first
    std::string other; // description of the second: "module 'aes'"
    Location where;    // of the second
    /// Positions in Graph::processes.
    struct Families {
        std::size_t begin = 0, end = 0;
        bool operator==(const Families&) const = default;
    };
    Families first, second;
    /// Elements of the buses that both write.
    struct Outputs {
        std::uint64_t first;
        std::uint64_t second;
    };
    std::vector<Outputs> outputs;
    /// The known bits of the second's values, for each element; empty: all bits are known in every
    /// cycle.
    std::vector<std::shared_ptr<const KnownBits>> known;
    /// The inputs of both, to be shown with a difference; empty: the buses that the first reads and
    /// does not write.
    std::vector<std::uint64_t> inputs;
};

} // namespace sme
