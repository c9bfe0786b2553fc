// SPDX-License-Identifier: Apache-2.0
#include "export/modules/connection.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bits/packed.hpp"
#include "export/modules/hdl_value.hpp"
#include "export/modules/top.hpp"

namespace sme::hdl {

std::vector<PortField> port_fields(const Type& type, bool packed) {
    std::vector<PortField> result;
    if (!type.is_bundle() && (packed || type.kind() != TypeKind::structure))
        return result;
    int forward = 0, back = 0;
    for (const Field& field : type.fields())
        result.push_back(
            {field.name, field.type, field.back ? -1 : forward++, field.back ? back++ : -1});
    return result;
}

std::uint64_t low_bit_of(const Type& type, int field) {
    std::uint64_t low = 0;
    for (std::size_t k = static_cast<std::size_t>(field) + 1; k < type.fields().size(); ++k)
        low += type.fields()[k].type->width_bits();
    return low;
}

using expr::Ast;
using expr::Operator;

namespace {

ExprRef count_of(std::uint64_t value) {
    return rtl::number(static_cast<Integer>(value));
}

ExprRef variable(const std::string& name) {
    return rtl::at(Place::integer(name));
}

/// Returns "(index - low)", or the index if `low` is 0.
ExprRef above(const ExprRef& index, std::int64_t low) {
    return low == 0 ? index : rtl::grouped(rtl::integer("-", index, rtl::number(low)));
}

std::string number_in_name(std::int64_t value) {
    return value < 0 ? fmt::format("m{}", -value) : std::to_string(value);
}

} // namespace

std::string instance_path(const expr::Unit& unit, std::uint64_t member,
                          const std::vector<std::string>* labels, const std::string& name) {
    std::string result = name;
    const std::vector<std::int64_t> at = unit.shape.indices(member);
    for (std::size_t d = 0; d < at.size(); ++d)
        if (!labels)
            result += "_" + number_in_name(at[d]);
        else
            result += fmt::format("{}[{}]", d == 0 ? "" : "." + (*labels)[d - 1], at[d]);
    return labels ? result + "." + labels->back() : result;
}

ExprRef LoopIndex::member() const {
    ExprRef result;
    for (std::size_t d = 0; d < variables_.size(); ++d) {
        const ExprRef each = above(variable(variables_[d]), unit_.shape.dimensions[d].low);
        result =
            !result ? each
                    : rtl::grouped(rtl::integer(
                          "+", rtl::integer("*", result, count_of(unit_.shape.dimensions[d].count)),
                          each));
    }
    return result;
}

std::optional<ExprRef> LoopIndex::low_bit(const ModulePort& port, std::uint64_t element,
                                          const std::vector<Place>& places) {
    const std::uint64_t first = places[0].low;
    if (std::all_of(places.begin(), places.end(),
                    [&](const Place& place) { return place.low == first; }))
        return count_of(first);
    if (auto written = as_written(port, element, places))
        return written;
    const auto step = static_cast<std::int64_t>(places[1].low - first);
    for (std::size_t m = 0; m < places.size(); ++m)
        if (static_cast<std::int64_t>(places[m].low) !=
            static_cast<std::int64_t>(first) + step * static_cast<std::int64_t>(m))
            return std::nullopt;
    return rtl::integer("+", rtl::integer("*", member(), rtl::number(step)), count_of(first));
}

std::optional<Integer> LoopIndex::parameter(const std::string& name) const {
    const expr::BoundExpr* found = scope_.scope->find(name);
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

/// Adds parentheses if the surrounding operator binds tighter.
std::optional<ExprRef> LoopIndex::index(const Ast& ast, const Known& known, int around) {
    if (ast.kind == Ast::Kind::number)
        return rtl::number(ast.value);
    if (ast.kind == Ast::Kind::name) {
        for (const auto& [name, value] : known)
            if (name == ast.text)
                return rtl::number(value);
        for (std::size_t d = 0; d < unit_.shape.dimensions.size(); ++d)
            if (unit_.shape.dimensions[d].index == ast.text)
                return variable(variables_[d]);
        const auto value = parameter(ast.text);
        if (!value || *value < 0 || *value >= (Integer{1} << 31))
            return std::nullopt;
        const auto name = module_.number(ast.text, *value);
        return name ? variable(*name) : rtl::number(*value);
    }
    if (ast.kind == Ast::Kind::unary) {
        const auto operand = index(*ast.operands[0], known, 2);
        return operand ? std::optional{rtl::grouped(rtl::minus(*operand))} : std::nullopt;
    }
    const bool product = expr::is_product(ast.op);
    const auto a = index(*ast.operands[0], known, product ? 1 : 0);
    const auto b = index(*ast.operands[1], known, product ? 2 : 1);
    if (!a || !b)
        return std::nullopt;
    if (!product && (*b)->kind == rtl::Expr::Kind::number && (*b)->value == 0)
        return around > 1 ? index(*ast.operands[0], known, around) : a;
    const std::string op{expr::spelling(ast.op)};
    const ExprRef result = rtl::integer(op.c_str(), *a, *b);
    return around > (product ? 1 : 0) ? rtl::grouped(result) : result;
}

/// Returns the binding as written in the network, if it matches the places.
std::optional<ExprRef> LoopIndex::as_written(const ModulePort& port, std::uint64_t element,
                                             const std::vector<Place>& places) {
    const auto binding =
        std::find_if(unit_.bindings.begin(), unit_.bindings.end(),
                     [&](const expr::BindingText& each) { return each.port == port.port; });
    if (binding == unit_.bindings.end() || binding->to->kind != Ast::Kind::index ||
        binding->to->operands[0]->kind != Ast::Kind::name)
        return std::nullopt;
    const auto found =
        std::find_if(scope_.views.begin(), scope_.views.end(), [&](const expr::BusView* each) {
            return each->name == binding->to->operands[0]->text;
        });
    if (found == scope_.views.end())
        return std::nullopt;
    const std::vector<Shape::Dimension>& dimensions = (*found)->shape.dimensions;
    if (dimensions.size() + 1 != binding->to->operands.size() ||
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
        const std::vector<std::int64_t> at = unit_.shape.indices(m);
        for (std::size_t d = 0; d < at.size(); ++d)
            known.emplace_back(unit_.shape.dimensions[d].index, at[d]);
        Integer flat = 0;
        for (std::size_t d = 0; d < dimensions.size(); ++d) {
            const auto index = number(*binding->to->operands[d + 1], known);
            if (!index)
                return std::nullopt;
            flat = flat * static_cast<Integer>(dimensions[d].count) + (*index - dimensions[d].low);
        }
        if (flat * static_cast<Integer>(port.width) != static_cast<Integer>(places[m].low))
            return std::nullopt;
    }
    ExprRef result;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        const bool alone = dimensions.size() == 1;
        const auto written =
            index(*binding->to->operands[d + 1], fixed, alone ? (port.width == 1 ? 0 : 2) : 1);
        if (!written)
            return std::nullopt;
        const ExprRef each = above(*written, dimensions[d].low);
        result = !result ? each
                         : rtl::integer("+",
                                        rtl::integer("*", rtl::grouped(result),
                                                     count_of(dimensions[d].count)),
                                        each);
    }
    if (port.width == 1)
        return result;
    if (dimensions.size() > 1)
        result = rtl::grouped(result);
    return rtl::integer("*", result, count_of(port.width));
}

std::vector<std::pair<std::uint64_t, ModulePort>> pieces_of(const expr::Unit& unit,
                                                            std::uint64_t instance,
                                                            const Graph& graph,
                                                            const ModulePort& port, bool packed) {
    std::vector<std::pair<std::uint64_t, ModulePort>> result;
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
                result.emplace_back(element, port);
                ModulePort& piece = result.back().second;
                piece.field = field->field;
                piece.width = to - from;
                piece.slice = to - from == high - low ? std::nullopt : std::optional{from - low};
            }
            low = high;
        }
        if (fields.empty())
            result.emplace_back(element, port);
    }
    return result;
}

Words slice_of(const Words& all, std::uint64_t low, std::uint64_t width) {
    Words result((width + 63) / 64);
    for (std::uint64_t at = 0; at < width; at += 64)
        result[at / 64] = take_word(all.data(), low + at,
                                    static_cast<unsigned>(std::min<std::uint64_t>(width - at, 64)));
    return result;
}

namespace {

ModulePort port_of(const VerilogBinding& binding, const ProcessFamily& family) {
    ModulePort result;
    TypeRef type = family.ports[binding.port].type;
    std::uint64_t low = 0; // the first field is leftmost
    const auto go_into = [&](std::size_t field) {
        low += low_bit_of(*type, static_cast<int>(field));
        type = TypeRef{type->fields()[field].type};
    };
    if (binding.field >= 0)
        go_into(static_cast<std::size_t>(binding.field));
    const bool own = binding.bundle || binding.field < 0; // this part has a signal of its own
    if (own)
        low = 0;
    for (const std::uint32_t field : binding.inner)
        go_into(field);
    result.name = result.port = binding.name;
    result.output = binding.output;
    result.width = type->width_bits();
    result.count = binding.count;
    result.field = binding.bundle ? binding.field : -1;
    if (!own || !binding.inner.empty())
        result.slice = low;
    result.graph_port = binding.port;
    return result;
}

/// Returns the signal for a port without a binding.
ExprRef at_control(const VerilogModule& module, const VerilogPort& port,
                   const expr::ModuleView& scope) {
    const auto bit = [](const std::string& name) { return rtl::at(Place::all_of(name, 1)); };
    const std::vector<VerilogClock> clocks = module.known_clocks();
    for (const VerilogReset& reset : module.resets)
        if (reset.port.text == port.name) {
            const ExprRef rst =
                bit(clock_ports(scope, clocks.empty() ? no_domain : clocks[0].domain).reset);
            return reset.high ? rst : rtl::unary("~", rst);
        }
    for (const VerilogClock& clock : clocks)
        if (clock.port.text == port.name && !port.output) {
            const ClockPorts ports = clock_ports(scope, clock.domain);
            const ExprRef clk = bit(ports.clock);
            return module.resets.empty()
                       ? rtl::binary("&", Level::bit_and, clk, rtl::unary("~", bit(ports.reset)))
                       : clk;
        }
    return nullptr;
}

} // namespace

rtl::Module foreign_shell(const VerilogInstance& instance) {
    rtl::Module result;
    result.name = instance.module.top.text;
    for (const VerilogModule::Parameter& each : instance.module.parameters)
        result.parameters.push_back({{each.name.text, 32, true, true}, rtl::verbatim(each.value)});
    for (const VerilogPort& port : instance.ports)
        result.ports.push_back({{port.name, port.width}, port.output});
    return result;
}

WrittenModule foreign_module(const VerilogInstance& instance, const ProcessFamily& family,
                             const expr::ModuleView& scope) {
    const VerilogModule& module = instance.module;
    WrittenModule result;
    result.name = module.top.text;
    for (const VerilogModule::Parameter& parameter : module.parameters)
        result.given.push_back(
            {parameter.name.text, rtl::verbatim(fmt::format("{}", parameter.value))});
    std::set<std::string> bound;
    for (const VerilogBinding& binding : instance.bindings) {
        result.ports.push_back(port_of(binding, family));
        bound.insert(binding.name);
    }
    for (const VerilogPort& port : instance.ports)
        if (bound.count(port.name) == 0)
            result.fixed.push_back({port.name, at_control(module, port, scope)});
    return result;
}

} // namespace sme::hdl
