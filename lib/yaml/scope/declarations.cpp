// SPDX-License-Identifier: Apache-2.0
#include "yaml/scope/declarations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/syntax/parser.hpp"

namespace sme::yaml {

void load_functions(const std::vector<FunctionSyntax>& section, NetworkScope& scope,
                    Diagnostics& diagnostics) {
    std::vector<expr::FunctionRef> functions;
    for (const FunctionSyntax& written : section) {
        if (!scope.declare(written.function.name, written.function.declared, "a function",
                           diagnostics))
            continue;
        auto result = std::make_shared<expr::Function>(written.function);
        result->home = &scope;
        scope.set_function(result);
        functions.push_back(std::move(result));
    }
    expr::check_functions(functions, diagnostics);
}

// Families, parameters, requires, constants, clock.

using expr::BoundExpr;

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
                                        fmt::format("index '{}' is declared twice", range.index));
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

class ParameterLoader {
public:
    explicit ParameterLoader(Context& context)
        : context_{context}, diagnostics_{context.diagnostics} {}

    void load(const ParameterSyntax& own) {
        using Kind = ParameterSyntax::Kind;
        const std::string& name = own.name.text;
        context_.scope.set_value(name, {}); // broken while it is evaluated
        const auto given = context_.given.find(name);
        const bool is_given = given != context_.given.end();
        Context& scope = is_given ? *given->second.scope : context_;
        if (own.kind == Kind::file) {
            context_.scope.drop_value(name);
            const std::string& path = is_given ? given->second.text.text : own.path;
            return context_.scope.set_file(name, scope.initials.path_of(path));
        }
        if (is_given && !given->second.ast) // from an option, or invalid, which is reported now
            given->second.ast = expr::parse_expression(given->second.text, diagnostics_);
        const expr::AstRef& ast = is_given ? given->second.ast : own.ast;
        if (!ast)
            return;
        const Indices* indices = is_given ? &given->second.indices : nullptr;
        if (own.kind == Kind::type)
            load_type(name, *ast, scope, indices);
        else
            load_number(own.name, *ast, scope, indices);
    }

private:
    using Indices = std::map<std::string, Integer>;

    static void bind(const Indices* indices, Constants& constants) {
        if (indices)
            for (const auto& [index, value] : *indices)
                constants.elaborator().bind(index, BoundExpr::number(value));
    }

    void load_type(const std::string& name, const expr::Ast& ast, Context& scope,
                   const Indices* indices) {
        Constants constants{scope.scope, diagnostics_};
        bind(indices, constants);
        const TypeRef type = constants.elaborator().type(ast);
        if (!type)
            return;
        context_.scope.drop_value(name);
        context_.scope.set_type(name, type);
    }

    void load_number(const Word& name, const expr::Ast& ast, Context& scope,
                     const Indices* indices) {
        Constants constants{scope.scope, diagnostics_};
        bind(indices, constants);
        const auto number = constants.elaborator().constant(ast, "a parameter");
        if (!number)
            return;
        context_.scope.set_value(name.text, BoundExpr::number(*number));
    }

    Context& context_;
    Diagnostics& diagnostics_;
};

} // namespace

expr::Text option_text(const std::string& name, const std::string& value) {
    const auto source = std::make_shared<Source>(fmt::format("--set {}={}", name, value), value, 0);
    expr::Text text{source, value, {}};
    for (std::uint32_t k = 0; k <= value.size(); ++k)
        text.offsets.push_back(k);
    return text;
}

void load_parameters(const std::vector<ParameterSyntax>& section, const std::string& whose,
                     Context& context) {
    std::vector<std::string> names;
    for (const ParameterSyntax& parameter : section) {
        const auto& [name, where] = parameter.name;
        if (!context.scope.declare(name, where, "a parameter", context.diagnostics))
            continue;
        names.push_back(name);
        ParameterLoader{context}.load(parameter);
    }
    for (const auto& [name, given] : context.given)
        if (std::find(names.begin(), names.end(), name) == names.end())
            context.diagnostics.add(
                Code::bad_option, given.where,
                fmt::format("{} has no parameter '{}'{}", whose, name, did_you_mean(name, names)));
}

void load_requires(const std::vector<RequirementSyntax>& section, Context& context) {
    for (const auto& [ast, text] : section) {
        Constants constants{context.scope, context.diagnostics};
        const auto holds = constants.elaborator().condition(*ast, "a requirement");
        if (holds && constants.builder().constant_value(*holds) != std::uint64_t{1})
            context.diagnostics.add(
                Code::bad_option, text.where,
                fmt::format("'{}' does not hold for these parameters", text.text));
    }
}

namespace {

using Constant = std::shared_ptr<const expr::ConstantArray>;

/// Returns a constant whose value has a type, as in "u8(3) + 1", a map or a list; null after an
/// error was reported.
Constant typed_constant(const ConstantSyntax& constant, Context& context) {
    const expr::Ast& ast = *constant.value.ast;
    const std::string& name = constant.name.text;
    Constants constants{context.scope, context.diagnostics};
    const std::string advice = fmt::format(
        "{}, or a type before all of it, as in '{}: T = {{...}}'", expr::typed_field_advice, name);
    const BoundExpr found = value_of(ast, constants.elaborator(), advice);
    if (!found.ok())
        return nullptr;
    if (!found.is_number())
        return context.initials.constant(ast, found.type, false, fmt::format("'{}'", name));
    context.diagnostics.add(Code::needs_type, ast.where,
                            fmt::format("the type of constant '{0}' is not known; write it, as "
                                        "in '{0}: u8 = {1}'",
                                        name, constant.text.substr(0, 40)));
    return nullptr;
}

/// Returns a constant from "type = value"; null after an error was reported.
Constant declared_constant(const ConstantSyntax& constant, Context& context) {
    const expr::Ast& ast = *constant.declaration->type;
    const bool unsized = ast.kind == expr::Ast::Kind::index && ast.operands.size() == 1;
    Constants constants{context.scope, context.diagnostics};
    const TypeRef type = constants.elaborator().type(unsized ? *ast.operands[0] : ast);
    if (!type)
        return nullptr;
    return context.initials.constant(*constant.declaration->initial, type, unsized,
                                     fmt::format("'{}'", constant.name.text));
}

} // namespace

void load_constants(const std::vector<ConstantSyntax>& section, Context& context) {
    for (const ConstantSyntax& constant : section) {
        const auto& [name, where] = constant.name;
        if (!context.scope.declare(name, where, "a constant", context.diagnostics))
            continue;
        context.scope.set_value(name, {}); // broken while it is evaluated
        const auto found = constant.value.ast     ? typed_constant(constant, context)
                           : constant.declaration ? declared_constant(constant, context)
                                                  : nullptr;
        if (!found)
            continue;
        context.scope.set_value(name, {expr::Form::constants, found});
    }
}

namespace {

/// Returns "39.72" in units of 10^-12; `nullopt` if not exact.
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

void load_clock(const Word& clock, Context& context) {
    static const std::map<std::string, Integer> units{
        {"ps", 1}, {"ns", 1000}, {"us", 1'000'000}, {"ms", 1'000'000'000}};
    const std::string& text = clock.text;
    const std::size_t space = text.find(' ');
    const auto unit = space == std::string::npos ? units.end() : units.find(text.substr(space + 1));
    const std::string_view number = std::string_view{text}.substr(0, space);
    const auto period = unit != units.end() ? scaled_decimal(number, unit->second) : std::nullopt;
    if (period && *period >= 1 && *period <= 1'000'000'000 * unit->second) {
        context.design.clock_ps = static_cast<std::uint64_t>(*period);
        if (*period % 2 != 0)
            context.diagnostics.add(Code::bad_option, clock.where,
                                    "half a clock is a whole number of ps, so a clock is an "
                                    "even one");
        return;
    }
    context.diagnostics.add(
        Code::bad_option, clock.where,
        "a clock is written '10 ns' or '39.72 ns': a number up to 1000000000 and "
        "ps, ns, us or ms, in whole picoseconds");
}

} // namespace sme::yaml
