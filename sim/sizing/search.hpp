// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sizing/schedule.hpp"

namespace sme::sizing {

/// What a network takes with some depths: computed, or run.
using Evaluate = std::function<Outcome(const Depths&)>;

/// A search for depths. More depth never makes a network of Kahn actors slower, and all that is
/// found rests on that.
class Search {
public:
    /// `price`: the bits of a place, by declaration. `go_on` may end a search before its time.
    Search(std::vector<std::uint64_t> price, Evaluate evaluate, std::function<bool()> go_on)
        : price_{std::move(price)}, evaluate_{std::move(evaluate)}, go_on_{std::move(go_on)} {}

    /// From depths that take no more than `most` cycles: locally minimal ones that do neither. One
    /// place less in any declaration and there are more cycles, or a deadlock.
    Depths reduced(const Depths& enough, std::uint64_t most);

    struct Least {
        Depths depths;
        bool proven = false; // no depths with fewer bits take no more than `most` cycles
    };
    /// The fewest bits in all; not proven when too many sets would have to be looked at. Looks at
    /// sets of depths in the order of their bits, the fewest first; from each that does not do, one
    /// of its critical declarations has to be deeper.
    Least least(const Depths& enough, std::uint64_t most);

    struct Point {
        std::uint64_t cycles;
        std::uint64_t bits;
        Depths depths;
    };
    /// From the fewest cycles and the most bits to the fewest bits: the next point has fewer bits.
    /// About so many points.
    std::vector<Point> front(const Depths& enough, std::size_t points);

    std::uint64_t bits(const Depths& depths) const;
    /// Calls of Evaluate so far.
    std::uint64_t evaluations() const { return evaluations_; }

private:
    bool does(const Depths& depths, std::uint64_t most);
    Outcome evaluate(const Depths& depths) {
        ++evaluations_;
        return evaluate_(depths);
    }
    Depths reduced(Depths depths, std::uint64_t most, const std::vector<std::size_t>& order);

    std::vector<std::uint64_t> price_;
    Evaluate evaluate_;
    std::function<bool()> go_on_;
    std::uint64_t evaluations_ = 0;
};

/// The place in a front from which more bits save few cycles, and fewer bits cost many: farthest
/// from the line between its ends.
std::size_t knee(const std::vector<Search::Point>& front);

} // namespace sme::sizing
