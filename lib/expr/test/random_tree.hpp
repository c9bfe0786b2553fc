// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <random>

#include "expr/syntax/ast.hpp"

namespace sme::test {

/// Returns true if two trees are equal, apart from their locations.
inline bool same(const expr::Ast& a, const expr::Ast& b) {
    const bool words = a.words && b.words ? *a.words == *b.words : !a.words && !b.words;
    const bool value = a.words ? words : words && a.value == b.value;
    return a.kind == b.kind && a.op == b.op && a.text == b.text && value &&
           std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), b.operands.end(),
                      [](const auto& x, const auto& y) { return same(*x, *y); });
}

/// Random trees that the parser can produce, with or without meaning.
class RandomTree {
public:
    explicit RandomTree(unsigned seed) : random_{seed} {}

    expr::AstRef expression(int depth) {
        using Kind = expr::Ast::Kind;
        if (depth == 0)
            return leaf();
        switch (below(10)) {
        case 0: return unary(depth);
        case 1: {
            std::vector<expr::AstRef> operands{expression(depth - 1)};
            for (unsigned k = below(2) + 1; k-- > 0;)
                operands.insert(operands.end(), {expression(depth - 1), expression(depth - 1)});
            return result(Kind::conditional, std::move(operands));
        }
        case 2: return call(depth);
        case 3: return postfix(depth, false);
        case 4: return leaf();
        case 5: return fields(depth);
        default: {
            using expr::Operator;
            const auto first = static_cast<unsigned>(Operator::power);
            const auto last = static_cast<unsigned>(Operator::implies);
            auto op = static_cast<Operator>(first + below(last - first + 1));
            if (op == Operator::logical_not) // the only unary operator in between
                op = Operator::add;
            return result(Kind::binary, {expression(depth - 1), expression(depth - 1)}, {}, op);
        }
        }
    }

    expr::AstRef target(int depth) {
        return depth == 0 ? result(expr::Ast::Kind::name, {}, name()) : postfix(depth, true);
    }

private:
    unsigned below(unsigned n) {
        return std::uniform_int_distribution<unsigned>{0, n - 1}(random_);
    }
    std::string name() {
        static const char* const names[] = {"a", "b", "clock", "x_1", "whenever", "u8", "files"};
        return names[below(7)];
    }

    static expr::AstRef result(expr::Ast::Kind kind, std::vector<expr::AstRef> operands = {},
                               std::string text = {}, expr::Operator op = expr::Operator::add) {
        auto ast = std::make_shared<expr::Ast>();
        ast->kind = kind;
        ast->op = op;
        ast->text = std::move(text);
        ast->operands = std::move(operands);
        return ast;
    }

    expr::AstRef leaf() {
        using Kind = expr::Ast::Kind;
        if (below(2) == 0)
            return result(Kind::name, {}, name());
        const auto ast = std::make_shared<expr::Ast>(*result(Kind::number));
        switch (below(5)) {
        case 0:
            ast->kind = Kind::boolean;
            ast->value = below(2);
            break;
        case 1:
            ast->value = Integer{1} << 126;
            ast->words = std::make_shared<const Words>(Words{random_(), random_(), 1 + below(9)});
            break;
        default: ast->value = Integer{random_()} << below(40); break;
        }
        return ast;
    }

    expr::AstRef unary(int depth) {
        using expr::Operator;
        static constexpr Operator ops[] = {Operator::negate, Operator::complement,
                                           Operator::logical_not};
        return result(expr::Ast::Kind::unary, {expression(depth - 1)}, {}, ops[below(3)]);
    }

    expr::AstRef call(int depth) {
        using Kind = expr::Ast::Kind;
        std::vector<expr::AstRef> operands{below(3) == 0 ? call(0)
                                                         : result(Kind::name, {}, name())};
        for (unsigned k = depth > 0 ? below(3) : 0; k-- > 0;) {
            expr::AstRef operand = expression(depth - 1);
            operands.push_back(below(3) == 0 ? result(Kind::named, {operand}, name()) : operand);
        }
        return result(Kind::call, std::move(operands));
    }

    expr::AstRef fields(int depth) {
        using Kind = expr::Ast::Kind;
        std::vector<expr::AstRef> operands;
        for (unsigned k = below(3) + 1; k-- > 0;) // distinct names
            operands.push_back(
                result(Kind::named, {expression(depth - 1)}, name() + std::string(k, '_')));
        return result(Kind::fields, std::move(operands));
    }

    /// Returns an index, a slice or a field; in a target, of a target and with ranges.
    expr::AstRef postfix(int depth, bool in_target) {
        using Kind = expr::Ast::Kind;
        const auto inner = [&] { return in_target ? target(depth - 1) : expression(depth - 1); };
        switch (below(3)) {
        case 0: return result(Kind::field, {inner()}, name());
        case 1: return result(Kind::slice, {inner(), expression(depth - 1), expression(depth - 1)});
        default: break;
        }
        std::vector<expr::AstRef> operands{inner()};
        for (unsigned k = below(2) + 1; k-- > 0;)
            operands.push_back(in_target && below(2) == 0 ? range(depth) : expression(depth - 1));
        return result(Kind::index, std::move(operands));
    }

    expr::AstRef range(int depth) {
        std::vector<expr::AstRef> operands{expression(depth - 1)};
        if (below(2) == 0)
            operands.push_back(expression(depth - 1));
        return result(expr::Ast::Kind::range, std::move(operands), name());
    }

    std::mt19937_64 random_;
};

} // namespace sme::test
