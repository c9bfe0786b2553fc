// SPDX-License-Identifier: Apache-2.0
//
// past, stable, rose and fell: values of earlier cycles. Before cycle 0, every value is the zero of
// its type, like sampled values in IEEE 1800-2017, 16.9.3.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/functions.hpp"

namespace sme::expr {

BoundExpr Calls::historic(const Ast& ast, const std::string& name) {
    std::uint64_t cycles = 1;
    if (ast.operands.size() == 3) {
        const std::optional<std::uint64_t> given = cycles_back(*ast.operands[2]);
        if (!given)
            return {};
        cycles = *given;
    }
    const BoundExpr now = e_.loaded(e_.evaluate(*ast.operands[1]), ast.operands[1]->where);
    if (!now.ok())
        return {};
    if ((name == "rose" || name == "fell") && !now.is_bool())
        return e_.fail(Code::operand_type, ast.operands[1]->where,
                       fmt::format("'{}' takes a bool, but this is {}; write a comparison, or a "
                                   "bit, as in x[0]",
                                   name, e_.describe_type(now)));
    BoundExpr before = past(now, cycles, ast);
    if (!before.ok() || name == "past")
        return before;
    return e_.made_of(BoundExpr::of(Type::boolean()), BoundExpr::Kind::call, &ast,
                      e_.operands_of(now, before));
}

std::optional<std::uint64_t> Calls::cycles_back(const Ast& ast) {
    const std::optional<Integer> given = e_.constant(ast, "how far past looks back");
    if (!given)
        return std::nullopt;
    if (*given >= 1 && *given <= Integer{History::max_cycles})
        return static_cast<std::uint64_t>(*given);
    e_.fail(*given < 1 ? Code::bad_call : Code::too_large, ast.where,
            fmt::format("past looks back 1 to {} cycles, but this is {}", History::max_cycles,
                        to_string(*given)));
    return std::nullopt;
}

BoundExpr Calls::past(const BoundExpr& value, std::uint64_t cycles, const Ast& ast) {
    const Location& where = ast.operands[1]->where;
    if (value.form != Form::typed)
        return e_.fail(value.is_number() ? Code::needs_type : Code::operand_type, where,
                       value.is_number()
                           ? "the type of the remembered value is not known; write it, "
                             "as in u8(...)"
                           : fmt::format("'{}' takes a value, but this is {}",
                                         ast.operands[0]->text, e_.describe_type(value)));
    if (const Type* found = enumeration_without_zero(*value.type))
        return e_.fail(Code::bad_call, where,
                       fmt::format("before cycle 0 everything is zero, which is no member of {}; "
                                   "write u{}(...) around it",
                                   found->name(), value.type->width_bits()));
    Builder& b = e_.builder_;
    if (std::any_of(value.leaves.begin(), value.leaves.end(),
                    [&](NodeId leaf) { return !b.free_in(leaf).empty(); }))
        return e_.fail(Code::bad_call, where,
                       fmt::format("{} steps and more are a loop, and '{}' remembers one value, "
                                   "not one of each step; make fewer steps",
                                   b.loops().from, ast.operands[0]->text));
    if (!e_.spend(300 * value.leaves.size(), where))
        return {};
    return e_.scope_.history()->past(value, cycles, where);
}

} // namespace sme::expr
