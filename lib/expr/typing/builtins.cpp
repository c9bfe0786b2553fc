// SPDX-License-Identifier: Apache-2.0
//
// The built-in functions, one row each, and the values of those without ranges.
#include "expr/typing/builtins.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/fixed_point.hpp"
#include "expr/typing/functions.hpp"

namespace sme::expr {

/// The table of built-in functions, with access to the members of `Calls`.
struct Calls::Builtins {
    using Place = Builtin::Place;
    static constexpr std::size_t any = Builtin::any_number;

    template <bool largest> static BoundExpr extreme(Calls& calls, const Ast& ast) {
        return calls.extreme(ast, largest);
    }
    template <bool left> static BoundExpr rotated(Calls& calls, const Ast& ast) {
        return calls.rotated(ast, left);
    }
    template <Op op> static BoundExpr bits_of(Calls& calls, const Ast& ast) {
        return calls.bits_of(ast, op);
    }
    template <auto function> static BoundExpr by(Calls& calls, const Ast& ast) {
        return (calls.*function)(ast);
    }
    static BoundExpr narrowed(Calls& calls, const Ast& ast) {
        return FixedPoint{calls.e_}.narrowed(ast);
    }
    static BoundExpr historic(Calls& calls, const Ast& ast) {
        return calls.historic(ast, ast.operands[0]->text);
    }
    static BoundExpr reduced(Calls& calls, const Ast& ast) {
        return calls.reduced(ast, ast.operands[0]->text);
    }

    // clang-format off
    static constexpr std::array rows{
        Builtin{"cat", "cat(a, b) or cat(k < n, expression)", 0, any, by<&Calls::joined>, reduced},
        Builtin{"min", "min(a, b) or min(k < n, expression)", 2, any, extreme<false>, reduced},
        Builtin{"max", "max(a, b) or max(k < n, expression)", 2, any, extreme<true>, reduced},
        Builtin{"abs", "abs(x)", 1, 1, by<&Calls::absolute>},
        Builtin{"round", "round(x, type) or round(x, type, nearest)", 2, 3, narrowed},
        Builtin{"saturate", "saturate(x, type) or saturate(x, type, nearest)", 2, 3, narrowed},
        Builtin{"wrap", "wrap(x, type) or wrap(x, type, nearest)", 2, 3, narrowed},
        Builtin{"clog2", "clog2(n)", 1, 1, by<&Calls::rounded_log>},
        Builtin{"popcount", "popcount(x)", 1, 1, bits_of<Op::popcount>},
        Builtin{"reverse", "reverse(x)", 1, 1, bits_of<Op::bit_reverse>},
        Builtin{"rotl", "rotl(x, n)", 2, 2, rotated<true>},
        Builtin{"rotr", "rotr(x, n)", 2, 2, rotated<false>},
        Builtin{"width", "width(x)", 1, 1, by<&Calls::width>},
        Builtin{"len", "len(array)", 1, 1, by<&Calls::length>},
        Builtin{"sum", "sum(k < n, expression)", 0, any, nullptr, reduced},
        Builtin{"xor", "xor(k < n, expression)", 0, any, nullptr, reduced},
        Builtin{"any", "any(k < n, expression)", 0, any, nullptr, reduced},
        Builtin{"all", "all(k < n, expression)", 0, any, nullptr, reduced},
        Builtin{"count", "count(k < n, expression)", 0, any, nullptr, reduced},
        Builtin{"first", "first(k < n, expression)", 0, any, nullptr, reduced},
        Builtin{"array", "array(k < n, expression)", 0, any, nullptr, reduced},
        Builtin{"fold", "fold(k < n, acc = start, expression)", 0, any, nullptr, by<&Calls::folded>},
        Builtin{"random", "random(type)", 1, any, by<&Calls::random>, nullptr, Place::processes},
        Builtin{"past", "past(x) or past(x, n)", 1, 2, historic, nullptr, Place::checks},
        Builtin{"stable", "stable(x)", 1, 1, historic, nullptr, Place::checks},
        Builtin{"rose", "rose(x)", 1, 1, historic, nullptr, Place::checks},
        Builtin{"fell", "fell(x)", 1, 1, historic, nullptr, Place::checks},
    };
    // clang-format on
};

std::span<const Builtin> builtins() {
    return Calls::Builtins::rows;
}

const Builtin* find_builtin(std::string_view name) {
    const auto found = std::find_if(builtins().begin(), builtins().end(),
                                    [&](const Builtin& row) { return is_same(row.name, name); });
    return found == builtins().end() ? nullptr : &*found;
}

bool Calls::has_value_here(const Builtin& builtin) const {
    switch (builtin.place) {
    case Builtin::Place::processes: return e_.scope_.allows_random();
    case Builtin::Place::checks: return e_.scope_.history() != nullptr;
    default: return true;
    }
}

BoundExpr Calls::function(const Ast& ast, const Builtin& builtin) {
    if (builtin.reduce && ast.operands.size() > 2 && is_range(*ast.operands[1]))
        return builtin.reduce(*this, ast);
    if (builtin.place == Builtin::Place::checks && !has_value_here(builtin))
        return e_.fail(Code::only_in_checks, ast.where,
                       fmt::format("'{}' looks at earlier cycles, which only checks do; in a "
                                   "process, keep the value in a state",
                                   builtin.name));
    const std::size_t given = ast.operands.size() - 1;
    bool fits = builtin.lower && given >= builtin.least && given <= builtin.most;
    for (const AstRef& operand : ast.operands)
        fits = fits && (operand->kind != Ast::Kind::named || builtin.most == Builtin::any_number);
    return fits ? noted(builtin.lower(*this, ast), BoundExpr::Kind::call, ast)
                : e_.fail(Code::bad_call, ast.where,
                          fmt::format("this is written {}", builtin.form));
}

BoundExpr Calls::argument(const Ast& ast, const TypeRef& wanted) {
    BoundExpr value = e_.bound_value(ast, wanted);
    arguments_.push_back(e_.operand(value));
    return value;
}

/// Makes the value of a call an expression. A value that is one already is one of the arguments,
/// or has recorded its own.
BoundExpr Calls::noted(BoundExpr value, BoundExpr::Kind kind, const Ast& ast) {
    return value.is_written() || arguments_.empty()
               ? value
               : e_.made_of(std::move(value), kind, &ast, std::move(arguments_));
}

BoundExpr Calls::typed_integer(const Ast& ast, const char* function) {
    BoundExpr value = argument(ast);
    if (!value.ok() || (value.form == Form::typed && value.type->is_integer()))
        return value;
    return e_.fail(Code::operand_type, ast.where,
                   fmt::format("'{}' takes an integer with a type, but this is {}", function,
                               e_.describe_type(value)));
}

BoundExpr Calls::rounded_log(const Ast& ast) {
    const std::optional<Integer> n = e_.constant(*ast.operands[1], "what clog2 takes");
    return n ? BoundExpr::number(ceil_log2(*n)) : BoundExpr{};
}

/// Reports a value that has no width or length.
BoundExpr Calls::undefined(const Ast& ast, const BoundExpr& value) {
    return e_.fail(
        Code::operand_type, ast.operands[1]->where,
        fmt::format("'{}' is not defined for {}", ast.operands[0]->text, e_.describe_type(value)));
}

BoundExpr Calls::width(const Ast& ast) {
    const BoundExpr value = e_.bound(*ast.operands[1]);
    if (!value.ok())
        return {};
    return value.form == Form::typed
               ? BoundExpr::number(static_cast<Integer>(value.type->width_bits()))
               : undefined(ast, value);
}

BoundExpr Calls::length(const Ast& ast) {
    const BoundExpr value = e_.bound(*ast.operands[1]);
    if (!value.ok())
        return {};
    const auto number = [](std::uint64_t count) {
        return BoundExpr::number(static_cast<Integer>(count));
    };
    switch (value.form) {
    case Form::memory: return number(value.memory()->dimensions[0]);
    case Form::constants: return number(value.constants()->type->count());
    case Form::family: return number(value.family()->counts[0]);
    case Form::typed:
        if (value.type->kind() == TypeKind::array)
            return number(value.type->count());
        break;
    default: break;
    }
    return undefined(ast, value);
}

BoundExpr Calls::joined(const Ast& ast) {
    std::vector<BoundExpr> parts;
    for (std::size_t k = 1; k < ast.operands.size(); ++k)
        parts.push_back(argument(*ast.operands[k]));
    return concatenated(parts, ast);
}

/// Joins parts; the first is leftmost.
BoundExpr Calls::concatenated(const std::vector<BoundExpr>& parts, const Ast& ast) {
    std::uint64_t width = 0;
    for (const BoundExpr& part : parts) {
        if (!part.ok())
            return {};
        if (part.form != Form::typed)
            return e_.fail(Code::needs_type, ast.where,
                           "'cat' needs to know how wide each part is; write a type, as in u4(0)");
        width += part.type->width_bits();
    }
    if (width == 0 || width > Type::max_bits)
        return e_.fail(Code::too_large, ast.where,
                       fmt::format("'cat' makes an integer of 1 to {} bits, but this has {}",
                                   Type::max_bits, width));
    return e_.made_of(BoundExpr::of(Type::unsigned_integer(static_cast<unsigned>(width))),
                      BoundExpr::Kind::call, &ast, e_.operands_of_all(parts));
}

BoundExpr Calls::extreme(const Ast& ast, bool largest) {
    std::vector<BoundExpr> terms;
    for (std::size_t k = 1; k < ast.operands.size(); ++k)
        terms.push_back(argument(*ast.operands[k]));
    return combined(largest ? "max" : "min", terms, ast);
}

BoundExpr Calls::absolute(const Ast& ast) {
    BoundExpr value = argument(*ast.operands[1]);
    if (FixedPoint::is(value))
        return FixedPoint{e_}.absolute(value, ast.where);
    if (value.is_constant())
        return BoundExpr::number(value.low < 0 ? -value.low : value.low);
    if (!value.ok() || value.form != Form::typed || !value.type->is_integer())
        return value.ok() ? typed_integer(*ast.operands[1], "abs") : BoundExpr{};
    return value.type->is_signed() ? BoundExpr::of(value.type) : value;
}

BoundExpr Calls::rotated(const Ast& ast, bool left) {
    const BoundExpr value = typed_integer(*ast.operands[1], left ? "rotl" : "rotr");
    const BoundExpr by = argument(*ast.operands[2]);
    if (!value.ok() || !by.ok())
        return {};
    const bool is_count = by.form == Form::typed && by.type->is_integer() &&
                          !by.type->is_signed() && !by.type->is_wide();
    if (!is_count && !(by.is_constant() && by.low >= 0))
        return e_.fail(Code::operand_type, ast.operands[2]->where,
                       fmt::format("a count is not negative and of u1 to u64, but this is {}",
                                   e_.describe_type(by)));
    return BoundExpr::of(value.type);
}

BoundExpr Calls::bits_of(const Ast& ast, Op op) {
    const bool population = op == Op::popcount;
    const BoundExpr value = typed_integer(*ast.operands[1], population ? "popcount" : "reverse");
    if (!value.ok())
        return {};
    return population ? BoundExpr::between(0, static_cast<Integer>(value.type->width_bits()))
                      : BoundExpr::of(value.type);
}

} // namespace sme::expr
