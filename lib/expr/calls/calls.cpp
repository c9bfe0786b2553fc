// SPDX-License-Identifier: Apache-2.0
#include "expr/calls/calls.hpp"

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/calls/builtins.hpp"
#include "expr/calls/functions.hpp"
#include "expr/syntax/foreign_words.hpp"

namespace sme::expr {

namespace {

Code first_code(const Diagnostics& diagnostics) {
    return diagnostics.all().empty() ? Code::unknown_type : diagnostics.all()[0].code;
}

} // namespace

Value Calls::call(const Ast& ast) {
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
    if (named) {
        Diagnostics quiet;
        Elaborator probe{e_.builder_, e_.scope_, quiet};
        if (!probe.type(callee) && first_code(quiet) == Code::unknown_type) {
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
    const TypeRef type = e_.type(callee);
    if (!type)
        return {};
    const bool fields = ast.operands.size() > 1 && ast.operands.back()->kind == Ast::Kind::named;
    return fields ? construct(ast, type) : noted(cast(ast, type), Typed::Kind::cast, ast);
}

} // namespace sme::expr
