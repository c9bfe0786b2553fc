// SPDX-License-Identifier: Apache-2.0
//
// The patterns of a match: their meaning for the type of the subject, and the checks that they are
// disjoint and cover every value. As they are disjoint, counting the values of each is enough.
#include "expr/typing/match.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/fixed_point.hpp"

namespace sme::expr {

namespace {

std::uint64_t low_bits(unsigned count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

class MatchBinder {
public:
    explicit MatchBinder(Elaborator& elaborator) : e_{elaborator} {}

    std::shared_ptr<const BoundMatch> bind(const Ast& subject, const Location& where,
                                           const std::vector<ArmText>& arms);

private:
    bool take_subject(const BoundExpr& subject, const Ast& ast);
    bool add_pattern(const Pattern& pattern, std::size_t arm);
    bool add_bits(const Pattern& pattern, std::size_t arm);
    bool add_number(Integer value, const Location& where, std::size_t arm);
    bool add_typed(const BoundExpr& value, const Location& where, std::size_t arm);
    std::optional<BoundExpr> member(const Ast& ast) const;
    bool check_disjoint();
    bool check_complete(const Ast& subject, const Location& where);
    bool covers_all() const;
    std::string missing() const;
    std::string text_of(std::uint64_t bits) const;
    void decide(std::uint64_t bits);

    Elaborator& e_;
    BoundMatch match_;
    TypeRef type_;    // type of the subject; null: an integer without a type
    Integer low_ = 0; // range of the subject
    Integer high_ = 0;
    std::optional<std::uint64_t> known_; // its bits, if they are known before the run
};

std::shared_ptr<const BoundMatch> MatchBinder::bind(const Ast& subject, const Location& where,
                                                    const std::vector<ArmText>& arms) {
    match_.arms.resize(arms.size());
    const BoundExpr value = e_.bound_value(subject);
    if (!value.ok() || !take_subject(value, subject))
        return nullptr;
    match_.subject = e_.operand(value);
    bool fine = true;
    for (std::size_t k = 0; k < arms.size(); ++k) {
        if (arms[k].patterns->empty())
            match_.otherwise = k;
        for (const Pattern& pattern : *arms[k].patterns)
            fine = add_pattern(pattern, k) && fine;
    }
    if (!fine || !check_disjoint() || !check_complete(subject, where))
        return nullptr;
    if (known_)
        decide(*known_);
    return std::make_shared<const BoundMatch>(std::move(match_));
}

bool MatchBinder::take_subject(const BoundExpr& subject, const Ast& ast) {
    if (subject.is_exact()) {
        low_ = subject.low;
        high_ = subject.high;
        const std::optional<Scalar> type = scalar_between(low_, high_);
        match_.width_bits = type ? type->width_bits : 64;
        if (subject.is_constant())
            known_ = static_cast<std::uint64_t>(low_) & low_bits(match_.width_bits);
        else if (const auto known = e_.known(subject))
            known_ = *known & low_bits(match_.width_bits);
        if (type || !subject.is_constant())
            return true;
        e_.fail(Code::does_not_fit, ast.where, "a match takes a number of at most 64 bits");
        return false;
    }
    type_ = subject.type;
    if (!type_ || !type_->is_scalar() || type_->width_bits() > 64) {
        e_.fail(Code::operand_type, ast.where,
                fmt::format("a match takes an integer of at most 64 bits, a bool or an "
                            "enumeration, but this is {}",
                            e_.describe_type(subject)));
        return false;
    }
    match_.width_bits = static_cast<unsigned>(type_->width_bits());
    if (const auto known = e_.known(subject))
        known_ = *known & low_bits(match_.width_bits);
    if (type_->is_numeric()) {
        low_ = smallest(match_.width_bits, type_->is_signed());
        high_ = largest(match_.width_bits, type_->is_signed());
    }
    return true;
}

/// Returns a member of the subject's enumeration, by its bare name or as "Phase.idle".
std::optional<BoundExpr> MatchBinder::member(const Ast& ast) const {
    const bool dotted = ast.kind == Ast::Kind::field && ast.operands[0]->kind == Ast::Kind::name;
    if (!type_ || type_->kind() != TypeKind::enumeration ||
        (ast.kind != Ast::Kind::name && !dotted))
        return std::nullopt;
    if (dotted) {
        const TypeRef named = e_.scope().find_type(ast.operands[0]->text);
        if (!named || !(*named == *type_))
            return std::nullopt;
    }
    for (const Member& member : type_->members())
        if (member.name == ast.text)
            return member_value(type_, member.value);
    return std::nullopt;
}

bool MatchBinder::add_pattern(const Pattern& pattern, std::size_t arm) {
    const auto known = pattern.value ? member(*pattern.value) : std::nullopt;
    BoundExpr value = known || !pattern.value ? known.value_or(BoundExpr{})
                                              : e_.read(e_.bound(*pattern.value), pattern.where);
    if (type_ && type_->is_fixed() && value.ok())
        value = e_.fitted(std::move(value), type_, pattern.where, "what is matched");
    match_.arms[arm].push_back({&pattern, pattern.value && !known ? e_.operand(value) : nullptr});
    if (!pattern.value)
        return add_bits(pattern, arm);
    if (!value.ok())
        return false;
    if (value.is_constant())
        return add_number(value.low, pattern.where, arm);
    return add_typed(value, pattern.where, arm);
}

bool MatchBinder::add_bits(const Pattern& pattern, std::size_t arm) {
    const auto refuse = [&](std::string message) {
        e_.fail(Code::bad_pattern, pattern.where, std::move(message));
        return false;
    };
    if (!type_ || !type_->is_integer())
        return refuse(fmt::format("a pattern with '?' needs an integer with a type, but this match "
                                  "is about {}",
                                  type_ ? type_->name() : "a number without one"));
    const std::uint64_t high = ~low_bits(match_.width_bits);
    const bool asks_high =
        pattern.digits > match_.width_bits &&
        ((pattern.bits & high) != 0 || (pattern.mask & high) != (low_bits(pattern.digits) & high));
    if (asks_high)
        return refuse(fmt::format("this pattern has {} bits, but {} has {}", pattern.digits,
                                  type_->name(), match_.width_bits));
    // omitted digits are zero, as in a number
    const std::uint64_t mask =
        (pattern.mask | ~low_bits(pattern.digits)) & low_bits(match_.width_bits);
    match_.cubes.push_back({mask, pattern.bits & mask, arm, pattern.where});
    return true;
}

bool MatchBinder::add_number(Integer value, const Location& where, std::size_t arm) {
    if (type_ && !type_->is_integer()) {
        e_.fail(Code::bad_pattern, where,
                fmt::format("this match is about {}, but the pattern is a number{}", type_->name(),
                            type_->kind() == TypeKind::boolean ? "; write true or false" : ""));
        return false;
    }
    if (value < low_ || value > high_) {
        if (!type_)
            return true; // it may be reachable in another call
        e_.fail(Code::bad_pattern, where,
                fmt::format("{} does not fit {} ({} to {}), so this is never chosen",
                            to_string(value), type_->name(), to_string(low_), to_string(high_)));
        return false;
    }
    const std::uint64_t mask = low_bits(match_.width_bits);
    match_.cubes.push_back({mask, static_cast<std::uint64_t>(value) & mask, arm, where});
    return true;
}

bool MatchBinder::add_typed(const BoundExpr& value, const Location& where, std::size_t arm) {
    if (value.form != Form::typed || !type_ || !(*value.type == *type_)) {
        const bool index = value.is_exact();
        e_.fail(index ? Code::not_constant : Code::bad_pattern, where,
                index ? std::string{"a pattern is known before the run, but this is an index"}
                      : fmt::format("this match is about {}, but the pattern is {}",
                                    type_ ? type_->name() : "a number", e_.describe_type(value)));
        return false;
    }
    const auto known = e_.known(value);
    if (!known) {
        e_.fail(Code::not_constant, where,
                "a pattern is known before the run, but this is not; use if and elif");
        return false;
    }
    const std::uint64_t mask = low_bits(match_.width_bits);
    match_.cubes.push_back({mask, *known & mask, arm, where});
    return true;
}

bool MatchBinder::check_disjoint() {
    const auto meet = [](const MatchCube& a, const MatchCube& b) {
        return ((a.bits ^ b.bits) & a.mask & b.mask) == 0;
    };
    const auto refuse = [&](const MatchCube& later, const MatchCube& earlier) {
        e_.diagnostics()
            .add(Code::match_overlap, later.where,
                 fmt::format("{} has an arm already",
                             text_of(later.bits | (earlier.bits & ~later.mask))))
            .note(earlier.where, "it is here");
        return false;
    };
    const std::uint64_t all = low_bits(match_.width_bits);
    std::map<std::uint64_t, const MatchCube*> values; // cubes without '?'
    std::vector<const MatchCube*> open;
    for (const MatchCube& cube : match_.cubes) {
        if (!e_.spend(20 * (open.size() + 1), cube.where))
            return false;
        for (const MatchCube* other : open)
            if (meet(cube, *other))
                return refuse(cube, *other);
        if (cube.mask == all) {
            const auto [other, fresh] = values.try_emplace(cube.bits, &cube);
            if (!fresh)
                return refuse(cube, *other->second);
            continue;
        }
        if (!e_.spend(20 * values.size(), cube.where))
            return false;
        for (const auto& [bits, other] : values)
            if (meet(cube, *other))
                return refuse(cube, *other);
        open.push_back(&cube);
    }
    return true;
}

/// Returns true if every value has a pattern: compares the counts.
bool MatchBinder::covers_all() const {
    Integer covered = 0;
    for (const MatchCube& cube : match_.cubes)
        covered += Integer{1} << (static_cast<int>(match_.width_bits) - std::popcount(cube.mask));
    if (type_ && type_->kind() == TypeKind::enumeration)
        return covered == static_cast<Integer>(type_->members().size());
    if (type_ && type_->kind() == TypeKind::boolean)
        return covered == 2;
    return covered == high_ - low_ + 1;
}

bool MatchBinder::check_complete(const Ast& subject, const Location& where) {
    const bool covered = covers_all();
    Integer covered_bits = 0;
    for (const MatchCube& cube : match_.cubes)
        covered_bits += Integer{1}
                        << (static_cast<int>(match_.width_bits) - std::popcount(cube.mask));
    match_.complete = type_ ? covered_bits == Integer{1} << match_.width_bits : covered;
    if (match_.otherwise && type_ && match_.complete && !known_ && !e_.in_function())
        e_.diagnostics().add(Code::unused, where,
                             fmt::format("the else is never chosen, as every value of {} has an "
                                         "arm",
                                         type_->name()));
    if (covered || match_.otherwise)
        return true;
    e_.fail(Code::missing_else, subject.where,
            fmt::format("{} has no arm; add it, or an else", missing()));
    return false;
}

/// Returns a value that no pattern covers, for messages.
std::string MatchBinder::missing() const {
    if (type_ && type_->kind() == TypeKind::enumeration) {
        for (const Member& member : type_->members())
            if (std::none_of(match_.cubes.begin(), match_.cubes.end(),
                             [&](const MatchCube& cube) { return cube.bits == member.value; }))
                return fmt::format("'{}'", member.name);
        return {};
    }
    if (!type_) {
        for (Integer value = low_; value <= high_; ++value)
            if (std::none_of(match_.cubes.begin(), match_.cubes.end(), [&](const MatchCube& cube) {
                    return cube.bits == (static_cast<std::uint64_t>(value) & cube.mask);
                }))
                return to_string(value);
        return {};
    }
    // bit by bit into a half that is not full
    std::uint64_t bits = 0;
    std::vector<MatchCube> open = match_.cubes;
    for (unsigned bit = match_.width_bits; bit-- > 0;) {
        const std::uint64_t here = std::uint64_t{1} << bit;
        const auto side = [&](std::uint64_t value) {
            std::vector<MatchCube> found;
            for (const MatchCube& cube : open)
                if ((cube.mask & here) == 0 || (cube.bits & here) == value)
                    found.push_back(cube);
            return found;
        };
        std::vector<MatchCube> zero = side(0);
        Integer covered = 0;
        for (const MatchCube& cube : zero)
            covered += Integer{1} << std::popcount(~cube.mask & (here - 1));
        const bool full = covered == Integer{1} << bit;
        bits |= full ? here : 0;
        open = full ? side(here) : std::move(zero);
    }
    return text_of(bits);
}

std::string MatchBinder::text_of(std::uint64_t bits) const {
    if (type_ && type_->is_fixed()) {
        bits = canonical(bits, match_.width_bits, type_->is_signed());
        return fixed_text(*type_, &bits);
    }
    if (type_ && type_->kind() == TypeKind::boolean)
        return bits != 0 ? "true" : "false";
    if (type_ && type_->kind() == TypeKind::enumeration)
        for (const Member& member : type_->members())
            if (member.value == bits)
                return fmt::format("'{}'", member.name);
    const bool is_signed = low_ < 0;
    const std::uint64_t value = canonical(bits, match_.width_bits, is_signed);
    return is_signed ? fmt::format("{}", static_cast<std::int64_t>(value))
                     : fmt::format("{}", value);
}

void MatchBinder::decide(std::uint64_t bits) {
    match_.decided = match_.rest();
    for (const MatchCube& cube : match_.cubes)
        if ((bits & cube.mask) == cube.bits)
            match_.decided = cube.arm;
}

} // namespace

std::shared_ptr<const BoundMatch> bound_match(const Ast& subject, const Location& where,
                                              const std::vector<ArmText>& arms,
                                              Elaborator& elaborator) {
    return MatchBinder{elaborator}.bind(subject, where, arms);
}

BoundExpr match_value(std::shared_ptr<const BoundMatch> match, std::vector<BoundExpr> values,
                      const std::vector<Location>& where, Elaborator& elaborator) {
    FixedPoint{elaborator}.unify(values, where[0]);
    const BoundExpr* typed = nullptr;
    std::vector<BoundRef> operands{match->subject};
    for (std::size_t arm = 0; arm < values.size(); ++arm) {
        const bool possible = match->is_possible(arm);
        if (possible && !values[arm].ok())
            return {};
        if (possible && !typed && !values[arm].is_number())
            typed = &values[arm];
        operands.push_back(possible ? elaborator.operand(values[arm]) : nullptr);
    }
    BoundExpr result;
    if (match->decided && values[*match->decided].is_number())
        result = values[*match->decided];
    else if (match->decided)
        result = Elaborator::without_expression(values[*match->decided]);
    else if (typed) {
        const TypeRef type = typed->type;
        for (std::size_t arm = 0; arm < values.size(); ++arm)
            if (!elaborator.fits(values[arm], type, where[arm], "the first arm with a type") ||
                !elaborator.spend(50 * type->leaf_count(), where[arm]))
                return {};
        result = BoundExpr::of(type);
    } else {
        const bool exact = std::all_of(values.begin(), values.end(),
                                       [](const BoundExpr& value) { return value.is_exact(); });
        Integer low = values[0].low, high = values[0].high;
        for (const BoundExpr& value : values) {
            low = std::min(low, value.low);
            high = std::max(high, value.high);
        }
        if (!exact || (low != high && !scalar_between(low, high)))
            return elaborator.fail(Code::needs_type, where[0],
                                   "these numbers do not fit 64 bits together; give them a type");
        result = low == high ? values[0] : BoundExpr::between(low, high);
    }
    BoundDetails details;
    details.match = std::move(match);
    return elaborator.made_of(std::move(result), BoundExpr::Kind::match, nullptr,
                              std::move(operands),
                              std::make_shared<const BoundDetails>(std::move(details)));
}

} // namespace sme::expr
