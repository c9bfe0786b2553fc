// SPDX-License-Identifier: Apache-2.0
//
// Enumerations: their members by name, and numbers that become members.
#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/calls/calls.hpp"
#include "expr/typing/cast_advice.hpp"

namespace sme::expr {

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

/// A member of an enumeration, as in Phase.idle.
Value Elaborator::member(const TypeRef& type, const Ast& ast) {
    if (type->kind() != TypeKind::enumeration)
        return fail(Code::unknown_field, ast.where,
                    fmt::format("'{}' is the type {}; only enumerations have members",
                                ast.operands[0]->text, type->name()));
    const Member* found = type->find_member(ast.text);
    if (found)
        return Value::of(type, {builder_.constant(Scalar::of(*type), found->value)});
    std::vector<std::string> names;
    for (const Member& member : type->members())
        names.push_back(member.name);
    const std::string hint = did_you_mean(ast.text, names);
    return fail(Code::unknown_field, ast.where,
                fmt::format("'{}' has no member '{}'{}", ast.operands[0]->text, ast.text,
                            hint.empty() ? "; its members are " + members_of(*type) : hint));
}

/// Converts a constant number to the enumeration member with that value.
Value Calls::member_of(const Value& value, const TypeRef& type, const Ast& ast) {
    if (value.is_exact() && !value.is_constant())
        return e_.fail(Code::needs_type, ast.where,
                       fmt::format("the type of what becomes {} is not known; write it, as in "
                                   "{}(u{}(...))",
                                   type->name(), type->name(), type->width_bits()));
    const bool fits = value.is_exact() && value.low >= 0 && value.low <= largest(64, false);
    const Member* found = fits ? type->find_member(static_cast<std::uint64_t>(value.low)) : nullptr;
    if (!found)
        return e_.fail(Code::does_not_fit, ast.where,
                       fmt::format("{} is no member of {}{}", number_text(value), type->name(),
                                   cast_advice(*type)));
    return Value::of(type, {e_.builder_.constant(Scalar::of(*type), found->value)});
}

} // namespace sme::expr
