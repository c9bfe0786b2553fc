// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "export/expressions/emit_context.hpp"
#include "expr/bound/bound.hpp"
#include "expr/syntax/step.hpp"
#include "expr/typing/scope.hpp"

namespace sme::hdl {

/// Writes expressions as hardware.
///
/// A bound expression has the types, the ranges and the values that are known before the run. The
/// network loaded without an error; parts that are faulty nevertheless are never selected and
/// become `Term::Kind::none`.
class Translator {
public:
    explicit Translator(EmitContext& context) : context_{context}, module_{context.module()} {}

    /// Writes an expression. Arrays of constants, memories and exact numbers stay unloaded.
    HdlValue write(const expr::BoundExpr& bound);
    /// Gives a term a type: reads out arrays of constants and memories. Exact numbers stay.
    HdlValue loaded(const HdlValue& term);
    HdlValue value(const expr::BoundExpr& bound) { return loaded(write(bound)); }
    /// Converts a term to a type.
    HdlValue fit(const HdlValue& term, const TypeRef& type);
    HdlValue value_as(const expr::BoundExpr& bound, const TypeRef& type) {
        return fit(value(bound), type);
    }
    /// Returns the value of a let, which cannot see loop indices around it; with a hint, in a
    /// variable.
    HdlValue let_value(const expr::BoundExpr& bound, const std::string& hint = {});
    /// Names the next text that needs a name: an array whose elements a loop assigns, or a match.
    void name_next(const std::string& hint) { next_name_ = hint; }
    /// Marks an argument of a function that differs in each step of the loops around the call.
    void argument_moves(const std::string& name) { moving_arguments_.insert(name); }

    /// Returns a term as an expression of its sign.
    static ExprRef code(const HdlValue& term);
    /// Returns the bits of a term, of either sign.
    static ExprRef bits(const HdlValue& term);
    /// Returns all parts as one vector, the first leftmost; adjacent slices become one slice.
    static ExprRef side_by_side(const std::vector<HdlValue>& parts);

    /// Select parts of a value.
    HdlValue element(const HdlValue& base, const std::vector<HdlValue>& indices);
    /// The same, but the result has a place, which can be assigned.
    HdlValue target_element(const HdlValue& base, const std::vector<HdlValue>& indices);
    /// Returns all words of a memory, or of a row of it, as parts.
    HdlValue row(const HdlValue& memory);
    HdlValue field(const HdlValue& base, const std::string& name);
    HdlValue slice(const HdlValue& base, std::uint64_t high, std::uint64_t low);
    /// Reinterprets the bits as another type.
    HdlValue reinterpreted(const HdlValue& term, const TypeRef& type);

    /// A pattern as a value of the subject's type; bits with `?` as a literal with open bits.
    struct Label {
        ExprRef item;      // null: never matches
        ExprRef test;      // as a condition on the subject
        bool open = false; // some bits do not matter
    };
    Label pattern(const expr::BoundPattern& bound, const HdlValue& subject);

    /// Tests whether this number of steps stays a loop.
    static bool is_long(std::uint64_t steps) { return steps > expr::Fuel::max_unrolled; }
    /// Binds the indices to loop variables until close_loop(), which returns the assignments that
    /// each step makes first.
    std::vector<LoopRange> open_loop(const std::vector<expr::LoopIndex>& indices);
    rtl::Statements close_loop(const std::vector<expr::LoopIndex>& indices);

    /// Selects one of two values of one type.
    HdlValue select(const HdlValue& condition, const HdlValue& yes, const HdlValue& no,
                    bool new_line = false);
    /// Returns a term with a place; keeps any other term in a variable.
    HdlValue placed(const HdlValue& term, const std::string& hint = "part");
    HdlValue negated(const HdlValue& condition);

    EmitContext& context() { return context_; }

private:
    HdlValue written(const expr::BoundExpr& bound);
    /// Tests whether an expression changes between steps of the surrounding loops.
    bool moves(const expr::BoundExpr& bound);
    HdlValue of_operands(const expr::BoundExpr& bound, const std::vector<HdlValue>& x);
    HdlValue leaf(const expr::BoundExpr& bound);
    /// Returns a known number, with a name if kept parameters are part of it.
    HdlValue computed(const expr::BoundExpr& bound);
    struct Formula {
        ExprRef value;
        std::string hint; // for its name
        bool kept;        // contains a kept parameter
    };
    Formula formula(const expr::BoundExpr& bound);
    HdlValue name(const expr::BoundExpr& bound);
    HdlValue constant(const expr::BoundExpr& bound);
    HdlValue unary(const expr::BoundExpr& bound, const HdlValue& operand);
    HdlValue binary(const expr::BoundExpr& bound);
    HdlValue binary(const expr::BoundExpr& bound, const HdlValue& a, const HdlValue& b);
    HdlValue associated(const expr::BoundExpr& bound, const std::vector<HdlValue>& terms);
    HdlValue choice(const expr::BoundExpr& bound);
    HdlValue match(const expr::BoundExpr& bound, const std::string& hint);
    HdlValue cases(const HdlValue& subject, std::vector<rtl::Statement::Arm> arms,
                   const std::vector<HdlValue>& chosen, const expr::BoundExpr& bound,
                   const std::string& hint);
    /// Returns the value of the first condition that holds.
    HdlValue chain(const std::vector<std::pair<HdlValue, HdlValue>>& options, const HdlValue& last,
                   const expr::BoundExpr& bound);

    HdlValue typed_binary(expr::Operator op, const HdlValue& a, const HdlValue& b);
    HdlValue divided(const HdlValue& a, const HdlValue& b, bool remainder);
    HdlValue shiftable(const HdlValue& term);
    HdlValue shifted(const HdlValue& a, const HdlValue& b, bool left);
    HdlValue power(const HdlValue& base, Integer exponent);
    ExprRef shift_count(const HdlValue& count, std::uint64_t width);
    HdlValue infix(const TypeRef& type, const HdlValue& a, const char* op, const HdlValue& b,
                   Level level);

    HdlValue array_element(const HdlValue& base, const HdlValue& index);
    HdlValue memory_element(const HdlValue& base, const std::vector<HdlValue>& indices);
    HdlValue port_element(const HdlValue& base, const std::vector<HdlValue>& indices);
    HdlValue flat_index(const std::vector<HdlValue>& indices, const std::vector<std::int64_t>& lows,
                        const std::vector<std::uint64_t>& counts, unsigned width);
    HdlValue sized(const HdlValue& index, std::uint64_t width);
    HdlValue resized(const HdlValue& term, const TypeRef& type);
    HdlValue literal_of(const HdlValue& number, const TypeRef& type);

    using HdlValues = std::vector<HdlValue>;
    HdlValues values(const std::vector<expr::BoundRef>& bound);
    HdlValue cast(const HdlValue& from, const TypeRef& type);
    HdlValue construct(const expr::BoundExpr& bound);
    HdlValue concatenated(const HdlValues& parts);
    using Simple = HdlValue (*)(Translator&, const HdlValues& arguments);
    static const std::map<std::string, Simple, std::less<>> simple;
    HdlValue extreme(const HdlValue& best, const HdlValue& other, bool largest);
    HdlValue reversed(const HdlValue& x);
    HdlValue absolute(const HdlValue& term);
    HdlValue rotated(const HdlValue& term, const HdlValue& by, bool left);
    HdlValue population(const HdlValue& term);
    HdlValue reduced(const expr::BoundExpr& bound, const HdlValues& terms);
    HdlValue combined(const std::string& name, const HdlValues& terms,
                      const expr::BoundExpr& bound);
    HdlValue folded(const expr::BoundExpr& bound);
    HdlValue shortened(const HdlValue& term);
    using Joins = std::function<HdlValue(const HdlValue& a, const HdlValue& b)>;
    /// Joins terms with an associative operation: a flat tree, or a chain if that is short.
    HdlValue balanced(HdlValues terms, const Joins& join);
    HdlValue array_of(const HdlValues& terms, const TypeRef& type);
    /// Writes an array with loops over the elements that differ only in the index.
    std::optional<HdlValue> in_loops(const expr::BoundExpr& bound, const std::string& hint);
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
    HdlValue open_index(const std::string& index, const expr::BoundRange& range, Nest& nest);
    /// Marks the elements of a run.
    static void mark_elements(const expr::BoundRun& run, std::vector<bool>& in_run);
    /// Returns a number without a width, computed from indices of such loops; null if it is not.
    ExprRef integer_of(const expr::BoundExpr& bound) const;
    static ExprRef flat_integer(const HdlValues& indices, const std::vector<std::int64_t>& lows,
                                const std::vector<std::uint64_t>& counts);
    HdlValue own_call(const expr::BoundExpr& bound);
    HdlValue called(HdlValue function, const HdlValues& arguments);
    HdlValue reduced_in_loop(const expr::BoundExpr& bound);
    HdlValue folded_in_loop(const expr::BoundExpr& bound);
    HdlValue after_loop(const std::vector<expr::LoopIndex>& indices,
                        const std::vector<LoopRange>& loops, const HdlValue& start,
                        const HdlValue& next, const HdlValue& before);
    HdlValue step_of(const std::vector<expr::LoopIndex>& indices);

    EmitContext& context_;
    ModuleText& module_;
    std::map<std::string, HdlValue> locals_; // loop indices, and accumulators of folds
    std::set<std::string> elements_;         // indices of loops over elements of arrays
    std::string next_name_;                  // for the next text that needs one
    bool is_target_ = false;                 // selects parts of a target
    std::set<std::string> moving_;           // those in locals_ that change from step to step
    std::set<std::string> moving_arguments_; // of a function expanded at the call
    bool moves_ = false;                     // whether the current expression changes from step to
                                             // step
    std::vector<std::pair<std::set<std::string>, bool>> around_; // both, outside the open loops
};

} // namespace sme::hdl
