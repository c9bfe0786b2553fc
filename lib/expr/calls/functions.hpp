// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "expr/syntax/parser.hpp"
#include "expr/syntax/step.hpp"
#include "expr/typing/value.hpp"

namespace sme::expr {

class Elaborator;

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

private:
    class Inside;
    std::unique_ptr<Inside> inside_;
};

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
