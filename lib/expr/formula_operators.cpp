// SPDX-License-Identifier: Apache-2.0
//
// Operators and what chooses: the twins of operators.cpp.
#include "expr/exact.hpp"
#include "expr/formula_maker.hpp"

namespace sme::expr {

FormulaMaker::Made FormulaMaker::unary(const Ast& ast) {
    Made operand = make(*ast.kids[0]);
    if (operand.is_bool() && ast.op != Operator::negate) {
        add(Kind::number).number = 0;
        add_typed(Kind::typed, Op::equal, {1, false}, {1, false});
        return operand;
    }
    if (operand.is_exact() && ast.op == Operator::negate) {
        add(Kind::negate);
        return operand;
    }
    if (!operand.is_integer() || ast.op == Operator::logical_not)
        return {};
    const Scalar type = Scalar::of(*operand.type);
    add_typed(Kind::typed_alone, ast.op == Operator::negate ? Op::negate : Op::complement, type,
              type);
    return operand;
}

FormulaMaker::Made FormulaMaker::binary(const Ast& ast) {
    constexpr std::size_t longest = 200; // of a chain; longer ones are the elaborator's
    if (ast.kids[0]->kind == Ast::Kind::binary && chain_of(ast).size() > longest)
        return {};
    if (ast.op >= Operator::logical_and)
        return logical(ast);
    const Made a = make(*ast.kids[0]);
    const Made b = a.known ? make(*ast.kids[1]) : Made{};
    if (!b.known)
        return {};
    if (a.is_exact() && b.is_exact())
        return exact_binary(ast);
    if (ast.op == Operator::shift_left || ast.op == Operator::shift_right)
        return shift(ast, a, b);
    return typed_binary(ast, a, b);
}

FormulaMaker::Made FormulaMaker::exact_binary(const Ast& ast) {
    const bool compares = is_comparison(ast.op);
    add(compares ? Kind::compare : Kind::exact).exact_op = ast.op;
    return {true, compares ? Type::boolean() : nullptr};
}

FormulaMaker::Made FormulaMaker::shift(const Ast& ast, const Made& a, const Made& b) {
    if (!a.is_integer())
        return {};
    if (b.is_exact())
        add(Kind::count);
    else if (b.type->kind() != TypeKind::unsigned_integer)
        return {};
    const Scalar type = Scalar::of(*a.type);
    add_typed(Kind::typed, ast.op == Operator::shift_left ? Op::shift_left : Op::shift_right, type,
              type);
    return a;
}

FormulaMaker::Made FormulaMaker::typed_binary(const Ast& ast, Made a, Made b) {
    if (a.is_exact() && !fit(a, b.type, 1))
        return {};
    if (b.is_exact() && !fit(b, a.type, 0))
        return {};
    const Type& type = *a.type;
    const bool equality = ast.op == Operator::equal || ast.op == Operator::not_equal;
    const bool bitwise = ast.op >= Operator::bit_and && ast.op <= Operator::bit_or;
    if (!(type == *b.type) || (type.kind() == TypeKind::enumeration && !equality) ||
        (type.kind() == TypeKind::boolean && !equality && !bitwise))
        return {};
    const auto step = [&](Op op, const TypeRef& result) {
        add_typed(Kind::typed, op, Scalar::of(*result), Scalar::of(type)).swapped =
            ast.op == Operator::greater || ast.op == Operator::greater_equal;
        return Made{true, result};
    };
    switch (ast.op) {
    case Operator::add: return step(Op::add, a.type);
    case Operator::subtract: return step(Op::subtract, a.type);
    case Operator::multiply: return step(Op::multiply, a.type);
    case Operator::divide: return step(Op::divide, a.type);
    case Operator::remainder: return step(Op::remainder, a.type);
    case Operator::bit_and: return step(Op::bit_and, a.type);
    case Operator::bit_xor: return step(Op::bit_xor, a.type);
    case Operator::bit_or: return step(Op::bit_or, a.type);
    case Operator::equal: return step(Op::equal, Type::boolean());
    case Operator::not_equal: return step(Op::not_equal, Type::boolean());
    case Operator::less:
    case Operator::greater: return step(Op::less, Type::boolean());
    case Operator::less_equal:
    case Operator::greater_equal: return step(Op::less_equal, Type::boolean());
    default: return {};
    }
}

/// What the first operand decides leaves the second one out, as in the elaborator.
FormulaMaker::Made FormulaMaker::logical(const Ast& ast) {
    const Made a = make(*ast.kids[0]);
    if (!a.is_bool())
        return {};
    if (ast.op == Operator::implies) {
        add(Kind::number).number = 0;
        add_typed(Kind::typed, Op::equal, {1, false}, {1, false});
    }
    add(Kind::leave_if).number = ast.op == Operator::logical_and ? 0 : 1;
    const std::size_t leave = made_.steps_.size() - 1;
    enter();
    const Made b = make(*ast.kids[1]);
    made_.steps_[leave].at = made_.steps_.size();
    return b.is_bool() ? b : Made{};
}

/// Only the arm that is taken is evaluated. All have one type here.
FormulaMaker::Made FormulaMaker::conditional(const Ast& ast, const TypeRef& wanted) {
    std::vector<std::size_t> ends; // steps that go behind all arms
    std::optional<Made> all;
    for (std::size_t k = 0; k < ast.kids.size(); k += 2) {
        const bool last = k + 1 == ast.kids.size();
        std::size_t skip = 0;
        if (!last) {
            if (!make(*ast.kids[k]).is_bool())
                return {};
            add(Kind::skip_unless);
            skip = made_.steps_.size() - 1;
            enter();
        }
        const Ast& of = *ast.kids[last ? k : k + 1];
        const Made arm = wanted ? make_as(of, wanted) : make(of);
        if (!arm.known || (all && all->is_typed() != arm.is_typed()) ||
            (all && arm.is_typed() && !(*all->type == *arm.type)))
            return {};
        all = arm;
        if (last)
            break;
        add(Kind::skip);
        ends.push_back(made_.steps_.size() - 1);
        --depth_; // the next arm takes its place
        made_.steps_[skip].at = made_.steps_.size();
        enter();
    }
    for (const std::size_t end : ends)
        made_.steps_[end].at = made_.steps_.size();
    return *all;
}

} // namespace sme::expr
