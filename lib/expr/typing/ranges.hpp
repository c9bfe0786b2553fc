// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "expr/typing/elaborator.hpp"
#include "expr/typing/loop_frame.hpp"

namespace sme::expr {

/// Returns the ranges in the brackets of a target, in order.
std::vector<RangeText> ranges_in(const Ast& target);

/// Indices over ranges known before the run; the last index runs fastest.
class Unrolled {
public:
    /// Evaluates the bounds of the ranges. Reports an invalid range, a range without an index, and
    /// more than `most` members in total.
    static std::optional<Unrolled> of(const std::vector<RangeText>& ranges, Elaborator& elaborator,
                                      Integer most = Elaborator::max_leaves);

    std::uint64_t total() const;
    /// The same ranges, for a loop.
    std::vector<LoopIndex> indices() const;
    const std::vector<std::uint64_t>& counts() const { return counts_; }

    /// Calls visit() for each combination, with the indices bound, until it returns false.
    template <class Visit> bool for_each(Elaborator& elaborator, Visit visit) const {
        bool going = true;
        for (std::uint64_t step = 0; step < total() && going; ++step) {
            bind(elaborator, step);
            going = visit();
        }
        unbind(elaborator);
        return going;
    }

private:
    void bind(Elaborator& elaborator, std::uint64_t step) const;
    void unbind(Elaborator& elaborator) const;

    std::vector<std::string> names_;
    std::vector<Integer> lows_;
    std::vector<std::uint64_t> counts_;
};

} // namespace sme::expr
