// SPDX-License-Identifier: Apache-2.0
#include "expr/typing/cast_advice.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "expr/bound/bound.hpp"
#include "expr/syntax/parser.hpp"
#include "expr/syntax/printer.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

namespace {

constexpr std::size_t longest_advice = 100; // longest expression in a message, in characters

AstRef cast_of(AstRef tree, const std::string& type) {
    auto name = std::make_shared<Ast>();
    name->kind = Ast::Kind::name;
    name->text = type;
    auto result = std::make_shared<Ast>();
    result->kind = Ast::Kind::call;
    result->operands = {std::move(name), std::move(tree)};
    return result;
}

/// Rewrites an expression to compute in another type, with casts at its operands.
class Widening {
public:
    explicit Widening(std::string type) : type_{std::move(type)} {}

    bool carries = false; // an operator can leave the type of its operands
    bool divides = false; // an operator whose result depends on the sign

    AstRef of(const AstRef& tree) {
        const std::size_t last = tree->operands.size() - 1;
        switch (tree->kind) {
        case Ast::Kind::number: return tree;
        case Ast::Kind::conditional:
            return changed(tree, [&](std::size_t k) { return k % 2 == 1 || k == last; });
        case Ast::Kind::unary:
            if (tree->op != Operator::negate)
                break;
            carries = true;
            return changed(tree, [](std::size_t) { return true; });
        case Ast::Kind::binary: {
            const Operator op = tree->op;
            note(op);
            const bool first_only = is_shift(op) || op == Operator::power;
            return changed(tree, [&](std::size_t k) { return k == 0 || !first_only; });
        }
        case Ast::Kind::call: {
            const std::string& called = tree->operands[0]->text;
            if (called != "sum" && called != "min" && called != "max" && called != "xor")
                break;
            carries = carries || called == "sum";
            const Ast& first = *tree->operands[1];
            const bool ranges = first.kind == Ast::Kind::binary && first.op == Operator::less;
            return changed(tree, [&](std::size_t k) { return k == last || (k > 0 && !ranges); });
        }
        default: break;
        }
        return cast_of(tree, type_);
    }

private:
    void note(Operator op) {
        carries = carries || op == Operator::multiply || op == Operator::power ||
                  op == Operator::add || op == Operator::subtract || op == Operator::shift_left;
        divides = divides || op == Operator::divide || op == Operator::remainder ||
                  op == Operator::shift_right;
    }

    template <class Which> AstRef changed(const AstRef& tree, Which which) {
        auto result = std::make_shared<Ast>(*tree);
        for (std::size_t k = 0; k < result->operands.size(); ++k)
            if (which(k))
                result->operands[k] = of(result->operands[k]);
        return result;
    }

    std::string type_;
};

/// Returns an expression of type `given`, computed in a wider type; null if a cast around it loses
/// nothing.
AstRef widened(const AstRef& tree, const Type& given, const Type& wanted) {
    if (wanted.width_bits() <= given.width_bits())
        return nullptr;
    Widening direct{wanted.name()};
    AstRef result = direct.of(tree);
    if (!direct.carries)
        return nullptr;
    const bool keeps_sign = given.is_signed() && !wanted.is_signed() && direct.divides;
    if (!keeps_sign)
        return result;
    Widening within{fmt::format("i{}", wanted.width_bits())};
    return cast_of(within.of(tree), wanted.name());
}

/// Parses the expression at a location in its file; null if unreadable.
AstRef read(const Location& where) {
    if (!where.source || where.end > where.source->text().size() || where.begin >= where.end)
        return nullptr;
    Text text{where.source,
              std::string{where.source->text().substr(where.begin, where.end - where.begin)},
              {}};
    for (std::uint32_t at = where.begin; at <= where.end; ++at)
        text.offsets.push_back(at);
    Diagnostics quiet;
    return parse_expression(text, quiet);
}

std::string written(const Ast& tree, const Type& wanted) {
    const std::string text = print(tree);
    return text.size() <= longest_advice
               ? text
               : fmt::format("{}(...) around each operand in it", wanted.name());
}

/// Returns the range of an expression whose names all have one type; `nullopt` if unknown.
std::optional<Range> bounds_of(const Ast& tree, const Type& names) {
    const auto of = [&](std::size_t k) { return bounds_of(*tree.operands[k], names); };
    if (tree.kind == Ast::Kind::number && !tree.words)
        return Range{tree.value, tree.value};
    const bool computes = tree.kind == Ast::Kind::binary &&
                          (tree.op == Operator::add || tree.op == Operator::subtract ||
                           tree.op == Operator::multiply);
    if (computes)
        if (const auto a = of(0), b = of(1); a && b)
            return compute(tree.op, *a, *b);
    if (tree.kind == Ast::Kind::conditional)
        if (const auto a = of(1), b = of(2); a && b && tree.operands.size() == 3)
            return Range{std::min(a->low, b->low), std::max(a->high, b->high)};
    const bool is_whole = tree.kind != Ast::Kind::unary && tree.kind != Ast::Kind::binary &&
                          tree.kind != Ast::Kind::conditional && !names.is_wide();
    const auto width = static_cast<unsigned>(names.width_bits());
    return is_whole ? std::optional{Range{smallest(width, names.is_signed()),
                                          largest(width, names.is_signed())}}
                    : std::nullopt;
}

/// Returns the narrowest type that holds the values of both types, or null.
TypeRef joined(const TypeRef& a, const TypeRef& b) {
    if (a->is_signed() == b->is_signed())
        return a->width_bits() >= b->width_bits() ? a : b;
    const TypeRef& plain = a->is_signed() ? b : a;
    const TypeRef& other = a->is_signed() ? a : b;
    const std::uint64_t width = plain->width_bits() + 1; // signed, one bit wider
    if (other->width_bits() >= width)
        return other;
    return width <= Type::max_bits ? Type::signed_integer(static_cast<unsigned>(width)) : plain;
}

} // namespace

TypeRef narrowest_type(Integer low, Integer high) {
    const bool is_signed = low < 0;
    for (unsigned width = 1; width <= 120; ++width)
        if (low >= smallest(width, is_signed) && high <= largest(width, is_signed))
            return is_signed ? Type::signed_integer(width) : Type::unsigned_integer(width);
    return nullptr;
}

std::string cast_advice(const Type& wanted) {
    if (wanted.is_integer())
        return fmt::format("; write {}(...) to convert it", wanted.name());
    if (wanted.is_fixed())
        return fmt::format("; write {}(...)", wanted.name());
    if (wanted.kind() == TypeKind::enumeration)
        return fmt::format("; write one of its members: {}", members_of(wanted));
    if (wanted.kind() == TypeKind::structure && !wanted.name().starts_with('{'))
        return fmt::format("; write {}({} = ...)", wanted.name(), wanted.fields()[0].name);
    return {};
}

std::string cast_advice(const Type& given, const Type& wanted, const Location& where) {
    if (given.is_fixed() && wanted.is_integer())
        return fmt::format("; write u{}(...) for its bits", given.width_bits());
    if (given.is_integer() && wanted.is_fixed())
        return fmt::format("; write {}fixed({}, 0)(...){}", given.is_signed() ? "" : "u",
                           given.width_bits(),
                           given.width_bits() == wanted.width_bits()
                               ? fmt::format(", or {}(...) if these are its bits", wanted.name())
                               : std::string{});
    if (!given.is_integer() || !wanted.is_integer())
        return cast_advice(wanted);
    if (wanted.width_bits() < given.width_bits())
        return fmt::format("; write {}(...) for the low {} bit{}, or widen its place to {}",
                           wanted.name(), wanted.width_bits(), wanted.width_bits() == 1 ? "" : "s",
                           given.name());
    const AstRef tree = read(where);
    const AstRef wide = tree ? widened(tree, given, wanted) : nullptr;
    return wide ? "; write " + written(*wide, wanted) : cast_advice(wanted);
}

namespace {

/// Returns `type`, or a wider type that holds all values of an expression whose names have type
/// `names`.
TypeRef enough(const TypeRef& type, const Ast& tree, const Type& names) {
    const auto bounds = bounds_of(tree, names);
    if (!bounds)
        return type;
    // a difference of unsigned numbers stays unsigned
    const Integer low = type->is_signed() ? std::min(bounds->low, Integer{-1}) : 0;
    const TypeRef holds = narrowest_type(low, bounds->high);
    return holds && holds->width_bits() > type->width_bits() ? holds : type;
}

/// Returns a call with its arguments cast to this type; null if nothing can be lost.
AstRef joined_call(const AstRef& call, const Type& names, TypeRef common) {
    if (!call || call->kind != Ast::Kind::call)
        return nullptr;
    for (std::size_t k = 1; k < call->operands.size(); ++k)
        common = enough(common, *call->operands[k], names);
    return widened(call, names, *common);
}

} // namespace

std::string join_advice(const Ast& binary, const TypeRef& a, const TypeRef& b) {
    TypeRef common = joined(a, b);
    const TypeRef types[] = {a, b};
    const bool is_operator = binary.text.empty(); // else a function call at this location
    AstRef written_out;
    if (is_operator) {
        auto whole = std::make_shared<Ast>(binary);
        for (std::size_t k = 0; k < 2; ++k)
            common = enough(common, *whole->operands[k], *types[k]);
        for (std::size_t k = 0; k < 2; ++k) {
            AstRef& operand = whole->operands[k];
            const AstRef wide = widened(operand, *types[k], *common);
            if (wide)
                written_out = whole;
            if (*types[k] != *common)
                operand = wide ? wide : cast_of(operand, common->name());
        }
    } else
        written_out =
            joined_call(read(binary.where), a->width_bits() < b->width_bits() ? *a : *b, common);
    if (written_out)
        return "; write " + written(*written_out, *common);
    const char* const left = is_operator ? "the left operand" : "the first";
    const char* const right = is_operator ? "the right operand" : "the second";
    return fmt::format("; write {}(...) around {}", common->name(),
                       *a != *common && *b != *common ? "both"
                       : *a == *common                ? right
                                                      : left);
}

} // namespace sme::expr
