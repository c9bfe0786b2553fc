// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "expr/calls/loop_frame.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

/// The ranges in the brackets of a target, in their order.
std::vector<RangeText> ranges_in(const Ast& target);

/// Indices that run over ranges known before the run: the last one fastest.
class Unrolled {
public:
    /// Evaluates the ends of the ranges; reports what is none, and more than `most` members
    /// together. A range without an index is refused.
    static std::optional<Unrolled> of(const std::vector<RangeText>& ranges, Elaborator& elaborator,
                                      Integer most = Elaborator::max_leaves);

    std::uint64_t total() const;
    /// The same ranges, for a loop.
    std::vector<LoopIndex> indices() const;
    const std::vector<std::uint64_t>& counts() const { return counts_; }

    /// Calls visit() for each combination, with the indices bound, while it returns true.
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
