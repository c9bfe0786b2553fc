// SPDX-License-Identifier: Apache-2.0
//
// Choices between values: if, and selection by a condition.
#include "expr/typing/rhs_value.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/lower/match.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/fixed_point.hpp"
#include "expr/typing/match.hpp"
#include "expr/typing/ranges.hpp"
#include "expr/typing/structs.hpp"

namespace sme::expr {

BoundExpr Elaborator::conditional(const Ast& ast, const TypeRef& wanted) {
    std::vector<const Ast*> conditions;
    for (std::size_t k = 0; k + 1 < ast.operands.size(); k += 2)
        conditions.push_back(ast.operands[k].get());
    const auto arm = [&](std::size_t k, const BoundExpr*, const TypeRef& type) {
        const Ast& chosen = *ast.operands[std::min(2 * k + 1, ast.operands.size() - 1)];
        return bound_value(chosen, wanted ? wanted : type);
    };
    conditions.push_back(nullptr);
    return first_of(conditions, arm, ast.where);
}

BoundExpr Elaborator::first_of(const std::vector<const Ast*>& conditions, const Arm& arm,
                               const Location& where) {
    std::vector<std::pair<BoundExpr, std::size_t>> open;
    std::size_t last = conditions.size() - 1;
    for (std::size_t k = 0; k < last; ++k) {
        BoundExpr condition = bound_truth(*conditions[k], "a condition");
        if (!condition.ok())
            return {};
        const auto known = this->known(condition);
        if (known == std::uint64_t{1})
            last = k;
        else if (!known) // an arm that is never selected is not evaluated
            open.emplace_back(std::move(condition), k);
    }
    // from the last arm to the first: each select contains the arms after it
    std::vector<BoundExpr> arms{arm(last, nullptr, {})};
    TypeRef type = arms[0].type;
    for (std::size_t k = open.size(); k-- > 0;) {
        arms.push_back(arm(open[k].second, &open[k].first, type));
        type = type ? type : arms.back().type;
    }
    FixedPoint{*this}.unify(arms, where);
    BoundExpr result = std::move(arms[0]);
    std::vector<BoundRef> operands;
    if (!open.empty())
        operands = operands_of(result);
    for (std::size_t k = open.size(); k-- > 0;) {
        BoundExpr other = std::move(arms[open.size() - k]);
        result = selected(std::nullopt, other, result, where);
        operands.push_back(operand(std::move(other)));
        operands.push_back(operand(std::move(open[k].first)));
    }
    if (operands.size() < 2)
        return result;
    std::reverse(operands.begin(), operands.end());
    return made_of(std::move(result), BoundExpr::Kind::choice, nullptr, std::move(operands));
}

BoundExpr Elaborator::selected(std::optional<bool> holds, const BoundExpr& yes, const BoundExpr& no,
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
                   ? BoundExpr::between(low, high)
                   : fail(Code::needs_type, where,
                          "these numbers do not fit 64 bits together; give them a type");
    }
    const TypeRef type = yes.is_number() ? no.type : yes.type;
    if (!fits(yes, type, where, "the other arm") || !fits(no, type, where, "the other arm") ||
        !spend(50 * type->leaf_count(), where))
        return {};
    return BoundExpr::of(type);
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

    BoundExpr of(const Rhs& rhs) {
        switch (rhs.kind) {
        case Rhs::Kind::expression:
            if (rhs.when)
                return missing(rhs.where);
            return rhs.value ? e_.read(e_.bound(*rhs.value), rhs.where) : BoundExpr{};
        case Rhs::Kind::first: return of_list(rhs);
        case Rhs::Kind::choice: return of_choice(rhs);
        case Rhs::Kind::match: return of_match(rhs);
        case Rhs::Kind::fields: break;
        }
        return of_fields(rhs);
    }

private:
    BoundExpr missing(const Location& where) {
        return e_.fail(Code::missing_else, where,
                       "there must always be a value here; end with a line that has no condition");
    }

    BoundExpr of_list(const Rhs& rhs) {
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

    BoundExpr of_choice(const Rhs& rhs) {
        if (rhs.arms.empty() || rhs.arms.back().condition)
            return missing(rhs.where);
        std::vector<Option> options;
        for (const Rhs::Arm& arm : rhs.arms)
            options.push_back({arm.condition.get(), &arm.rhs, arm.where});
        return first_of(options, rhs.where);
    }

    /// Returns the value of the first option whose condition holds; options ruled out before the
    /// run are not elaborated.
    BoundExpr first_of(const std::vector<Option>& options, const Location& where) {
        if (options.empty())
            return {};
        std::vector<const Ast*> conditions;
        for (const Option& option : options)
            conditions.push_back(option.condition);
        CoverChain chain{e_.cover()};
        const auto arm = [&](std::size_t k, const BoundExpr* condition, const TypeRef&) {
            const Option& option = options[k];
            chain.open();
            BoundExpr made = of_entry(*option.rhs);
            if (e_.cover())
                chain.close(option.where, option.condition ? option.condition->where : option.where,
                            condition ? e_.lowering().leaves(*condition)[0]
                                      : e_.builder().boolean(true));
            return made;
        };
        BoundExpr result = e_.first_of(conditions, arm, where);
        chain.finish(true);
        return result;
    }

    /// Evaluates an entry of a list without its condition, which the caller has tested.
    BoundExpr of_entry(const Rhs& rhs) {
        return rhs.kind == Rhs::Kind::expression
                   ? (rhs.value ? e_.read(e_.bound(*rhs.value), rhs.where) : BoundExpr{})
                   : of(rhs);
    }

    BoundExpr of_match(const Rhs& rhs) {
        const std::shared_ptr<const BoundMatch> match = match_of(rhs, e_);
        if (!match)
            return {};
        std::optional<MatchLowering> chosen;
        if (e_.cover())
            chosen.emplace(e_.lowering(), *match);
        std::vector<BoundExpr> values;
        std::vector<Location> where;
        for (std::size_t k = 0; k < rhs.arms.size(); ++k) {
            CoverFrame frame{e_.cover()};
            if (CoverNotes* const notes = e_.cover()) {
                notes->line(rhs.arms[k].where);
                notes->arm(rhs.arms[k].where);
            }
            values.push_back(match->is_possible(k) ? of(rhs.arms[k].rhs) : BoundExpr{});
            if (e_.cover() && match->is_possible(k))
                frame.close(chosen->condition(k));
            where.push_back(rhs.arms[k].rhs.where);
        }
        return match_value(match, values, where, e_);
    }

    BoundExpr of_fields(const Rhs& rhs) {
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

std::shared_ptr<const BoundMatch> match_of(const Rhs& rhs, Elaborator& elaborator) {
    std::vector<ArmText> arms;
    for (const Rhs::Arm& arm : rhs.arms)
        arms.push_back({&arm.patterns, arm.where});
    if (!rhs.value || arms.empty())
        return nullptr; // already reported
    return bound_match(*rhs.value, rhs.where, arms, elaborator);
}

BoundExpr always_value(const Rhs& rhs, Elaborator& elaborator) {
    return AlwaysValue{elaborator}.of(rhs);
}

BoundExpr array_of(std::vector<BoundExpr> elements, const std::vector<Location>& where,
                   Elaborator& elaborator) {
    if (!elements.empty())
        FixedPoint{elaborator}.unify(elements, where[0]);
    TypeRef type;
    for (const BoundExpr& element : elements) {
        if (!element.ok())
            return {};
        if (!element.is_number())
            type = element.type;
    }
    if (!type)
        return elaborator.fail(Code::needs_type, where.at(0),
                               "the type of the elements is not known; write it, as in u8(...)");
    std::vector<BoundRef> operands = elaborator.operands_of_all(elements);
    std::uint64_t scalars = 0;
    for (std::size_t k = 0; k < elements.size(); ++k) {
        if (!elaborator.fits(elements[k], type, where[k], "an element"))
            return {};
        scalars += type->leaf_count();
        if (scalars > Elaborator::max_leaves)
            return elaborator.fail(
                Code::too_large, where[k],
                fmt::format("a value can have at most {} scalars", Elaborator::max_leaves));
    }
    return elaborator.made_of(BoundExpr::of(Type::array(type, elements.size())),
                              BoundExpr::Kind::array, nullptr, std::move(operands));
}

namespace {

BoundExpr let_alone(const LetText& let, Elaborator& elaborator) {
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
    std::vector<BoundExpr> elements;
    const bool fine = ranges->for_each(elaborator, [&] {
        elements.push_back(always_value(let.rhs, elaborator));
        return elements.back().ok();
    });
    if (!fine)
        return {};
    BoundExpr result =
        array_of(elements, std::vector<Location>(elements.size(), let.rhs.where), elaborator);
    if (!result.ok())
        return result;
    if (ranges->counts().size() < 2)
        return result;
    TypeRef type = result.type->element();
    for (std::size_t d = ranges->counts().size(); d-- > 0;)
        type = Type::array(type, ranges->counts()[d]);
    result.type = type; // a[i, j] is an array of rows
    return result;
}

} // namespace

BoundExpr let_value(const LetText& let, Elaborator& elaborator) {
    return Elaborator::named(let_alone(let, elaborator));
}

} // namespace sme::expr
