// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "export/expressions/site.hpp"
#include "expr/syntax/step.hpp"
#include "expr/typing/bound.hpp"
#include "expr/typing/loop_frame.hpp"

namespace sme::hdl {

/// Writes expressions as hardware.
///
/// A bound expression has the types, the ranges and the values that are known before the run. The
/// network loaded without an error; parts that are faulty nevertheless are never selected and
/// become `Term::Kind::none`.
class Translator {
public:
    explicit Translator(Site& site) : site_{site}, module_{site.module()} {}

    /// Writes an expression. Arrays of constants, memories and exact numbers stay unloaded.
    Term write(const expr::BoundExpr& bound);
    /// Gives a term a type: reads out arrays of constants and memories. Exact numbers stay.
    Term loaded(const Term& term);
    Term value(const expr::BoundExpr& bound) { return loaded(write(bound)); }
    /// Converts a term to a type.
    Term fit(const Term& term, const TypeRef& type);
    Term value_as(const expr::BoundExpr& bound, const TypeRef& type) {
        return fit(value(bound), type);
    }
    /// Returns the value of a let, which cannot see loop indices around it; with a hint, in a
    /// variable.
    Term let_value(const expr::BoundExpr& bound, const std::string& hint = {});
    /// Names the next text that needs a name: an array whose elements a loop assigns, or a match.
    void name_next(const std::string& hint) { next_name_ = hint; }
    /// Marks an argument of a function that differs in each step of the loops around the call.
    void argument_moves(const std::string& name) { moving_arguments_.insert(name); }

    /// Returns a term as an expression of its sign.
    static ExprRef code(const Term& term);
    /// Returns the bits of a term, of either sign.
    static ExprRef bits(const Term& term);
    /// Returns all parts as one vector, the first leftmost; adjacent slices become one slice.
    static ExprRef side_by_side(const std::vector<Term>& parts);

    /// Select parts of a value.
    Term element(const Term& base, const std::vector<Term>& indices);
    /// Returns all words of a memory, or of a row of it, as parts.
    Term row(const Term& memory);
    Term field(const Term& base, const std::string& name);
    Term slice(const Term& base, std::uint64_t high, std::uint64_t low);
    /// Reinterprets the bits as another type.
    Term reinterpreted(const Term& term, const TypeRef& type);

    /// A pattern as a value of the subject's type; bits with `?` as a literal with open bits.
    struct Label {
        ExprRef item;      // null: never matches
        ExprRef test;      // as a condition on the subject
        bool open = false; // some bits do not matter
    };
    Label pattern(const expr::BoundPattern& bound, const Term& subject);

    /// Tests whether this number of steps stays a loop.
    static bool is_long(std::uint64_t steps) { return steps > expr::LoopFrame::max_unrolled; }
    /// Binds the indices to loop variables until close_loop(), which returns the assignments that
    /// each step makes first.
    std::vector<LoopRange> open_loop(const std::vector<expr::LoopIndex>& indices);
    rtl::Statements close_loop(const std::vector<expr::LoopIndex>& indices);

    /// Selects one of two values of one type.
    Term select(const Term& condition, const Term& yes, const Term& no, bool new_line = false);
    /// Returns a term with a place; keeps any other term in a variable.
    Term placed(const Term& term, const std::string& hint = "part");
    Term negated(const Term& condition);

    Site& site() { return site_; }

private:
    Term written(const expr::BoundExpr& bound);
    /// Tests whether an expression changes between steps of the surrounding loops.
    bool moves(const expr::BoundExpr& bound);
    Term of_operands(const expr::BoundExpr& bound, const std::vector<Term>& x);
    Term leaf(const expr::BoundExpr& bound);
    /// Returns a known number, with a name if kept parameters are part of it.
    Term computed(const expr::BoundExpr& bound);
    struct Formula {
        ExprRef value;
        std::string hint; // for its name
        bool kept;        // contains a kept parameter
    };
    Formula formula(const expr::BoundExpr& bound);
    Term name(const expr::BoundExpr& bound);
    Term constant(const expr::BoundExpr& bound);
    Term unary(const expr::BoundExpr& bound, const Term& operand);
    Term binary(const expr::BoundExpr& bound);
    Term binary(const expr::BoundExpr& bound, const Term& a, const Term& b);
    Term associated(const expr::BoundExpr& bound, const std::vector<Term>& terms);
    Term choice(const expr::BoundExpr& bound);
    Term match(const expr::BoundExpr& bound, const std::string& hint);
    Term cases(const Term& subject, std::vector<rtl::Statement::Arm> arms,
               const std::vector<Term>& chosen, const expr::BoundExpr& bound,
               const std::string& hint);
    /// Returns the value of the first condition that holds.
    Term chain(const std::vector<std::pair<Term, Term>>& options, const Term& last,
               const expr::BoundExpr& bound);

    Term typed_binary(expr::Operator op, const Term& a, const Term& b);
    Term divided(const Term& a, const Term& b, bool remainder);
    Term shiftable(const Term& term);
    Term shifted(const Term& a, const Term& b, bool left);
    Term power(const Term& base, Integer exponent);
    ExprRef shift_count(const Term& count, std::uint64_t width);
    Term infix(const TypeRef& type, const Term& a, const char* op, const Term& b, Level level);

    Term array_element(const Term& base, const Term& index);
    Term memory_element(const Term& base, const std::vector<Term>& indices);
    Term port_element(const Term& base, const std::vector<Term>& indices);
    Term flat_index(const std::vector<Term>& indices, const std::vector<std::int64_t>& lows,
                    const std::vector<std::uint64_t>& counts, unsigned width);
    Term sized(const Term& index, std::uint64_t width);
    Term resized(const Term& term, const TypeRef& type);
    Term literal_of(const Term& number, const TypeRef& type);

    using Terms = std::vector<Term>;
    Terms values(const std::vector<expr::BoundRef>& bound);
    Term cast(const Term& from, const TypeRef& type);
    Term construct(const expr::BoundExpr& bound);
    Term concatenated(const Terms& parts);
    using Simple = Term (*)(Translator&, const Terms& arguments);
    static const std::map<std::string, Simple, std::less<>> simple;
    Term extreme(const Term& best, const Term& other, bool largest);
    Term reversed(const Term& x);
    Term absolute(const Term& term);
    Term rotated(const Term& term, const Term& by, bool left);
    Term population(const Term& term);
    Term reduced(const expr::BoundExpr& bound, const Terms& terms);
    Term combined(const std::string& name, const Terms& terms, const expr::BoundExpr& bound);
    Term folded(const expr::BoundExpr& bound);
    Term shortened(const Term& term);
    using Joins = std::function<Term(const Term& a, const Term& b)>;
    /// Joins terms with an associative operation: a flat tree, or a chain if that is short.
    Term balanced(Terms terms, const Joins& join);
    Term array_of(const Terms& terms, const TypeRef& type);
    /// Writes an array with loops over the elements that differ only in the index.
    std::optional<Term> in_loops(const expr::BoundExpr& bound, const std::string& hint);
    struct Nest;
    struct Leaf {
        rtl::Elements::Run run;
        bool is_slice; // of one signal
    };
    using Leaves = std::vector<Leaf>;
    bool add_run(const expr::BoundExpr& bound, const expr::BoundRun& run, const Nest& around,
                 Leaves& into);
    bool add_rows(const expr::BoundExpr& row, const Nest& nest, Leaves& into);
    bool add_element(const expr::BoundExpr& bound, const TypeRef& type, const Nest& nest,
                     Leaves& into);
    Term open_index(const std::string& index, const expr::BoundRange& range, Nest& nest);
    /// Marks the elements of a run.
    static void mark_elements(const expr::BoundRun& run, std::vector<bool>& in_run);
    /// Returns a number without a width, computed from indices of such loops; null if it is not.
    ExprRef integer_of(const expr::BoundExpr& bound) const;
    static ExprRef flat_integer(const Terms& indices, const std::vector<std::int64_t>& lows,
                                const std::vector<std::uint64_t>& counts);
    Term own_call(const expr::BoundExpr& bound);
    Term called(Term function, const Terms& arguments);
    Term reduced_in_loop(const expr::BoundExpr& bound);
    Term folded_in_loop(const expr::BoundExpr& bound);
    Term after_loop(const std::vector<expr::LoopIndex>& indices,
                    const std::vector<LoopRange>& loops, const Term& start, const Term& next,
                    const Term& before);
    Term step_of(const std::vector<expr::LoopIndex>& indices);

    Site& site_;
    ModuleText& module_;
    std::map<std::string, Term> locals_;     // loop indices, and accumulators of folds
    std::set<std::string> elements_;         // indices of loops over elements of arrays
    std::string next_name_;                  // for the next text that needs one
    std::set<std::string> moving_;           // those in locals_ that change from step to step
    std::set<std::string> moving_arguments_; // of a function expanded at the call
    bool moves_ = false;                     // whether the current expression changes from step to
                                             // step
    std::vector<std::pair<std::set<std::string>, bool>> around_; // both, outside the open loops
};

} // namespace sme::hdl
