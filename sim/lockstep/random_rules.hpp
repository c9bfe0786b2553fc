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

/// Constraints on random values.
struct RandomRules {
    /// A scalar of at most 64 bits is in low … high, inclusive, as a value of its type.
    struct Range {
        std::uint64_t element; // of a bus
        std::uint32_t offset;  // of the scalar in the slot
        std::uint64_t low, high;
    };
    /// While `valid` is true and `ready` false, the whole element keeps its value.
    struct Handshake {
        std::uint64_t element;
        std::uint32_t valid; // its offset in the slot
        std::uint64_t ready; // a separate element, written by the process
    };
    /// A condition on the values that one cycle reads: a process with an input for each element,
    /// followed by one output, a registered bool.
    struct Assumption {
        std::string text;
        Location where;
        std::vector<std::uint64_t> elements;
        std::vector<TypeRef> types; // of the elements
        std::shared_ptr<const GroupFactory> kind;
        unsigned parts = 1;
        bool needed = true; // an error if it concerns no input
    };
    std::vector<Range> ranges;
    std::vector<Handshake> handshakes;
    std::vector<Assumption> assumptions;

    bool empty() const { return ranges.empty() && handshakes.empty() && assumptions.empty(); }
};

} // namespace sme::lockstep
