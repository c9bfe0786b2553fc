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
#include "expr/typing/scope.hpp"

namespace sme::expr {

struct Builtin;

/// Elaborates calls: built-in functions, reducers over ranges, casts and struct construction.
class Calls {
public:
    explicit Calls(Elaborator& elaborator) : e_{elaborator} {}

    BoundExpr call(const Ast& ast);
    /// Evaluates a map of fields. Without a wanted type, the fields determine the type.
    BoundExpr fields(const Ast& ast, const TypeRef& wanted);

private:
    friend std::span<const Builtin> builtins();
    struct Builtins;

    bool has_value_here(const Builtin& builtin) const;
    BoundExpr function(const Ast& ast, const Builtin& builtin);
    /// Evaluates an argument and adds it to the operands of the call.
    BoundExpr argument(const Ast& ast, const TypeRef& wanted = {});
    BoundExpr noted(BoundExpr value, BoundExpr::Kind kind, const Ast& ast);
    BoundExpr cast(const Ast& ast, const TypeRef& type);
    BoundExpr member_of(const BoundExpr& value, const TypeRef& type, const Ast& ast);
    BoundExpr construct(const Ast& ast, const TypeRef& type);
    BoundExpr constructed(const Ast* changed, std::span<const AstRef> named, const TypeRef& type,
                          const Location& where);

    BoundExpr joined(const Ast& ast);
    BoundExpr extreme(const Ast& ast, bool largest);
    BoundExpr absolute(const Ast& ast);
    BoundExpr rounded_log(const Ast& ast);
    BoundExpr width(const Ast& ast);
    BoundExpr length(const Ast& ast);
    BoundExpr undefined(const Ast& ast, const BoundExpr& value);
    BoundExpr rotated(const Ast& ast, bool left);
    bool may_be_random(const Ast& ast);
    BoundExpr random(const Ast& ast);
    BoundExpr random_value(const BoundExpr& like, RandomRef random);
    bool bind_rule(const Ast& ast, const TypeRef& type, RandomRef& random);
    BoundExpr weighted(const Ast& ast);
    BoundExpr historic(const Ast& ast, const std::string& name);
    BoundExpr past(const BoundExpr& value, std::uint64_t cycles, const Ast& ast);
    std::optional<std::uint64_t> cycles_back(const Ast& ast);
    BoundExpr bits_of(const Ast& ast, Op op);

    bool is_range(const Ast& ast) const;
    BoundExpr reduced(const Ast& ast, const std::string& name);
    BoundExpr term_of(const Ast& body, const std::string& name);
    BoundExpr reduced_of(const Ast& ast, const std::string& name, std::vector<BoundExpr> terms);
    BoundExpr counted(const std::string& name, const std::vector<BoundExpr>& terms);
    BoundExpr unrolled(const Ast& ast, const std::string& name,
                       const std::vector<LoopIndex>& ranges);
    BoundExpr array_of(std::vector<BoundExpr> terms, const Ast& ast);
    BoundExpr folded(const Ast& ast);
    BoundExpr folded_unrolled(const Ast& ast, BoundExpr carried,
                              const std::vector<LoopIndex>& ranges);
    template <class Visit>
    bool for_each(const Ast& ast, const std::vector<LoopIndex>& ranges, Visit visit);
    bool ranges_of(const Ast& ast, std::size_t count, std::vector<LoopIndex>& ranges);
    std::vector<BoundRef> lengths(const std::vector<LoopIndex>& ranges) const;
    static Integer steps_of(const std::vector<LoopIndex>& ranges);
    /// Evaluates `loop` where a loop is possible; `loop` returns `nullopt` for few steps or if all
    /// values are known.
    BoundExpr in_loop_or_unrolled(const std::vector<LoopIndex>& ranges,
                                  const std::function<std::optional<BoundExpr>()>& loop,
                                  const std::function<BoundExpr()>& unrolled);
    std::optional<BoundExpr> reduced_in_loop(const Ast& ast, const std::string& name,
                                             const std::vector<LoopIndex>& ranges);
    std::optional<BoundExpr> folded_in_loop(const Ast& ast, const BoundExpr& start,
                                            const std::vector<LoopIndex>& ranges);
    BoundExpr after_loop(LoopFrame& frame, BoundExpr value, BoundExpr::Kind kind, const Ast& ast,
                         std::vector<BoundRef> operands, BoundRef carried = nullptr);
    BoundExpr looped(const Ast& ast, const std::string& name, const BoundExpr& term, Integer steps);
    BoundExpr combine(const std::string& name, const BoundExpr& a, const BoundExpr& b,
                      const Ast& ast);
    BoundExpr combined(const std::string& name, const std::vector<BoundExpr>& terms,
                       const Ast& ast);
    BoundExpr concatenated(const std::vector<BoundExpr>& parts, const Ast& ast);

    BoundExpr typed_integer(const Ast& ast, const char* function);

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
    FunctionBody(const Function& function, std::vector<BoundExpr> arguments, Elaborator& caller,
                 Diagnostics& found);
    ~FunctionBody();
    FunctionBody(const FunctionBody&) = delete;
    FunctionBody& operator=(const FunctionBody&) = delete;

    Elaborator& elaborator();
    /// Returns the value of the body.
    BoundExpr value();
    /// Returns the arguments.
    std::vector<BoundExpr> arguments() const;
    /// Returns the value, and the lets that it needs, as bound expressions.
    std::shared_ptr<const BoundBody> bound(const BoundExpr& value);

private:
    class Inside;
    std::unique_ptr<Inside> inside_;
};

/// Returns the value of a call, which `inside` computed, with its bound expression.
BoundExpr bound_call(const Ast& call, const BoundExpr& value, FunctionBody& inside,
                     Elaborator& caller);

/// Evaluates a call: elaborates the body with the arguments as they are, so exact integers stay
/// exact and each call has its own types. Errors in the body are reported there, with a note at the
/// call.
BoundExpr call_function(const Function& function, const Ast& call, Elaborator& caller);

/// Reports recursive functions, with the whole chain of calls, and marks them as broken; also
/// reports unused parameters and lets. Functions find each other through `home`.
void check_functions(const std::vector<FunctionRef>& functions, Diagnostics& diagnostics);

/// Calls visit(ast) for every expression of a right-hand side.
void for_each_expression(const Rhs& rhs, const std::function<void(const Ast&)>& visit);

} // namespace sme::expr
