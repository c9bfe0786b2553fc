// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "sme/group.hpp"
#include "sme/type.hpp"

namespace sme::lockstep {

/// What random values have to fulfil.
struct RandomRules {
    /// A scalar, of at most 64 bits, lies in low … high, both included; as a value of its type.
    struct Range {
        std::uint64_t element; // of a bus
        std::uint32_t offset;  // of the scalar in the slot
        std::uint64_t low, high;
    };
    /// While `valid` is true and `ready` false, all of the element stays as it is.
    struct Handshake {
        std::uint64_t element;
        std::uint32_t valid; // its offset in the slot
        std::uint64_t ready; // an element of its own, written by the process
    };
    /// A condition on what is read in one cycle: a process with an input for each element and one
    /// output behind them, a bool that is no wire.
    struct Assumption {
        std::string text;
        Location where;
        std::vector<std::uint64_t> elements;
        std::vector<TypeRef> types; // of these
        std::shared_ptr<const GroupFactory> kind;
        unsigned parts = 1;
        bool needed = true; // it is a mistake when it is about no input
    };
    std::vector<Range> ranges;
    std::vector<Handshake> handshakes;
    std::vector<Assumption> assumptions;

    bool empty() const { return ranges.empty() && handshakes.empty() && assumptions.empty(); }
};

} // namespace sme::lockstep
