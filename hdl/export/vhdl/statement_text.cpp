// SPDX-License-Identifier: Apache-2.0
#include "export/vhdl/vhdl_text.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "export/vhdl/expr_text.hpp"

namespace sme::hdl::vhdl {

using rtl::Expr;
using rtl::ExprRef;
using rtl::Place;
using rtl::Statement;
using rtl::Statements;

namespace {

std::string deeper(const std::string& indent) {
    return indent + "    ";
}

/// Returns the stride of a variable place: its first bits are multiples of that, plus `low`.
std::uint64_t step_of(const Expr& expr) {
    if (expr.kind == Expr::Kind::literal)
        return expr.words[0];
    if (expr.kind == Expr::Kind::number)
        return static_cast<std::uint64_t>(expr.value < 0 ? -expr.value : expr.value);
    if (expr.kind == Expr::Kind::grouped)
        return step_of(*expr.operands[0]);
    const bool has_two = expr.operands.size() == 2;
    if (has_two && expr.text == "*")
        return step_of(*expr.operands[0]) * step_of(*expr.operands[1]);
    if (has_two && expr.text == "+")
        return std::gcd(step_of(*expr.operands[0]), step_of(*expr.operands[1]));
    return 1;
}

} // namespace

std::string comment_line(const std::string& indent, const std::string& text) {
    return text.empty() ? indent + "--\n" : fmt::format("{}-- {}\n", indent, text);
}

std::string StatementText::block(const Statements& statements, const std::string& indent) {
    std::string result;
    for (const Statement& each : statements)
        result += one(each, indent);
    const bool acts = std::any_of(statements.begin(), statements.end(), [](const Statement& each) {
        return each.kind != Statement::Kind::comment && each.kind != Statement::Kind::wake;
    });
    return acts ? result : result + indent + "null;\n";
}

std::string StatementText::one(const Statement& each, const std::string& indent) {
    switch (each.kind) {
    case Statement::Kind::comment: return comment_line(indent, each.text);
    case Statement::Kind::assign: return assign(each, indent);
    case Statement::Kind::chain: return chain(each, indent);
    case Statement::Kind::cases: return cases(each, indent);
    case Statement::Kind::loop:
        return fmt::format("{0}for {1} in {2} to {3} loop\n{4}{0}end loop;\n", indent,
                           scope_.names.of(each.variable), to_string(each.low),
                           to_string(each.end - 1), block(each.body, deeper(indent)));
    case Statement::Kind::wake: break; // process (all) always runs once
    }
    return {};
}

std::string StatementText::assign(const Statement& each, const std::string& indent) {
    const Place& target = each.target;
    if (target.moved && target.width > 1 && !is_integer(*target.moved))
        return assign_moving(each, indent);
    return fmt::format("{}{} {} {};\n", indent, expr_.target(target),
                       scope_.variables.count(target.name) > 0 ? ":=" : "<=",
                       expr_.assigned(each.value, scope_.target_shape(target)));
}

/// Assigns each slice separately, so that all bounds are known.
std::string StatementText::assign_moving(const Statement& each, const std::string& indent) {
    const Place& target = each.target;
    const std::uint64_t step = std::max<std::uint64_t>(step_of(*target.moved), 1);
    const std::string at = names_.fresh("place");
    const std::string first = target.low == 0 ? fmt::format("{} * {}", at, step)
                                              : fmt::format("{} * {} + {}", at, step, target.low);
    return fmt::format("{0}for {1} in 0 to {2} loop\n{0}    if {3} = {1} * {4} then\n"
                       "{0}        {5}({6} + {7} downto {6}) {8} {9};\n{0}    end if;\n"
                       "{0}end loop;\n",
                       indent, at, (target.total - target.width - target.low) / step,
                       expr_.index(target.moved, 0), step, expr_.name(target), first,
                       target.width - 1, scope_.variables.count(target.name) > 0 ? ":=" : "<=",
                       expr_.assigned(each.value, scope_.target_shape(target)));
}

std::string StatementText::chain(const Statement& each, const std::string& indent) {
    std::string result;
    for (const Statement::Arm& arm : each.arms)
        result += arm.condition
                      ? fmt::format("{}{} {} then\n{}", indent, result.empty() ? "if" : "elsif",
                                    expr_.condition(arm.condition), block(arm.body, deeper(indent)))
                      : fmt::format("{}else\n{}", indent, block(arm.body, deeper(indent)));
    return fmt::format("{}{}end if;\n", result, indent);
}

std::string StatementText::key_of(const ExprRef& label) const {
    if (label->kind == Expr::Kind::place)
        if (const auto found = scope_.constants.find(label->place.name);
            found != scope_.constants.end() && label->place.whole())
            return key_of(found->second);
    if (label->kind == Expr::Kind::as_signed || label->kind == Expr::Kind::as_unsigned)
        return key_of(label->operands[0]);
    return label->kind == Expr::Kind::literal ? fmt::format("{}", fmt::join(label->words, " "))
                                              : std::string{};
}

/// Writes a case, which needs a name, and distinct labels that are all known.
std::string StatementText::cases(const Statement& each, const std::string& indent) {
    const bool is_plain = each.value->kind == Expr::Kind::place && !each.value->place.moved &&
                          !each.value->place.word && !each.value->place.is_integer &&
                          (each.value->place.whole() || !scope_.is_signed(each.value->place));
    if (!is_plain || each.is_open)
        return tests(each, indent);
    const Shape shape = scope_.shape_of(*each.value);
    const std::string inner = deeper(indent);
    std::set<std::string> met;
    std::string arms;
    bool has_last = false;
    for (const Statement::Arm& arm : each.arms) {
        std::string labels;
        for (const ExprRef& label : arm.labels) {
            const std::string key = key_of(label);
            if (key.empty() && !arm.is_last)
                return tests(each, indent);
            if (!arm.is_last && met.insert(key).second)
                labels += (labels.empty() ? "" : " | ") + expr_.value(label, shape);
        }
        if (labels.empty() && !arm.is_last) // earlier arms have taken them
            continue;
        has_last = has_last || arm.is_last;
        arms += fmt::format("{}when {} =>\n{}", inner, arm.is_last ? "others" : labels,
                            block(arm.body, deeper(inner)));
    }
    if (!has_last)
        arms += inner + "when others =>\n" + deeper(inner) + "null;\n";
    return fmt::format("{0}case {1} is\n{2}{0}end case;\n", indent, expr_.value(each.value, shape),
                       arms);
}

std::string StatementText::tests(const Statement& each, const std::string& indent) {
    Statement result;
    result.kind = Statement::Kind::chain;
    for (const Statement::Arm& arm : each.arms) {
        ExprRef condition;
        for (const ExprRef& label : arm.labels) {
            ExprRef subject = each.value, value = label;
            if (!label->digits.empty()) {
                std::string mask = label->digits, bits = label->digits;
                std::replace(mask.begin(), mask.end(), '0', '1');
                std::replace(mask.begin(), mask.end(), '?', '0');
                std::replace(bits.begin(), bits.end(), '?', '0');
                subject = rtl::binary("&", Level::bit_and, rtl::as_unsigned(subject),
                                      rtl::literal_of_digits(mask));
                value = rtl::literal_of_digits(bits);
            }
            const ExprRef test = rtl::binary("==", Level::equality, subject, value);
            condition = condition ? rtl::binary("||", Level::logical_or, condition, test) : test;
        }
        result.arms.push_back({arm.is_last ? nullptr : condition, {}, false, arm.body});
    }
    if (!result.arms[0].condition)
        return block(result.arms[0].body, indent);
    return chain(result, indent);
}

} // namespace sme::hdl::vhdl
