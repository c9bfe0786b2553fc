// SPDX-License-Identifier: Apache-2.0
//
// Calls of user-defined functions.
#include "expr/calls/functions.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/rhs_value.hpp"

namespace sme::expr {

/// The names visible in a body: parameters, lets, and the names of the function's home.
class FunctionBody::Inside final : public Scope {
public:
    Inside(const Function& function, std::vector<Value> arguments, Elaborator& caller,
           Diagnostics& diagnostics)
        : function_{function}, caller_{caller.scope()}, diagnostics_{diagnostics},
          elaborator_{caller, *this, diagnostics} {
        for (std::size_t k = 0; k < arguments.size(); ++k)
            values_[function.parameters[k].name] = std::move(arguments[k]);
    }
    Elaborator& elaborator() { return elaborator_; }
    Value value() { return always_value(function_.body, elaborator_); }

    Fuel& fuel() override { return caller_.fuel(); }
    bool allows_random() const override { return caller_.allows_random(); }
    History* history() override { return caller_.history(); }
    TypeRef find_type(const std::string& name) override { return function_.home->find_type(name); }
    std::optional<TypeRef> make_type(const std::string& name, const std::vector<TypeRef>& arguments,
                                     const Location& where) override {
        return function_.home->make_type(name, arguments, where);
    }
    const Function* find_function(const std::string& name) override {
        return function_.home->find_function(name);
    }
    void type_names(std::vector<std::string>& into) const override {
        function_.home->type_names(into);
    }
    void function_names(std::vector<std::string>& into) const override {
        function_.home->function_names(into);
    }
    void names(std::vector<std::string>& into) const override {
        for (const Function::Parameter& parameter : function_.parameters)
            into.push_back(parameter.name);
        for (const LetText& let : function_.lets)
            into.push_back(let.name);
        function_.home->names(into);
    }

    const Value* find(const std::string& name) override {
        if (const auto known = values_.find(name); known != values_.end())
            return &known->second;
        const auto let = std::find_if(function_.lets.begin(), function_.lets.end(),
                                      [&](const LetText& each) { return each.name == name; });
        if (let == function_.lets.end())
            return function_.home->find(name);
        if (!open_.insert(name).second) {
            diagnostics_.add(
                Code::let_loop, let->declared,
                fmt::format("these lets need each other: '{}'", fmt::join(open_, "', '")));
            return &(values_[name] = Value{});
        }
        Value value = let_value(*let, elaborator_);
        open_.erase(name);
        return &(values_[name] = std::move(value));
    }

private:
    const Function& function_;
    Scope& caller_;
    Diagnostics& diagnostics_;
    Elaborator elaborator_;
    std::map<std::string, Value> values_;
    std::set<std::string> open_;
};

FunctionBody::FunctionBody(const Function& function, std::vector<Value> arguments,
                           Elaborator& caller, Diagnostics& found)
    : inside_{std::make_unique<Inside>(function, std::move(arguments), caller, found)} {}

FunctionBody::~FunctionBody() = default;

Elaborator& FunctionBody::elaborator() {
    return inside_->elaborator();
}

Value FunctionBody::value() {
    return inside_->value();
}

namespace {

/// Checks that parameters and lets do not hide other names.
bool check_hiding(const Function& function, Diagnostics& diagnostics) {
    const auto check = [&](const std::string& name, const Location& where) {
        if (!function.home->find(name) && !function.home->find_type(name) &&
            !function.home->find_function(name))
            return true;
        diagnostics.add(
            Code::duplicate_name, where,
            fmt::format("'{}' is already the name of something, and names hide nothing", name));
        return false;
    };
    bool fine = true;
    for (const Function::Parameter& parameter : function.parameters)
        fine = check(parameter.name, parameter.where) && fine;
    for (const LetText& let : function.lets)
        fine = check(let.name, let.declared) && fine;
    return fine;
}

/// Passes diagnostics from a body to the caller, with a note at the call, and once regardless of
/// the number of calls.
void hand_on(const Diagnostics& found, const Function& function, const Ast& call,
             Diagnostics& diagnostics) {
    for (const Diagnostic& each : found.all()) {
        const auto same = [&](const Diagnostic& other) {
            return other.code == each.code && other.message == each.message &&
                   other.where.source == each.where.source && other.where.begin == each.where.begin;
        };
        if (std::any_of(diagnostics.all().begin(), diagnostics.all().end(), same))
            continue;
        Diagnostic& made = diagnostics.add(each.code, each.where, each.message);
        std::vector<Note> notes = each.notes;
        notes.push_back({call.where, fmt::format("in this call of '{}'", function.name)});
        made.notes.insert(made.notes.begin(), notes.begin(), notes.end());
    }
}

} // namespace

Value call_function(const Function& function, const Ast& call, Elaborator& caller) {
    const std::size_t given = call.operands.size() - 1, wanted = function.parameters.size();
    std::vector<Value> arguments;
    for (std::size_t k = 1; k < call.operands.size(); ++k) {
        if (call.operands[k]->kind == Ast::Kind::named)
            return caller.fail(Code::bad_call, call.operands[k]->where,
                               "arguments of a function stand in their order, without names");
        arguments.push_back(caller.evaluate(*call.operands[k]));
        if (!arguments.back().ok())
            return {};
    }
    if (given != wanted) {
        caller.diagnostics()
            .add(Code::bad_call, call.where,
                 fmt::format("'{}' takes {} argument{}, but {} {} given", function.name, wanted,
                             wanted == 1 ? "" : "s", given, given == 1 ? "is" : "are"))
            .note(function.declared, "it is declared here");
        return {};
    }
    if (function.broken || !caller.spend(500, call.where))
        return {};
    Diagnostics found;
    Value value;
    if (check_hiding(function, found)) {
        std::vector<TypedRef> operands;
        caller.keep(operands, arguments);
        value =
            caller.with_tree(FunctionBody{function, std::move(arguments), caller, found}.value(),
                             Typed::Kind::own_call, &call, std::move(operands));
    }
    hand_on(found, function, call, caller.diagnostics());
    return value;
}

} // namespace sme::expr
