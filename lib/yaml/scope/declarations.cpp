// SPDX-License-Identifier: Apache-2.0
//
// Families, parameters, requires, constants, clock.
#include "yaml/scope/declarations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/parser.hpp"
#include "yaml/read/keys.hpp"
#include "yaml/syntax/statements.hpp"
#include "yaml/syntax/values.hpp"

namespace sme::yaml {

using expr::Value;

std::optional<Shape> read_shape(const expr::FamilyName& name, Context& context) {
    constexpr Integer most = 100'000'000;
    Shape shape;
    Integer total = 1;
    for (const expr::RangeText& range : name.ranges) {
        Constants constants{context.scope, context.diagnostics};
        std::optional<Integer> low = 0;
        if (range.low)
            low = constants.elaborator().constant(*range.low, "the low end of a range");
        const std::optional<Integer> end =
            constants.elaborator().constant(*range.end, "the end of a range");
        if (!low || !end)
            return std::nullopt;
        const Integer count = *end - *low;
        if (count < 1 || *low < -most || *end > most || (total *= count) > most) {
            context.diagnostics.add(
                Code::bad_range, range.where,
                count < 1
                    ? fmt::format("the range ends at {}, but begins at {}; a family has at "
                                  "least one member",
                                  to_string(*end), to_string(*low))
                    : fmt::format("'{}' has {} members, but a family has at most {}", name.name,
                                  to_string(std::max(total, count)), to_string(most)));
            return std::nullopt;
        }
        for (const Shape::Dimension& other : shape.dimensions)
            if (!range.index.empty() && other.index == range.index) {
                context.diagnostics.add(Code::duplicate_name, range.where,
                                        fmt::format("index '{}' stands twice", range.index));
                return std::nullopt;
            }
        if (!range.index.empty() &&
            !context.scope.check_hiding(range.index, range.where, context.diagnostics))
            return std::nullopt;
        shape.dimensions.push_back({static_cast<std::int64_t>(*low),
                                    static_cast<std::uint64_t>(*end - *low), range.index});
    }
    return shape;
}

namespace {

/// What follows "file =" or "type =" after the colon of a parameter, or nothing.
std::optional<expr::Text> after_word(const expr::Text& text, std::string_view word) {
    std::size_t at = text.text.find('=');
    if (!text.text.starts_with(word) || at == std::string::npos ||
        text.text.find_first_not_of(' ', word.size()) != at)
        return std::nullopt;
    at = std::min(text.text.find_first_not_of(' ', at + 1), text.text.size());
    return tail(text, at);
}

} // namespace

ParameterText parameter_text(const expr::Text& text) {
    if (auto path = after_word(text, "file"))
        return {ParameterText::Kind::file, std::move(*path)};
    if (auto type = after_word(text, "type"))
        return {ParameterText::Kind::type, std::move(*type)};
    return {ParameterText::Kind::number, text};
}

namespace {

class ParameterLoader {
public:
    explicit ParameterLoader(Context& context)
        : context_{context}, diagnostics_{context.diagnostics} {}

    void load(const Node& key, const Node& value) {
        const std::string& name = key.text.text;
        context_.scope.set_value(name, {}); // broken, until it is known
        if (!value.is_text())
            return wrong_shape(value, "a number, 'type = u8' or 'file = name'", diagnostics_);
        const auto given = context_.given.find(name);
        const bool is_given = given != context_.given.end();
        Context& scope = is_given ? *given->second.scope : context_;
        const ParameterText own = parameter_text(value.text);
        const expr::Text& text = is_given ? given->second.text : own.value;
        expr::AstRef ast = is_given ? given->second.ast : nullptr;
        if (!ast && own.kind != ParameterText::Kind::file)
            ast = expr::parse_expression(text, diagnostics_);
        if (own.kind == ParameterText::Kind::file) {
            context_.scope.drop_value(name);
            context_.scope.set_file(name, scope.initials.path_of(text.text));
        } else if (own.kind == ParameterText::Kind::type)
            load_type(name, ast, scope, is_given ? &given->second.indices : nullptr);
        else
            load_number(key, ast, scope, is_given ? &given->second.indices : nullptr);
    }

private:
    using Indices = std::map<std::string, Integer>;

    static void bind(const Indices* indices, Constants& constants) {
        if (indices)
            for (const auto& [index, value] : *indices)
                constants.elaborator().bind(index, Value::number(value));
    }

    void load_type(const std::string& name, const expr::AstRef& ast, Context& scope,
                   const Indices* indices) {
        Constants constants{scope.scope, diagnostics_};
        bind(indices, constants);
        const TypeRef type = ast ? constants.elaborator().type(*ast) : nullptr;
        if (!type)
            return;
        context_.scope.drop_value(name);
        context_.scope.set_type(name, type);
    }

    void load_number(const Node& key, const expr::AstRef& ast, Context& scope,
                     const Indices* indices) {
        Constants constants{scope.scope, diagnostics_};
        bind(indices, constants);
        const auto number =
            ast ? constants.elaborator().constant(*ast, "a parameter") : std::nullopt;
        if (!number)
            return;
        Value made = Value::number(*number);
        made.declared = key.where;
        context_.scope.set_value(key.text.text, std::move(made));
    }

    Context& context_;
    Diagnostics& diagnostics_;
};

} // namespace

expr::Text option_text(const std::string& name, const std::string& value) {
    const auto source = std::make_shared<Source>("--set " + name, value);
    expr::Text text{source, value, {}};
    for (std::uint32_t k = 0; k <= value.size(); ++k)
        text.offsets.push_back(k);
    return text;
}

void load_parameters(const Node* section, const std::string& whose, Context& context) {
    std::vector<std::string> names;
    if (section && is_map_or_empty(*section, "a map of parameters", context.diagnostics))
        for (const auto& [key, value] : section->entries) {
            if (!is_name(key, "a parameter", context.diagnostics) ||
                !context.scope.declare(key.text.text, key.where, context.diagnostics))
                continue;
            names.push_back(key.text.text);
            ParameterLoader{context}.load(key, value);
        }
    for (const auto& [name, given] : context.given)
        if (std::find(names.begin(), names.end(), name) == names.end())
            context.diagnostics.add(
                Code::bad_option, given.where,
                fmt::format("{} has no parameter '{}'{}", whose, name, did_you_mean(name, names)));
}

void load_requires(const Node& section, Context& context) {
    if (!section.is_list())
        return wrong_shape(section, "a list of conditions", context.diagnostics);
    for (const Node& item : section.items) {
        if (!item.is_text()) {
            wrong_shape(item, "a condition", context.diagnostics);
            continue;
        }
        const expr::AstRef ast = expr::parse_expression(item.text, context.diagnostics);
        Constants constants{context.scope, context.diagnostics};
        if (!ast)
            continue;
        const auto holds = constants.elaborator().condition(*ast, "a requirement");
        if (holds && constants.builder().constant_value(*holds) != std::uint64_t{1})
            context.diagnostics.add(
                Code::bad_option, item.where,
                fmt::format("'{}' does not hold for these parameters", item.text.text));
    }
}

namespace {

/// A constant without a type of its own, as in "u8(3) + 1", a map or a list: false when it is none.
bool load_typed_constant(const Node& key, const Node& value, Context& context) {
    Diagnostics quiet;
    const expr::AstRef ast = read_value(value, value.is_text() ? quiet : context.diagnostics).ast;
    if (value.is_text() &&
        (!ast || ast->kind == expr::Ast::Kind::name || ast->kind == expr::Ast::Kind::index ||
         ast->kind == expr::Ast::Kind::file))
        return false; // a type whose value is missing, or a value whose type is
    Constants constants{context.scope, context.diagnostics};
    const std::string advice =
        fmt::format("{}, or a type before all of it, as in '{}: T = {{...}}'",
                    expr::typed_field_advice, key.text.text);
    const Value found = ast ? value_of(*ast, constants.elaborator(), advice) : Value{};
    if (!found.ok())
        return true;
    if (found.is_number()) {
        context.diagnostics.add(Code::needs_type, ast->where,
                                fmt::format("the type of constant '{0}' is not known; write it, as "
                                            "in '{0}: u8 = {1}'",
                                            key.text.text, value.text.text.substr(0, 40)));
        return true;
    }
    const auto array =
        context.initials.constant(*ast, found.type, false, fmt::format("'{}'", key.text.text));
    if (!array)
        return true;
    Value made;
    made.kind = Value::Kind::constants;
    made.constants = array;
    made.declared = key.where;
    context.scope.set_value(key.text.text, std::move(made));
    return true;
}

} // namespace

void load_constants(const Node& section, Context& context) {
    if (!is_map_or_empty(section, "a map of constants", context.diagnostics))
        return;
    for (const auto& [key, value] : section.entries) {
        if (!is_name(key, "a constant", context.diagnostics) ||
            !context.scope.declare(key.text.text, key.where, context.diagnostics))
            continue;
        context.scope.set_value(key.text.text, {}); // broken, until it is known
        if (value.kind == Node::Kind::null) {
            wrong_shape(value, "'type = value'", context.diagnostics);
            continue;
        }
        if (load_typed_constant(key, value, context))
            continue;
        const auto declaration = expr::parse_declaration(value.text, context.diagnostics);
        if (!declaration)
            continue;
        if (declaration->wire || declaration->delay || declaration->hold || declaration->error ||
            !declaration->initial) {
            context.diagnostics.add(Code::expression_syntax, declaration->where,
                                    "a constant is written 'type = value', or as a value that has "
                                    "a type");
            continue;
        }
        const expr::Ast& ast = *declaration->type;
        const bool unsized = ast.kind == expr::Ast::Kind::index && ast.kids.size() == 1;
        Constants constants{context.scope, context.diagnostics};
        const TypeRef type = constants.elaborator().type(unsized ? *ast.kids[0] : ast);
        if (!type)
            continue;
        const auto array = context.initials.constant(*declaration->initial, type, unsized,
                                                     fmt::format("'{}'", key.text.text));
        if (!array)
            continue;
        Value made;
        made.kind = Value::Kind::constants;
        made.constants = array;
        made.declared = key.where;
        context.scope.set_value(key.text.text, std::move(made));
    }
}

namespace {

/// "39.72" in units of 10^-12: exact, or nothing.
std::optional<Integer> scaled_decimal(std::string_view text, Integer unit) {
    const std::size_t point = text.find('.');
    const std::string_view decimals =
        point == text.npos ? std::string_view{} : text.substr(point + 1);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if ((point != text.npos && (decimals.empty() || decimals.size() > 9)) ||
        !std::all_of(decimals.begin(), decimals.end(), is_digit))
        return std::nullopt;
    const auto whole = parse_integer(text.substr(0, point));
    if (!whole || *whole < 0 || *whole > 1'000'000'000)
        return std::nullopt;
    Integer found = *whole * unit, part = unit;
    for (const char digit : decimals) {
        if (part % 10 != 0 && digit != '0')
            return std::nullopt;
        part /= 10;
        found += part * (digit - '0');
    }
    return found;
}

} // namespace

void load_clock(const Node& section, Context& context) {
    static const std::map<std::string, Integer> units{
        {"ps", 1}, {"ns", 1000}, {"us", 1'000'000}, {"ms", 1'000'000'000}};
    if (section.is_text()) {
        const std::string& text = section.text.text;
        const std::size_t space = text.find(' ');
        const auto unit =
            space == std::string::npos ? units.end() : units.find(text.substr(space + 1));
        const std::string_view number = std::string_view{text}.substr(0, space);
        const auto period =
            unit != units.end() ? scaled_decimal(number, unit->second) : std::nullopt;
        if (period && *period >= 1 && *period <= 1'000'000'000 * unit->second) {
            context.design.clock_ps = static_cast<std::uint64_t>(*period);
            if (*period % 2 != 0)
                context.diagnostics.add(Code::bad_option, section.where,
                                        "half a clock is a whole number of ps, so a clock is an "
                                        "even one");
            return;
        }
    }
    context.diagnostics.add(
        Code::bad_option, section.where,
        "a clock is written '10 ns' or '39.72 ns': a number up to 1000000000 and "
        "ps, ns, us or ms, in whole picoseconds");
}

} // namespace sme::yaml
