// SPDX-License-Identifier: Apache-2.0
//
// parameters, requires, types, constants, clock.
#include "yaml/declarations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "expr/parser.hpp"
#include "yaml/enumeration.hpp"
#include "yaml/keys.hpp"

namespace sme::yaml {

using expr::Value;

bool Context::take_memory(Integer bytes, const std::string& name, const Location& where) {
    constexpr Integer most = Integer{1} << 30;
    memory_bytes += bytes;
    if (memory_bytes > most)
        diagnostics.add(Code::network_too_large, where,
                        fmt::format("with '{}' arrays of states and stages of delays need {} "
                                    "bytes, but a network can have {}",
                                    name, to_string(memory_bytes), to_string(most)));
    return memory_bytes <= most;
}

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

/// "file = path" after the colon of a parameter; the path, or nothing.
std::optional<std::string> file_parameter(const std::string& text) {
    std::size_t at = text.find('=');
    if (!text.starts_with("file") || at == std::string::npos ||
        text.find_first_not_of(' ', 4) != at)
        return std::nullopt;
    at = text.find_first_not_of(' ', at + 1);
    return at == std::string::npos ? std::string{} : text.substr(at);
}

/// A parameter's value as given by --set, as a text of its own.
expr::Text option_text(const std::string& name, const std::string& value) {
    const auto source = std::make_shared<Source>("--set " + name, value);
    expr::Text text{source, value, {}};
    for (std::uint32_t k = 0; k <= value.size(); ++k)
        text.offsets.push_back(k);
    return text;
}

} // namespace

void load_parameters(const Node& section, Context& context) {
    std::vector<std::string> names;
    if (is_map_or_empty(section, "a map of parameters", context.diagnostics))
        for (const auto& [key, value] : section.entries) {
            if (!is_name(key, "a parameter", context.diagnostics) ||
                !context.scope.declare(key.text.text, key.where, context.diagnostics))
                continue;
            const std::string& name = key.text.text;
            names.push_back(name);
            context.scope.set_value(name, {}); // broken, until it is known
            if (!value.is_text()) {
                wrong_shape(value, "a number, or 'file = name'", context.diagnostics);
                continue;
            }
            const auto given = context.options.parameters.find(name);
            const bool is_given = given != context.options.parameters.end();
            if (const auto path = file_parameter(value.text.text)) {
                context.scope.drop_value(name);
                context.scope.set_file(name, is_given ? given->second : *path);
                continue;
            }
            const expr::Text text = is_given ? option_text(name, given->second) : value.text;
            const expr::AstRef ast = expr::parse_expression(text, context.diagnostics);
            Constants constants{context.scope, context.diagnostics};
            if (!ast)
                continue;
            if (const auto number = constants.elaborator().constant(*ast, "a parameter")) {
                Value made = Value::number(*number);
                made.declared = key.where;
                context.scope.set_value(name, std::move(made));
            }
        }
    for (const auto& [name, value] : context.options.parameters)
        if (std::find(names.begin(), names.end(), name) == names.end())
            context.diagnostics.add(Code::bad_option, option_text(name, value).all(),
                                    fmt::format("the network has no parameter '{}'{}", name,
                                                did_you_mean(name, names)));
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

TypeRef read_type(const Node& node, const std::string& name, Context& context) {
    if (node.is_text()) {
        const expr::AstRef ast = expr::parse_expression(node.text, context.diagnostics);
        Constants constants{context.scope, context.diagnostics};
        return ast ? constants.elaborator().type(*ast) : nullptr;
    }
    if (node.is_list()) {
        context.diagnostics.add(Code::bad_type, node.where,
                                "an enumeration has a name of its own; declare it under 'types'");
        return nullptr;
    }
    if (node.is_map() && node.entries.empty()) {
        context.diagnostics.add(Code::bad_type, node.where, "a struct has at least one field");
        return nullptr;
    }
    if (!node.is_map()) {
        wrong_shape(node, "a type, or a map of fields", context.diagnostics);
        return nullptr;
    }
    constexpr std::size_t most_fields = 4096;
    if (node.entries.size() > most_fields) {
        context.diagnostics.add(Code::too_large, node.where,
                                fmt::format("a struct has at most {} fields, but this has {}",
                                            most_fields, node.entries.size()));
        return nullptr;
    }
    std::vector<Field> fields;
    for (const auto& [key, value] : node.entries) {
        if (!is_name(key, "a field", context.diagnostics))
            return nullptr;
        TypeRef type = read_type(value, "", context);
        if (!type)
            return nullptr;
        fields.push_back({key.text.text, std::move(type), 0});
    }
    TypeRef made = Type::structure(name, std::move(fields));
    if (made->leaf_count() > expr::Elaborator::most_leaves) {
        context.diagnostics.add(Code::too_large, node.where,
                                fmt::format("a struct has at most {} scalars, but this has {}",
                                            expr::Elaborator::most_leaves, made->leaf_count()));
        return nullptr;
    }
    return made;
}

void load_types(const Node& section, Context& context) {
    if (!is_map_or_empty(section, "a map of types", context.diagnostics))
        return;
    for (const auto& [key, value] : section.entries) {
        const Node name = value.is_list() ? type_name(key) : key;
        if (!is_name(name, "a type", context.diagnostics) ||
            !context.scope.declare(name.text.text, name.where, context.diagnostics))
            continue;
        if (TypeRef type = value.is_list() ? read_enumeration(key, value, context)
                                           : read_type(value, name.text.text, context))
            context.scope.set_type(name.text.text, std::move(type));
    }
}

void load_constants(const Node& section, Context& context) {
    if (!is_map_or_empty(section, "a map of constants", context.diagnostics))
        return;
    for (const auto& [key, value] : section.entries) {
        if (!is_name(key, "a constant", context.diagnostics) ||
            !context.scope.declare(key.text.text, key.where, context.diagnostics))
            continue;
        context.scope.set_value(key.text.text, {}); // broken, until it is known
        if (!value.is_text()) {
            wrong_shape(value, "'type = value'", context.diagnostics);
            continue;
        }
        const auto declaration = expr::parse_declaration(value.text, context.diagnostics);
        if (!declaration)
            continue;
        if (declaration->wire || declaration->delay || declaration->hold || declaration->error ||
            !declaration->initial) {
            context.diagnostics.add(Code::expression_syntax, declaration->where,
                                    "a constant is written 'type = value'");
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

void load_clock(const Node& section, Context& context) {
    static const std::map<std::string, Integer> units{
        {"ps", 1}, {"ns", 1000}, {"us", 1'000'000}, {"ms", 1'000'000'000}};
    if (section.is_text()) {
        const std::string& text = section.text.text;
        const std::size_t space = text.find(' ');
        const auto unit =
            space == std::string::npos ? units.end() : units.find(text.substr(space + 1));
        const auto number = parse_integer(text.substr(0, space));
        if (unit != units.end() && number && *number >= 1 && *number <= 1'000'000'000) {
            const Integer picoseconds = *number * unit->second;
            context.design.clock_ps = static_cast<std::uint64_t>(picoseconds);
            if (picoseconds % 2 != 0)
                context.diagnostics.add(Code::bad_option, section.where,
                                        "half a clock is a whole number of ps, so a clock is an "
                                        "even one");
            return;
        }
    }
    context.diagnostics.add(Code::bad_option, section.where,
                            "a clock is written '10 ns': a number from 1 to 1000000000 and ps, ns, "
                            "us or ms");
}

namespace {

bool add_bus(const expr::FamilyName& name, const expr::Declaration& declaration, Context& context) {
    Diagnostics& diagnostics = context.diagnostics;
    const std::optional<Shape> shape = read_shape(name, context);
    Constants constants{context.scope, diagnostics};
    BusFamily bus;
    bus.type = constants.elaborator().type(*declaration.type);
    if (!shape || !bus.type || !context.spend(500, name.where))
        return false;
    if (bus.type->leaf_count() > expr::Elaborator::most_leaves) {
        diagnostics.add(Code::too_large, declaration.where,
                        fmt::format("a bus has at most {} scalars, but this has {}",
                                    expr::Elaborator::most_leaves, bus.type->leaf_count()));
        return false;
    }
    bus.name = name.name;
    bus.shape = *shape;
    bus.declared = name.where;
    bus.unwritten = declaration.hold    ? Unwritten::hold
                    : declaration.error ? Unwritten::error
                                        : Unwritten::zero;
    if (declaration.delay) {
        const auto delay = constants.elaborator().constant(*declaration.delay, "a delay");
        if (!delay || *delay < 0 || *delay > 1'048'576) {
            if (delay)
                diagnostics.add(Code::bad_delay, declaration.delay->where,
                                fmt::format("a delay is 0 to 1048576 cycles, but this is {}",
                                            to_string(*delay)));
            return false;
        }
        bus.delay = static_cast<std::uint32_t>(*delay);
    }
    if (declaration.wire)
        bus.delay = 0;
    if (bus.wire() && (declaration.hold || declaration.initial)) {
        diagnostics.add(Code::wire_latch, declaration.where,
                        fmt::format("a wire has no register, so it has no {}; drop it, or drop "
                                    "'wire'",
                                    declaration.hold ? "'hold'" : "initial value"));
        return false;
    }
    constexpr Integer most_bytes = Integer{1} << 31; // what the engine can address
    const Integer bytes =
        static_cast<Integer>(bus.type->size()) * static_cast<Integer>(shape->count());
    if (bytes > most_bytes) {
        diagnostics.add(Code::network_too_large, name.where,
                        fmt::format("'{}' needs {} bytes, but a network can have {}", name.name,
                                    to_string(bytes), to_string(most_bytes)));
        return false;
    }
    if (bus.delay > 1 && !context.take_memory(bytes * bus.delay, name.name, name.where))
        return false;
    if (declaration.initial) {
        auto initial = context.initials.slots(*declaration.initial, bus.type, *shape,
                                              fmt::format("'{}'", name.name));
        if (!initial)
            return false;
        bus.initial = std::move(*initial);
        bus.has_initial = true;
    }
    context.buses[name.name] = context.design.graph.buses.size();
    context.design.graph.add(std::move(bus));
    return true;
}

} // namespace

void load_buses(const Node& section, Context& context) {
    if (!is_map_or_empty(section, "a map of buses", context.diagnostics))
        return;
    for (const auto& [key, value] : section.entries) {
        const auto name = expr::parse_family_name(key.text, context.diagnostics);
        if (!value.is_text())
            wrong_shape(value, "a type", context.diagnostics);
        const auto declaration = value.is_text()
                                     ? expr::parse_declaration(value.text, context.diagnostics)
                                     : std::nullopt;
        const bool fresh =
            name && context.scope.declare(name->name, key.where, context.diagnostics);
        if (fresh && (!declaration || !add_bus(*name, *declaration, context)))
            context.broken_buses.insert(name->name);
    }
}

} // namespace sme::yaml
