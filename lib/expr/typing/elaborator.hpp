// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "expr/bound/bound.hpp"
#include "expr/lower/lowering.hpp"
#include "expr/program/builder.hpp"
#include "expr/program/cover.hpp"
#include "expr/syntax/ast.hpp"
#include "expr/typing/scope.hpp"

namespace sme::expr {

/// Binds expressions: resolves names, determines types and ranges, and unrolls reducers.
///
/// Every function reports an error once and returns a broken value; operations on broken values are
/// silently broken.
class Elaborator {
public:
    /// The maximum number of nodes of a program.
    static constexpr std::size_t max_nodes = Fuel::max_operations;
    /// The maximum nesting of evaluations: an expression is at most 200 deep, but a let may
    /// evaluate another let.
    static constexpr int deepest = 500;
    /// The maximum number of scalars in the value of an expression.
    static constexpr std::uint64_t max_leaves = 65'536;

    Elaborator(Builder& builder, Scope& scope, Diagnostics& diagnostics)
        : builder_{builder}, scope_{scope}, diagnostics_{diagnostics} {}

    /// Evaluates on behalf of `caller`, with other names: the body of a function.
    Elaborator(const Elaborator& caller, Scope& scope, Diagnostics& diagnostics)
        : builder_{caller.builder_}, scope_{scope}, diagnostics_{diagnostics}, in_function_{true},
          lowers_all_{caller.lowers_all_}, bindings_{caller.bindings_}, depth_{caller.depth_} {}

    /// Binds an expression. `wanted` is the type expected by the context, or null; a map of fields
    /// takes it.
    BoundExpr bound(const Ast& ast, const TypeRef& wanted = {});
    /// Like `bound`, then converts to `type`; `what` names the target in messages.
    BoundExpr bound_as(const Ast& ast, const TypeRef& type, const std::string& what,
                       const Location& declared = {});
    /// Like `bound`, but returns a value with a type, or a number; see `read`.
    BoundExpr bound_value(const Ast& ast, const TypeRef& wanted = {}) {
        BoundExpr value = bound(ast, wanted);
        if (!value.is_value())
            value = read(std::move(value), ast.where);
        return value;
    }
    /// Binds a bool, or returns a broken value; `what` names it in messages.
    BoundExpr bound_truth(const Ast& ast, const char* what);

    /// Returns the value with its nodes, which this makes unless they exist.
    BoundExpr lowered(BoundExpr value);
    /// Returns a scalar if it is known when it is bound.
    std::optional<std::uint64_t> known(const BoundExpr& value) const;
    Lowering& lowering() { return lower_; }

    // The same, with nodes.
    BoundExpr evaluate(const Ast& ast, const TypeRef& wanted = {}) {
        return lowered(bound(ast, wanted));
    }
    BoundExpr truth(const Ast& ast, const char* what) { return lowered(bound_truth(ast, what)); }
    BoundExpr fit(BoundExpr value, const TypeRef& type, const Location& where,
                  const std::string& what, const Location& declared = {}) {
        return lowered(fitted(std::move(value), type, where, what, declared));
    }
    BoundExpr loaded(BoundExpr value, const Location& where) {
        return lowered(read(std::move(value), where));
    }
    /// Like `truth`, but returns a node or `nullopt`.
    std::optional<NodeId> condition(const Ast& ast, const char* what);
    /// Returns an exact constant or `nullopt`.
    std::optional<Integer> constant(const Ast& ast, const char* what);
    /// Returns a type or null.
    TypeRef type(const Ast& ast);

    /// Returns true if a value can have a type, else reports an error: exact integers are
    /// range-checked; any other value must have that type, also a number of a fixed-point type.
    /// `what` names the target in messages.
    bool fits(const BoundExpr& value, const TypeRef& type, const Location& where,
              const std::string& what, const Location& declared = {});
    /// Converts a value to a type that it fits, or returns a broken value.
    BoundExpr fitted(BoundExpr value, const TypeRef& type, const Location& where,
                     const std::string& what, const Location& declared = {});

    /// Returns a value with a type: reads constant arrays and memories. Exact values stay exact.
    BoundExpr read(BoundExpr value, const Location& where);
    /// Returns element `index` of a value that has elements; checks the index.
    BoundExpr element(const BoundExpr& base, const std::vector<BoundExpr>& indices,
                      const std::vector<Location>& where, const Location& all);
    /// Selects the arm of the first condition that holds; the last condition is null: always. `arm`
    /// returns the value of an arm that can be chosen, under its condition (null: always); `type`
    /// is the type of the later arms, or null.
    using Arm =
        std::function<BoundExpr(std::size_t k, const BoundExpr* condition, const TypeRef& type)>;
    BoundExpr first_of(const std::vector<const Ast*>& conditions, const Arm& arm,
                       const Location& where);
    /// Returns type and range of the value that a condition selects; `holds`: if that is known.
    BoundExpr selected(std::optional<bool> holds, const BoundExpr& yes, const BoundExpr& no,
                       const Location& where);

    /// Checks an index; constant indices out of range are reported.
    bool check_index(const BoundExpr& value, std::int64_t low, std::uint64_t count,
                     const Location& where);

    /// Binds a local name, which hides no other name: an index of a reducer or family.
    void bind(const std::string& name, BoundExpr value) { locals_[name] = std::move(value); }
    void unbind(const std::string& name) { locals_.erase(name); }
    /// Hides the local names while code elsewhere is evaluated: a let.
    class Outside {
    public:
        explicit Outside(Elaborator& elaborator) : elaborator_{elaborator} {
            elaborator_.locals_.swap(hidden_);
        }
        ~Outside() { elaborator_.locals_.swap(hidden_); }
        Outside(const Outside&) = delete;
        Outside& operator=(const Outside&) = delete;

    private:
        Elaborator& elaborator_;
        std::map<std::string, BoundExpr> hidden_;
    };

    /// Returns "Pair has no field 'c', did you mean 'b'?"
    static std::string no_field(const Type& type, const std::string& name);

    Builder& builder() { return builder_; }
    Scope& scope() { return scope_; }
    Diagnostics& diagnostics() { return diagnostics_; }
    BoundExpr fail(Code code, const Location& where, std::string message);
    /// Reports that a limit was exceeded, once.
    void report(const TooLarge& problem);
    /// Returns the type for messages: "u8", "an integer", "a family of buses".
    std::string describe_type(const BoundExpr& value) const;
    /// Charges work to the file and checks the size of the program. False if a limit is exceeded,
    /// which is reported once.
    bool spend(std::uint64_t units, const Location& where);
    bool is_known(const std::string& name) {
        return locals_.count(name) > 0 || scope_.find(name) != nullptr;
    }
    /// From now on, makes the nodes of everything it binds, also of values that no result needs.
    void lower_all() { lowers_all_ = true; }
    /// Binds for an exporter from now on: also bodies of functions for all arguments, and runs of
    /// arrays.
    void bind_into(Bindings& bindings) { bindings_ = &bindings; }
    /// Returns what is kept for an exporter, or null.
    Bindings* bindings() const { return bindings_; }
    /// Returns true while something is bound that only an exporter needs.
    bool is_trial() const { return bindings_ && bindings_->is_trial; }
    /// Binds what only an exporter needs: while alive, nothing is charged, reported or counted.
    class ExporterTrial {
    public:
        explicit ExporterTrial(Elaborator& elaborator);
        ~ExporterTrial();
        ExporterTrial(const ExporterTrial&) = delete;
        ExporterTrial& operator=(const ExporterTrial&) = delete;

    private:
        Elaborator& elaborator_;
        const bool outer_;
        const Diagnostics diagnostics_;
        const Builder::Loops loops_;
        const std::uint64_t random_sites_;
        const Fuel fuel_;
        CoverNotes* const cover_;
    };
    /// Returns the value as an operand. For a number that took a type: the number as written.
    BoundRef operand(BoundExpr&& value) const;
    BoundRef operand(const BoundExpr& value) const { return operand(BoundExpr{value}); }
    std::vector<BoundRef> operands_of_all(std::vector<BoundExpr> values) const;
    template <class... Values> std::vector<BoundRef> operands_of(Values&&... values) const {
        std::vector<BoundRef> result;
        result.reserve(sizeof...(values));
        (result.push_back(operand(std::forward<Values>(values))), ...);
        return result;
    }
    /// Returns the value as an expression of this kind on these operands. Its nodes are made if
    /// they are constants.
    BoundExpr made_of(BoundExpr value, BoundExpr::Kind kind, const Ast* ast,
                      std::vector<BoundRef> operands,
                      std::shared_ptr<const BoundDetails> details = nullptr);
    /// The same, in place.
    void complete(BoundExpr& value, BoundExpr::Kind kind, const Ast* ast,
                  std::vector<BoundRef> operands,
                  std::shared_ptr<const BoundDetails> details = nullptr);
    /// Returns the value alone, with its nodes.
    static BoundExpr without_expression(const BoundExpr& value);
    /// Returns the value under a name: its nodes are made once, however often it is used.
    static BoundExpr named(BoundExpr value);
    /// Returns the notes for coverage, or null. Function bodies are not counted.
    CoverNotes* cover() const { return cover_; }
    void set_cover(CoverNotes* notes) { cover_ = notes; }
    /// True in the body of a function: an expression may be valid in one call and useless in
    /// another.
    bool in_function() const { return in_function_; }

private:
    friend class Calls;

    TypeRef integer_type(bool is_signed, Integer width, const Location& where);
    TypeRef fixed_type(const Ast& ast);
    TypeRef named_type(const Ast& ast);
    TypeRef generic_type(const Ast& ast);
    TypeRef array_type(const Ast& ast);
    BoundExpr evaluate_kind(const Ast& ast, const TypeRef& wanted);
    BoundExpr name(const Ast& ast, const TypeRef& wanted);
    BoundExpr field(const Ast& ast);
    BoundExpr member(const TypeRef& type, const Ast& ast);
    BoundExpr indexed(const Ast& ast);
    BoundExpr indexed_so_far(const Ast& ast);
    BoundExpr slice(const Ast& ast);
    BoundExpr unary(const Ast& ast);
    BoundExpr binary(const Ast& ast);
    BoundExpr conditional(const Ast& ast, const TypeRef& wanted);

    BoundExpr exact_unary(const Ast& ast, const BoundExpr& operand);
    BoundExpr exact_binary(const Ast& ast, const BoundExpr& a, const BoundExpr& b);
    BoundExpr exact_compare(Operator op, const BoundExpr& a, const BoundExpr& b);
    BoundExpr typed_binary(const Ast& ast, const BoundExpr& a, const BoundExpr& b);
    BoundExpr shift(const Ast& ast, const BoundExpr& a, const BoundExpr& b);
    BoundExpr logical(const Ast& ast, BoundExpr first);
    BoundExpr binary_step(const Ast& ast, BoundExpr a);
    BoundExpr unary_of(const Ast& ast, const BoundExpr& operand);
    BoundExpr operated(const Ast& ast, BoundExpr a, BoundExpr b);
    BoundExpr binary_of(const Ast& ast, const BoundExpr& a, const BoundExpr& b);
    bool charge(const BoundExpr& value, const Location& where);
    BoundExpr as_truth(BoundExpr value, const Location& where, const char* what);
    BoundExpr bit(const BoundExpr& base, const BoundExpr& index, const Location& where);
    BoundExpr any_member(std::vector<BoundExpr> candidates, BoundRef member);
    BoundExpr picked(std::vector<BoundExpr> candidates, BoundRef member, const Location& where);
    BoundExpr family_element(const BoundExpr& base, const std::vector<BoundExpr>& indices,
                             const std::vector<Location>& where, const Location& all);
    BoundExpr array_element(const BoundExpr& base, const BoundExpr& index, const Location& where);
    BoundExpr loaded_words(BoundExpr base, const Location& where);
    BoundExpr memory_element(const BoundExpr& base, const std::vector<BoundExpr>& indices,
                             const std::vector<Location>& where);
    bool number_fits(const BoundExpr& value, const Type& type) const;
    BoundExpr needs_type(const Ast& ast);
    TypeRef unified_type(const BoundExpr& a, const BoundExpr& b, const Ast& ast);
    /// Warns if an index takes a type that the result can exceed.
    void warn_of_wrap(const Ast& ast, const BoundExpr& a, const BoundExpr& b);

    void note_dependence(BoundExpr& value) const;
    static void settle(BoundExpr& value);
    static bool faults(const BoundExpr& value);
    static std::optional<std::uint64_t> by_part(const BoundExpr& value);

    Builder& builder_;
    Scope& scope_;
    Lowering lower_{builder_, scope_.fuel()};
    Diagnostics& diagnostics_;
    std::map<std::string, BoundExpr> locals_;
    CoverNotes* cover_ = nullptr;
    bool in_function_ = false;
    bool lowers_all_ = false;
    Bindings* bindings_ = nullptr; // null: it binds for no exporter
    int depth_ = 0;                // nesting of evaluations
};

/// Returns the expression that gave a field or an element its value; null if that is unknown.
const BoundExpr* source_of(const BoundExpr& value, int depth = 100);

/// Returns an enumeration without a member 0 within a type, or null: zero is then no value of the
/// type.
const Type* enumeration_without_zero(const Type& type);

/// Returns a member of an enumeration.
BoundExpr member_value(const TypeRef& type, std::uint64_t member);
/// Returns what the name of a member means.
BoundExpr member_named(const TypeRef& type, std::uint64_t member);

/// Returns the members of an enumeration for messages: "idle, run".
std::string members_of(const Type& enumeration);

/// Returns how to index the bits of a fixed-point number; "" for any other value.
std::string bits_advice(const BoundExpr& value);

/// Returns a known number for messages.
std::string number_text(const BoundExpr& value);
/// Returns the range of an integer type: "0 to 255".
std::string range_text(const Type& type);

/// Returns how to cast an operand from one type to another: "u16(…)".
std::string cast_advice(const Type& wanted);

} // namespace sme::expr
