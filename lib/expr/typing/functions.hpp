// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expr/syntax/parser.hpp"
#include "expr/syntax/step.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/loop_frame.hpp"
#include "expr/typing/value.hpp"

namespace sme::expr {

struct Builtin;

/// Elaborates calls: built-in functions, reducers over ranges, casts and struct construction.
class Calls {
public:
    explicit Calls(Elaborator& elaborator) : e_{elaborator} {}

    Value call(const Ast& ast);
    /// Evaluates a map of fields. Without a wanted type, the fields determine the type.
    Value fields(const Ast& ast, const TypeRef& wanted);

private:
    friend std::span<const Builtin> builtins();
    struct Builtins;

    bool has_value_here(const Builtin& builtin) const;
    Value function(const Ast& ast, const Builtin& builtin);
    /// Evaluates an argument and adds it to the tree of the call.
    Value argument(const Ast& ast, const TypeRef& wanted = {});
    Value noted(Value value, BoundExpr::Kind kind, const Ast& ast);
    Value cast(const Ast& ast, const TypeRef& type);
    Value member_of(const Value& value, const TypeRef& type, const Ast& ast);
    Value construct(const Ast& ast, const TypeRef& type);
    Value constructed(const Ast* changed, std::span<const AstRef> named, const TypeRef& type,
                      const Location& where);

    Value joined(const Ast& ast);
    Value extreme(const Ast& ast, bool largest);
    Value absolute(const Ast& ast);
    Value rounded_log(const Ast& ast);
    Value width(const Ast& ast);
    Value length(const Ast& ast);
    Value undefined(const Ast& ast, const Value& value);
    Value rotated(const Ast& ast, bool left);
    bool may_be_random(const Ast& ast);
    Value random(const Ast& ast);
    Value drawn_by_rule(const Ast& ast, const TypeRef& type, const std::vector<NodeId>& bits);
    Value weighted(const Ast& ast);
    Value historic(const Ast& ast, const std::string& name);
    Value past(const Value& value, std::uint64_t cycles, const Ast& ast);
    Value same(const Value& a, const Value& b);
    std::optional<std::uint64_t> cycles_back(const Ast& ast);
    Value bits_of(const Ast& ast, Op op);

    bool is_range(const Ast& ast) const;
    Value reduced(const Ast& ast, const std::string& name);
    Value term_of(const Ast& body, const std::string& name);
    Value reduced_of(const Ast& ast, const std::string& name, std::vector<Value> terms);
    Value counted(const std::string& name, const std::vector<Value>& terms);
    Value unrolled(const Ast& ast, const std::string& name, const std::vector<LoopIndex>& ranges);
    Value array_of(const std::vector<Value>& terms, const Ast& ast);
    Value folded(const Ast& ast);
    Value folded_unrolled(const Ast& ast, Value carried, const std::vector<LoopIndex>& ranges);
    template <class Visit>
    bool for_each(const Ast& ast, const std::vector<LoopIndex>& ranges, Visit visit);
    bool ranges_of(const Ast& ast, std::size_t count, std::vector<LoopIndex>& ranges);
    std::vector<BoundRef> lengths(const std::vector<LoopIndex>& ranges) const;
    static Integer steps_of(const std::vector<LoopIndex>& ranges);
    /// Evaluates `loop` where a loop is possible; `loop` returns `nullopt` for few steps or if all
    /// values are known.
    Value in_loop_or_unrolled(const std::vector<LoopIndex>& ranges,
                              const std::function<std::optional<Value>()>& loop,
                              const std::function<Value()>& unrolled);
    std::optional<Value> reduced_in_loop(const Ast& ast, const std::string& name,
                                         const std::vector<LoopIndex>& ranges);
    Value counted_in_loop(LoopFrame& frame, NodeId chosen, const std::string& name, Integer steps,
                          const Ast& ast);
    Value combined_in_loop(LoopFrame& frame, const Value& term, const std::string& name,
                           Integer steps, const Ast& ast);
    std::optional<Value> folded_in_loop(const Ast& ast, const Value& start,
                                        const std::vector<LoopIndex>& ranges);
    /// The value that a loop carries, before a step; `low` and `high` bound an exact number.
    Value carried_value(const Value& like, Integer low, Integer high);
    /// The value after the last step.
    Value after_loop(LoopFrame& frame, const Value& before, const Value& start, const Value& next,
                     const Ast& ast);
    Value looped(const Ast& ast, const std::string& name, LoopFrame& frame, const Value& term,
                 Integer steps);
    Value combine(const std::string& name, const Value& a, const Value& b, const Ast& ast);
    Value combined(const std::string& name, const std::vector<Value>& terms, const Ast& ast);
    Value concatenated(const std::vector<Value>& parts, const Ast& ast);

    Value typed_integer(const Ast& ast, const char* function);

    Elaborator& e_;
    std::vector<BoundRef> arguments_;
};

/// A function as written: its parameters have no types, and every call computes a new value.
struct Function {
    using Parameter = FunctionName::Parameter;
    std::string name;
    std::vector<Parameter> parameters;
    std::vector<LetText> lets;
    Rhs body;
    Location declared;
    /// The names that the body sees besides its parameters and lets; outlives the function.
    Scope* home = nullptr;
    /// An error is reported at the declaration; calls are then silently broken.
    bool broken = false;
};
using FunctionRef = std::shared_ptr<Function>;

/// A function body with the arguments of one call.
class FunctionBody {
public:
    FunctionBody(const Function& function, std::vector<Value> arguments, Elaborator& caller,
                 Diagnostics& found);
    ~FunctionBody();
    FunctionBody(const FunctionBody&) = delete;
    FunctionBody& operator=(const FunctionBody&) = delete;

    Elaborator& elaborator();
    /// Returns the value of the body.
    Value value();
    /// Returns the arguments.
    std::vector<Value> arguments() const;
    /// Returns the value, and the lets that it needs, as bound expressions.
    std::shared_ptr<const BoundBody> bound(const Value& value);

private:
    class Inside;
    std::unique_ptr<Inside> inside_;
};

/// Returns the value of a call, which `inside` computed, with its bound expression.
Value bound_call(const Ast& call, Value value, FunctionBody& inside, Elaborator& caller);

/// Evaluates a call: elaborates the body with the arguments as they are, so exact integers stay
/// exact and each call has its own types. Errors in the body are reported there, with a note at the
/// call.
Value call_function(const Function& function, const Ast& call, Elaborator& caller);

/// Reports recursive functions, with the whole chain of calls, and marks them as broken; also
/// reports unused parameters and lets. Functions find each other through `home`.
void check_functions(const std::vector<FunctionRef>& functions, Diagnostics& diagnostics);

/// Calls visit(ast) for every expression of a right-hand side.
void for_each_expression(const Rhs& rhs, const std::function<void(const Ast&)>& visit);

} // namespace sme::expr
