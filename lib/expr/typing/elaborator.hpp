// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "expr/program/builder.hpp"
#include "expr/program/cover.hpp"
#include "expr/program/wide.hpp"
#include "expr/syntax/ast.hpp"
#include "expr/typing/typed.hpp"
#include "expr/typing/value.hpp"

namespace sme::expr {

/// Turns expressions into nodes: finds names, checks types, unrolls reducers.
///
/// Every function reports what is wrong once and then gives a broken value; operations on broken
/// values are silently broken.
class Elaborator {
public:
    /// Past this many nodes a program is refused.
    static constexpr std::size_t max_nodes = 2'000'000;
    /// How deep evaluations may stand within each other: expressions are at most 200 deep, but one
    /// let may ask for the next.
    static constexpr int deepest = 500;
    /// The most scalars that a value of an expression may have.
    static constexpr std::uint64_t max_leaves = 65'536;

    Elaborator(Builder& builder, Scope& scope, Diagnostics& diagnostics)
        : builder_{builder}, scope_{scope}, diagnostics_{diagnostics} {}

    /// Evaluates on behalf of another one, with names of its own: the body of a function.
    Elaborator(const Elaborator& caller, Scope& scope, Diagnostics& diagnostics)
        : builder_{caller.builder_}, scope_{scope}, diagnostics_{diagnostics}, in_function_{true},
          keeps_trees_{caller.keeps_trees_}, depth_{caller.depth_} {}

    /// `wanted` is the type of its place, where that is known: a map of fields takes it.
    Value evaluate(const Ast& ast, const TypeRef& wanted = {});
    /// As `evaluate`, and made to fit a place of that type; `what` names the place in messages.
    Value evaluate_as(const Ast& ast, const TypeRef& type, const std::string& what,
                      const Location& declared = {});
    /// A bool, or broken; `what` names it in messages.
    Value truth(const Ast& ast, const char* what);
    /// As `truth`, as a node, or nothing.
    std::optional<NodeId> condition(const Ast& ast, const char* what);
    /// An exact constant, or nothing.
    std::optional<Integer> constant(const Ast& ast, const char* what);
    /// A type, or null.
    TypeRef type(const Ast& ast);

    /// Makes a value fit a type: exact integers are checked, anything else must have that type.
    Value fit(Value value, const TypeRef& type, const Location& where, const std::string& what,
              const Location& declared = {});

    /// A value with a type: arrays of constants and memories read out. Exact values stay.
    Value loaded(Value value, const Location& where);
    /// Element `index` of a value that has elements, checked.
    Value element(const Value& base, const std::vector<Value>& indices,
                  const std::vector<Location>& where, const Location& all);
    /// The arm of the first condition that holds; the last one is null: always. `arm` gives the
    /// value of one that can be chosen, under its condition; `type` is that of the arms behind, or
    /// null.
    using Arm = std::function<Value(std::size_t k, NodeId condition, const TypeRef& type)>;
    Value first_of(const std::vector<const Ast*>& conditions, const Arm& arm,
                   const Location& where);
    Value select(NodeId condition, const Value& yes, const Value& no, const Location& where);

    /// An index as a node of an unsigned type, with a bool node that is true when it is not below
    /// `count`. Reports constant indices outside.
    struct Index {
        NodeId node = no_node;
        NodeId outside = no_node;
        std::optional<std::uint64_t> constant;
    };
    std::optional<Index> index(const Value& value, std::int64_t low, std::uint64_t count,
                               const Location& where);

    /// Local names that hide nothing: the indices of reducers and families.
    void bind(const std::string& name, Value value) { locals_[name] = std::move(value); }
    void unbind(const std::string& name) { locals_.erase(name); }
    /// Hides the local names from what is evaluated elsewhere meanwhile: a let.
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

    /// "Pair has no field 'c', did you mean 'b'?"
    static std::string no_field(const Type& type, const std::string& name);

    Builder& builder() { return builder_; }
    Scope& scope() { return scope_; }
    Diagnostics& diagnostics() { return diagnostics_; }
    Value fail(Code code, const Location& where, std::string message);
    /// Takes some of the file's work and looks at the size of the program; false, and reported
    /// once, when that is too much.
    bool spend(std::uint64_t units, const Location& where);
    bool is_known(const std::string& name) {
        return locals_.count(name) > 0 || scope_.find(name) != nullptr;
    }
    /// Values have a tree from now on. Takes no work: what is elaborated for an exporter was loaded
    /// within the limits before.
    void keep_trees() { keeps_trees_ = true; }
    bool keeps_trees() const { return keeps_trees_; }
    /// What a value is made of; of one that was not evaluated, a leaf.
    static TypedRef tree_of(const Value& value);
    /// Adds what values are made of to the operands of a tree; does nothing where none is kept.
    void keep(std::vector<TypedRef>& operands, const Value& value) const;
    void keep(std::vector<TypedRef>& operands, const std::vector<Value>& values) const;
    /// The value, with a tree where trees are kept.
    Value with_tree(Value value, Typed::Kind kind, const Ast* ast, std::vector<TypedRef> operands,
                    const Rhs* match = nullptr) const;
    template <class... Operands>
    Value made_of(Value value, Typed::Kind kind, const Ast& ast,
                  const Operands&... operands) const {
        std::vector<TypedRef> kept;
        (keep(kept, operands), ...);
        return with_tree(std::move(value), kind, &ast, std::move(kept));
    }
    /// Who notes what is counted; null: nobody. Bodies of functions are not counted.
    CoverNotes* cover() const { return cover_; }
    void set_cover(CoverNotes* notes) { cover_ = notes; }
    /// Whether this is the body of a function: what is right for one call may be idle in another.
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
    Value compare_aggregates(const Ast& ast, const Value& a, const Value& b);
    Value logical(const Ast& ast, const Value& first);
    Value binary_step(const Ast& ast, Value a);
    Value unary_of(const Ast& ast, const Value& operand);
    Value operated(const Ast& ast, const Value& a, const Value& b);
    Value binary_of(const Ast& ast, const Value& a, const Value& b);
    Value charged(Value value, const Location& where);
    Value as_truth(Value value, const Location& where, const char* what);
    Value bit(const Value& base, const Value& index, const Location& where);
    Value any_member(std::vector<Value> candidates, const Index& at);
    Value family_element(const Value& base, const std::vector<Value>& indices,
                         const std::vector<Location>& where, const Location& all);
    Value array_element(const Value& base, const Value& index, const Location& where);
    Value loaded_words(const Value& base, const Location& where);
    Value memory_element(const Value& base, const std::vector<Value>& indices,
                         const std::vector<Location>& where, const Location& all);
    Value pick(const std::vector<Value>& candidates, const Index& index, const Location& where);
    std::pair<NodeId, Scalar> exact_node(const Value& value, Scalar type);
    /// A number without a type as the leaves of an integer type, modulo 2^n.
    std::vector<NodeId> number_leaves(const Value& value, const Type& type);
    bool number_fits(const Value& value, const Type& type) const;
    /// A count or index of any unsigned type in 64 bits; what does not fit is as large as can be.
    NodeId count_node(const Value& value);
    /// The bits of a value that is an integer, and an integer of these bits.
    Bits bits_of(const Value& value);
    Value integer_of(const Bits& bits, const TypeRef& type);
    Value wide_binary(const Ast& ast, const Value& a, const Value& b);
    Value wide_compare(Operator op, const Value& a, const Value& b);
    Value needs_type(const Ast& ast);
    bool unify(Value& a, Value& b, const Ast& ast);
    /// Warns where an index takes a type that the result can leave.
    void warn_of_wrap(const Ast& ast, const Value& a, const Value& b);
    std::string describe_type(const Value& value) const;

    Builder& builder_;
    Scope& scope_;
    Diagnostics& diagnostics_;
    std::map<std::string, Value> locals_;
    CoverNotes* cover_ = nullptr;
    bool in_function_ = false;
    bool keeps_trees_ = false;
    int depth_ = 0; // of evaluations within each other
};

/// An enumeration without a member 0 in a type, or null: zeroes are no value of that type.
const Type* enumeration_without_zero(const Type& type);

/// "idle, run": the members of an enumeration, for messages.
std::string members_of(const Type& enumeration);

/// A number that is known, for messages.
std::string number_text(const Value& value);
/// "0 to 255": what an integer can be.
std::string range_text(const Type& type);

/// How to write the cast that makes an operand of one type fit another: "u16(…)".
std::string cast_advice(const Type& wanted);

} // namespace sme::expr
