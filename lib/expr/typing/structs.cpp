// SPDX-License-Identifier: Apache-2.0
//
// S(f = x) and {f: x}: structs built from the values of their fields.
#include "expr/typing/structs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/syntax/step.hpp"
#include "expr/typing/functions.hpp"

namespace sme::expr {

const char* const typed_field_advice = "write it, as in u8(...)";

std::size_t first_leaf(const Type& type, std::size_t field) {
    std::size_t first = 0;
    for (std::size_t k = 0; k < field; ++k)
        first += type.fields()[k].type->leaf_count();
    return first;
}

BoundExpr struct_of(const std::vector<FieldValue>& fields, const std::string& advice,
                    Elaborator& elaborator) {
    std::vector<Field> types;
    for (const FieldValue& field : fields) {
        if (std::any_of(types.begin(), types.end(),
                        [&](const Field& other) { return other.name == field.name; }))
            return elaborator.fail(Code::bad_call, field.where,
                                   fmt::format("field '{}' is given twice", field.name));
        if (field.value.is_number())
            return elaborator.fail(
                Code::needs_type, field.where,
                fmt::format("the type of field '{}' is not known; {}", field.name, advice));
        types.push_back({field.name, field.value.type, 0});
    }
    std::vector<BoundRef> operands;
    for (const FieldValue& field : fields)
        operands.push_back(elaborator.operand(field.value));
    return elaborator.made_of(BoundExpr::of(Type::structure("", std::move(types))),
                              BoundExpr::Kind::record, nullptr, std::move(operands));
}

std::optional<std::vector<std::size_t>> fields_given(std::span<const AstRef> named,
                                                     const Type& type, bool rest_is_zero,
                                                     const Location& where,
                                                     Elaborator& elaborator) {
    std::vector<bool> given(type.fields().size(), false);
    std::vector<std::size_t> places;
    const auto refuse = [&](Code code, const Location& at, std::string message) {
        elaborator.fail(code, at, std::move(message));
        return std::nullopt;
    };
    for (const AstRef& each : named) {
        if (each->kind != Ast::Kind::named)
            return refuse(Code::bad_call, each->where,
                          fmt::format("a field of {} is given as 'field = value'", type.name()));
        const int field = type.find_field(each->text);
        if (field < 0)
            return refuse(Code::unknown_field, each->where, Elaborator::no_field(type, each->text));
        places.push_back(static_cast<std::size_t>(field));
        if (given[places.back()])
            return refuse(Code::unknown_field, each->where,
                          fmt::format("field '{}' is given twice", each->text));
        given[places.back()] = true;
    }
    for (std::size_t k = 0; rest_is_zero && k < given.size(); ++k)
        if (const Type* zeroless =
                given[k] ? nullptr : enumeration_without_zero(*type.fields()[k].type))
            return refuse(Code::bad_call, where,
                          fmt::format("'{}' has no member 0, so field '{}' must be given",
                                      zeroless->name(), type.fields()[k].name));
    return places;
}

Rhs fields_of(const Ast& map) {
    Rhs result;
    result.kind = Rhs::Kind::fields;
    result.where = map.where;
    for (const AstRef& operand : map.operands) {
        const AstRef& value = operand->operands[0];
        Rhs field;
        if (value->kind == Ast::Kind::fields)
            field = fields_of(*value);
        else
            field.value = value;
        field.where = value->where;
        result.fields.push_back({operand->text, operand->where, std::move(field)});
    }
    return result;
}

BoundExpr zero_of(const TypeRef& type, Builder& builder) {
    std::vector<NodeId> leaves;
    for (const Leaf& leaf : type->leaves())
        leaves.push_back(builder.constant(Scalar::of(*leaf.type), 0));
    return BoundExpr::of(type, std::move(leaves));
}

/// Builds a struct; if `changed` is null, the other fields are zero.
BoundExpr Calls::constructed(const Ast* changed, std::span<const AstRef> named, const TypeRef& type,
                             const Location& where) {
    if (type->kind() != TypeKind::structure)
        return e_.fail(Code::bad_call, where,
                       fmt::format("{} is no struct, so it has no fields to give", type->name()));
    BoundExpr result =
        changed ? e_.bound_as(*changed, type, "the struct to change") : BoundExpr::of(type);
    const auto places = fields_given(named, *type, !changed, where, e_);
    if (!places || !result.ok())
        return {};
    std::vector<BoundRef> operands(1 + type->fields().size()); // null: unchanged, or zero
    if (changed)
        operands[0] = e_.operand(std::move(result));
    for (std::size_t k = 0; k < named.size(); ++k) {
        BoundExpr value = e_.bound_as(*named[k]->operands[0], type->fields()[(*places)[k]].type,
                                      fmt::format("field '{}'", named[k]->text));
        if (!value.ok())
            return {};
        operands[1 + (*places)[k]] = e_.operand(std::move(value));
    }
    return e_.made_of(BoundExpr::of(type), BoundExpr::Kind::construct, nullptr,
                      std::move(operands));
}

/// S(f = x), S(old, f = x)
BoundExpr Calls::construct(const Ast& ast, const TypeRef& type) {
    const bool changes = ast.operands[1]->kind != Ast::Kind::named;
    return constructed(changes ? ast.operands[1].get() : nullptr,
                       std::span{ast.operands}.subspan(changes ? 2 : 1), type, ast.where);
}

/// {f: x}
BoundExpr Calls::fields(const Ast& ast, const TypeRef& wanted) {
    if (wanted && wanted->kind() != TypeKind::structure)
        return e_.fail(Code::type_mismatch, ast.where,
                       fmt::format("{} belongs here, which has no fields", wanted->name()));
    if (wanted)
        return constructed(nullptr, ast.operands, wanted, ast.where);
    std::vector<FieldValue> fields;
    for (const AstRef& operand : ast.operands) {
        fields.push_back({operand->text, operand->where, e_.bound_value(*operand->operands[0])});
        if (!fields.back().value.ok())
            return {};
    }
    return struct_of(fields, typed_field_advice, e_);
}

} // namespace sme::expr
