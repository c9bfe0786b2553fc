// SPDX-License-Identifier: Apache-2.0
//
// An index combined with a typed operand takes its type, and typed results wrap. A result that can
// leave the type causes a warning. The ranges here are conservative: a value is always in its
// range.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/cast_advice.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

namespace {

using Bounds = Range;

bool within(const Bounds& inner, const Bounds& outer) {
    return inner.low >= outer.low && inner.high <= outer.high;
}

Bounds bounds_of(Scalar type) {
    return {smallest(type.width_bits, type.is_signed), largest(type.width_bits, type.is_signed)};
}

Bounds joined(const Bounds& a, const Bounds& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

/// Returns conservative ranges of values of scalar types, or of integers without a type.
class BoundsFinder {
public:
    Bounds of(const BoundExpr& use, int depth = 6) {
        const BoundExpr& value = value_of(use);
        if (value.is_exact())
            return {value.low, value.high};
        const Scalar type = Scalar::of(*type_of(value));
        const Bounds whole = bounds_of(type);
        if (value.known) {
            const Integer number = type.is_signed ? Integer{static_cast<std::int64_t>(*value.known)}
                                                  : static_cast<Integer>(*value.known);
            return {number, number};
        }
        if (depth == 0 || visits_++ > max_visits)
            return whole;
        const std::optional<Bounds> found = of_operation(value, depth - 1);
        return found && within(*found, whole) ? *found : whole;
    }

private:
    static constexpr int max_visits = 1000;

    /// Returns the range that all operands from the first on have together, with this step.
    std::optional<Bounds> all(const BoundExpr& value, std::size_t first, std::size_t step,
                              int depth) {
        std::optional<Bounds> result;
        for (std::size_t k = first; k < value.operands.size(); k += step)
            if (value.operands[k]) { // else an arm that is never taken
                const Bounds each = of(*value.operands[k], depth);
                result = result ? joined(*result, each) : each;
            }
        return result;
    }

    /// Returns the range that the operation of a value gives, if it is known.
    std::optional<Bounds> of_operation(const BoundExpr& value, int depth) {
        using Kind = BoundExpr::Kind;
        switch (value.kind) {
        case Kind::fit:
        case Kind::cast: {
            const BoundExpr& from = *value.operands[0];
            const TypeRef& type = type_of(from);
            const bool is_one_word = type ? type->is_scalar() && !type->is_wide() : from.is_exact();
            return is_one_word ? std::optional{of(from, depth)} : std::nullopt;
        }
        case Kind::choice: {
            const std::optional<Bounds> arms = all(value, 1, 2, depth);
            return joined(*arms, of(*value.operands.back(), depth));
        }
        case Kind::match: return all(value, 1, 1, depth);
        case Kind::field:
        case Kind::element: {
            const BoundExpr* const source = source_of(value);
            if (source)
                return of(*source, depth);
            const BoundExpr& base = value_of(*value.operands[0]);
            return base.kind == Kind::array && value.operands.size() == 2 ? all(base, 0, 1, depth)
                                                                          : std::nullopt;
        }
        case Kind::folded: return of(*value.operands.back(), depth);
        case Kind::reduced: return of_reduced(value, depth);
        case Kind::binary: return of_binary(value, depth);
        default: return std::nullopt;
        }
    }

    /// sum, min and max; the others have no range of their own.
    std::optional<Bounds> of_reduced(const BoundExpr& value, int depth) {
        const std::string& name = value.ast->operands[0]->text;
        if (name != "sum" && name != "min" && name != "max")
            return std::nullopt;
        std::optional<Bounds> result;
        for (const BoundRef& operand : value.operands) {
            const Bounds each = of(*operand, depth);
            if (!result)
                result = each;
            else if (name == "sum")
                result = compute(Operator::add, *result, each);
            else if (name == "min")
                result = Bounds{std::min(result->low, each.low), std::min(result->high, each.high)};
            else
                result = Bounds{std::max(result->low, each.low), std::max(result->high, each.high)};
            if (!result)
                return std::nullopt;
        }
        return result;
    }

    std::optional<Bounds> of_binary(const BoundExpr& value, int depth) {
        const Operator op = value.ast->op;
        const BoundExpr &a = *value.operands[0], &b = *value.operands[1];
        if (op == Operator::shift_right) {
            const auto count =
                b.is_constant() ? std::optional{static_cast<std::uint64_t>(b.low)} : b.known;
            const Bounds x = of(a, depth);
            return count && *count < 64 ? Bounds{x.low >> *count, x.high >> *count} : x;
        }
        const bool is_known = op == Operator::add || op == Operator::subtract ||
                              op == Operator::multiply || op == Operator::remainder ||
                              op == Operator::bit_and;
        return is_known ? compute(op, of(a, depth), of(b, depth)) : std::nullopt;
    }

    int visits_ = 0;
};

/// Returns true if a number is chosen from a few literals, as in "if c then 1 else 0": it is then
/// as harmless as a literal. The index of a long search is not.
bool chooses_literals(const BoundExpr& of, std::size_t depth = 8) {
    using Kind = BoundExpr::Kind;
    const BoundExpr& value = value_of(of);
    if (value.is_constant())
        return true;
    if (depth == 0)
        return false;
    if (value.kind == Kind::reduced) {
        const std::string& name = value.ast->operands[0]->text;
        const auto is_open = [](const BoundRef& term) { return !term->known; };
        const auto open = std::count_if(value.operands.begin(), value.operands.end(), is_open);
        if (name != "min" && name != "max")
            return name == "first" && open <= static_cast<std::ptrdiff_t>(depth);
        return std::all_of(value.operands.begin(), value.operands.end(), [&](const BoundRef& each) {
            return chooses_literals(*each, depth - 1);
        });
    }
    if (value.kind != Kind::choice && value.kind != Kind::match)
        return false;
    const bool is_choice = value.kind == Kind::choice;
    for (std::size_t k = 1; k < value.operands.size(); k += is_choice ? 2 : 1)
        if (value.operands[k] && !chooses_literals(*value.operands[k], depth - 1))
            return false;
    return !is_choice || chooses_literals(*value.operands.back(), depth - 1);
}

} // namespace

void Elaborator::warn_of_wrap(const Ast& ast, const BoundExpr& a, const BoundExpr& b) {
    const bool computes =
        ast.op == Operator::add || ast.op == Operator::subtract || ast.op == Operator::multiply;
    if (!computes || !ast.text.empty() || a.is_exact() == b.is_exact())
        return;
    const BoundExpr& index = a.is_exact() ? a : b;
    const BoundExpr& typed = a.is_exact() ? b : a;
    if (index.is_constant() ? !index.varies : chooses_literals(index))
        return;
    if (typed.form != Form::typed || !typed.type->is_integer() || typed.type->is_wide())
        return; // wide integers are identities and hashes rather than counts
    const Scalar type = Scalar::of(*typed.type);
    const Bounds operand = BoundsFinder{}.of(typed);
    const Bounds exact{index.low, index.high};
    const auto result =
        a.is_exact() ? compute(ast.op, exact, operand) : compute(ast.op, operand, exact);
    if (!result || within(*result, bounds_of(type)) || !within(exact, bounds_of(type)))
        return;
    if (!scope_.fuel().wraps.insert({ast.where.source.get(), ast.where.begin}).second)
        return;
    const char* const side = a.is_exact() ? "right" : "left";
    const TypeRef wide =
        narrowest_type(std::min(result->low, operand.low), std::max(result->high, operand.high));
    diagnostics_.add(
        Code::index_wraps, ast.where,
        fmt::format("this can be {} to {}, but wraps as {}, the type of the {} operand; "
                    "write {}{}(...) around the other one to let it wrap",
                    to_string(result->low), to_string(result->high), typed.type->name(), side,
                    wide ? fmt::format("{}(...) around that, or ", wide->name()) : "",
                    typed.type->name()));
}

} // namespace sme::expr
