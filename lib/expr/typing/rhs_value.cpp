// SPDX-License-Identifier: Apache-2.0
//
// Choices between values: if, and selection by a condition.
#include "expr/typing/rhs_value.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/match.hpp"
#include "expr/typing/ranges.hpp"
#include "expr/typing/structs.hpp"

namespace sme::expr {

Value Elaborator::conditional(const Ast& ast, const TypeRef& wanted) {
    std::vector<const Ast*> conditions;
    for (std::size_t k = 0; k + 1 < ast.operands.size(); k += 2)
        conditions.push_back(ast.operands[k].get());
    const auto arm = [&](std::size_t k, NodeId, const TypeRef& type) {
        const Ast& chosen = *ast.operands[std::min(2 * k + 1, ast.operands.size() - 1)];
        return read(bound(chosen, wanted ? wanted : type), chosen.where);
    };
    conditions.push_back(nullptr);
    return first_of(conditions, arm, ast.where);
}

Value Elaborator::first_of(const std::vector<const Ast*>& conditions, const Arm& arm,
                           const Location& where) {
    std::vector<std::pair<Value, std::size_t>> open;
    std::size_t last = conditions.size() - 1;
    for (std::size_t k = 0; k < last; ++k) {
        Value condition = truth(*conditions[k], "a condition");
        if (!condition.ok())
            return {};
        const auto known = this->known(condition);
        if (known == std::uint64_t{1})
            last = k;
        else if (!known) // an arm that is never selected is not evaluated
            open.emplace_back(std::move(condition), k);
    }
    // from the last arm to the first: each select contains the arms after it
    Value result = arm(last, builder_.boolean(true), {});
    std::vector<BoundRef> operands;
    keep(operands, result);
    for (std::size_t k = open.size(); k-- > 0;) {
        const NodeId condition = open[k].first.leaves[0];
        const Value other = arm(open[k].second, condition, result.type);
        result = selected(std::nullopt, other, result, where);
        keep(operands, other);
        keep(operands, open[k].first);
    }
    if (operands.size() < 2)
        return result;
    std::reverse(operands.begin(), operands.end());
    return with_tree(std::move(result), BoundExpr::Kind::choice, nullptr, std::move(operands));
}

Value Elaborator::selected(std::optional<bool> holds, const Value& yes, const Value& no,
                           const Location& where) {
    if (!yes.ok() || !no.ok())
        return {};
    if (yes.is_number() && no.is_number()) {
        if (holds)
            return *holds ? yes : no;
        const Integer low = std::min(yes.low, no.low);
        const Integer high = std::max(yes.high, no.high);
        const bool exact = yes.is_exact() && no.is_exact();
        if (exact && low == high)
            return yes;
        return exact && scalar_between(low, high)
                   ? Value::between(low, high)
                   : fail(Code::needs_type, where,
                          "these numbers do not fit 64 bits together; give them a type");
    }
    const TypeRef type = yes.is_number() ? no.type : yes.type;
    if (!fitted(yes, type, where, "the other arm").ok() ||
        !fitted(no, type, where, "the other arm").ok() || !spend(50 * type->leaf_count(), where))
        return {};
    return Value::of(type);
}

Value Elaborator::select(NodeId condition, const Value& yes, const Value& no,
                         const Location& where) {
    const auto known = builder_.constant_value(condition);
    Value result = selected(known ? std::optional{*known != 0} : std::nullopt, yes, no, where);
    if (!result.ok() || result.is_constant() || !result.leaves.empty())
        return result;
    const auto arm = [&](const Value& value) {
        return result.type
                   ? lower_.leaves_as(*tree_of(value), *result.type)
                   : Lowering::Leaves{exact_node(value, *scalar_between(result.low, result.high))};
    };
    const Lowering::Leaves a = arm(yes), b = arm(no);
    result.leaves = lower_.select(condition, a, b);
    result.tree = nullptr;
    return result;
}

namespace {

/// Elaborates a let outside the open loops, since it depends on none of them. In a function, whose
/// arguments may depend on them, it does nothing.
class OutsideLoops {
public:
    explicit OutsideLoops(Elaborator& elaborator)
        : loops_{elaborator.builder().loops()}, open_{loops_.open}, steps_{loops_.steps} {
        if (elaborator.in_function())
            return;
        loops_.open = 0;
        loops_.steps = loops_.instances;
    }
    ~OutsideLoops() {
        loops_.open = open_;
        loops_.steps = steps_;
    }
    OutsideLoops(const OutsideLoops&) = delete;
    OutsideLoops& operator=(const OutsideLoops&) = delete;

private:
    Builder::Loops& loops_;
    const unsigned open_;
    const std::uint64_t steps_;
};

/// A condition and its right-hand side; the last option has no condition.
struct Option {
    const Ast* condition;
    const Rhs* rhs;
    Location where; // location of its line
};

class AlwaysValue {
public:
    explicit AlwaysValue(Elaborator& elaborator) : e_{elaborator} {}

    Value of(const Rhs& rhs) {
        switch (rhs.kind) {
        case Rhs::Kind::expression:
            if (rhs.when)
                return missing(rhs.where);
            return rhs.value ? e_.read(e_.bound(*rhs.value), rhs.where) : Value{};
        case Rhs::Kind::first: return of_list(rhs);
        case Rhs::Kind::choice: return of_choice(rhs);
        case Rhs::Kind::match: return of_match(rhs);
        case Rhs::Kind::fields: break;
        }
        return of_fields(rhs);
    }

private:
    Value missing(const Location& where) {
        return e_.fail(Code::missing_else, where,
                       "there must always be a value here; end with a line that has no condition");
    }

    Value of_list(const Rhs& rhs) {
        std::vector<Option> options;
        for (const Rhs& entry : rhs.list) {
            const bool last = &entry == &rhs.list.back();
            if (entry.kind != Rhs::Kind::expression || !entry.value ||
                last == (entry.when != nullptr))
                return missing(entry.where);
            options.push_back({entry.when.get(), &entry, entry.where});
        }
        return first_of(options, rhs.where);
    }

    Value of_choice(const Rhs& rhs) {
        if (rhs.arms.empty() || rhs.arms.back().condition)
            return missing(rhs.where);
        std::vector<Option> options;
        for (const Rhs::Arm& arm : rhs.arms)
            options.push_back({arm.condition.get(), &arm.rhs, arm.where});
        return first_of(options, rhs.where);
    }

    /// Returns the value of the first option whose condition holds; options ruled out before the
    /// run are not elaborated.
    Value first_of(const std::vector<Option>& options, const Location& where) {
        if (options.empty())
            return {};
        std::vector<const Ast*> conditions;
        for (const Option& option : options)
            conditions.push_back(option.condition);
        CoverChain chain{e_.cover()};
        const auto arm = [&](std::size_t k, NodeId condition, const TypeRef&) {
            const Option& option = options[k];
            chain.open();
            Value made = of_entry(*option.rhs);
            chain.close(option.where, option.condition ? option.condition->where : option.where,
                        condition);
            return made;
        };
        Value result = e_.first_of(conditions, arm, where);
        chain.finish(true);
        return result;
    }

    /// Evaluates an entry of a list without its condition, which the caller has tested.
    Value of_entry(const Rhs& rhs) {
        return rhs.kind == Rhs::Kind::expression
                   ? (rhs.value ? e_.read(e_.bound(*rhs.value), rhs.where) : Value{})
                   : of(rhs);
    }

    Value of_match(const Rhs& rhs) {
        std::optional<Match> match = match_of(rhs, e_);
        if (!match)
            return {};
        std::vector<Value> values;
        std::vector<Location> where;
        for (std::size_t k = 0; k < rhs.arms.size(); ++k) {
            CoverFrame frame{e_.cover()};
            if (CoverNotes* const notes = e_.cover()) {
                notes->line(rhs.arms[k].where);
                notes->arm(rhs.arms[k].where);
            }
            values.push_back(match->is_possible(k) ? of(rhs.arms[k].rhs) : Value{});
            if (e_.cover() && match->is_possible(k))
                frame.close(match->condition(k));
            where.push_back(rhs.arms[k].rhs.where);
        }
        std::vector<BoundRef> operands;
        e_.keep(operands, match->subject());
        for (std::size_t k = 0; k < values.size(); ++k)
            if (match->is_possible(k))
                e_.keep(operands, values[k]);
            else
                operands.push_back(nullptr);
        Value result = e_.with_tree(match->select(std::move(values), where), BoundExpr::Kind::match,
                                    nullptr, std::move(operands));
        e_.change_tree(result, [&](BoundExpr& bound) {
            if (bound.kind == BoundExpr::Kind::match)
                bound.arms = match->patterns();
        });
        return result;
    }

    Value of_fields(const Rhs& rhs) {
        if (rhs.fields.empty())
            return missing(rhs.where);
        std::vector<FieldValue> fields;
        for (const auto& [name, where, field] : rhs.fields) {
            fields.push_back({name, field.where, of(field)});
            if (!fields.back().value.ok())
                return {};
        }
        return struct_of(fields, typed_field_advice, e_);
    }

    Elaborator& e_;
};

} // namespace

std::optional<Match> match_of(const Rhs& rhs, Elaborator& elaborator) {
    std::vector<Match::Arm> arms;
    for (const Rhs::Arm& arm : rhs.arms)
        arms.push_back({&arm.patterns, arm.where});
    if (!rhs.value || arms.empty())
        return std::nullopt; // already reported
    return Match::of(*rhs.value, rhs.where, arms, elaborator);
}

Value always_value(const Rhs& rhs, Elaborator& elaborator) {
    return elaborator.lowered(AlwaysValue{elaborator}.of(rhs));
}

Value array_of(std::vector<Value> elements, const std::vector<Location>& where,
               Elaborator& elaborator) {
    TypeRef type;
    for (const Value& element : elements) {
        if (!element.ok())
            return {};
        if (!element.is_number())
            type = element.type;
    }
    if (!type)
        return elaborator.fail(Code::needs_type, where.at(0),
                               "the type of the elements is not known; write it, as in u8(...)");
    std::vector<BoundRef> operands;
    elaborator.keep(operands, elements);
    std::uint64_t scalars = 0;
    for (std::size_t k = 0; k < elements.size(); ++k) {
        if (!elaborator.fitted(std::move(elements[k]), type, where[k], "an element").ok())
            return {};
        scalars += type->leaf_count();
        if (scalars > Elaborator::max_leaves)
            return elaborator.fail(
                Code::too_large, where[k],
                fmt::format("a value can have at most {} scalars", Elaborator::max_leaves));
    }
    return elaborator.lowered(elaborator.with_tree(Value::of(Type::array(type, elements.size())),
                                                   BoundExpr::Kind::array, nullptr,
                                                   std::move(operands)));
}

Value let_value(const LetText& let, Elaborator& elaborator) {
    const Elaborator::Outside outside{elaborator};
    const OutsideLoops once{elaborator};
    const CoverNotes::Outside counted{elaborator.cover()};
    if (elaborator.cover())
        elaborator.cover()->line(let.declared);
    if (let.ranges.empty())
        return always_value(let.rhs, elaborator);
    const std::optional<Unrolled> ranges = Unrolled::of(let.ranges, elaborator);
    if (!ranges)
        return {};
    for (const RangeText& range : let.ranges)
        if (range.low)
            return elaborator.fail(Code::bad_range, range.where,
                                   "this makes an array, whose indices begin at 0; write 'k < n'");
    if (ranges->total() == 0)
        return elaborator.fail(Code::bad_range, let.declared,
                               fmt::format("'{}' has no element", let.name));
    std::vector<Value> elements;
    const bool fine = ranges->for_each(elaborator, [&] {
        elements.push_back(always_value(let.rhs, elaborator));
        return elements.back().ok();
    });
    if (!fine)
        return {};
    Value result =
        array_of(elements, std::vector<Location>(elements.size(), let.rhs.where), elaborator);
    if (!result.ok())
        return result;
    // a[i, j] is an array of rows
    TypeRef type = result.type->element();
    for (std::size_t d = ranges->counts().size(); d-- > 0;)
        type = Type::array(type, ranges->counts()[d]);
    result.type = type;
    elaborator.change_tree(result, [&](BoundExpr& bound) { bound.type = type; });
    return result;
}

} // namespace sme::expr
