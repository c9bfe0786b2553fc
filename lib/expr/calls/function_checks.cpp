// SPDX-License-Identifier: Apache-2.0
//
// Checks of functions that need no call.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/calls/functions.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

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
        Diagnostic& made =
            diagnostics_.add(Code::recursion, loop[0]->declared,
                             fmt::format("a function never comes back to itself, but {}", chain));
        for (std::size_t k = 0; k < loop.size(); ++k) {
            loop[k]->broken = true;
            Function* const next = loop[(k + 1) % loop.size()];
            for (const auto& [called, where] : calls_[loop[k]])
                if (called == next)
                    made.note(where, fmt::format("'{}' is called here", next->name));
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
