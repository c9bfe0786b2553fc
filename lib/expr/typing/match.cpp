// SPDX-License-Identifier: Apache-2.0
//
// The patterns of a match: their meaning for the type of the subject, and the checks that they are
// disjoint and cover every value. As they are disjoint, counting the values of each is enough.
#include "expr/typing/match.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::expr {

namespace {

std::uint64_t low_bits(unsigned count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

} // namespace

std::optional<Match> Match::of(const Ast& subject, const Location& where,
                               const std::vector<Arm>& arms, Elaborator& elaborator) {
    Match result{elaborator};
    result.arms_ = arms.size();
    result.conditions_.assign(arms.size(), no_node);
    result.patterns_.resize(arms.size());
    result.value_ = elaborator.loaded(elaborator.evaluate(subject), subject.where);
    if (!result.value_.ok() || !result.take_subject(result.value_, subject))
        return std::nullopt;
    bool fine = true;
    for (std::size_t k = 0; k < arms.size(); ++k) {
        if (arms[k].patterns->empty())
            result.else_ = k;
        for (const Pattern& pattern : *arms[k].patterns)
            fine = result.add_pattern(pattern, k) && fine;
    }
    if (!fine || !result.check_disjoint() || !result.check_complete(subject, where))
        return std::nullopt;
    if (const auto known = result.b_.constant_value(result.subject_))
        result.decide(*known);
    return result;
}

bool Match::take_subject(const Value& subject, const Ast& ast) {
    if (subject.is_exact()) {
        low_ = subject.low;
        high_ = subject.high;
        const Scalar type = scalar_between(low_, high_).value_or(Scalar{64, true});
        width_bits_ = type.width_bits;
        subject_ = b_.convert({type.width_bits, false}, e_.exact_node(subject, type));
        if (subject.is_constant() && !scalar_between(low_, high_)) {
            e_.fail(Code::does_not_fit, ast.where, "a match takes a number of at most 64 bits");
            return false;
        }
        return true;
    }
    type_ = subject.type;
    if (!type_ || !type_->is_scalar() || type_->width_bits() > 64) {
        e_.fail(Code::operand_type, ast.where,
                fmt::format("a match takes an integer of at most 64 bits, a bool or an "
                            "enumeration, but this is {}",
                            e_.describe_type(subject)));
        return false;
    }
    width_bits_ = static_cast<unsigned>(type_->width_bits());
    subject_ = b_.convert({static_cast<std::uint8_t>(width_bits_), false}, subject.leaves[0]);
    if (type_->is_integer()) {
        low_ = smallest(width_bits_, type_->is_signed());
        high_ = largest(width_bits_, type_->is_signed());
    }
    return true;
}

/// Returns a member of the subject's enumeration, by its bare name or as "Phase.idle".
std::optional<Value> Match::member(const Ast& ast) const {
    const bool dotted = ast.kind == Ast::Kind::field && ast.operands[0]->kind == Ast::Kind::name;
    if (!type_ || type_->kind() != TypeKind::enumeration ||
        (ast.kind != Ast::Kind::name && !dotted))
        return std::nullopt;
    if (dotted) {
        const TypeRef named = e_.scope_.find_type(ast.operands[0]->text);
        if (!named || !(*named == *type_))
            return std::nullopt;
    }
    for (const Member& member : type_->members())
        if (member.name == ast.text)
            return e_.lowered(member_value(type_, member.value));
    return std::nullopt;
}

bool Match::add_pattern(const Pattern& pattern, std::size_t arm) {
    const auto known = pattern.value ? member(*pattern.value) : std::nullopt;
    const Value value = known || !pattern.value
                            ? known.value_or(Value{})
                            : e_.loaded(e_.evaluate(*pattern.value), pattern.where);
    patterns_[arm].push_back({&pattern, pattern.value && !known ? e_.tree_of(value) : nullptr});
    if (!pattern.value)
        return add_bits(pattern, arm);
    if (!value.ok())
        return false;
    if (value.is_constant())
        return add_number(value.low, pattern.where, arm);
    return add_typed(value, pattern.where, arm);
}

bool Match::add_bits(const Pattern& pattern, std::size_t arm) {
    const auto refuse = [&](std::string message) {
        e_.fail(Code::bad_pattern, pattern.where, std::move(message));
        return false;
    };
    if (!type_ || !type_->is_integer())
        return refuse(fmt::format("a pattern with '?' needs an integer with a type, but this match "
                                  "is about {}",
                                  type_ ? type_->name() : "a number without one"));
    const std::uint64_t high = ~low_bits(width_bits_);
    const bool asks_high =
        pattern.digits > width_bits_ &&
        ((pattern.bits & high) != 0 || (pattern.mask & high) != (low_bits(pattern.digits) & high));
    if (asks_high)
        return refuse(fmt::format("this pattern has {} bits, but {} has {}", pattern.digits,
                                  type_->name(), width_bits_));
    // omitted digits are zero, as in a number
    const std::uint64_t mask = (pattern.mask | ~low_bits(pattern.digits)) & low_bits(width_bits_);
    cubes_.push_back({mask, pattern.bits & mask, arm, pattern.where});
    return true;
}

bool Match::add_number(Integer value, const Location& where, std::size_t arm) {
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
    const std::uint64_t mask = low_bits(width_bits_);
    cubes_.push_back({mask, static_cast<std::uint64_t>(value) & mask, arm, where});
    return true;
}

bool Match::add_typed(const Value& value, const Location& where, std::size_t arm) {
    if (value.kind != Value::Kind::typed || !type_ || !(*value.type == *type_)) {
        const bool index = value.is_exact();
        e_.fail(index ? Code::not_constant : Code::bad_pattern, where,
                index ? std::string{"a pattern is known before the run, but this is an index"}
                      : fmt::format("this match is about {}, but the pattern is {}",
                                    type_ ? type_->name() : "a number", e_.describe_type(value)));
        return false;
    }
    const auto known = b_.constant_value(value.leaves[0]);
    if (!known) {
        e_.fail(Code::not_constant, where,
                "a pattern is known before the run, but this is not; use if and elif");
        return false;
    }
    const std::uint64_t mask = low_bits(width_bits_);
    cubes_.push_back({mask, *known & mask, arm, where});
    return true;
}

bool Match::check_disjoint() {
    const auto meet = [](const Cube& a, const Cube& b) {
        return ((a.bits ^ b.bits) & a.mask & b.mask) == 0;
    };
    const auto refuse = [&](const Cube& later, const Cube& earlier) {
        e_.diagnostics()
            .add(Code::match_overlap, later.where,
                 fmt::format("{} has an arm already",
                             text_of(later.bits | (earlier.bits & ~later.mask))))
            .note(earlier.where, "it is here");
        return false;
    };
    const std::uint64_t all = low_bits(width_bits_);
    std::map<std::uint64_t, const Cube*> values; // cubes without '?'
    std::vector<const Cube*> open;
    for (const Cube& cube : cubes_) {
        if (!e_.spend(20 * (open.size() + 1), cube.where))
            return false;
        for (const Cube* other : open)
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
bool Match::covers_all() const {
    Integer covered = 0;
    for (const Cube& cube : cubes_)
        covered += Integer{1} << (static_cast<int>(width_bits_) - std::popcount(cube.mask));
    if (type_ && type_->kind() == TypeKind::enumeration)
        return covered == static_cast<Integer>(type_->members().size());
    if (type_ && type_->kind() == TypeKind::boolean)
        return covered == 2;
    return covered == high_ - low_ + 1;
}

bool Match::check_complete(const Ast& subject, const Location& where) {
    const bool covered = covers_all();
    Integer covered_bits = 0;
    for (const Cube& cube : cubes_)
        covered_bits += Integer{1} << (static_cast<int>(width_bits_) - std::popcount(cube.mask));
    complete_ = type_ ? covered_bits == Integer{1} << width_bits_ : covered;
    if (else_ && type_ && complete_ && !b_.constant_value(subject_) && !e_.in_function())
        e_.diagnostics().add(Code::unused, where,
                             fmt::format("the else is never chosen, as every value of {} has an "
                                         "arm",
                                         type_->name()));
    if (covered || else_)
        return true;
    e_.fail(Code::missing_else, subject.where,
            fmt::format("{} has no arm; add it, or an else", missing()));
    return false;
}

/// Returns a value that no pattern covers, for messages.
std::string Match::missing() const {
    if (type_ && type_->kind() == TypeKind::enumeration) {
        for (const Member& member : type_->members())
            if (std::none_of(cubes_.begin(), cubes_.end(),
                             [&](const Cube& cube) { return cube.bits == member.value; }))
                return fmt::format("'{}'", member.name);
        return {};
    }
    if (!type_) {
        for (Integer value = low_; value <= high_; ++value)
            if (std::none_of(cubes_.begin(), cubes_.end(), [&](const Cube& cube) {
                    return cube.bits == (static_cast<std::uint64_t>(value) & cube.mask);
                }))
                return to_string(value);
        return {};
    }
    // bit by bit into a half that is not full
    std::uint64_t bits = 0;
    std::vector<Cube> open = cubes_;
    for (unsigned bit = width_bits_; bit-- > 0;) {
        const std::uint64_t here = std::uint64_t{1} << bit;
        const auto side = [&](std::uint64_t value) {
            std::vector<Cube> found;
            for (const Cube& cube : open)
                if ((cube.mask & here) == 0 || (cube.bits & here) == value)
                    found.push_back(cube);
            return found;
        };
        std::vector<Cube> zero = side(0);
        Integer covered = 0;
        for (const Cube& cube : zero)
            covered += Integer{1} << std::popcount(~cube.mask & (here - 1));
        const bool full = covered == Integer{1} << bit;
        bits |= full ? here : 0;
        open = full ? side(here) : std::move(zero);
    }
    return text_of(bits);
}

std::string Match::text_of(std::uint64_t bits) const {
    if (type_ && type_->kind() == TypeKind::boolean)
        return bits != 0 ? "true" : "false";
    if (type_ && type_->kind() == TypeKind::enumeration)
        for (const Member& member : type_->members())
            if (member.value == bits)
                return fmt::format("'{}'", member.name);
    const bool is_signed = low_ < 0;
    const std::uint64_t value = canonical(bits, width_bits_, is_signed);
    return is_signed ? fmt::format("{}", static_cast<std::int64_t>(value))
                     : fmt::format("{}", value);
}

void Match::decide(std::uint64_t bits) {
    decided_ = else_ ? *else_ : arms_ - 1;
    for (const Cube& cube : cubes_)
        if ((bits & cube.mask) == cube.bits)
            decided_ = cube.arm;
}

} // namespace sme::expr
