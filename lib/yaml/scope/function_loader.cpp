// SPDX-License-Identifier: Apache-2.0
#include "yaml/scope/function_loader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/parser.hpp"
#include "yaml/read/keys.hpp"
#include "yaml/syntax/statements.hpp"

namespace sme::yaml {

namespace {

class FunctionReader {
public:
    FunctionReader(NetworkScope& scope, Diagnostics& diagnostics)
        : scope_{scope}, diagnostics_{diagnostics} {}

    expr::FunctionRef read(const Node& key, const Node& body) {
        auto name = expr::parse_function_name(key.text, diagnostics_);
        if (!name || !check_name(*name))
            return nullptr;
        auto made = std::make_shared<expr::Function>();
        made->name = std::move(name->name);
        made->declared = key.where;
        made->home = &scope_;
        for (expr::FunctionName::Parameter& parameter : name->parameters)
            if (is_fresh(*made, parameter.name, parameter.where))
                made->parameters.push_back(std::move(parameter));
        if (body.is_map() && (body.find("let") || body.find("return")))
            read_parts(body, *made);
        else
            made->body = read_rhs(body, diagnostics_);
        return made;
    }

private:
    bool check_name(const expr::FunctionName& name) {
        if (!expr::is_builtin(name.name))
            return true;
        diagnostics_.add(Code::duplicate_name, name.where,
                         fmt::format("'{}' is a function of the language", name.name));
        return false;
    }

    bool is_fresh(const expr::Function& function, const std::string& name, const Location& where) {
        const auto same = [&](const auto& other) { return other.name == name; };
        const bool fresh =
            std::none_of(function.parameters.begin(), function.parameters.end(), same) &&
            std::none_of(function.lets.begin(), function.lets.end(), same);
        if (!fresh)
            diagnostics_.add(Code::duplicate_name, where,
                             fmt::format("'{}' is already a name in this function", name));
        return fresh;
    }

    /// {let: names, return: right-hand side}
    void read_parts(const Node& body, expr::Function& function) {
        check_keys(body, format::function, fmt::format("function '{}'", function.name),
                   diagnostics_);
        if (const Node* lets = body.find("let");
            lets && is_map_or_empty(*lets, "a map of names", diagnostics_))
            for (const auto& [key, value] : lets->entries)
                if (auto let = read_let(key, value, diagnostics_);
                    let && is_fresh(function, let->name, key.where))
                    function.lets.push_back(std::move(*let));
        if (const Node* result = body.find("return"))
            function.body = read_rhs(*result, diagnostics_);
        else
            diagnostics_.add(
                Code::missing_key, function.declared,
                fmt::format("function '{}' does not say 'return: value'", function.name));
    }

    NetworkScope& scope_;
    Diagnostics& diagnostics_;
};

} // namespace

void load_functions(const Node& section, NetworkScope& scope, Diagnostics& diagnostics) {
    if (!is_map_or_empty(section, "a map of functions", diagnostics))
        return;
    std::vector<expr::FunctionRef> functions;
    for (const auto& [key, body] : section.entries) {
        expr::FunctionRef function = FunctionReader{scope, diagnostics}.read(key, body);
        if (!function || !scope.declare(function->name, key.where, diagnostics))
            continue;
        scope.set_function(function);
        functions.push_back(std::move(function));
    }
    expr::check_functions(functions, diagnostics);
}

} // namespace sme::yaml
