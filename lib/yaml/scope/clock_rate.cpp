// SPDX-License-Identifier: Apache-2.0
#include "yaml/scope/clock_rate.hpp"

#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/syntax/parser.hpp"
#include "yaml/read/keys.hpp"
#include "yaml/syntax/statements.hpp"

namespace sme::yaml {

namespace {

std::optional<std::uint64_t> number(const expr::Text& text, const char* what, Integer least,
                                    Context& context) {
    const expr::AstRef ast = expr::parse_expression(text, context.diagnostics);
    if (!ast)
        return std::nullopt;
    Constants constants{context.scope, context.diagnostics};
    const auto found = constants.elaborator().constant(*ast, what);
    if (!found)
        return std::nullopt;
    constexpr Integer most = std::numeric_limits<std::uint32_t>::max();
    if (*found >= least && *found <= most)
        return static_cast<std::uint64_t>(*found);
    context.diagnostics.add(Code::bad_cycles, ast->where,
                            fmt::format("{} is {} to {}, but this is {}", what, to_string(least),
                                        to_string(most), to_string(*found)));
    return std::nullopt;
}

/// Returns true for a number of 2 or more without a leading zero.
bool is_number(const Node& node) {
    return node.is_text() && !node.text.text.empty() && node.text.text[0] != '0' &&
           node.text.text.find_first_not_of("0123456789") == std::string::npos;
}

} // namespace

std::optional<ClockRate> read_clock_rate(const Node& node, Context& context) {
    constexpr std::string_view every = "every ", offset = " offset ";
    if (node.is_text() && node.text.text == "1")
        return ClockRate{};
    if (!node.is_text() || !node.text.text.starts_with(every)) {
        if (is_number(node))
            context.diagnostics.add(Code::wrong_shape, node.where,
                                    fmt::format("{0} is no rate of a clock; write 'every {0}' for "
                                                "an edge in every {0} cycles",
                                                node.text.text));
        else
            wrong_shape(node, "a rate such as 1, 'every 2' or 'every 2 offset 1'",
                        context.diagnostics);
        return std::nullopt;
    }
    expr::Text period = node.text;
    std::optional<expr::Text> behind;
    if (const std::size_t at = period.text.find(offset); at != std::string::npos) {
        behind = tail(period, at + offset.size());
        period.text.resize(at);
    }
    const auto found = number(tail(period, every.size()), "the period of a clock", 1, context);
    const auto later = behind ? number(*behind, "the offset of a clock", 0, context)
                              : std::optional{std::uint64_t{0}};
    if (!found || !later)
        return std::nullopt;
    const ClockRate made{*found, *later};
    const std::string problem = made.problem();
    if (problem.empty())
        return made;
    context.diagnostics.add(Code::bad_cycles, node.where, problem);
    return std::nullopt;
}

} // namespace sme::yaml
