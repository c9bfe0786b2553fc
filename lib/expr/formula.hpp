// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expr/ast.hpp"
#include "expr/value.hpp"

namespace sme::expr {

/// An expression made ready to be evaluated for many values of the indices in it: steps on a stack
/// instead of nodes.
///
/// It gives what an elaborator with these numbers for the indices gives, or nothing. Then the
/// elaborator is to be asked, which knows every expression and reports what is wrong.
class Formula {
public:
    /// The most steps that a formula has, and the most nodes that the elaborator makes instead of
    /// one of them.
    static constexpr std::size_t most_steps = 100, most_nodes_each = 4;

    /// A formula of a value that fits `type`, a scalar of at most 64 bits. Nothing when there is
    /// something in the expression that formulas do not know.
    static std::optional<Formula> of(const Ast& ast, const TypeRef& type,
                                     std::vector<std::string> indices, Scope& scope);

    /// The canonical value for these indices. Nothing, too, each time that evaluation comes to a
    /// part of the expression for the first time: so the elaborator has seen every name whose value
    /// counted.
    std::optional<std::uint64_t> evaluate(std::span<const std::int64_t> indices);
    /// What the elaborator takes of `Work` for the value that was found last.
    std::uint64_t work() const { return work_; }

private:
    friend class FormulaMaker;

    struct Step {
        enum class Kind : std::uint8_t {
            number,       // push `number`
            index,        // push index `at`
            exact,        // two numbers without a type become one
            compare,      // or a bool
            negate,       // of a number without a type
            fit,          // a number without a type, `at` below the top, takes the type `result`
            count,        // a number without a type as the count of a shift
            typed,        // `op` on two values of one type
            typed_alone,  // on one
            element,      // an index below `number` becomes a position, `at` leaves each
            next_element, // and is added to the position below it
            read,         // a position becomes the leaf of `array` that is `at` behind it
            enter,        // a part that may be left out begins
            leave_if,     // goes to step `at` and keeps a bool that is `number`, else drops it
            skip_unless,  // drops a bool, and goes to step `at` when it is false
            skip,         // goes to step `at`
        };
        Kind kind;
        Operator exact_op = Operator::add;
        Op op = Op::convert;
        bool entered = false; // before
        bool swapped = false; // the upper operand is the left one
        Scalar result{};
        Scalar operand{};
        std::uint32_t work = 0;
        std::uint64_t at = 0;
        Integer number = 0;
        const std::uint64_t* array = nullptr;
    };

    static constexpr std::size_t deepest = 32; // of the stack
    /// Runs all steps; the value is then `stack_[0]`.
    bool run(std::span<const std::int64_t> indices);
    /// A step that takes two values from the top of the stack, or changes the one on top; `top` is
    /// behind it. False when there is no value.
    static bool apply(const Step& step, Integer* top);
    static bool apply_typed(const Step& step, Integer& a, Integer b);

    std::vector<Step> steps_;
    std::vector<std::shared_ptr<const ConstantArray>> arrays_; // kept for `Step::array`
    std::uint64_t work_ = 0;
    Integer stack_[deepest] = {};
};

} // namespace sme::expr
