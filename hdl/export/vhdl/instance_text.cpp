// SPDX-License-Identifier: Apache-2.0
#include "export/vhdl/vhdl_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::hdl::vhdl {

using rtl::Declared;
using rtl::Expr;
using rtl::ExprRef;

namespace {

/// Tests whether a port is a gated clock. Its edge comes one delta cycle after the edge of the
/// clock, so all inputs must go through separate signals: otherwise a register on this clock would
/// see values that other registers took at the same edge.
bool is_gated(const rtl::Connection& connection) {
    return connection.to && connection.to->kind == Expr::Kind::binary;
}

} // namespace

InstanceText::InstanceText(const rtl::Instance& instance, const Library& library,
                           const Scope& scope, Names& names, const std::string& shown)
    : instance_{instance}, component_{library.components.of(instance)},
      module_{component_ ? component_->module : *library.modules.at(instance.module)},
      scope_{scope}, expr_{scope}, names_{names}, shown_{shown} {
    clocked_late_ = component_ &&
                    std::any_of(instance.connections.begin(), instance.connections.end(), is_gated);
    for (const rtl::Connection& connection : instance.connections) {
        const auto port =
            std::find_if(module_.ports.begin(), module_.ports.end(),
                         [&](const rtl::Port& each) { return each.what.name == connection.port; });
        connect(connection, port->what);
    }
    if (!shown_.empty())
        ports_.push_back("shown => " + shown_);
}

std::string InstanceText::formal(const std::string& name) const {
    return component_ ? component_->names.at(name) : names_.of(name);
}

std::string InstanceText::between(const Declared& port) {
    std::string name = names_.fresh(port.name + "_of_" + instance_.name);
    declared_.push_back(
        fmt::format("signal {} : {};", name, component_ ? port_type(port) : type_text(port)));
    return name;
}

void InstanceText::connect(const rtl::Connection& connection, const Declared& port) {
    const auto associate = [&](const std::string& actual) {
        ports_.push_back(fmt::format("{} => {}", formal(port.name), actual));
    };
    if (!connection.to)
        return associate("open");
    const Expr& to = *connection.to;
    const Shape shape = shape_of(port.width, port.is_signed);
    const bool fits =
        to.kind == Expr::Kind::place && scope_.target_shape(to.place) == shape && !is_vector(port);
    if (connection.driven) {
        if (fits)
            return associate(expr_.target(to.place));
        const std::string name = between(port);
        take_apart(name, connection.to, port);
        return associate(name);
    }
    if (!clocked_late_ && (fits || (to.kind == Expr::Kind::literal && port.width < 64)))
        return associate(expr_.value(connection.to, shape));
    const std::string name = between(port);
    assigned_.push_back(fmt::format(
        "{} <= {};", name,
        is_vector(port) ? fmt::format("std_logic_vector({})", expr_.typed(connection.to, shape))
                        : expr_.assigned(connection.to, shape)));
    associate(name);
}

/// Assigns an output to the joined places, the first leftmost.
void InstanceText::take_apart(const std::string& name, const ExprRef& to, const Declared& port) {
    const bool is_number = shape_of(port.width, port.is_signed) == Shape::number;
    const std::vector<ExprRef> parts =
        to->kind == Expr::Kind::joined ? to->operands : std::vector<ExprRef>{to};
    std::uint64_t high = port.width;
    for (const ExprRef& part : parts) {
        const Shape shape = scope_.target_shape(part->place);
        std::string value = name;
        if (shape == Shape::bit && (port.width > 1 || is_number))
            value = fmt::format("{}({})", name, high - 1);
        else if (shape != Shape::bit && port.width == 1 && !is_number)
            value = fmt::format("as_signed({})", name);
        else if (shape != Shape::bit) {
            if (parts.size() > 1)
                value = fmt::format("{}({} downto {})", name, high - 1, high - part->width);
            if ((shape == Shape::number) != is_number || is_vector(port))
                value = fmt::format("{}({})", type_mark(shape), value);
        }
        assigned_.push_back(fmt::format("{} <= {};", expr_.target(part->place), value));
        high -= part->width;
    }
}

std::string InstanceText::declarations(const std::string& indent) const {
    std::string result;
    for (const std::string& each : declared_)
        result += indent + each + "\n";
    return result;
}

std::string InstanceText::generics() const {
    std::string result;
    for (const rtl::Given& given : instance_.parameters) {
        if (component_) {
            result += fmt::format("{}{} => {}", result.empty() ? "" : ", ", formal(given.name),
                                  Component::value(given.value));
            continue;
        }
        const auto parameter =
            std::find_if(module_.parameters.begin(), module_.parameters.end(),
                         [&](const rtl::Parameter& each) { return each.what.name == given.name; });
        const Declared& what = parameter->what;
        result += fmt::format("{}{} => {}", result.empty() ? "" : ", ", names_.of(given.name),
                              what.is_integer
                                  ? expr_.integer(given.value)
                                  : expr_.value(given.value, shape_of(what.width, what.is_signed)));
    }
    return result;
}

std::string InstanceText::text(const std::string& indent) const {
    std::string result;
    const std::string given = generics();
    const std::string unit = component_
                                 ? "component " + component_->path
                                 : "entity work." + (shown_.empty() ? names_.of(module_.name)
                                                                    : inside_name(module_.name));
    result +=
        fmt::format("{0}{1} : {2}\n{3}{0}    port map (\n{0}        {4}\n{0}    );\n", indent,
                    names_.of(instance_.name), unit,
                    given.empty() ? "" : fmt::format("{}    generic map ({})\n", indent, given),
                    fmt::join(ports_, ",\n        " + indent));
    for (const std::string& each : assigned_)
        result += indent + each + "\n";
    return result;
}

} // namespace sme::hdl::vhdl
