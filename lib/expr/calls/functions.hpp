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

/// A function as it was written: arguments without types, a value for every call.
struct Function {
    using Parameter = FunctionName::Parameter;
    std::string name;
    std::vector<Parameter> parameters;
    std::vector<LetText> lets;
    Rhs body;
    Location declared;
    /// The names that its body sees beside its parameters and lets; outlives the function.
    Scope* home = nullptr;
    /// Reported where it is declared: calls of it are silently broken.
    bool broken = false;
};
using FunctionRef = std::shared_ptr<Function>;

/// The inside of a function: what its names are, with these arguments.
class FunctionBody {
public:
    FunctionBody(const Function& function, std::vector<Value> arguments, Elaborator& caller,
                 Diagnostics& found);
    ~FunctionBody();
    FunctionBody(const FunctionBody&) = delete;
    FunctionBody& operator=(const FunctionBody&) = delete;

    Elaborator& elaborator();
    /// What the function gives.
    Value value();

private:
    class Inside;
    std::unique_ptr<Inside> inside_;
};

/// The value of a call: the body, elaborated with the arguments as they are, so that exact integers
/// stay exact and every call has types of its own. What is wrong in the body is reported there,
/// with a note at the call.
Value call_function(const Function& function, const Ast& call, Elaborator& caller);

/// Reports functions that call themselves, with the whole chain, and marks them as broken; reports
/// parameters and lets that a function does not use. Functions know each other by `home`.
void check_functions(const std::vector<FunctionRef>& functions, Diagnostics& diagnostics);

/// Calls visit(ast) for every expression of a right-hand side.
void for_each_expression(const Rhs& rhs, const std::function<void(const Ast&)>& visit);

} // namespace sme::expr
