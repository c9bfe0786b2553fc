// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interpret/block/evaluator.hpp"
#include "sme/group.hpp"

namespace sme::interpret {

/// Of a stretch of cycles: whether a result, which is a bool, has to be `wanted` in each of them,
/// in how many it was true, and behind which cycle it was true for the last time.
struct Guard {
    std::uint64_t active = 0;
    std::uint64_t wanted = 0;
    std::uint64_t held = 0; // of those that are counted
    std::uint64_t last = 0; // of those that are dated; 0: it was not
};

/// An observer that looks at the results of a program in each cycle: checks, a recording.
class ResultsGroup : public Group {
public:
    virtual const expr::Program& program() const = 0;
    virtual const SlotMap& places() const = 0;
    /// Of the program's only part.
    virtual Evaluator& evaluator() = 0;

    /// The results that say whether a cycle leaves something to be done here, a guard for each.
    struct Guarded {
        std::uint32_t result;
        bool counted = false;
        bool dated = false;
    };
    virtual std::vector<Guarded> guarded() const = 0;
    /// For how many cycles from this one on nothing is to be done but to count and to remember, as
    /// long as every active guard sees what it wants; 0: there is something in this cycle.
    virtual std::uint64_t guard(std::uint64_t cycle, Guard* guards) const = 0;
    /// So many of these cycles went by, and `guards` saw them.
    virtual void skip(std::uint64_t cycle, std::uint64_t cycles, const Guard* guards) = 0;
};

} // namespace sme::interpret
