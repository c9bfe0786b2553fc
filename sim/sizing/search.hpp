// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sizing/schedule.hpp"

namespace sme::sizing {

/// The outcome of a network with given depths: computed, or from a run.
using Evaluate = std::function<Outcome(const Depths&)>;

/// A search for depths. It relies on one fact: more depth never makes a network of Kahn actors
/// slower.
class Search {
public:
    /// `price`: the bits of a place, by declaration. `go_on` may end a search early.
    Search(std::vector<std::uint64_t> price, Evaluate evaluate, std::function<bool()> go_on)
        : price_{std::move(price)}, evaluate_{std::move(evaluate)}, go_on_{std::move(go_on)} {}

    /// Reduces depths that take no more than `most` cycles to locally minimal ones within the same
    /// limit: with one place less in any declaration, the limit is exceeded or there is a deadlock.
    Depths reduced(const Depths& enough, std::uint64_t most);

    struct Least {
        Depths depths;
        bool proven = false; // no depths with fewer bits take no more than `most` cycles
    };
    /// Finds the fewest bits in total; not proven if too many sets would have to be examined.
    /// Examines sets of depths by ascending bits; from each set that fails, one of its critical
    /// declarations must be deeper.
    Least least(const Depths& enough, std::uint64_t most);

    struct Point {
        std::uint64_t cycles;
        std::uint64_t bits;
        Depths depths;
    };
    /// The front from the fewest cycles and the most bits to the fewest bits: each point has fewer
    /// bits than the previous one. Has about `points` points.
    std::vector<Point> front(const Depths& enough, std::size_t points);

    std::uint64_t bits(const Depths& depths) const;
    /// The number of calls of Evaluate so far.
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

/// The point of a front beyond which more bits save few cycles, and fewer bits cost many: the one
/// farthest from the line between its ends.
std::size_t knee(const std::vector<Search::Point>& front);

} // namespace sme::sizing
