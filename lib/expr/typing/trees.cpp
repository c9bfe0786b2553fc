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
        return;
    if (kind != BoundExpr::Kind::leaf && !value.known) {
        if (value.closed() || lowers_all_)
            make_constant(value);
        else
            builder_.plan(operations_of(value));
    }
    if (!value.known && value.form == Form::typed)
        value.known = value.leaves.size() == 1 ? builder_.constant_value(value.leaves[0])
                      : value.leaves.empty()   ? by_part(value)
                                               : std::nullopt;
}

/// Notes what a value depends on, and whether it may fault.
void Elaborator::note_dependence(BoundExpr& value) const {
    if (value.kind == BoundExpr::Kind::leaf) {
        if (value.named())
            value.depend_on(*value.named());
        value.may_fault = value.may_fault || (value.slot() && value.slot()->is_marked);
        value.in_run = value.in_run || value.slot() || value.index() || value.cycle() ||
                       value.memory() || value.family() || value.members();
        if (value.loop_value())
            value.loops |= loop_bit(*value.loop_value()->loop);
        for (const NodeId leaf : value.leaves) {
            value.in_run = value.in_run || !builder_.constant_value(leaf);
            value.may_fault = value.may_fault || builder_.may_fault(leaf);
        }
        return;
    }
    value.in_run = value.may_fault = false;
    value.loops = 0;
    for (const BoundRef& operand : value.operands)
        if (operand)
            value.depend_on(*operand);
    const BoundDetails& more = value.more();
    if (more.body_here)
        value.depend_on(*more.body_here->value);
    for (const BoundRef& candidate : more.candidates)
        value.depend_on(*candidate);
    if (more.loop)
        value.loops &= ~loop_bit(*more.loop);
    value.may_fault = value.may_fault || faults(value);
}

/// Makes the nodes of a value. Those of a value that is not constant only show that it may fault:
/// they are made again where it is used.
void Elaborator::make_constant(BoundExpr& value) {
    const Lowering::Leaves& leaves = lower_.leaves(value);
    if (!lowers_all_ && !std::all_of(leaves.begin(), leaves.end(), [&](NodeId leaf) {
            return builder_.constant_value(leaf).has_value();
        }))
        value.leaves.clear();
}

namespace {

/// Returns true if an index is certainly one of `count` from `low` on.
bool is_within(const BoundExpr& index, Integer low, std::uint64_t count) {
    const Integer end = low + static_cast<Integer>(count);
    if (index.is_exact())
        return index.low >= low && index.high < end;
    if (index.known)
        return static_cast<Integer>(*index.known) >= low &&
               static_cast<Integer>(*index.known) < end;
    const TypeRef& type = type_of(index);
    if (!type || type->is_wide() || !type->is_integer())
        return false;
    const Scalar scalar = Scalar::of(*type);
    return smallest(scalar.width_bits, scalar.is_signed) >= low &&
           largest(scalar.width_bits, scalar.is_signed) < end;
}

/// Returns true if the index of an element or a bit may be out of range.
bool may_miss(const BoundExpr& element) {
    const BoundExpr& base = *element.operands[0];
    std::vector<std::pair<Integer, std::uint64_t>> ranges; // low end and length
    TypeRef type = type_of(base);
    if (const auto& family = base.family())
        for (std::size_t d = 0; d < family->counts.size(); ++d)
            ranges.emplace_back(family->lows[d], family->counts[d]);
    else if (const auto& memory = base.memory(); memory && base.form == Form::memory) {
        for (const std::uint64_t dimension : memory->dimensions)
            ranges.emplace_back(0, dimension);
        type = memory->element;
    }
    for (std::size_t k = 1; k < element.operands.size(); ++k) {
        if (ranges.size() < k) {
            if (!type)
                return true;
            const bool is_array = type->kind() == TypeKind::array;
            ranges.emplace_back(0, is_array ? type->count() : type->width_bits());
            type = is_array ? type->element() : Type::boolean();
        }
        if (!is_within(*element.operands[k], ranges[k - 1].first, ranges[k - 1].second))
            return true;
    }
    return false;
}

} // namespace

/// Returns true if the operation of a value, apart from its operands, may fault.
bool Elaborator::faults(const BoundExpr& value) {
    switch (value.kind) {
    case BoundExpr::Kind::binary: {
        if (value.ast->op != Operator::divide && value.ast->op != Operator::remainder)
            return false;
        const BoundExpr& divisor = *value.operands[1];
        return divisor.is_exact() ? divisor.low <= 0 && divisor.high >= 0
                                  : divisor.known.value_or(0) == 0;
    }
    case BoundExpr::Kind::element: return may_miss(value);
    case BoundExpr::Kind::field: return value.more().member && may_miss(*value.more().member);
    default: return false;
    }
}

/// Returns about how many operations the value needs, apart from those of its operands.
std::size_t Elaborator::operations_of(const BoundExpr& value) {
    using Kind = BoundExpr::Kind;
    const auto scalars = [](const BoundExpr& of) {
        const TypeRef& type = type_of(of);
        return type ? static_cast<std::size_t>(type->leaf_count()) : 1;
    };
    const std::size_t own = scalars(value);
    std::size_t all = own;
    switch (value.kind) {
    case Kind::binary:
        if (own > 1 && value.ast->op == Operator::multiply)
            all = 4 * own * own;
        else if (own > 1 &&
                 (value.ast->op == Operator::divide || value.ast->op == Operator::remainder))
            all = 64 * own * own;
        break;
    case Kind::element:
        if (!value.more().candidates.empty())
            all = 2 * own * value.more().candidates.size();
        else if (value.operands[0]->form == Form::typed)
            all = 2 * scalars(*value.operands[0]);
        break;
    case Kind::fit:
    case Kind::field: return 0;
    case Kind::choice:
    case Kind::match:
    case Kind::reduced: all = own * value.operands.size(); break;
    default: break;
    }
    return all;
}

/// Returns the value of a scalar that one of its parts determines.
std::optional<std::uint64_t> Elaborator::by_part(const BoundExpr& value) {
    using Kind = BoundExpr::Kind;
    if (value.kind == Kind::binary && value.is_bool())
        return by_one_operand(value);
    if ((value.kind != Kind::field && value.kind != Kind::element) || !value.type->is_scalar() ||
        value.type->is_wide())
        return std::nullopt;
    const BoundExpr* const part = source_of(value);
    if (!part)
        return std::nullopt;
    return part->is_constant()
               ? std::optional{canonical_of(*value.type, static_cast<std::uint64_t>(part->low))}
               : part->known;
}

/// Returns what a field or an element of a struct or an array was made of; null if it is not known.
const BoundExpr* Elaborator::source_of(const BoundExpr& value, int depth) {
    using Kind = BoundExpr::Kind;
    if (depth == 0)
        return nullptr;
    const BoundExpr* base = value.operands[0].get();
    const auto skip_names = [&] {
        while (base && base->named())
            base = base->named().get();
        if (base && (base->kind == Kind::field || base->kind == Kind::element)) {
            base = source_of(*base, depth - 1);
            while (base && base->named())
                base = base->named().get();
        }
    };
    for (skip_names(); base && depth > 0; --depth) {
        std::size_t at = 0;
        if (value.kind == Kind::element) {
            if (base->kind != Kind::array || value.operands.size() != 2 ||
                !value.operands[1]->is_constant() || base->operands.size() != base->type->count())
                return nullptr;
            return base->operands[static_cast<std::size_t>(value.operands[1]->low)].get();
        }
        if (base->kind != Kind::construct && base->kind != Kind::record)
            return nullptr;
        at = static_cast<std::size_t>(base->type->find_field(value.ast->text));
        if (base->kind == Kind::record)
            return base->operands[at].get();
        if (const BoundRef& field = base->operands[at + 1])
            return field.get();
        base = base->operands[0].get(); // unchanged
        skip_names();
    }
    return nullptr;
}

/// Returns the value of a bool that one of its operands decides.
std::optional<std::uint64_t> Elaborator::by_one_operand(const BoundExpr& value) {
    if (!is_logical(value.ast->op) && !is_bitwise(value.ast->op))
        return std::nullopt;
    const BoundExpr &a = *value.operands[0], &b = *value.operands[1];
    const Operator op = value.ast->op;
    const std::uint64_t deciding = op == Operator::logical_and || op == Operator::bit_and ? 0 : 1;
    if (op == Operator::bit_xor)
        return std::nullopt;
    if (b.known == deciding && !a.may_fault)
        return deciding;
    if (!is_logical(op) && a.known == deciding && !b.may_fault)
        return deciding;
    return std::nullopt;
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
    if (value.form == Form::typed || (value.is_exact() && !value.is_constant()))
        value.leaves = Lowering::Leaves{lower_.leaves(value)};
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

BoundExpr bound_call(const Ast& call, BoundExpr value, FunctionBody& inside, Elaborator& caller) {
    const std::vector<BoundExpr> arguments = inside.arguments();
    BoundDetails details;
    details.body_here = inside.bound(value);
    details.body = body_of(*details.body_here->function, arguments, caller);
    return caller.made_of(Elaborator::without_expression(value), BoundExpr::Kind::own_call, &call,
                          caller.operands_of_all(arguments),
                          std::make_shared<const BoundDetails>(std::move(details)));
}

} // namespace sme::expr
