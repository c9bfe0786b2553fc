// SPDX-License-Identifier: Apache-2.0
#include "yaml/scope/declarations.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/syntax/parser.hpp"

namespace sme::yaml {

namespace {

bool is_quoted(const std::string& text) {
    return text.size() > 1 && text.front() == '"' && text.back() == '"';
}

void collect_names(const expr::Ast& ast, std::vector<std::string>& into) {
    if (ast.kind == expr::Ast::Kind::name)
        into.push_back(ast.text);
    for (const expr::AstRef& operand : ast.operands)
        if (operand)
            collect_names(*operand, into);
}

/// Returns true if a text is quoted in the file.
bool stands_in_quotes(const Node& value) {
    const std::string_view source =
        value.where.source ? value.where.source->text() : std::string_view{};
    const auto is_quote = [&](std::size_t at) {
        return at < source.size() && (source[at] == '"' || source[at] == '\'');
    };
    const std::size_t begin = value.where.begin;
    return is_quote(begin) || (begin > 0 && is_quote(begin - 1));
}

/// Returns a text as a Verilog string, if it is quoted in the file.
std::optional<std::string> quoted(const Node& value, Diagnostics& diagnostics) {
    const std::string& text = value.text.text;
    if (!stands_in_quotes(value)) {
        diagnostics.add(Code::unknown_name, value.where,
                        fmt::format("a parameter is a number known before the run, a file "
                                    "parameter or a text in quotes, but this is {0}; write "
                                    "\"{0}\" if it is a text",
                                    text));
        return std::nullopt;
    }
    if (text.find_first_of("\"\\\n") != std::string::npos) {
        diagnostics.add(Code::wrong_shape, value.where,
                        "a text for a module has no quote, backslash or end of line in it");
        return std::nullopt;
    }
    return fmt::format("\"{}\"", text);
}

/// Returns the value of a constant with a type: a bool or an integer of at most 64 bits; `nullopt`
/// for anything else.
std::optional<Integer> typed_constant(const expr::Ast& ast, Context& context) {
    expr::Trial trial{context.scope.fuel()};
    Constants constants{context.scope, trial.diagnostics};
    const expr::BoundExpr found = constants.elaborator().evaluate(ast);
    if (!found.ok() || !found.type || found.leaves.size() != 1 ||
        !(found.is_bool() || found.type->is_integer()) || found.type->width_bits() > 64)
        return std::nullopt;
    const auto known = constants.builder().constant_value(found.leaves[0]);
    if (!known)
        return std::nullopt;
    return found.type->is_signed() ? Integer{static_cast<std::int64_t>(*known)} : Integer{*known};
}

/// Returns a number as written in Verilog: with a width if 32 bits are too few.
std::optional<std::string> number_of(const Node& value, Context& context) {
    const expr::AstRef ast = expr::parse_expression(value.text, context.diagnostics);
    if (!ast)
        return std::nullopt;
    std::optional<Integer> number = typed_constant(*ast, context);
    if (!number) {
        Constants constants{context.scope, context.diagnostics};
        number = constants.elaborator().constant(*ast, "a parameter");
    }
    if (!number)
        return std::nullopt;
    constexpr Integer low = -(Integer{1} << 31), high = (Integer{1} << 31) - 1;
    if (*number >= low && *number <= high)
        return to_string(*number);
    if (*number > 0)
        return fmt::format("128'd{}", to_string(*number));
    context.diagnostics.add(
        Code::does_not_fit, value.where,
        fmt::format("{} does not fit a parameter of 32 bits with a sign", to_string(*number)));
    return std::nullopt;
}

} // namespace

bool is_text_parameter(const Node& value, Context& context) {
    const std::string& text = value.text.text;
    if (is_quoted(text) || context.scope.find_file(text))
        return false;
    Diagnostics not_asked_for;
    const expr::AstRef ast = expr::parse_expression(value.text, not_asked_for);
    if (!ast)
        return stands_in_quotes(value);
    std::vector<std::string> used, known;
    collect_names(*ast, used);
    context.scope.names(known);
    context.scope.type_names(known);
    context.scope.function_names(known);
    const NetworkScope::Glance glance{context.scope};
    return !used.empty() && std::none_of(used.begin(), used.end(), [&](const std::string& name) {
        return std::count(known.begin(), known.end(), name) != 0 || context.scope.find(name) ||
               !did_you_mean(name, known).empty();
    });
}

std::optional<std::string> verilog_parameter(const Node& value, Context& context) {
    const std::string& text = value.text.text;
    if (const std::string* file = context.scope.find_file(text))
        return fmt::format("\"{}\"", *file);
    if (is_quoted(text))
        return text;
    return is_text_parameter(value, context) ? quoted(value, context.diagnostics)
                                             : number_of(value, context);
}

} // namespace sme::yaml
