// SPDX-License-Identifier: Apache-2.0
#include "expr/calls/calls.hpp"
#include "base/codes.hpp"
#include "expr/calls/functions.hpp"
#include "expr/syntax/foreign_words.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace sme::expr {

namespace {

constexpr std::array<std::string_view, 24> functions{
    "cat",   "min",   "max",  "abs",    "clog2", "popcount", "reverse", "rotl",
    "rotr",  "width", "len",  "sum",    "xor",   "any",      "all",     "count",
    "first", "array", "fold", "random", "past",  "stable",   "rose",    "fell"};

Code first_code(const Diagnostics& diagnostics) {
    return diagnostics.all().empty() ? Code::unknown_type : diagnostics.all()[0].code;
}

} // namespace

std::span<const std::string_view> builtins() {
    return functions;
}

bool is_builtin(std::string_view name) {
    return std::find(functions.begin(), functions.end(), name) != functions.end();
}

Value Calls::call(const Ast& ast) {
    const Ast& callee = *ast.kids[0];
    const std::string& name = callee.text;
    const bool named = callee.kind == Ast::Kind::name;
    if (named && (name == "u" || name == "i") && !e_.scope_.find_type(name))
        return e_.fail(Code::bad_call, ast.where,
                       fmt::format("{0}(n) is a type; a value of it is written {0}(n)(x)", name));
    if (named && is_builtin(name))
        return function(ast, name);
    if (const Function* own = named ? e_.scope_.find_function(name) : nullptr)
        return call_function(*own, ast, e_);
    if (named && e_.is_known(name))
        return e_.fail(Code::bad_call, callee.where, fmt::format("'{}' is no function", name));
    if (named) {
        Diagnostics quiet;
        Elaborator probe{e_.builder_, e_.scope_, quiet};
        if (!probe.type(callee) && first_code(quiet) == Code::unknown_type) {
            if (is_loop_word(name))
                return e_.fail(Code::unknown_name, callee.where,
                               fmt::format("'{}' is written {} here", name, loop_form));
            std::vector<std::string> known;
            for (const std::string_view function : functions)
                if (is_history(function) ? e_.scope_.history() != nullptr
                                         : e_.scope_.allows_random() || function != "random")
                    known.emplace_back(function);
            e_.scope_.type_names(known);
            e_.scope_.function_names(known);
            return e_.fail(Code::unknown_name, callee.where,
                           fmt::format("there is no function or type '{}'{}", name,
                                       did_you_mean(name, known)));
        }
    }
    const TypeRef type = e_.type(callee);
    if (!type)
        return {};
    const bool fields = ast.kids.size() > 1 && ast.kids.back()->kind == Ast::Kind::named;
    return fields ? construct(ast, type) : cast(ast, type);
}

bool Calls::arguments(const Ast& ast, std::size_t count, const char* form) {
    bool fits = ast.kids.size() == count + 1;
    for (const AstRef& kid : ast.kids)
        fits = fits && kid->kind != Ast::Kind::named;
    if (!fits)
        e_.fail(Code::bad_call, ast.where, fmt::format("this is written {}", form));
    return fits;
}

Value Calls::typed_integer(const Ast& ast, const char* function) {
    Value value = e_.loaded(e_.evaluate(ast), ast.where);
    if (!value.ok() || (value.kind == Value::Kind::typed && value.type->is_integer()))
        return value;
    return e_.fail(Code::operand_type, ast.where,
                   fmt::format("'{}' takes an integer with a type, but this is {}", function,
                               e_.describe_type(value)));
}

Value Calls::function(const Ast& ast, const std::string& name) {
    if (is_history(name))
        return historic(ast, name);
    if (ast.kids.size() > 2 && is_range(*ast.kids[1]))
        return name == "fold" ? folded(ast) : reduced(ast, name);
    if (name == "cat")
        return joined(ast);
    if (name == "random")
        return random(ast);
    if (name == "min" || name == "max")
        return extreme(ast, name == "max");
    if (name == "abs")
        return absolute(ast);
    if (name == "rotl" || name == "rotr")
        return rotated(ast, name == "rotl");
    if (name == "popcount" || name == "reverse")
        return bits_of(ast, name == "popcount" ? Op::popcount : Op::bit_reverse);
    if (name == "clog2") {
        if (!arguments(ast, 1, "clog2(n)"))
            return {};
        const std::optional<Integer> n = e_.constant(*ast.kids[1], "what clog2 takes");
        return n ? Value::number(ceil_log2(*n)) : Value{};
    }
    if (name == "width" || name == "len") {
        if (!arguments(ast, 1, name == "len" ? "len(array)" : "width(x)"))
            return {};
        const Value value = e_.evaluate(*ast.kids[1]);
        if (!value.ok())
            return {};
        if (name == "width" && value.kind == Value::Kind::typed)
            return Value::number(static_cast<Integer>(value.type->width_bits()));
        if (name == "len" && value.kind == Value::Kind::memory)
            return Value::number(static_cast<Integer>(value.memory->dimensions[0]));
        if (name == "len" && value.kind == Value::Kind::constants)
            return Value::number(static_cast<Integer>(value.constants->type->count()));
        if (name == "len" && value.kind == Value::Kind::family)
            return Value::number(static_cast<Integer>(value.family->counts[0]));
        if (name == "len" && value.kind == Value::Kind::typed &&
            value.type->kind() == TypeKind::array)
            return Value::number(static_cast<Integer>(value.type->count()));
        return e_.fail(Code::operand_type, ast.kids[1]->where,
                       fmt::format("'{}' is not defined for {}", name, e_.describe_type(value)));
    }
    return e_.fail(Code::bad_call, ast.where,
                   name == "fold" ? "this is written fold(k < n, acc = start, expression)"
                                  : fmt::format("this is written {}(k < n, expression)", name));
}

Value Calls::joined(const Ast& ast) {
    std::vector<Value> parts;
    for (std::size_t k = 1; k < ast.kids.size(); ++k)
        parts.push_back(e_.loaded(e_.evaluate(*ast.kids[k]), ast.kids[k]->where));
    return concatenated(parts, ast);
}

/// The first part leftmost.
Value Calls::concatenated(const std::vector<Value>& parts, const Ast& ast) {
    std::uint64_t width = 0;
    for (const Value& part : parts) {
        if (!part.ok())
            return {};
        if (part.kind != Value::Kind::typed)
            return e_.fail(Code::needs_type, ast.where,
                           "'cat' needs to know how wide each part is; write a type, as in u4(0)");
        width += part.type->width_bits();
    }
    if (width == 0 || width > Type::most_bits)
        return e_.fail(Code::too_large, ast.where,
                       fmt::format("'cat' makes an integer of 1 to {} bits, but this has {}",
                                   Type::most_bits, width));
    std::vector<Bits> bits;
    for (const Value& part : parts)
        bits.push_back(packed(part));
    return e_.integer_of(WideBuilder{e_.builder_}.joined(bits),
                         Type::unsigned_integer(static_cast<unsigned>(width)));
}

Value Calls::extreme(const Ast& ast, bool largest) {
    if (ast.kids.size() < 3)
        return e_.fail(Code::bad_call, ast.where,
                       fmt::format("this is written {0}(a, b) or {0}(k < n, expression)",
                                   largest ? "max" : "min"));
    Value best = e_.loaded(e_.evaluate(*ast.kids[1]), ast.kids[1]->where);
    for (std::size_t k = 2; k < ast.kids.size(); ++k)
        best = combine(largest ? "max" : "min", best,
                       e_.loaded(e_.evaluate(*ast.kids[k]), ast.kids[k]->where), ast);
    return best;
}

Value Calls::absolute(const Ast& ast) {
    if (!arguments(ast, 1, "abs(x)"))
        return {};
    Value value = e_.loaded(e_.evaluate(*ast.kids[1]), ast.kids[1]->where);
    if (value.is_constant())
        return Value::number(value.low < 0 ? -value.low : value.low);
    if (!value.ok() || value.kind != Value::Kind::typed || !value.type->is_integer())
        return value.ok() ? typed_integer(*ast.kids[1], "abs") : Value{};
    if (!value.type->is_signed())
        return value;
    Builder& b = e_.builder_;
    const Scalar type = Scalar::of(*value.type);
    const NodeId negative = b.operation(Op::less, {1, false}, value.leaves[0], b.constant(type, 0));
    return Value::of(value.type, {b.select(negative, b.operation(Op::negate, type, value.leaves[0]),
                                           value.leaves[0])});
}

Value Calls::rotated(const Ast& ast, bool left) {
    if (!arguments(ast, 2, left ? "rotl(x, n)" : "rotr(x, n)"))
        return {};
    const Value value = typed_integer(*ast.kids[1], left ? "rotl" : "rotr");
    const Value by = e_.loaded(e_.evaluate(*ast.kids[2]), ast.kids[2]->where);
    if (!value.ok() || !by.ok())
        return {};
    Builder& b = e_.builder_;
    const auto width = static_cast<unsigned>(value.type->width_bits());
    const Scalar word{64, false};
    NodeId count = no_node;
    if (by.is_constant() && by.low >= 0)
        count = b.constant(word, static_cast<std::uint64_t>(by.low % width));
    else if (by.kind == Value::Kind::typed && by.type->kind() == TypeKind::unsigned_integer &&
             !by.type->is_wide())
        count = b.operation(Op::remainder, word, b.convert(word, by.leaves[0]),
                            b.constant(word, width));
    else
        return e_.fail(Code::operand_type, ast.kids[2]->where,
                       fmt::format("a count is not negative and of u1 to u64, but this is {}",
                                   e_.describe_type(by)));
    if (value.type->is_wide()) {
        if (!left)
            count = b.operation(Op::remainder, word,
                                b.operation(Op::subtract, word, b.constant(word, width), count),
                                b.constant(word, width));
        return e_.integer_of(WideBuilder{b}.rotate_left(e_.bits_of(value), count), value.type);
    }
    const Scalar raw{static_cast<std::uint8_t>(width), false};
    const NodeId bits = b.convert(raw, value.leaves[0]);
    const NodeId rest = b.operation(Op::subtract, word, b.constant(word, width), count);
    const NodeId up = b.operation(Op::shift_left, raw, bits, left ? count : rest);
    const NodeId down = b.operation(Op::shift_right, raw, bits, left ? rest : count);
    return Value::of(value.type,
                     {b.convert(Scalar::of(*value.type), b.operation(Op::bit_or, raw, up, down))});
}

Value Calls::bits_of(const Ast& ast, Op op) {
    const bool population = op == Op::popcount;
    if (!arguments(ast, 1, population ? "popcount(x)" : "reverse(x)"))
        return {};
    const Value value = typed_integer(*ast.kids[1], population ? "popcount" : "reverse");
    if (!value.ok())
        return {};
    Builder& b = e_.builder_;
    if (value.type->is_wide()) {
        WideBuilder wide{b};
        if (!population)
            return e_.integer_of(wide.bit_reverse(e_.bits_of(value)), value.type);
        return Value::between(wide.popcount(e_.bits_of(value)), 0,
                              static_cast<Integer>(value.type->width_bits()));
    }
    if (population)
        return Value::between(b.operation(op, {8, false}, value.leaves[0]), 0,
                              static_cast<Integer>(value.type->width_bits()));
    const Scalar raw{static_cast<std::uint8_t>(value.type->width_bits()), false};
    const NodeId bits = b.operation(op, raw, b.convert(raw, value.leaves[0]));
    return Value::of(value.type, {b.convert(Scalar::of(*value.type), bits)});
}

/// random(T): each scalar has bits of its own; of an enumeration each member is as likely.
Value Calls::random(const Ast& ast) {
    if (!arguments(ast, 1, "random(type)"))
        return {};
    const TypeRef type = e_.type(*ast.kids[1]);
    if (!type)
        return {};
    if (!e_.scope_.allows_random())
        return e_.fail(Code::bad_call, ast.where,
                       "random(...) has a value only in the step and the lets of a process");
    if (type->leaf_count() > Elaborator::most_leaves)
        return e_.fail(Code::too_large, ast.where,
                       fmt::format("a value can have at most {} scalars", Elaborator::most_leaves));
    Builder& b = e_.builder_;
    if (b.loops().open > 0)
        return e_.fail(Code::bad_call, ast.where,
                       fmt::format("{} steps and more are a loop, and random(...) would be one "
                                   "number in all of them; name it with 'let', or make fewer steps",
                                   b.loops().from));
    std::vector<NodeId> leaves;
    for (const Leaf& leaf : type->leaves()) {
        if (leaf.type->kind() != TypeKind::enumeration) {
            leaves.push_back(b.random(Scalar::of(*leaf.type)));
            continue;
        }
        const Scalar word{64, false};
        Table members{Scalar::of(*leaf.type), {}};
        for (const Member& member : leaf.type->members())
            members.values.push_back(member.value);
        const NodeId at = b.operation(Op::remainder, word, b.random(word),
                                      b.constant(word, members.values.size()));
        const Scalar member = members.type;
        leaves.push_back(
            b.leaf({Op::table_read, member, at, b.add_table(std::move(members)), no_node, 0}));
    }
    return Value::of(type, std::move(leaves));
}

} // namespace sme::expr
