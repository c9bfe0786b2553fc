// SPDX-License-Identifier: Apache-2.0
//
// Bins, which count in how many cycles a value is one of some: x in [0, 1..9, 10..].
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/syntax/expression_parser.hpp"

namespace sme::expr {

/// The bins of a value, in brackets: 3, 4..9 or 10..
std::vector<PropertyText::Bin> ExpressionParser::bins(std::size_t begin, const AstRef& value) {
    const std::string name = written(begin);
    expect("in");
    expect("[");
    std::vector<PropertyText::Bin> result;
    do {
        const std::size_t first = at_;
        const AstRef low = expression();
        const bool range = at(".");
        AstRef high;
        if (range) {
            expect(".");
            expect(".");
            if (!at(",") && !at("]"))
                high = expression();
        }
        if (high && low->kind == Ast::Kind::number && high->kind == Ast::Kind::number &&
            low->value > high->value) {
            diagnostics_.add(Code::bad_range, from(first), "this bin ends before it begins");
            throw Broken{};
        }
        const auto compared = [&](Operator op, const AstRef& bound) {
            return make(Ast::Kind::binary, first, {value, bound}, {}, op);
        };
        AstRef condition = compared(range ? Operator::greater_equal : Operator::equal, low);
        if (high)
            condition =
                make(Ast::Kind::binary, first, {condition, compared(Operator::less_equal, high)},
                     {}, Operator::logical_and);
        result.push_back(
            {std::move(condition), from(first), fmt::format("{} in {}", name, written(first))});
    } while (accept(","));
    expect("]");
    return result;
}

std::vector<PropertyText::Bin>
ExpressionParser::crossed(const std::vector<PropertyText::Bin>& one,
                          const std::vector<PropertyText::Bin>& other) {
    constexpr std::size_t most = 4096;
    if (one.size() * other.size() > most) {
        diagnostics_.add(
            Code::too_large, other.front().where,
            fmt::format("{} x {} bins are more than {}", one.size(), other.size(), most));
        throw Broken{};
    }
    std::vector<PropertyText::Bin> result;
    for (const PropertyText::Bin& a : one)
        for (const PropertyText::Bin& b : other) {
            auto both = std::make_shared<Ast>(*a.condition);
            both->kind = Ast::Kind::binary;
            both->op = Operator::logical_and;
            both->operands = {a.condition, b.condition};
            both->depth = std::max(a.condition->depth, b.condition->depth) + 1;
            result.push_back({std::move(both), b.where, a.text + ", " + b.text});
        }
    return result;
}

std::string ExpressionParser::written(std::size_t first) const {
    const std::size_t begin = tokens_[first].begin;
    return text_.text.substr(begin, tokens_[at_ - 1].end - begin);
}

} // namespace sme::expr
