// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "expr/formula.hpp"

namespace sme::expr {

/// Makes the steps of a formula, by the typing rules of the elaborator. What breaks a rule is not
/// known here, like all that is rare.
class FormulaMaker {
public:
    FormulaMaker(std::vector<std::string> indices, Scope& scope)
        : indices_{std::move(indices)}, scope_{scope} {}

    std::optional<Formula> formula(const Ast& ast, const TypeRef& wanted);

private:
    using Step = Formula::Step;
    using Kind = Step::Kind;

    /// What the steps of an expression leave on the stack.
    struct Made {
        bool known = false;
        TypeRef type = nullptr; // a scalar of at most 64 bits; null: a number without a type

        bool is_exact() const { return known && !type; }
        bool is_typed() const { return known && type; }
        bool is_integer() const { return is_typed() && type->is_integer(); }
        bool is_bool() const { return is_typed() && type->kind() == TypeKind::boolean; }
    };
    /// Leaves of a constant: the first of them lies behind a position on the stack, if there is
    /// one, and `leaf`.
    struct Part {
        std::shared_ptr<const ConstantArray> array;
        TypeRef type;
        std::uint64_t leaf = 0;
        bool moved = false; // a position is on the stack
    };

    Made make(const Ast& ast);
    /// As `make`; a number without a type takes that one, in each arm of a conditional by itself.
    Made make_as(const Ast& ast, const TypeRef& wanted);
    Made name(const Ast& ast);
    Made indexed(const Ast& ast);
    Made slice(const Ast& ast);
    Made unary(const Ast& ast);
    Made binary(const Ast& ast);
    Made exact_binary(const Ast& ast);
    Made typed_binary(const Ast& ast, Made a, Made b);
    Made shift(const Ast& ast, const Made& a, const Made& b);
    Made logical(const Ast& ast);
    /// `wanted`: of all arms; null: what they have.
    Made conditional(const Ast& ast, const TypeRef& wanted);
    Made cast(const Ast& ast);
    Made bit(const Made& base, const Ast& index);
    Made read(const std::optional<Part>& part);
    /// A constant, or a part of one that indices and fields choose.
    std::optional<Part> part(const Ast& ast);
    bool part_index(Part& base, const Ast& index);

    /// A number that is the same for all indices, and what work it takes.
    std::optional<Integer> constant(const Ast& ast);
    bool fit(Made& number, const TypeRef& type, std::uint64_t below);
    /// The step that makes the value on top another scalar, modulo 2^n.
    Made converted(const TypeRef& type);
    Step& add(Kind kind);
    Step& add_typed(Kind kind, Op op, Scalar result, Scalar operand);
    void enter() { add(Kind::enter); }

    const std::vector<std::string> indices_;
    Scope& scope_;
    Formula made_;
    std::uint32_t work_ = 0; // goes to the next step
    std::size_t depth_ = 0;  // of the stack behind the last step
    bool fits_ = true;       // the limits of formulas
};

} // namespace sme::expr
