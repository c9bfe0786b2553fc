// SPDX-License-Identifier: Apache-2.0
//
// The bound expressions of values, and the bodies of functions for exporters.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "expr/bound/bound.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/functions.hpp"

namespace sme::expr {

BoundRef Elaborator::operand(BoundExpr value) const {
    if (value.kind == BoundExpr::Kind::fit)
        return value.operands[0];
    if (value.named() && !value.is_written()) // the value itself, not a use of its name
        return value.named();
    if (value.form == Form::typed && value.leaves.size() == 1)
        value.known = builder_.constant_value(value.leaves[0]);
    return std::make_shared<const BoundExpr>(std::move(value));
}

std::vector<BoundRef> Elaborator::operands_of_all(std::vector<BoundExpr> values) const {
    std::vector<BoundRef> result;
    result.reserve(values.size());
    for (BoundExpr& value : values)
        result.push_back(operand(std::move(value)));
    return result;
}

BoundExpr Elaborator::made_of(BoundExpr value, BoundExpr::Kind kind, const Ast* ast,
                              std::vector<BoundRef> operands,
                              std::shared_ptr<const BoundDetails> details) {
    if (!value.ok() || (value.is_constant() && value.is_written())) // it keeps its name
        return value;
    value.kind = kind;
    value.ast = ast;
    value.operands = std::move(operands);
    value.details = std::move(details);
    const bool has_nodes = value.form == Form::typed || (value.is_exact() && !value.is_constant());
    if (kind == BoundExpr::Kind::leaf)
        value.closed = value.is_number() ? value.is_literal()
                       : value.named()   ? value.named()->closed
                                         : value.known || value.constants();
    else
        value.closed = std::all_of(value.operands.begin(), value.operands.end(),
                                   [](const BoundRef& each) { return !each || each->closed; });
    if (kind != BoundExpr::Kind::leaf && has_nodes) {
        if (value.closed || lowers_all_ || is_part(value))
            lower_.leaves(value);
        else
            builder_.plan(1);
    }
    if (value.form == Form::typed && value.leaves.size() == 1)
        value.known = builder_.constant_value(value.leaves[0]);
    else if (kind == BoundExpr::Kind::binary && value.is_bool() && !value.known)
        value.known = by_one_operand(value);
    return value;
}

/// Returns true for a part of a value that exists, or is built from its parts: it may be known,
/// although the whole is not.
bool Elaborator::is_part(const BoundExpr& value) {
    using Kind = BoundExpr::Kind;
    if (value.kind != Kind::field && value.kind != Kind::slice && value.kind != Kind::element)
        return false;
    if (!std::all_of(value.operands.begin() + 1, value.operands.end(),
                     [](const BoundRef& index) { return index->closed; }))
        return false;
    const BoundExpr* base = value.operands[0].get();
    while (base->named())
        base = base->named().get();
    return base->form == Form::typed && (!base->leaves.empty() || base->kind == Kind::construct ||
                                         base->kind == Kind::record || base->kind == Kind::array);
}

/// Returns the value of a bool that one of its operands decides.
std::optional<std::uint64_t> Elaborator::by_one_operand(const BoundExpr& value) const {
    if (value.kind != BoundExpr::Kind::binary ||
        !(is_logical(value.ast->op) || is_bitwise(value.ast->op)))
        return std::nullopt;
    const BoundExpr &a = *value.operands[0], &b = *value.operands[1];
    const Operator op = value.ast->op;
    const std::uint64_t deciding = op == Operator::logical_and || op == Operator::bit_and ? 0 : 1;
    if (op == Operator::bit_xor)
        return std::nullopt;
    if (b.known == deciding && !may_fault(a))
        return deciding;
    if (!is_logical(op) && a.known == deciding && !may_fault(b))
        return deciding;
    return std::nullopt;
}

/// Returns true unless a value certainly has no fault.
bool Elaborator::may_fault(const BoundExpr& value, int depth) const {
    using Kind = BoundExpr::Kind;
    if (!value.leaves.empty())
        return std::any_of(value.leaves.begin(), value.leaves.end(),
                           [&](NodeId leaf) { return builder_.may_fault(leaf); });
    if (depth == 0)
        return true;
    switch (value.kind) {
    case Kind::leaf:
        return value.named()  ? may_fault(*value.named(), depth - 1)
               : value.slot() ? value.slot()->is_marked
                              : !value.closed && !value.index();
    case Kind::binary:
        if (value.ast->op == Operator::divide || value.ast->op == Operator::remainder)
            return true;
        break;
    case Kind::unary:
    case Kind::field:
    case Kind::slice:
    case Kind::fit:
    case Kind::cast:
    case Kind::choice:
    case Kind::construct:
    case Kind::record:
    case Kind::array: break;
    default: return true;
    }
    return std::any_of(value.operands.begin(), value.operands.end(),
                       [&](const BoundRef& each) { return each && may_fault(*each, depth - 1); });
}

BoundExpr Elaborator::without_expression(const BoundExpr& value) {
    BoundExpr result{value.form, value.what};
    result.varies = value.varies;
    result.low = value.low;
    result.high = value.high;
    result.type = value.type;
    result.known = value.known;
    result.leaves = value.leaves;
    result.declared = value.declared;
    return result;
}

BoundExpr Elaborator::named(BoundExpr value) {
    if ((value.form != Form::typed && !value.is_exact()) || value.is_constant() ||
        !value.is_written())
        return value;
    BoundExpr result = without_expression(value);
    result.what = std::make_shared<const BoundExpr>(std::move(value));
    return result;
}

BoundExpr Elaborator::lowered(BoundExpr value) {
    if (value.form == Form::typed || (value.is_exact() && !value.is_constant()))
        lower_.leaves(value);
    return value;
}

std::optional<std::uint64_t> Elaborator::known(const BoundExpr& value) const {
    return value.known || value.leaves.size() != 1 ? value.known
                                                   : builder_.constant_value(value.leaves[0]);
}

Elaborator::ExporterTrial::ExporterTrial(Elaborator& elaborator)
    : elaborator_{elaborator}, outer_{std::exchange(elaborator.bindings_->is_trial, true)},
      diagnostics_{elaborator.diagnostics_}, loops_{elaborator.builder_.loops()},
      random_sites_{elaborator.builder_.random_sites()}, fuel_{elaborator.scope_.fuel()},
      cover_{std::exchange(elaborator.cover_, nullptr)} {}

Elaborator::ExporterTrial::~ExporterTrial() {
    elaborator_.bindings_->is_trial = outer_;
    elaborator_.diagnostics_ = diagnostics_;
    elaborator_.builder_.loops() = loops_;
    elaborator_.builder_.set_random_sites(random_sites_);
    elaborator_.scope_.fuel() = fuel_;
    elaborator_.cover_ = cover_;
}

namespace {

/// Returns a node with an unknown value.
NodeId unknown_node(Builder& builder, Scalar type) {
    constexpr std::uint32_t nowhere = 1u << 30; // no port has this number
    return builder.leaf({Op::load, type, nowhere + static_cast<std::uint32_t>(builder.size()),
                         no_node, no_node, 0});
}

/// Returns a value of which the type or the range is known, as of another value.
BoundExpr unknown_like(const BoundExpr& value, Builder& builder) {
    BoundExpr result = Elaborator::without_expression(value);
    result.known.reset();
    if (result.named())
        result.what = std::monostate{};
    for (NodeId& leaf : result.leaves)
        leaf = unknown_node(builder, builder.type(leaf));
    return result;
}

/// Returns a text for the types and ranges of arguments; "" if they contain memories or
/// arrays of ports.
std::string typing_of(const std::vector<BoundExpr>& arguments) {
    std::string result;
    for (const BoundExpr& value : arguments)
        switch (value.form) {
        case Form::exact:
            result += fmt::format(" {}..{}{}", to_string(value.low), to_string(value.high),
                                  value.varies ? "*" : "");
            break;
        case Form::typed:
            result += fmt::format(" {}:{}", value.type->name(), value.type->width_bits());
            break;
        case Form::constants:
            result += fmt::format(" {}", static_cast<const void*>(value.constants().get()));
            break;
        default: return {};
        }
    return result;
}

/// Binds the body for arguments of which only the types and ranges are known.
std::shared_ptr<const BoundBody>
body_of(const Function& function, const std::vector<BoundExpr>& arguments, Elaborator& caller) {
    const std::string typing = typing_of(arguments);
    auto& known = caller.bindings()->bodies;
    const std::string key = fmt::format("{}{}", static_cast<const void*>(&function), typing);
    if (const auto found = known.find(key); found != known.end() && !typing.empty())
        return found->second;
    const Elaborator::ExporterTrial trial{caller};
    std::vector<BoundExpr> unknown;
    for (const BoundExpr& argument : arguments)
        unknown.push_back(unknown_like(argument, caller.builder()));
    Diagnostics quiet;
    FunctionBody inside{function, std::move(unknown), caller, quiet};
    std::shared_ptr<const BoundBody> result = inside.bound(inside.value());
    if (!typing.empty())
        known[key] = result;
    for (const BoundExpr& argument : arguments)
        if (argument.constants()) // its address is part of the key
            caller.bindings()->arrays.push_back(argument.constants());
    return result;
}

} // namespace

BoundExpr bound_call(const Ast& call, BoundExpr value, FunctionBody& inside, Elaborator& caller) {
    const std::vector<BoundExpr> arguments = inside.arguments();
    const std::shared_ptr<const BoundBody> here = inside.bound(value);
    value = caller.made_of(std::move(value), BoundExpr::Kind::own_call, &call,
                           caller.operands_of_all(arguments));
    BoundDetails details;
    details.body = body_of(*here->function, arguments, caller);
    if (!details.body->value)
        details.body_here = here;
    value.details = std::make_shared<const BoundDetails>(std::move(details));
    return value;
}

} // namespace sme::expr
