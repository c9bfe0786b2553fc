// SPDX-License-Identifier: Apache-2.0
#include "export/modules/connection.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bits/packed.hpp"
#include "export/modules/port_fields.hpp"

namespace sme::hdl {

using expr::Ast;
using expr::Operator;

std::string LoopIndex::member() const {
    std::string made;
    for (std::size_t d = 0; d < variables_.size(); ++d) {
        std::string each = variables_[d];
        if (unit_.lows[d] != 0)
            each = fmt::format("({} - {})", each, unit_.lows[d]);
        made = made.empty() ? each : fmt::format("({} * {} + {})", made, unit_.counts[d], each);
    }
    return made;
}

std::optional<std::string> LoopIndex::low_bit(const ModulePort& port, std::uint64_t element,
                                              const std::vector<Place>& places) {
    const std::uint64_t first = places[0].low;
    if (std::all_of(places.begin(), places.end(),
                    [&](const Place& place) { return place.low == first; }))
        return std::to_string(first);
    if (auto written = as_written(port, element, places))
        return written;
    const auto step = static_cast<std::int64_t>(places[1].low - first);
    for (std::size_t m = 0; m < places.size(); ++m)
        if (static_cast<std::int64_t>(places[m].low) !=
            static_cast<std::int64_t>(first) + step * static_cast<std::int64_t>(m))
            return std::nullopt;
    return fmt::format("{} * {} + {}", member(), step, first);
}

std::optional<Integer> LoopIndex::parameter(const std::string& name) const {
    const expr::Value* found = scope_.scope->find(name);
    return found && found->is_constant() ? std::optional{found->low} : std::nullopt;
}

std::optional<Integer> LoopIndex::number(const Ast& ast, const Known& known) const {
    if (ast.kind == Ast::Kind::number && !ast.words)
        return ast.value;
    if (ast.kind == Ast::Kind::name) {
        for (const auto& [name, value] : known)
            if (name == ast.text)
                return value;
        return parameter(ast.text);
    }
    if (ast.kind == Ast::Kind::unary && ast.op == Operator::negate) {
        const auto operand = number(*ast.operands[0], known);
        return operand ? exact_subtract(0, *operand) : std::nullopt;
    }
    if (ast.kind != Ast::Kind::binary)
        return std::nullopt;
    const auto a = number(*ast.operands[0], known), b = number(*ast.operands[1], known);
    if (!a || !b)
        return std::nullopt;
    switch (ast.op) {
    case Operator::add: return exact_add(*a, *b);
    case Operator::subtract: return exact_subtract(*a, *b);
    case Operator::multiply: return exact_multiply(*a, *b);
    case Operator::divide: return exact_divide(*a, *b);
    case Operator::remainder: return exact_remainder(*a, *b);
    default: return std::nullopt;
    }
}

/// With parentheses where what stands around binds tighter.
std::optional<std::string> LoopIndex::text(const Ast& ast, const Known& known, int around) {
    if (ast.kind == Ast::Kind::number)
        return to_string(ast.value);
    if (ast.kind == Ast::Kind::name) {
        for (const auto& [name, value] : known)
            if (name == ast.text)
                return to_string(value);
        for (std::size_t d = 0; d < unit_.indices.size(); ++d)
            if (unit_.indices[d] == ast.text)
                return variables_[d];
        const auto value = parameter(ast.text);
        if (!value || *value < 0 || *value >= (Integer{1} << 31))
            return std::nullopt;
        return module_.number(ast.text, *value).value_or(to_string(*value));
    }
    if (ast.kind == Ast::Kind::unary) {
        const auto operand = text(*ast.operands[0], known, 2);
        return operand ? std::optional{fmt::format("(-{})", *operand)} : std::nullopt;
    }
    const bool product = expr::is_product(ast.op);
    const auto a = text(*ast.operands[0], known, product ? 1 : 0);
    const auto b = text(*ast.operands[1], known, product ? 2 : 1);
    if (!a || !b)
        return std::nullopt;
    if (!product && *b == "0")
        return around > 1 ? text(*ast.operands[0], known, around) : a;
    const std::string made = fmt::format("{} {} {}", *a, expr::spelling(ast.op), *b);
    return around > (product ? 1 : 0) ? "(" + made + ")" : made;
}

/// The binding as it is in the text, when it says what the places are.
std::optional<std::string> LoopIndex::as_written(const ModulePort& port, std::uint64_t element,
                                                 const std::vector<Place>& places) {
    const auto binding =
        std::find_if(unit_.bindings.begin(), unit_.bindings.end(),
                     [&](const expr::BindingText& each) { return each.port == port.port; });
    if (binding == unit_.bindings.end() || binding->to->kind != Ast::Kind::index ||
        binding->to->operands[0]->kind != Ast::Kind::name)
        return std::nullopt;
    const auto view =
        std::find_if(scope_.views.begin(), scope_.views.end(), [&](const expr::ViewText& each) {
            return each.name == binding->to->operands[0]->text;
        });
    if (view == scope_.views.end() || view->counts.size() + 1 != binding->to->operands.size() ||
        binding->indices.size() != port.lows.size())
        return std::nullopt;
    Known fixed; // the indices of an array port
    std::uint64_t rest = element;
    for (std::size_t d = port.counts.size(); d-- > 0;) {
        fixed.emplace_back(binding->indices[d],
                           port.lows[d] + static_cast<std::int64_t>(rest % port.counts[d]));
        rest /= port.counts[d];
    }
    for (std::uint64_t m = 0; m < places.size(); ++m) {
        Known known = fixed;
        const std::vector<std::int64_t> at = member_indices(unit_, m);
        for (std::size_t d = 0; d < at.size(); ++d)
            known.emplace_back(unit_.indices[d], at[d]);
        Integer flat = 0;
        for (std::size_t d = 0; d < view->counts.size(); ++d) {
            const auto index = number(*binding->to->operands[d + 1], known);
            if (!index)
                return std::nullopt;
            flat = flat * static_cast<Integer>(view->counts[d]) + (*index - view->lows[d]);
        }
        if (flat * static_cast<Integer>(port.width) != static_cast<Integer>(places[m].low))
            return std::nullopt;
    }
    std::string made;
    for (std::size_t d = 0; d < view->counts.size(); ++d) {
        const bool alone = view->counts.size() == 1;
        auto index =
            text(*binding->to->operands[d + 1], fixed, alone ? (port.width == 1 ? 0 : 2) : 1);
        if (!index)
            return std::nullopt;
        if (view->lows[d] != 0)
            index = fmt::format("({} - {})", *index, view->lows[d]);
        made = made.empty() ? *index : fmt::format("({}) * {} + {}", made, view->counts[d], *index);
    }
    if (port.width == 1)
        return made;
    if (view->counts.size() > 1)
        made = "(" + made + ")";
    return fmt::format("{} * {}", made, port.width);
}

std::vector<std::pair<std::uint64_t, ModulePort>> pieces_of(const expr::UnitText& unit,
                                                            std::uint64_t instance,
                                                            const Graph& graph,
                                                            const ModulePort& port, bool packed) {
    std::vector<std::pair<std::uint64_t, ModulePort>> made;
    for (std::uint64_t element = 0; element < port.count; ++element) {
        const std::uint64_t bus = bus_of(unit, instance, graph, port, 0, element);
        std::vector<PortField> fields;
        if (unit.verilog && port.field < 0)
            fields = port_fields(*graph.family_of(bus).type, packed);
        const std::uint64_t first = port.slice.value_or(0), end = first + port.width;
        std::uint64_t low = 0; // of the field in the whole bus
        for (auto field = fields.rbegin(); field != fields.rend(); ++field) {
            const std::uint64_t high = low + field->type->width_bits();
            if (const std::uint64_t from = std::max(low, first), to = std::min(high, end);
                from < to) {
                made.emplace_back(element, port);
                ModulePort& piece = made.back().second;
                piece.field = field->field;
                piece.width = to - from;
                piece.slice = to - from == high - low ? std::nullopt : std::optional{from - low};
            }
            low = high;
        }
        if (fields.empty())
            made.emplace_back(element, port);
    }
    return made;
}

Words slice_of(const Words& all, std::uint64_t low, std::uint64_t width) {
    Words made((width + 63) / 64);
    for (std::uint64_t at = 0; at < width; at += 64)
        made[at / 64] = take_word(all.data(), low + at,
                                  static_cast<unsigned>(std::min<std::uint64_t>(width - at, 64)));
    return made;
}

} // namespace sme::hdl
