// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interpret/block/evaluator.hpp"
#include "sme/group.hpp"

namespace sme::interpret {

/// A summary of one bool result over a range of cycles: whether it must equal `wanted` in each of
/// them, in how many it was true, and after which cycle it was last true.
struct Guard {
    std::uint64_t active = 0;
    std::uint64_t wanted = 0;
    std::uint64_t held = 0; // if counted
    std::uint64_t last = 0; // if dated; 0: never true
};

/// An observer that evaluates the results of a program in each cycle: checks, a recording.
class ResultsGroup : public Group {
public:
    virtual const expr::Program& program() const = 0;
    virtual const SlotMap& places() const = 0;
    /// The evaluator of the program's only part.
    virtual Evaluator& evaluator() = 0;

    /// The results that determine whether a cycle needs `step`, with one guard each.
    struct Guarded {
        std::uint32_t result;
        bool counted = false;
        bool dated = false;
    };
    virtual std::vector<Guarded> guarded() const = 0;
    /// For how many cycles from this one on the observer only counts and remembers, while every
    /// active guard sees the wanted value; 0: this cycle needs `step`.
    virtual std::uint64_t guard(std::uint64_t cycle, Guard* guards) const = 0;
    /// Records `cycles` such cycles, which `guards` summarise.
    virtual void skip(std::uint64_t cycle, std::uint64_t cycles, const Guard* guards) = 0;
};

} // namespace sme::interpret
