// SPDX-License-Identifier: Apache-2.0
//
// Numbers converted to a type, and integers of any width as bits.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

std::string number_text(const Value& value) {
    return value.is_exact() ? to_string(value.low)
                            : hexadecimal(*value.words, width_of(*value.words));
}

std::string range_text(const Type& type) {
    if (type.is_wide())
        return fmt::format("0 to 2^{} - 1", type.width_bits());
    const auto width = static_cast<unsigned>(type.width_bits());
    return fmt::format("{} to {}", to_string(smallest(width, type.is_signed())),
                       to_string(largest(width, type.is_signed())));
}

Value Elaborator::needs_type(const Ast& ast) {
    return fail(Code::needs_type, ast.where,
                "a number of more than 126 bits meets no type here; write it, as in u256(...)");
}

bool Elaborator::number_fits(const Value& value, const Type& type) const {
    const auto width = static_cast<unsigned>(type.width_bits());
    if (!value.is_exact())
        return width_of(*value.words) <= width;
    if (type.is_wide() && width > 126)
        return value.low >= 0;
    return value.low >= smallest(width, type.is_signed()) &&
           value.high <= largest(width, type.is_signed());
}

std::vector<NodeId> Elaborator::number_leaves(const Value& value, const Type& type) {
    const auto width = static_cast<unsigned>(type.width_bits());
    if (!type.is_wide() && value.is_exact())
        return {exact_node(value, Scalar::of(type)).first};
    if (!type.is_wide())
        return {builder_.constant(Scalar::of(type), value.words->front())};
    WideBuilder wide{builder_};
    if (!value.is_exact())
        return wide.constant(width, *value.words).words;
    if (!value.is_constant()) {
        const Scalar own = builder_.type(value.node);
        return wide.resize(wide.of(value.node), width, own.is_signed).words;
    }
    Words words(WideBuilder::word_count(width), value.low < 0 ? ~std::uint64_t{0} : 0);
    words[0] = static_cast<std::uint64_t>(value.low);
    words[1] = static_cast<std::uint64_t>(value.low >> 64);
    return wide.constant(width, words).words;
}

NodeId Elaborator::count_node(const Value& value) {
    return value.type->is_wide() ? WideBuilder{builder_}.saturated(bits_of(value))
                                 : builder_.convert({64, false}, value.leaves[0]);
}

Bits Elaborator::bits_of(const Value& value) {
    if (value.type->is_wide())
        return {static_cast<unsigned>(value.type->width_bits()), value.leaves};
    return WideBuilder{builder_}.of(value.leaves[0]);
}

Value Elaborator::integer_of(const Bits& bits, const TypeRef& type) {
    if (type->is_wide())
        return Value::of(type, bits.words);
    return Value::of(type, {builder_.convert(Scalar::of(*type), bits.words[0])});
}

Value Elaborator::wide_compare(Operator op, const Value& a, const Value& b) {
    WideBuilder wide{builder_};
    const Bits x = bits_of(a), y = bits_of(b);
    const auto made = [&](NodeId node, bool negated) {
        return Value::of(Type::boolean(), {negated ? builder_.logical_not(node) : node});
    };
    switch (op) {
    case Operator::equal: return made(wide.equal(x, y), false);
    case Operator::not_equal: return made(wide.equal(x, y), true);
    case Operator::less: return made(wide.less(x, y), false);
    case Operator::less_equal: return made(wide.less(y, x), true);
    case Operator::greater: return made(wide.less(y, x), false);
    default: return made(wide.less(x, y), true);
    }
}

Value Elaborator::wide_binary(const Ast& ast, const Value& a, const Value& b) {
    WideBuilder wide{builder_};
    const Bits x = bits_of(a), y = bits_of(b);
    switch (ast.op) {
    case Operator::add: return integer_of(wide.add(x, y), a.type);
    case Operator::subtract: return integer_of(wide.subtract(x, y), a.type);
    case Operator::bit_and: return integer_of(wide.bitwise(Op::bit_and, x, y), a.type);
    case Operator::bit_xor: return integer_of(wide.bitwise(Op::bit_xor, x, y), a.type);
    case Operator::bit_or: return integer_of(wide.bitwise(Op::bit_or, x, y), a.type);
    default: break;
    }
    return fail(Code::operand_type, ast.where,
                fmt::format("'{}' takes integers of at most 64 bits, but these are {}",
                            spelling(ast.op), a.type->name()));
}

} // namespace sme::expr
