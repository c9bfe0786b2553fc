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
#include "expr/typing/value.hpp"

namespace sme::expr {

/// Binds expressions: resolves names, determines types and ranges, and unrolls reducers.
///
/// Every function reports an error once and returns a broken value; operations on broken values are
/// silently broken.
class Elaborator {
public:
    /// The maximum number of nodes of a program.
    static constexpr std::size_t max_nodes = 2'000'000;
    /// The maximum nesting of evaluations: an expression is at most 200 deep, but a let may
    /// evaluate another let.
    static constexpr int deepest = 500;
    /// The maximum number of scalars in the value of an expression.
    static constexpr std::uint64_t max_leaves = 65'536;

    Elaborator(Builder& builder, Scope& scope, Diagnostics& diagnostics)
        : builder_{builder}, scope_{scope}, diagnostics_{diagnostics} {}

    /// Evaluates on behalf of `caller`, with other names: the body of a function.
    Elaborator(const Elaborator& caller, Scope& scope, Diagnostics& diagnostics)
        : builder_{caller.builder_}, scope_{scope}, diagnostics_{diagnostics},
          in_function_{true}, bindings_{caller.bindings_}, depth_{caller.depth_} {}

    /// Binds an expression. `wanted` is the type expected by the context, or null; a map of fields
    /// takes it.
    Value bound(const Ast& ast, const TypeRef& wanted = {});
    /// Like `bound`, then converts to `type`; `what` names the target in messages.
    Value bound_as(const Ast& ast, const TypeRef& type, const std::string& what,
                   const Location& declared = {});
    /// Binds a bool, or returns a broken value; `what` names it in messages.
    Value bound_truth(const Ast& ast, const char* what);

    /// Returns the value with its nodes, which this makes unless they exist.
    Value lowered(Value value);
    /// Returns a scalar if it is known when it is bound.
    std::optional<std::uint64_t> known(const Value& value);
    Lowering& lowering() { return lower_; }

    // The same, with nodes.
    Value evaluate(const Ast& ast, const TypeRef& wanted = {}) {
        return lowered(bound(ast, wanted));
    }
    Value evaluate_as(const Ast& ast, const TypeRef& type, const std::string& what,
                      const Location& declared = {}) {
        return lowered(bound_as(ast, type, what, declared));
    }
    Value truth(const Ast& ast, const char* what) { return lowered(bound_truth(ast, what)); }
    Value fit(Value value, const TypeRef& type, const Location& where, const std::string& what,
              const Location& declared = {}) {
        return lowered(fitted(std::move(value), type, where, what, declared));
    }
    Value loaded(Value value, const Location& where) {
        return lowered(read(std::move(value), where));
    }
    /// Like `truth`, but returns a node or `nullopt`.
    std::optional<NodeId> condition(const Ast& ast, const char* what);
    /// Returns an exact constant or `nullopt`.
    std::optional<Integer> constant(const Ast& ast, const char* what);
    /// Returns a type or null.
    TypeRef type(const Ast& ast);

    /// Converts a value to a type: exact integers are range-checked; any other value must have that
    /// type.
    Value fitted(Value value, const TypeRef& type, const Location& where, const std::string& what,
                 const Location& declared = {});

    /// Returns a value with a type: reads constant arrays and memories. Exact values stay exact.
    Value read(Value value, const Location& where);
    /// Returns element `index` of a value that has elements; checks the index.
    Value element(const Value& base, const std::vector<Value>& indices,
                  const std::vector<Location>& where, const Location& all);
    /// Selects the arm of the first condition that holds; the last condition is null: always. `arm`
    /// returns the value of an arm that can be chosen, under its condition; `type` is the type of
    /// the later arms, or null.
    using Arm = std::function<Value(std::size_t k, NodeId condition, const TypeRef& type)>;
    Value first_of(const std::vector<const Ast*>& conditions, const Arm& arm,
                   const Location& where);
    /// Returns type and range of the value that a condition selects; `holds`: if that is known.
    Value selected(std::optional<bool> holds, const Value& yes, const Value& no,
                   const Location& where);
    /// Returns the value that a condition selects, with nodes.
    Value select(NodeId condition, const Value& yes, const Value& no, const Location& where);

    /// Checks an index; constant indices out of range are reported.
    using Index = Lowering::Index;
    bool check_index(const Value& value, std::int64_t low, std::uint64_t count,
                     const Location& where);
    std::optional<Index> index(const Value& value, std::int64_t low, std::uint64_t count,
                               const Location& where) {
        return check_index(value, low, count, where)
                   ? std::optional{lower_.index(*tree_of(value), low, count)}
                   : std::nullopt;
    }

    /// Binds a local name, which hides no other name: an index of a reducer or family.
    void bind(const std::string& name, Value value) { locals_[name] = std::move(value); }
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
        std::map<std::string, Value> hidden_;
    };

    /// Returns "Pair has no field 'c', did you mean 'b'?"
    static std::string no_field(const Type& type, const std::string& name);

    Builder& builder() { return builder_; }
    Scope& scope() { return scope_; }
    Diagnostics& diagnostics() { return diagnostics_; }
    Value fail(Code code, const Location& where, std::string message);
    /// Charges work to the file and checks the size of the program. False if a limit is exceeded,
    /// which is reported once.
    bool spend(std::uint64_t units, const Location& where);
    bool is_known(const std::string& name) {
        return locals_.count(name) > 0 || scope_.find(name) != nullptr;
    }
    /// Binds for an exporter from now on: also bodies of functions for all arguments, and runs of
    /// arrays. Charges no work: exporters bind only what was loaded within the limits.
    void bind_into(Bindings& bindings) { bindings_ = &bindings; }
    /// Returns what is kept for an exporter, or null.
    Bindings* bindings() const { return bindings_; }
    /// Returns the bound expression of a value; a leaf if it was not evaluated.
    BoundRef tree_of(const Value& value) const;
    /// Adds the bound expressions of values to operands.
    void keep(std::vector<BoundRef>& operands, const Value& value) const;
    void keep(std::vector<BoundRef>& operands, const std::vector<Value>& values) const;
    /// Adds a bound expression to the value.
    Value with_tree(Value value, BoundExpr::Kind kind, const Ast* ast,
                    std::vector<BoundRef> operands);
    /// Changes the bound expression of a value, if it has one.
    static void change_tree(Value& value, const std::function<void(BoundExpr&)>& change);
    template <class... Operands>
    Value made_of(Value value, BoundExpr::Kind kind, const Ast& ast, const Operands&... operands) {
        std::vector<BoundRef> kept;
        (keep(kept, operands), ...);
        return with_tree(std::move(value), kind, &ast, std::move(kept));
    }
    /// Returns the notes for coverage, or null. Function bodies are not counted.
    CoverNotes* cover() const { return cover_; }
    void set_cover(CoverNotes* notes) { cover_ = notes; }
    /// True in the body of a function: an expression may be valid in one call and useless in
    /// another.
    bool in_function() const { return in_function_; }

private:
    friend class Calls;
    friend class Match;

    TypeRef integer_type(bool is_signed, Integer width, const Location& where);
    TypeRef named_type(const Ast& ast);
    TypeRef generic_type(const Ast& ast);
    TypeRef array_type(const Ast& ast);
    Value evaluate_kind(const Ast& ast, const TypeRef& wanted);
    Value name(const Ast& ast);
    Value field(const Ast& ast);
    Value member(const TypeRef& type, const Ast& ast);
    Value indexed(const Ast& ast);
    Value indexed_so_far(const Ast& ast);
    Value slice(const Ast& ast);
    Value unary(const Ast& ast);
    Value binary(const Ast& ast);
    Value conditional(const Ast& ast, const TypeRef& wanted);

    Value exact_unary(const Ast& ast, const Value& operand);
    Value exact_binary(const Ast& ast, const Value& a, const Value& b);
    Value exact_compare(Operator op, const Value& a, const Value& b);
    Value typed_binary(const Ast& ast, Value a, Value b);
    Value shift(const Ast& ast, const Value& a, const Value& b);
    Value logical(const Ast& ast, const Value& first);
    Value binary_step(const Ast& ast, Value a);
    Value unary_of(const Ast& ast, const Value& operand);
    Value operated(const Ast& ast, const Value& a, const Value& b);
    Value binary_of(const Ast& ast, const Value& a, const Value& b);
    bool charge(const Value& value, const Location& where);
    BoundExpr leaf_of(const Value& value) const;
    BoundExpr without_nodes(const Value& value) const;
    Value as_truth(Value value, const Location& where, const char* what);
    Value bit(const Value& base, const Value& index, const Location& where);
    Value any_member(std::vector<Value> candidates, const Index& at);
    Value picked(const std::vector<Value>& candidates, const Index& at, const Location& where);
    Value family_element(const Value& base, const std::vector<Value>& indices,
                         const std::vector<Location>& where, const Location& all);
    Value array_element(const Value& base, const Value& index, const Location& where);
    Value loaded_words(const Value& base, const Location& where);
    Value memory_element(const Value& base, const std::vector<Value>& indices,
                         const std::vector<Location>& where, const Location& all);
    /// Returns an exact value as a node of a type that holds it (or its value modulo 2^n).
    NodeId exact_node(const Value& value, Scalar type);
    bool number_fits(const Value& value, const Type& type) const;
    Value needs_type(const Ast& ast);
    bool unify(Value& a, Value& b, const Ast& ast);
    /// Warns if an index takes a type that the result can exceed.
    void warn_of_wrap(const Ast& ast, const Value& a, const Value& b);
    std::string describe_type(const Value& value) const;

    Builder& builder_;
    Lowering lower_{builder_};
    Scope& scope_;
    Diagnostics& diagnostics_;
    std::map<std::string, Value> locals_;
    CoverNotes* cover_ = nullptr;
    bool in_function_ = false;
    Bindings* bindings_ = nullptr; // null: it binds for no exporter
    int depth_ = 0;                // nesting of evaluations
};

/// Returns an enumeration without a member 0 within a type, or null: zero is then no value of the
/// type.
const Type* enumeration_without_zero(const Type& type);

/// Returns a member of an enumeration.
Value member_value(const TypeRef& type, std::uint64_t member);

/// Returns the members of an enumeration for messages: "idle, run".
std::string members_of(const Type& enumeration);

/// Returns a known number for messages.
std::string number_text(const Value& value);
/// Returns the range of an integer type: "0 to 255".
std::string range_text(const Type& type);

/// Returns how to cast an operand from one type to another: "u16(…)".
std::string cast_advice(const Type& wanted);

} // namespace sme::expr
