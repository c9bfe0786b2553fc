// SPDX-License-Identifier: Apache-2.0
//
// The instances of the written modules, whose ports are the signals that are connected to them.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <vpi_user.h>

#include "vpi/objects.hpp"

namespace sme::vpi {

namespace {

using Variables = std::map<std::string, std::int64_t>; // of loops

/// A number of the text, such as the place of a slice.
std::optional<std::int64_t> number(const hdl::rtl::Expr& expr, const Variables& variables) {
    using Kind = hdl::rtl::Expr::Kind;
    if (expr.kind == Kind::number)
        return static_cast<std::int64_t>(expr.value);
    if (expr.kind == Kind::grouped && !expr.operands.empty())
        return number(*expr.operands[0], variables);
    if (expr.kind == Kind::place && expr.place.is_integer) {
        const auto found = variables.find(expr.place.name);
        return found == variables.end() ? std::nullopt : std::optional{found->second};
    }
    if (expr.kind != Kind::integer || expr.operands.empty())
        return std::nullopt;
    const auto first = number(*expr.operands[0], variables);
    const auto second =
        expr.operands.size() > 1 ? number(*expr.operands[1], variables) : std::optional{first};
    if (!first || !second)
        return std::nullopt;
    if (expr.operands.size() == 1)
        return expr.text == "-" ? std::optional{-*first} : std::nullopt;
    if (expr.text == "+")
        return *first + *second;
    if (expr.text == "-")
        return *first - *second;
    if (expr.text == "*")
        return *first * *second;
    if (expr.text == "/" && *second != 0)
        return *first / *second;
    if (expr.text == "%" && *second != 0)
        return *first % *second;
    return std::nullopt;
}

} // namespace

/// Adds the words of the signals in the expression of a connection to a port, from its bit `low`
/// on.
bool Objects::connect(const Object& scope, const hdl::rtl::Expr& expr, const Variables& variables,
                      Object& port, std::uint64_t low) {
    using Kind = hdl::rtl::Expr::Kind;
    if (expr.kind == Kind::joined) { // the first one is leftmost
        for (auto part = expr.operands.rbegin(); part != expr.operands.rend();
             low += (*part++)->width)
            if (!connect(scope, **part, variables, port, low))
                return false;
        return true;
    }
    if ((expr.kind == Kind::as_signed || expr.kind == Kind::as_unsigned ||
         expr.kind == Kind::grouped) &&
        !expr.operands.empty())
        return connect(scope, *expr.operands[0], variables, port, low);
    if (expr.kind != Kind::place || expr.place.word)
        return false;
    const auto found = by_name_.find(scope.full_name + "." + expr.place.name);
    const auto moved =
        expr.place.moved ? number(*expr.place.moved, variables) : std::optional<std::int64_t>{0};
    if (found == by_name_.end() || !moved)
        return false;
    const Object& signal = *found->second;
    port.wire = port.wire || signal.wire;
    if (signal.role == Object::Role::clock || signal.role == Object::Role::reset) {
        port.same = found->second;
        return true;
    }
    if (signal.role != Object::Role::signal || (signal.memory && !port.words.empty()))
        return false;
    port.same = signal.same;
    port.memory = signal.memory;
    const std::uint64_t begin = expr.place.low + static_cast<std::uint64_t>(*moved);
    for (Word word : signal.words) {
        const std::uint64_t from = std::max(word.bit, begin);
        const std::uint64_t to = std::min(word.bit + word.width, begin + expr.place.width);
        if (from >= to)
            continue;
        word.shift += static_cast<unsigned>(from - word.bit);
        word.width = static_cast<unsigned>(to - from);
        word.bit = from - begin + low;
        port.words.push_back(word);
    }
    return true;
}

/// Connections name signals of the module `around`, which contains the generate block `scope`, or
/// is the same.
void Objects::add_instance(Object* scope, const Object& around, const hdl::rtl::Instance& instance,
                           const Variables& variables, const Modules& modules) {
    const auto known = by_name_.find(scope->full_name + "." + instance.name);
    Object* const inside = known != by_name_.end()
                               ? known->second
                               : make(scope, instance.name, Object::Role::scope, vpiModule);
    inside->type = vpiModule;
    inside->definition = instance.module;
    const auto module = modules.find(instance.module);
    if (module == modules.end())
        return; // Verilog of the user's
    for (const hdl::rtl::Given& given : instance.parameters)
        if (const auto value = number(*given.value, variables))
            add_parameter(inside, given.name, *value);
    for (const hdl::rtl::Port& port : module->second->ports) {
        const auto connection =
            std::find_if(instance.connections.begin(), instance.connections.end(),
                         [&](const auto& each) { return each.port == port.what.name; });
        if (connection == instance.connections.end() || !connection->to ||
            by_name_.count(inside->full_name + "." + port.what.name))
            continue;
        Object made;
        if (!connect(around, *connection->to, variables, made, 0))
            continue;
        Object* const object =
            make(inside, port.what.name, Object::Role::signal, port.is_reg ? vpiReg : vpiNet);
        object->width = port.what.width;
        object->is_signed = port.what.is_signed;
        object->words = std::move(made.words);
        object->wire = made.wire;
        object->port = true;
        object->memory = made.memory;
        object->same = made.same;
    }
    add_instances(inside, *module->second, modules);
}

void Objects::add_instances(Object* scope, const hdl::rtl::Module& module, const Modules& modules) {
    for (const hdl::rtl::Item& item : module.items) {
        if (const auto* instance = std::get_if<hdl::rtl::Instance>(&item))
            add_instance(scope, *scope, *instance, {}, modules);
        const auto* const generate = std::get_if<hdl::rtl::Generate>(&item);
        if (!generate)
            continue;
        Variables variables;
        add_members(scope, *generate, 0, variables, modules);
    }
}

/// The members of a generate block, from a loop on.
void Objects::add_members(Object* scope, const hdl::rtl::Generate& generate, std::size_t loop,
                          Variables& variables, const Modules& modules) {
    if (loop == generate.loops.size()) {
        const Object* around = scope;
        while (around->type == vpiGenScope)
            around = around->parent;
        add_instance(scope, *around, generate.instance, variables, modules);
        return;
    }
    const hdl::rtl::Generate::Loop& each = generate.loops[loop];
    for (std::int64_t k = each.low; k < each.end; ++k) {
        const std::string name = fmt::format("{}[{}]", each.label, k);
        const auto known = by_name_.find(scope->full_name + "." + name);
        Object* const member = known != by_name_.end()
                                   ? known->second
                                   : make(scope, name, Object::Role::scope, vpiGenScope);
        member->type = vpiGenScope;
        variables[each.variable] = k;
        add_parameter(member, each.variable, k);
        add_members(member, generate, loop + 1, variables, modules);
    }
}

} // namespace sme::vpi
