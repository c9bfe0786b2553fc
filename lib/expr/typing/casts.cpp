// SPDX-License-Identifier: Apache-2.0
//
// T(x): converts values from one type to another.
#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/cast_advice.hpp"
#include "expr/typing/fixed_point.hpp"
#include "expr/typing/functions.hpp"

namespace sme::expr {

namespace {

/// How to convert between two types of different widths, for messages; empty if impossible.
std::string way_between(const Type& from, const Type& to) {
    if (to.kind() == TypeKind::boolean)
        return "; write '... != 0'";
    if (from.kind() == TypeKind::enumeration && to.is_integer())
        return fmt::format("; write {}(u{}(...))", to.name(), from.width_bits());
    if (from.is_fixed() && to.is_integer())
        return fmt::format("; write {}(u{}(...)) for its bits", to.name(), from.width_bits());
    if (from.is_integer() && to.is_fixed())
        return fmt::format("; write {}fixed({}, 0)(...) for a number with this value",
                           from.is_signed() ? "" : "u", from.width_bits());
    if (from.is_integer() && to.kind() == TypeKind::enumeration)
        return fmt::format("; write {}(u{}(...))", to.name(), to.width_bits());
    return {};
}

} // namespace

BoundExpr Calls::cast(const Ast& ast, const TypeRef& type) {
    if (ast.operands.size() != 2 || ast.operands[1]->kind == Ast::Kind::named)
        return e_.fail(Code::bad_call, ast.where,
                       fmt::format("this is written {}(x)", type->name()));
    const TypeRef wanted = type->kind() == TypeKind::structure ? type : nullptr;
    BoundExpr value = argument(*ast.operands[1], wanted);
    if (!value.ok())
        return {};
    if (type->is_fixed() && (value.is_number() || FixedPoint::is(value)))
        return FixedPoint{e_}.assigned(value, type, ast.where, "the result", {});
    if (value.is_number() && type->kind() == TypeKind::enumeration)
        return member_of(value, type, ast);
    if (value.is_number()) {
        if (!type->is_integer())
            return e_.fail(
                Code::type_mismatch, ast.where,
                fmt::format("a number does not become {}{}", type->name(),
                            type->kind() == TypeKind::boolean ? "; write '... != 0'" : ""));
        return BoundExpr::of(type);
    }
    if (wanted && *value.type == *wanted)
        return value; // a map of fields, of any size
    const bool from_number = value.type->is_integer() || value.is_bool();
    if (type->is_integer() && from_number)
        return BoundExpr::of(type);
    if (type->width_bits() != value.type->width_bits())
        return e_.fail(
            Code::type_mismatch, ast.where,
            fmt::format(
                "only equal widths can be reinterpreted, but {} has {} bit{} and {} has {}{}",
                value.type->name(), value.type->width_bits(),
                value.type->width_bits() == 1 ? "" : "s", type->name(), type->width_bits(),
                way_between(*value.type, *type)));
    if (type->width_bits() > Type::max_bits)
        return e_.fail(Code::too_large, ast.where,
                       fmt::format("at most {} bits can be reinterpreted, but these are {}",
                                   Type::max_bits, type->width_bits()));
    return BoundExpr::of(type);
}

// Enumerations: their members by name, and numbers that become members.

const Type* enumeration_without_zero(const Type& type) {
    if (type.kind() == TypeKind::enumeration)
        return type.find_member(0) ? nullptr : &type;
    if (type.kind() == TypeKind::array)
        return enumeration_without_zero(*type.element());
    for (const Field& field : type.fields())
        if (const Type* found = enumeration_without_zero(*field.type))
            return found;
    return nullptr;
}

std::string members_of(const Type& enumeration) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t k = 0; k < enumeration.members().size() && k < most; ++k)
        text += (k > 0 ? ", " : "") + enumeration.members()[k].name;
    return enumeration.members().size() > most ? text + ", ..." : text;
}

BoundExpr member_value(const TypeRef& type, std::uint64_t member) {
    BoundExpr result = BoundExpr::of(type);
    result.known = member;
    return result;
}

BoundExpr member_named(const TypeRef& type, std::uint64_t member) {
    auto constant = std::make_shared<ConstantArray>();
    constant->type = type;
    constant->leaves = {member};
    return {Form::constants, std::move(constant)};
}

/// A member of an enumeration, as in Phase.idle.
BoundExpr Elaborator::member(const TypeRef& type, const Ast& ast) {
    if (type->kind() != TypeKind::enumeration)
        return fail(Code::unknown_field, ast.where,
                    fmt::format("'{}' is the type {}; only enumerations have members",
                                ast.operands[0]->text, type->name()));
    const Member* found = type->find_member(ast.text);
    if (found)
        return member_value(type, found->value);
    std::vector<std::string> names;
    for (const Member& member : type->members())
        names.push_back(member.name);
    const std::string hint = did_you_mean(ast.text, names);
    return fail(Code::unknown_field, ast.where,
                fmt::format("'{}' has no member '{}'{}", ast.operands[0]->text, ast.text,
                            hint.empty() ? "; its members are " + members_of(*type) : hint));
}

/// Converts a constant number to the enumeration member with that value.
BoundExpr Calls::member_of(const BoundExpr& value, const TypeRef& type, const Ast& ast) {
    if (value.is_exact() && !value.is_constant())
        return e_.fail(Code::needs_type, ast.where,
                       fmt::format("the type of the operand of {} is not known; write it, as in "
                                   "{}(u{}(...))",
                                   type->name(), type->name(), type->width_bits()));
    const bool fits = value.is_exact() && value.low >= 0 && value.low <= largest(64, false);
    const Member* found = fits ? type->find_member(static_cast<std::uint64_t>(value.low)) : nullptr;
    if (!found)
        return e_.fail(Code::does_not_fit, ast.where,
                       fmt::format("{} is no member of {}{}", number_text(value), type->name(),
                                   cast_advice(*type)));
    return member_value(type, found->value);
}

} // namespace sme::expr
