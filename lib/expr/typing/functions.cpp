// SPDX-License-Identifier: Apache-2.0
#include "expr/typing/functions.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/syntax/lexer.hpp"
#include "expr/typing/builtins.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/rhs_value.hpp"

namespace sme::expr {

namespace {

Code first_code(const Diagnostics& diagnostics) {
    return diagnostics.all().empty() ? Code::unknown_type : diagnostics.all()[0].code;
}

} // namespace

BoundExpr Calls::call(const Ast& ast) {
    const Ast& callee = *ast.operands[0];
    const std::string& name = callee.text;
    const bool named = callee.kind == Ast::Kind::name;
    if (named && (name == "u" || name == "i") && !e_.scope_.find_type(name))
        return e_.fail(Code::bad_call, ast.where,
                       fmt::format("{0}(n) is a type; a value of it is written {0}(n)(x)", name));
    if (const Builtin* builtin = named ? find_builtin(name) : nullptr)
        return function(ast, *builtin);
    if (const Function* own = named ? e_.scope_.find_function(name) : nullptr)
        return call_function(*own, ast, e_);
    if (named && e_.is_known(name))
        return e_.fail(Code::bad_call, callee.where, fmt::format("'{}' is no function", name));
    TypeRef type;
    if (named) {
        Trial trial{e_.scope_.fuel()};
        Elaborator probe{e_.builder_, e_.scope_, trial.diagnostics};
        type = probe.type(callee);
        if (!type && first_code(trial.diagnostics) == Code::unknown_type) {
            if (is_loop_word(name))
                return e_.fail(Code::unknown_name, callee.where,
                               fmt::format("'{}' is written {} here", name, loop_form));
            std::vector<std::string> known;
            for (const Builtin& builtin : builtins())
                if (has_value_here(builtin))
                    known.emplace_back(builtin.name);
            e_.scope_.type_names(known);
            e_.scope_.function_names(known);
            return e_.fail(Code::unknown_name, callee.where,
                           fmt::format("there is no function or type '{}'{}", name,
                                       did_you_mean(name, known)));
        }
    }
    if (!type)
        type = e_.type(callee);
    if (!type)
        return {};
    const bool fields = ast.operands.size() > 1 && ast.operands.back()->kind == Ast::Kind::named;
    return fields ? construct(ast, type) : noted(cast(ast, type), BoundExpr::Kind::cast, ast);
}

// Calls of user-defined functions.

/// The names visible in a body: parameters, lets, and the names of the function's home.
class FunctionBody::Inside final : public Scope {
public:
    Inside(const Function& function, std::vector<BoundExpr> arguments, Elaborator& caller,
           Diagnostics& diagnostics)
        : function_{function}, caller_{caller.scope()}, diagnostics_{diagnostics},
          elaborator_{caller, *this, diagnostics} {
        for (std::size_t k = 0; k < arguments.size(); ++k)
            values_[function.parameters[k].name] = Elaborator::named(std::move(arguments[k]));
    }
    Elaborator& elaborator() { return elaborator_; }
    BoundExpr value() { return always_value(function_.body, elaborator_); }
    std::vector<BoundExpr> arguments() const {
        std::vector<BoundExpr> result;
        for (const Function::Parameter& parameter : function_.parameters)
            result.push_back(values_.at(parameter.name));
        return result;
    }
    std::shared_ptr<const BoundBody> bound(const BoundExpr& value) const {
        auto result = std::make_shared<BoundBody>();
        result->function = &function_;
        result->value = value.ok() ? elaborator_.operand(value) : nullptr;
        for (const LetText& let : function_.lets)
            if (const auto known = values_.find(let.name);
                known != values_.end() && known->second.ok())
                result->lets[let.name] = elaborator_.operand(known->second);
        return result;
    }

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
    std::string why_no_value(const std::string& name, std::string_view) const override {
        const std::string kind = function_.home->kind_of(name);
        return is_bus(kind)
                   ? fmt::format("'{}' is {}, which a function does not read; pass it as an "
                                 "argument",
                                 name, kind)
                   : std::string{};
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

    const BoundExpr* find(const std::string& name) override {
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
            return &(values_[name] = BoundExpr{});
        }
        BoundExpr value = let_value(*let, elaborator_);
        open_.erase(name);
        return &(values_[name] = std::move(value));
    }

private:
    const Function& function_;
    Scope& caller_;
    Diagnostics& diagnostics_;
    Elaborator elaborator_;
    std::map<std::string, BoundExpr> values_;
    std::set<std::string> open_;
};

FunctionBody::FunctionBody(const Function& function, std::vector<BoundExpr> arguments,
                           Elaborator& caller, Diagnostics& found)
    : inside_{std::make_unique<Inside>(function, std::move(arguments), caller, found)} {}

FunctionBody::~FunctionBody() = default;

Elaborator& FunctionBody::elaborator() {
    return inside_->elaborator();
}

BoundExpr FunctionBody::value() {
    return inside_->value();
}

std::vector<BoundExpr> FunctionBody::arguments() const {
    return inside_->arguments();
}

std::shared_ptr<const BoundBody> FunctionBody::bound(const BoundExpr& value) {
    return inside_->bound(value);
}

namespace {

/// Checks that parameters and lets do not hide other names.
bool check_hiding(const Function& function, Diagnostics& diagnostics) {
    const auto check = [&](const std::string& name, const Location& where) {
        if (!function.home->find(name) && !function.home->find_type(name) &&
            !function.home->find_function(name))
            return true;
        const std::string kind = function.home->kind_of(name);
        diagnostics.add(Code::duplicate_name, where,
                        fmt::format("'{}' is already {}, and names hide nothing", name,
                                    kind.empty() ? "the name of something" : kind));
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
        Diagnostic& result = diagnostics.add(each.code, each.where, each.message);
        std::vector<Note> notes = each.notes;
        notes.push_back({call.where, fmt::format("in this call of '{}'", function.name)});
        result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
    }
}

} // namespace

BoundExpr call_function(const Function& function, const Ast& call, Elaborator& caller) {
    const std::size_t given = call.operands.size() - 1, wanted = function.parameters.size();
    std::vector<BoundExpr> arguments;
    for (std::size_t k = 1; k < call.operands.size(); ++k) {
        if (call.operands[k]->kind == Ast::Kind::named)
            return caller.fail(Code::bad_call, call.operands[k]->where,
                               "arguments of a function are in their order, without names");
        arguments.push_back(caller.bound(*call.operands[k]));
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
    // arguments fault in their order, whatever the body does with them
    const bool keeps_call =
        caller.bindings() || std::any_of(arguments.begin(), arguments.end(),
                                         [](const BoundExpr& each) { return each.may_fault; });
    Diagnostics found;
    BoundExpr value;
    if (check_hiding(function, found)) {
        FunctionBody inside{function, std::move(arguments), caller, found};
        value = inside.value();
        if (keeps_call && value.ok() && !value.is_constant())
            value = bound_call(call, value, inside, caller);
    }
    hand_on(found, function, call, caller.diagnostics());
    return value;
}

// Checks of functions that need no call.

void for_each_expression(const Rhs& rhs, const std::function<void(const Ast&)>& visit) {
    for (const AstRef& ast : {rhs.value, rhs.when})
        if (ast)
            visit(*ast);
    for (const Rhs& entry : rhs.list)
        for_each_expression(entry, visit);
    for (const Rhs::FieldRhs& field : rhs.fields)
        for_each_expression(field.rhs, visit);
    for (const Rhs::Arm& arm : rhs.arms) {
        if (arm.condition)
            visit(*arm.condition);
        for (const Pattern& pattern : arm.patterns)
            if (pattern.value)
                visit(*pattern.value);
        for_each_expression(arm.rhs, visit);
    }
}

namespace {

template <class Visit> void walk(const Ast& ast, const Visit& visit) {
    visit(ast);
    for (const AstRef& operand : ast.operands)
        walk(*operand, visit);
}

template <class Visit> void walk(const Function& function, const Visit& visit) {
    const auto each = [&](const Ast& ast) { walk(ast, visit); };
    for_each_expression(function.body, each);
    for (const LetText& let : function.lets) {
        for_each_expression(let.rhs, each);
        for (const RangeText& range : let.ranges)
            for (const AstRef& end : {range.low, range.end})
                if (end)
                    each(*end);
    }
}

/// Finds recursive functions.
class RecursionFinder {
public:
    RecursionFinder(const std::vector<FunctionRef>& functions, Diagnostics& diagnostics)
        : diagnostics_{diagnostics} {
        for (const FunctionRef& function : functions)
            by_name_[function->name] = function.get();
        for (const FunctionRef& function : functions)
            walk(*function, [&](const Ast& ast) {
                if (ast.kind != Ast::Kind::call)
                    return;
                const auto called = by_name_.find(ast.operands[0]->text);
                if (called == by_name_.end())
                    return;
                std::vector<Call>& calls = calls_[function.get()];
                if (std::none_of(calls.begin(), calls.end(),
                                 [&](const Call& call) { return call.function == called->second; }))
                    calls.push_back({called->second, ast.where});
            });
    }

    void visit(Function* function) {
        if (!done_.insert(function).second)
            return;
        if (path_.size() == Elaborator::deepest) {
            diagnostics_.add(
                Code::too_deep, function->declared,
                fmt::format("functions call each other more than {} deep", Elaborator::deepest));
            function->broken = true;
            return;
        }
        path_.push_back(function);
        for (const auto& [called, where] : calls_[function]) {
            const auto begin = std::find(path_.begin(), path_.end(), called);
            if (begin != path_.end())
                report({begin, path_.end()});
            visit(called);
        }
        path_.pop_back();
    }

private:
    struct Call {
        Function* function;
        Location where;
    };

    void report(const std::vector<Function*>& loop) {
        std::string chain = fmt::format("'{}'", loop[0]->name);
        for (std::size_t k = 0; k < loop.size(); ++k)
            chain += fmt::format("{} calls '{}'", k > 0 ? ", which" : "",
                                 loop[(k + 1) % loop.size()]->name);
        Diagnostic& result =
            diagnostics_.add(Code::recursion, loop[0]->declared,
                             fmt::format("a function never comes back to itself, but {}", chain));
        for (std::size_t k = 0; k < loop.size(); ++k) {
            loop[k]->broken = true;
            Function* const next = loop[(k + 1) % loop.size()];
            for (const auto& [called, where] : calls_[loop[k]])
                if (called == next)
                    result.note(where, fmt::format("'{}' is called here", next->name));
        }
    }

    Diagnostics& diagnostics_;
    std::map<std::string, Function*> by_name_;
    std::map<Function*, std::vector<Call>> calls_; // in source order
    std::set<Function*> done_;
    std::vector<Function*> path_;
};

void warn_unused(const Function& function, Diagnostics& diagnostics) {
    std::set<std::string> used;
    walk(function, [&](const Ast& ast) {
        if (ast.kind == Ast::Kind::name)
            used.insert(ast.text);
    });
    const auto check = [&](const std::string& name, const Location& where) {
        if (!used.count(name))
            diagnostics.add(Code::unused, where, fmt::format("'{}' is never used", name));
    };
    for (const Function::Parameter& parameter : function.parameters)
        check(parameter.name, parameter.where);
    for (const LetText& let : function.lets)
        check(let.name, let.declared);
}

} // namespace

void check_functions(const std::vector<FunctionRef>& functions, Diagnostics& diagnostics) {
    RecursionFinder finder{functions, diagnostics};
    for (const FunctionRef& function : functions)
        finder.visit(function.get());
    for (const FunctionRef& function : functions)
        warn_unused(*function, diagnostics);
}

} // namespace sme::expr
