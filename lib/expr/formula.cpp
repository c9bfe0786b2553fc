// SPDX-License-Identifier: Apache-2.0
//
// What operators mean is asked where the elaborator asks: exact.hpp for numbers without a type,
// scalar_ops.hpp for values with one.
#include "expr/formula.hpp"

#include <algorithm>
#include <utility>

#include "expr/exact.hpp"
#include "expr/scalar_ops.hpp"

namespace sme::expr {

namespace {

/// What is asked for most: of numbers of 64 bits, these do not leave 128. False: they are larger,
/// or it is another operator.
bool computed_at_once(Operator op, Integer& a, Integer b) {
    const auto x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b);
    if (x != a || y != b)
        return false;
    switch (op) {
    case Operator::add: a = Integer{x} + y; return true;
    case Operator::subtract: a = Integer{x} - y; return true;
    case Operator::multiply: a = Integer{x} * y; return true;
    default: return false;
    }
}

} // namespace

bool Formula::apply_typed(const Step& step, Integer& a, Integer b) {
    auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    if (step.swapped)
        std::swap(x, y);
    if (y == 0 && (step.op == Op::divide || step.op == Op::remainder))
        return false;
    a = sme::expr::evaluate(step.op, step.result, step.operand, x, y, 0);
    return true;
}

bool Formula::apply(const Step& step, Integer* top) {
    const auto store = [](Integer& into, const std::optional<Integer>& value) {
        into = value.value_or(0);
        return value.has_value();
    };
    switch (step.kind) {
    case Step::Kind::exact: return store(top[-2], compute(step.exact_op, top[-2], top[-1]));
    case Step::Kind::compare:
        top[-2] = compares(step.exact_op, top[-2], top[-1]) ? 1 : 0;
        return true;
    case Step::Kind::negate: return store(top[-1], exact_subtract(0, top[-1]));
    case Step::Kind::fit: {
        Integer& number = *(top - 1 - step.at);
        const Scalar type = step.result;
        if (number < smallest(type.width_bits, type.is_signed) ||
            number > largest(type.width_bits, type.is_signed))
            return false;
        number = static_cast<std::uint64_t>(number);
        return true;
    }
    case Step::Kind::count:
        top[-1] = std::min(top[-1], Integer{Type::most_bits});
        return top[-1] >= 0;
    case Step::Kind::typed: return apply_typed(step, top[-2], top[-1]);
    case Step::Kind::typed_alone: return apply_typed(step, top[-1], 1);
    case Step::Kind::element:
    case Step::Kind::next_element: {
        const Integer index = top[-1];
        if (index < 0 || index >= step.number)
            return false;
        const std::uint64_t place = static_cast<std::uint64_t>(index) * step.at;
        if (step.kind == Step::Kind::element)
            top[-1] = place;
        else
            top[-2] += place;
        return true;
    }
    case Step::Kind::read:
        top[-1] = step.array[static_cast<std::uint64_t>(top[-1]) + step.at];
        return true;
    default: return true; // the others change the stack or go elsewhere
    }
}

bool Formula::run(std::span<const std::int64_t> indices) {
    work_ = 0;
    Integer* top = stack_;
    const auto first = steps_.begin();
    for (auto step = first; step != steps_.end(); ++step) {
        work_ += step->work;
        const auto go = [&] { step = first + static_cast<std::ptrdiff_t>(step->at) - 1; };
        switch (step->kind) {
        case Step::Kind::number: *top++ = step->number; continue;
        case Step::Kind::index: *top++ = indices[step->at]; continue;
        case Step::Kind::enter:
            if (!std::exchange(step->entered, true))
                return false;
            continue;
        case Step::Kind::leave_if:
            if (top[-1] == step->number)
                go();
            else
                --top;
            continue;
        case Step::Kind::skip_unless:
            if (*--top == 0)
                go();
            continue;
        case Step::Kind::skip: go(); continue;
        case Step::Kind::exact:
            if (computed_at_once(step->exact_op, top[-2], top[-1])) {
                --top;
                continue;
            }
            break;
        default: break;
        }
        if (!apply(*step, top))
            return false;
        if (step->kind == Step::Kind::exact || step->kind == Step::Kind::compare ||
            step->kind == Step::Kind::typed || step->kind == Step::Kind::next_element)
            --top;
    }
    return true;
}

std::optional<std::uint64_t> Formula::evaluate(std::span<const std::int64_t> indices) {
    return run(indices) ? std::optional{static_cast<std::uint64_t>(stack_[0])} : std::nullopt;
}

} // namespace sme::expr
