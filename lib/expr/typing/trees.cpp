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

BoundRef Elaborator::operand(BoundExpr&& value) const {
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
    complete(value, kind, ast, std::move(operands), std::move(details));
    return value;
}

void Elaborator::complete(BoundExpr& value, BoundExpr::Kind kind, const Ast* ast,
                          std::vector<BoundRef> operands,
                          std::shared_ptr<const BoundDetails> details) {
    if (!value.ok() || (value.is_constant() && value.is_written())) // it keeps its name
        return;
    value.kind = kind;
    value.ast = ast;
    value.operands = std::move(operands);
    value.details = std::move(details);
    note_dependence(value);
    if (value.form != Form::typed && (!value.is_exact() || value.is_constant()))
        return settle(value);
    if (lowers_all_ || (value.closed() && !value.may_fault && kind != BoundExpr::Kind::leaf))
        value = lowered(std::move(value));
    if (!value.ok() || value.form != Form::typed)
        return;
    if (!value.known)
        value.known =
            value.leaves.size() == 1 ? builder_.constant_value(value.leaves[0]) : by_part(value);
    settle(value);
}

BoundExpr Elaborator::without_expression(const BoundExpr& value) {
    BoundExpr result{value.form, value.what};
    result.varies = value.varies;
    result.low = value.low;
    result.high = value.high;
    result.type = value.type;
    result.known = value.known;
    result.leaves = value.leaves;
    result.in_run = value.in_run;
    result.may_fault = value.may_fault;
    result.loops = value.loops;
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
    if (value.form != Form::typed && (!value.is_exact() || value.is_constant()))
        return value;
    try {
        value.leaves = Lowering::Leaves{lower_.leaves(value)};
        return value;
    } catch (const TooLarge& problem) {
        report(problem);
        return {};
    }
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
    if (value.form != Form::typed && (!value.is_exact() || value.is_constant()))
        return result;
    result.what = std::monostate{};
    result.leaves.clear();
    if (value.is_exact())
        result.leaves = {unknown_node(
            builder, scalar_between(value.low, value.high).value_or(Scalar{64, true}))};
    else
        for (const Leaf& leaf : value.type->leaves())
            result.leaves.push_back(unknown_node(builder, Scalar::of(*leaf.type)));
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

BoundExpr bound_call(const Ast& call, const BoundExpr& value, FunctionBody& inside,
                     Elaborator& caller) {
    const std::vector<BoundExpr> arguments = inside.arguments();
    BoundDetails details;
    details.body_here = inside.bound(value);
    if (caller.bindings())
        details.body = body_of(*details.body_here->function, arguments, caller);
    return caller.made_of(Elaborator::without_expression(value), BoundExpr::Kind::own_call, &call,
                          caller.operands_of_all(arguments),
                          std::make_shared<const BoundDetails>(std::move(details)));
}

} // namespace sme::expr
