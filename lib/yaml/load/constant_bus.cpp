// SPDX-License-Identifier: Apache-2.0
#include "yaml/load/constant_bus.hpp"

#include <fmt/format.h>

#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

const BusFamily* add_constant_bus(const ValueSyntax& value, const std::string& port,
                                  std::string name, const TypeRef& type, Shape shape,
                                  const Shape& members, std::uint64_t each, Context& context) {
    const auto values =
        context.initials.slots(*value.ast, type, members, fmt::format("port '{}'", port));
    if (!values)
        return nullptr;
    BusFamily bus;
    bus.name = std::move(name);
    bus.type = type;
    bus.shape = std::move(shape);
    bus.unwritten = Unwritten::hold;
    bus.input = true;
    bus.has_initial = true;
    bus.declared = value.where;
    const std::size_t size = type->size();
    if (values->size() == size)
        bus.initial = *values;
    else {
        for (std::size_t at = 0; at < values->size(); at += size) {
            const auto begin = values->begin() + static_cast<std::ptrdiff_t>(at);
            const auto copies = repeated({begin, begin + static_cast<std::ptrdiff_t>(size)}, each);
            bus.initial.insert(bus.initial.end(), copies.begin(), copies.end());
        }
        bus.initial = repeated(std::move(bus.initial), context.around.count());
    }
    return &context.design.graph.add(std::move(bus));
}

bool is_constant_value(const ValueSyntax& value, Context& context) {
    const expr::AstRef& ast = value.ast;
    if (!ast)
        return false;
    const expr::Ast& base = ast->kind == expr::Ast::Kind::index ? *ast->operands[0] : *ast;
    if (base.kind != expr::Ast::Kind::name)
        return true;
    return !context.buses.count(base.text) && !context.broken.count(base.text) &&
           context.scope.find(base.text) != nullptr;
}

} // namespace sme::yaml
