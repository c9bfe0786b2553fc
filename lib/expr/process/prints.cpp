// SPDX-License-Identifier: Apache-2.0
//
// print in a step: a line with values, which are evaluated only when it is printed.
#include "base/codes.hpp"
#include "expr/process/assignments.hpp"
#include "expr/syntax/print_line.hpp"

namespace sme::expr {

namespace {

/// Adds the name of the cycle number, unless another declaration has it.
class WithCycle {
public:
    explicit WithCycle(Elaborator& elaborator) : e_{elaborator}, bound_{!e_.is_known("cycle")} {
        if (bound_)
            e_.bind("cycle",
                    BoundExpr::of(Type::unsigned_integer(64),
                                  {e_.builder().leaf(
                                      {Op::cycle, {64, false}, no_node, no_node, no_node, 0})}));
    }
    ~WithCycle() {
        if (bound_)
            e_.unbind("cycle");
    }
    WithCycle(const WithCycle&) = delete;
    WithCycle& operator=(const WithCycle&) = delete;

private:
    Elaborator& e_;
    bool bound_;
};

} // namespace

void Assignments::print(const Statement& statement, NodeId path, BoundStatement& bound) {
    const WithCycle with_cycle{e_};
    const auto when = this->when(statement.rhs, bound.effect.when);
    Print result;
    PrintLine line;
    line.where = statement.where;
    bool ok = when.has_value();
    for (const PrintPiece& piece : statement.pieces) {
        if (!piece.value) {
            line.pieces.push_back({piece.text, nullptr, {}});
            continue;
        }
        BoundExpr value = e_.loaded(e_.evaluate(*piece.value), piece.value->where);
        if (value.is_exact()) // printing needs a width
            value =
                e_.fit(value, value.low < 0 ? Type::signed_integer(64) : Type::unsigned_integer(64),
                       piece.value->where, "a printed number");
        ok = ok && value.ok();
        if (!value.ok())
            continue;
        if (value.form != Form::typed) {
            e_.fail(Code::needs_type, piece.value->where,
                    "only a value with a type can be printed");
            ok = false;
            continue;
        }
        if (const std::string problem = style_problem(piece.style, *value.type); !problem.empty()) {
            e_.fail(Code::print_syntax, piece.value->where, problem);
            ok = false;
        }
        line.pieces.push_back({{}, value.type, piece.style});
        bound.printed.push_back(kept(value));
        result.values.insert(result.values.end(), value.leaves.begin(), value.leaves.end());
    }
    if (!ok || !e_.spend(100 * (result.values.size() + 1), statement.where))
        return;
    result.enable = b_.operation(Op::logical_and, {1, false}, path, *when);
    result.line = static_cast<std::uint32_t>(b_.program().lines.size());
    b_.program().lines.push_back(std::move(line));
    prints_.push_back(std::move(result));
}

} // namespace sme::expr
