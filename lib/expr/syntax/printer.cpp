// SPDX-License-Identifier: Apache-2.0
//
// Prints trees as text. Each kind of tree has a strength, like operators: where the context
// requires a minimum strength, a weaker tree gets parentheses.
#include "expr/syntax/printer.hpp"

#include <fmt/format.h>

namespace sme::expr {

namespace {

// Strengths besides those of binary operators, which are doubled to leave room for 'not'.
constexpr int anything = 0;
constexpr int a_conditional = 1;
constexpr int a_negation = 2 * comparison_strength - 1;
constexpr int beyond_comparison = 2 * comparison_strength + 1;
constexpr int a_sign = 40;    // -x and ~x
constexpr int a_postfix = 50; // operand of brackets, a field or a call
constexpr int a_primary = 60; // one word

/// random(T) x where condition
bool is_drawn_by_rule(const Ast& ast) {
    return ast.kind == Ast::Kind::call && ast.operands[0]->text == "random" &&
           ast.operands.size() == 3 && ast.operands[2]->kind == Ast::Kind::named;
}

int strength_of(const Ast& ast) {
    if (is_drawn_by_rule(ast))
        return a_conditional;
    switch (ast.kind) {
    case Ast::Kind::conditional: return a_conditional;
    case Ast::Kind::binary: return 2 * row_of(ast.op).strength;
    case Ast::Kind::unary: return ast.op == Operator::logical_not ? a_negation : a_sign;
    case Ast::Kind::number:
    case Ast::Kind::decimal:
    case Ast::Kind::boolean:
    case Ast::Kind::name: return a_primary;
    default: return a_postfix;
    }
}

/// Returns the digits of a number as written, if they still match its value; else empty.
std::string written_number(const Ast& ast) {
    const SourceRef& source = ast.where.source;
    if (!source || ast.where.end > source->text().size() || ast.where.begin >= ast.where.end)
        return {};
    const std::string_view text =
        source->text().substr(ast.where.begin, ast.where.end - ast.where.begin);
    if (ast.words) {
        const auto words = parse_words(text, static_cast<unsigned>(64 * ast.words->size()));
        return words == *ast.words && !parse_integer(text) ? std::string{text} : std::string{};
    }
    return parse_integer(text) == ast.value ? std::string{text} : std::string{};
}

std::string number(const Ast& ast) {
    if (std::string written = written_number(ast); !written.empty())
        return written;
    return ast.words ? hexadecimal(*ast.words, width_of(*ast.words)) : to_string(ast.value);
}

class Printer {
public:
    /// In a target, brackets may hold ranges, so a comparison there needs parentheses.
    explicit Printer(bool target = false)
        : index_strength_{target ? beyond_comparison : anything} {}

    std::string at_least(int wanted, const Ast& ast) const {
        const std::string text = plain(ast);
        return strength_of(ast) < wanted ? "(" + text + ")" : text;
    }

private:
    std::string plain(const Ast& ast) const {
        switch (ast.kind) {
        case Ast::Kind::number: return number(ast);
        case Ast::Kind::boolean: return ast.value != 0 ? "true" : "false";
        case Ast::Kind::decimal:
        case Ast::Kind::name: return ast.text;
        case Ast::Kind::index: return base(ast) + "[" + indices(ast) + "]";
        case Ast::Kind::slice:
            return fmt::format("{}[{}:{}]", base(ast), at_least(index_strength_, *ast.operands[1]),
                               at_least(anything, *ast.operands[2]));
        case Ast::Kind::field: return base(ast) + "." + ast.text;
        case Ast::Kind::call:
            return is_drawn_by_rule(ast)
                       ? fmt::format("{}({}) {} where {}", base(ast),
                                     at_least(anything, *ast.operands[1]), ast.operands[2]->text,
                                     at_least(anything, *ast.operands[2]->operands[0]))
                       : base(ast) + "(" + all(ast, 1, anything) + ")";
        case Ast::Kind::fields: return fields(ast);
        case Ast::Kind::named: return ast.text + " = " + at_least(anything, *ast.operands[0]);
        case Ast::Kind::unary: return unary(ast);
        case Ast::Kind::binary: return binary(ast);
        case Ast::Kind::conditional: return conditional(ast);
        case Ast::Kind::list: return "[" + all(ast, 0, anything) + "]";
        case Ast::Kind::file: return "file(" + ast.text + ")";
        case Ast::Kind::range: return range(ast);
        }
        return {};
    }

    std::string base(const Ast& ast) const { return at_least(a_postfix, *ast.operands[0]); }

    std::string all(const Ast& ast, std::size_t first, int wanted) const {
        std::string result;
        for (std::size_t k = first; k < ast.operands.size(); ++k)
            result += (k > first ? ", " : "") + at_least(wanted, *ast.operands[k]);
        return result;
    }
    std::string indices(const Ast& ast) const { return all(ast, 1, index_strength_); }

    std::string fields(const Ast& ast) const {
        std::string result;
        for (const AstRef& field : ast.operands)
            result += fmt::format("{}{}: {}", result.empty() ? "" : ", ", field->text,
                                  at_least(anything, *field->operands[0]));
        return "{" + result + "}";
    }

    std::string range(const Ast& ast) const {
        const std::string low =
            ast.operands.size() > 1 ? at_least(beyond_comparison, *ast.operands[1]) + " <= " : "";
        return low + ast.text + " < " + at_least(beyond_comparison, *ast.operands[0]);
    }

    std::string unary(const Ast& ast) const {
        const Ast& operand = *ast.operands[0];
        if (ast.op == Operator::logical_not)
            return "not " + at_least(a_negation, operand);
        return std::string{spelling(ast.op)} + at_least(a_sign, operand);
    }

    std::string binary(const Ast& ast) const {
        const int own = strength_of(ast);
        const bool compares = own == 2 * comparison_strength;
        const bool rightward = ast.op == Operator::implies; // right-associative
        return fmt::format("{} {} {}", operand(ast, 0, own + (rightward || compares)),
                           spelling(ast.op), operand(ast, 1, own + !rightward));
    }

    /// Parenthesises operands mixed with bit operators and shifts, whose precedence differs in
    /// other languages.
    std::string operand(const Ast& ast, std::size_t k, int wanted) const {
        const Ast& operand = *ast.operands[k];
        const bool compares = strength_of(ast) == 2 * comparison_strength;
        const bool mixed =
            operand.kind == Ast::Kind::binary && operand.op != ast.op &&
            (is_bitwise(ast.op) || is_shift(ast.op) || (compares && is_bitwise(operand.op)));
        return at_least(mixed ? a_sign : wanted, operand);
    }

    std::string conditional(const Ast& ast) const {
        std::string result;
        std::size_t k = 0;
        for (; k + 1 < ast.operands.size(); k += 2)
            result += fmt::format("{} {} then {} ", k == 0 ? "if" : "elif",
                                  at_least(a_conditional + 1, *ast.operands[k]),
                                  at_least(a_conditional + 1, *ast.operands[k + 1]));
        return result + "else " + at_least(anything, *ast.operands[k]);
    }

    int index_strength_;
};

std::string bits_of(const Pattern& pattern) {
    std::string result = "0b";
    for (unsigned bit = pattern.digits; bit-- > 0;)
        result += (pattern.mask >> bit & 1) == 0 ? '?' : (pattern.bits >> bit & 1) != 0 ? '1' : '0';
    return result;
}

std::string print(const RangeText& range) {
    const Printer printer;
    std::string end = printer.at_least(beyond_comparison, *range.end);
    if (range.index.empty())
        return end;
    const std::string low =
        range.low ? printer.at_least(beyond_comparison, *range.low) + " <= " : "";
    return low + range.index + " < " + end;
}

/// Escapes characters in the text of a print.
std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text)
        switch (c) {
        case '\n': result += "\\n"; break;
        case '\t': result += "\\t"; break;
        case '"':
        case '\\': result += {'\\', c}; break;
        case '{':
        case '}': result += {c, c}; break;
        default: result += c;
        }
    return result;
}

/// Prints a value inside the text of a print: a leading brace would be read as a literal brace.
std::string print_value(const Ast& ast) {
    std::string result = Printer{}.at_least(anything, ast);
    return result.starts_with('{') ? "(" + result + ")" : result;
}

/// Returns ":04x", or empty for the default style.
std::string print(const PrintStyle& style) {
    std::string result = style.zeros ? "0" : "";
    if (style.width != 0)
        result += fmt::format("{}", style.width);
    switch (style.base) {
    case PrintStyle::Base::natural: break;
    case PrintStyle::Base::decimal: result += 'd'; break;
    case PrintStyle::Base::hexadecimal: result += 'x'; break;
    case PrintStyle::Base::binary: result += 'b'; break;
    case PrintStyle::Base::character: result += 'c'; break;
    }
    return result.empty() ? result : ":" + result;
}

} // namespace

std::string print(const Ast& ast) {
    return Printer{}.at_least(anything, ast);
}

std::string print_target(const Ast& ast) {
    return Printer{true}.at_least(a_postfix, ast);
}

std::string print(const Guarded& guarded) {
    return guarded.when ? print(*guarded.value) + " when " + print(*guarded.when)
                        : print(*guarded.value);
}

std::string print(const PropertyText& property) {
    std::string result = print(*property.first);
    if (!property.then)
        return result;
    result += " then " + print(*property.then);
    if (!property.from)
        return result + " within " + print(*property.to);
    result += " in " + print(*property.from);
    return property.one_cycle ? result : result + " to " + print(*property.to);
}

std::string print(const Declaration& declaration) {
    const Printer printer;
    std::string result = declaration.channel ? "channel " : declaration.wire ? "wire " : "";
    const auto add = [&](const char* word, const Ast& number) {
        const bool negative = number.kind == Ast::Kind::unary && number.op == Operator::negate;
        result += word + printer.at_least(negative ? a_sign : a_primary, number) + " ";
    };
    if (declaration.depth)
        add("depth ", *declaration.depth);
    if (declaration.delay)
        add("delay ", *declaration.delay);
    result += declaration.hold ? "hold " : declaration.error ? "error " : "";
    result += printer.at_least(a_postfix, *declaration.type);
    return declaration.initial ? result + " = " + print(*declaration.initial) : result;
}

std::string print(const FamilyName& name) {
    std::string result;
    for (const RangeText& range : name.ranges)
        result += (result.empty() ? "" : ", ") + print(range);
    return name.ranges.empty() ? name.name : fmt::format("{}[{}]", name.name, result);
}

std::string print(const FunctionName& name) {
    std::string result;
    for (const FunctionName::Parameter& parameter : name.parameters)
        result += (result.empty() ? "" : ", ") + parameter.name;
    return fmt::format("{}({})", name.name, result);
}

std::string print(const PrintText& line) {
    std::string result = "\"";
    for (const PrintPiece& piece : line.pieces)
        result += piece.value
                      ? fmt::format("{{{}{}}}", print_value(*piece.value), print(piece.style))
                      : escaped(piece.text);
    return line.when ? fmt::format("{}\" when {}", result, print(*line.when)) : result + "\"";
}

std::string print(const std::vector<Pattern>& patterns) {
    const Printer printer;
    std::string result;
    for (const Pattern& pattern : patterns)
        result += (result.empty() ? "" : ", ") +
                  (pattern.value ? printer.at_least(beyond_comparison, *pattern.value)
                                 : bits_of(pattern));
    return patterns.empty() ? "else" : result;
}

} // namespace sme::expr
