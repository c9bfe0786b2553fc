// SPDX-License-Identifier: Apache-2.0
#include "expr/typing/ranges.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::expr {

namespace {

void add_ranges(const Ast& target, std::vector<RangeText>& ranges) {
    if (target.kind == Ast::Kind::range) {
        ranges.push_back({target.where, target.operands.size() > 1 ? target.operands[1] : nullptr,
                          target.text, target.operands[0]});
        return;
    }
    const bool inside = target.kind == Ast::Kind::index || target.kind == Ast::Kind::slice ||
                        target.kind == Ast::Kind::field;
    for (std::size_t k = 0; inside && k < target.operands.size(); ++k)
        if (k == 0 || target.operands[k]->kind == Ast::Kind::range)
            add_ranges(*target.operands[k], ranges);
}

} // namespace

std::vector<RangeText> ranges_in(const Ast& target) {
    std::vector<RangeText> ranges;
    add_ranges(target, ranges);
    return ranges;
}

std::optional<Unrolled> Unrolled::of(const std::vector<RangeText>& ranges, Elaborator& elaborator,
                                     Integer most) {
    const auto refuse = [&](Code code, const Location& where, std::string message) {
        elaborator.fail(code, where, std::move(message));
        return std::nullopt;
    };
    Unrolled result;
    Integer total = 1;
    for (const RangeText& range : ranges) {
        if (range.index.empty())
            return refuse(Code::bad_range, range.where, "a range here is written 'k < n'");
        if (elaborator.is_known(range.index) ||
            std::count(result.names_.begin(), result.names_.end(), range.index) > 0)
            return refuse(
                Code::duplicate_name, range.where,
                fmt::format("'{}' is already the name of something, and an index hides nothing",
                            range.index));
        const auto low = range.low ? elaborator.constant(*range.low, "the low end of a range")
                                   : std::optional<Integer>{0};
        const auto end = elaborator.constant(*range.end, "the end of a range");
        if (!low || !end)
            return std::nullopt;
        if (*end < *low || *low < -most || *end > most || (total *= *end - *low) > most)
            return refuse(
                Code::bad_range, range.where,
                *end < *low ? fmt::format("the range ends at {}, but begins at {}", to_string(*end),
                                          to_string(*low))
                            : fmt::format("a range here has at most {} members", to_string(most)));
        result.names_.push_back(range.index);
        result.lows_.push_back(*low);
        result.counts_.push_back(static_cast<std::uint64_t>(*end - *low));
    }
    return result;
}

std::vector<LoopIndex> Unrolled::indices() const {
    std::vector<LoopIndex> result;
    for (std::size_t d = 0; d < counts_.size(); ++d)
        result.push_back({names_[d], lows_[d], counts_[d]});
    return result;
}

std::uint64_t Unrolled::total() const {
    std::uint64_t product = 1;
    for (const std::uint64_t count : counts_)
        product *= count;
    return product;
}

void Unrolled::bind(Elaborator& elaborator, std::uint64_t step) const {
    for (std::size_t d = counts_.size(); d-- > 0;) {
        elaborator.bind(names_[d],
                        BoundExpr::step(lows_[d] + static_cast<Integer>(step % counts_[d])));
        step /= counts_[d];
    }
}

void Unrolled::unbind(Elaborator& elaborator) const {
    for (const std::string& name : names_)
        elaborator.unbind(name);
}

} // namespace sme::expr
