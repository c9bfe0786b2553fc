// SPDX-License-Identifier: Apache-2.0
//
// T(x) and S(f = x): values of one type from those of another.
#include <algorithm>

#include <fmt/format.h>

#include "expr/calls.hpp"

namespace sme::expr {

NodeId Calls::packed(const Value& value, Scalar raw) {
    Builder& b = e_.builder_;
    // the first field leftmost, element 0 rightmost
    std::vector<std::pair<NodeId, unsigned>> parts;
    const auto collect = [&](auto& self, const Type& type, std::size_t first) -> void {
        if (type.is_scalar())
            parts.emplace_back(value.leaves[first], static_cast<unsigned>(type.width_bits()));
        else if (type.kind() == TypeKind::structure)
            for (const Field& field : type.fields()) {
                self(self, *field.type, first);
                first += field.type->leaf_count();
            }
        else
            for (std::uint64_t k = type.count(); k-- > 0;)
                self(self, *type.element(), first + k * type.element()->leaf_count());
    };
    collect(collect, *value.type, 0);
    NodeId bits = b.constant(raw, 0);
    for (const auto& [node, width] : parts) {
        const NodeId low =
            b.convert(raw, b.convert({static_cast<std::uint8_t>(width), false}, node));
        bits = b.operation(Op::bit_or, raw,
                           b.operation(Op::shift_left, raw, bits, b.constant({64, false}, width)),
                           low);
    }
    return bits;
}

Value Calls::unpacked(NodeId bits, const TypeRef& type) {
    Builder& b = e_.builder_;
    std::vector<NodeId> leaves(type->leaf_count());
    unsigned at = static_cast<unsigned>(type->width_bits());
    const auto cut = [&](auto& self, const Type& part, std::size_t first) -> void {
        if (part.is_scalar()) {
            at -= static_cast<unsigned>(part.width_bits());
            leaves[first] =
                b.convert(Scalar::of(part), b.operation(Op::shift_right, b.type(bits), bits,
                                                        b.constant({64, false}, at)));
        } else if (part.kind() == TypeKind::structure)
            for (const Field& field : part.fields()) {
                self(self, *field.type, first);
                first += field.type->leaf_count();
            }
        else
            for (std::uint64_t k = part.count(); k-- > 0;)
                self(self, *part.element(), first + k * part.element()->leaf_count());
    };
    cut(cut, *type, 0);
    return Value::of(type, std::move(leaves));
}

namespace {

/// How a value of one type becomes another type of a different width; empty when it cannot.
std::string way_between(const Type& from, const Type& to) {
    if (to.kind() == TypeKind::boolean)
        return "; write '... != 0'";
    if (from.kind() == TypeKind::enumeration && to.is_integer())
        return fmt::format("; write {}(u{}(...))", to.name(), from.width_bits());
    if (from.is_integer() && to.kind() == TypeKind::enumeration)
        return fmt::format("; write {}(u{}(...))", to.name(), to.width_bits());
    return {};
}

} // namespace

Value Calls::cast(const Ast& ast, const TypeRef& type) {
    if (!arguments(ast, 1, fmt::format("{}(x)", type->name()).c_str()))
        return {};
    const Value value = e_.loaded(e_.evaluate(*ast.kids[1]), ast.kids[1]->where);
    if (!value.ok())
        return {};
    if (value.is_exact() && type->kind() == TypeKind::enumeration)
        return member_of(value, type, ast);
    if (value.is_exact()) {
        if (!type->is_integer())
            return e_.fail(
                Code::type_mismatch, ast.where,
                fmt::format("a number does not become {}{}", type->name(),
                            type->kind() == TypeKind::boolean ? "; write '... != 0'" : ""));
        return Value::of(type, {e_.exact_node(value, Scalar::of(*type)).first});
    }
    const bool from_number = value.type->is_scalar() && value.type->kind() != TypeKind::enumeration;
    if (type->is_integer() && from_number)
        return Value::of(type, {e_.builder_.convert(Scalar::of(*type), value.leaves[0])});
    if (type->width_bits() != value.type->width_bits())
        return e_.fail(
            Code::type_mismatch, ast.where,
            fmt::format(
                "only equal widths can be reinterpreted, but {} has {} bit{} and {} has {}{}",
                value.type->name(), value.type->width_bits(),
                value.type->width_bits() == 1 ? "" : "s", type->name(), type->width_bits(),
                way_between(*value.type, *type)));
    if (type->width_bits() > 64)
        return e_.fail(Code::too_large, ast.where, "reinterpreting is limited to 64 bits so far");
    const Scalar raw{static_cast<std::uint8_t>(type->width_bits()), false};
    return unpacked(packed(value, raw), type);
}

Value Calls::construct(const Ast& ast, const TypeRef& type) {
    if (type->kind() != TypeKind::structure)
        return e_.fail(Code::bad_call, ast.where,
                       fmt::format("{} is no struct, so it has no fields to give", type->name()));
    Value made;
    std::size_t next = 1;
    if (ast.kids[1]->kind != Ast::Kind::named) {
        made = e_.evaluate_as(*ast.kids[1], type, "the struct to change");
        ++next;
    } else {
        std::vector<NodeId> zeros;
        for (const Leaf& leaf : type->leaves())
            zeros.push_back(e_.builder_.constant(Scalar::of(*leaf.type), 0));
        made = Value::of(type, std::move(zeros));
    }
    std::vector<bool> given(type->fields().size(), false);
    for (; next < ast.kids.size(); ++next) {
        const Ast& argument = *ast.kids[next];
        const int field = argument.kind == Ast::Kind::named ? type->find_field(argument.text) : -1;
        if (field < 0 || given[static_cast<std::size_t>(field)])
            return e_.fail(
                argument.kind == Ast::Kind::named ? Code::unknown_field : Code::bad_call,
                argument.where,
                field >= 0 ? fmt::format("field '{}' is given twice", argument.text)
                : argument.kind == Ast::Kind::named
                    ? e_.no_field(*type, argument.text)
                    : fmt::format("a field of {} is given as 'field = value'", type->name()));
        given[static_cast<std::size_t>(field)] = true;
        std::size_t first = 0;
        for (int k = 0; k < field; ++k)
            first += type->fields()[static_cast<std::size_t>(k)].type->leaf_count();
        const Value value =
            e_.evaluate_as(*argument.kids[0], type->fields()[static_cast<std::size_t>(field)].type,
                           fmt::format("field '{}'", argument.text));
        if (!value.ok() || !made.ok())
            return {};
        std::copy(value.leaves.begin(), value.leaves.end(),
                  made.leaves.begin() + static_cast<std::ptrdiff_t>(first));
    }
    if (ast.kids[1]->kind == Ast::Kind::named)
        for (std::size_t k = 0; k < given.size(); ++k)
            if (const Type* zeroless =
                    given[k] ? nullptr : enumeration_without_zero(*type->fields()[k].type))
                return e_.fail(Code::bad_call, ast.where,
                               fmt::format("'{}' has no member 0, so field '{}' must be given",
                                           zeroless->name(), type->fields()[k].name));
    return made;
}

} // namespace sme::expr
