// SPDX-License-Identifier: Apache-2.0
#include "yaml/load/verilog_loader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/syntax/printer.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::yaml {

using expr::Ast;

namespace {

bool is_bus(const std::string& name, const Context& context) {
    return context.buses.count(name) != 0 || context.broken.count(name) != 0;
}

/// "out.data.last"
std::string field_text(const Ast& bus, const std::vector<const Ast*>& fields) {
    std::string text = expr::print(bus);
    for (const Ast* const field : fields)
        text += "." + field->text;
    return text;
}

std::string ranges_of(const expr::FamilyName& port) {
    expr::FamilyName nameless = port;
    nameless.name = "x";
    return expr::print(nameless);
}

} // namespace

bool mentions_bus(const Ast& ast, const Context& context) {
    if (ast.kind == Ast::Kind::name)
        return is_bus(ast.text, context);
    return std::any_of(ast.operands.begin(), ast.operands.end(), [&](const expr::AstRef& operand) {
        return operand && mentions_bus(*operand, context);
    });
}

std::optional<FieldPath> path_of(const expr::AstRef& value, const Context& context) {
    FieldPath result;
    expr::AstRef at = value;
    for (; at && at->kind == Ast::Kind::field; at = at->operands[0])
        result.fields.insert(result.fields.begin(), at.get());
    if (!at)
        return std::nullopt;
    const Ast& base = at->kind == Ast::Kind::index ? *at->operands[0] : *at;
    if (base.kind != Ast::Kind::name || !is_bus(base.text, context))
        return std::nullopt;
    if (at->kind == Ast::Kind::index) {
        const auto bus = context.buses.find(base.text);
        if (bus != context.buses.end() && bus->second.shape.dimensions.empty())
            return std::nullopt; // an element or a bit of the field
        for (std::size_t k = 1; k < at->operands.size(); ++k)
            if (mentions_bus(*at->operands[k], context))
                return std::nullopt;
    }
    result.bus = std::move(at);
    return result;
}

void FieldPorts::add(const expr::FamilyName& port, const FieldPath& path, bool output,
                     bool& broken) {
    if (Group* const group = group_of(port, path, output, broken))
        group->uses.push_back({port, path.fields});
}

FieldPorts::Group* FieldPorts::group_of(const expr::FamilyName& port, const FieldPath& path,
                                        bool output, bool& broken) {
    const std::string key =
        fmt::format("{} {} {}", output, expr::print(*path.bus), ranges_of(port));
    for (Group& group : groups_)
        if (group.key == key)
            return &group;
    ValueSyntax value;
    value.ast = path.bus;
    value.where = path.bus->where;
    const std::optional<Binding> binding = find_binding(value, context_, broken);
    if (!binding)
        return nullptr;
    expr::FamilyName name = port;
    name.name = binding->view->name;
    for (int k = 1; !names_.insert(name.name).second; ++k)
        name.name = fmt::format("{}_{}", binding->view->name, k);
    ports_.add(name, *binding, output);
    groups_.push_back({key, name.name, binding->view, output, path.bus->where, {}});
    return &groups_.back();
}

bool FieldPorts::has(const std::string& name) const {
    const std::string first = name.substr(0, name.find('.')); // the bundle, for a back field
    return std::any_of(groups_.begin(), groups_.end(),
                       [&](const Group& group) { return group.name == first; });
}

void FieldPorts::finish(std::vector<VerilogBinding>& into) {
    for (const Group& group : groups_) {
        const std::size_t errors = context_.diagnostics.errors();
        for (const Use& use : group.uses)
            if (auto result = resolve(group, use)) {
                if (result->output && !check_apart(group, use))
                    continue;
                into.push_back(std::move(*result));
            }
        if (context_.diagnostics.errors() == errors)
            check_written(group);
    }
}

/// Returns the port of the process that contains a field of a bus.
const expr::PortText* FieldPorts::port_of(const Group& group, const Field& first) const {
    const bool output = group.output != first.back;
    const std::string name = first.back && output ? group.name + "." + first.name : group.name;
    const auto& ports = output || first.back ? text_.outputs : text_.inputs;
    for (const expr::PortText& port : ports)
        if (port.name == name)
            return &port;
    return nullptr;
}

std::optional<VerilogBinding> FieldPorts::resolve(const Group& group, const Use& use) const {
    const TypeRef& whole = group.view->type;
    TypeRef type = whole;
    std::vector<std::uint32_t> path;
    for (const Ast* const field : use.fields) {
        if (type->kind() != TypeKind::structure) {
            context_.diagnostics.add(Code::unknown_field, field->where,
                                     fmt::format("'{}' is {}, which has no fields",
                                                 expr::print(*field->operands[0]), type->name()));
            return std::nullopt;
        }
        const int place = type->find_field(field->text);
        if (place < 0) {
            context_.diagnostics.add(Code::unknown_field, field->where,
                                     expr::Elaborator::no_field(*type, field->text));
            return std::nullopt;
        }
        path.push_back(static_cast<std::uint32_t>(place));
        type = TypeRef{type->fields()[static_cast<std::size_t>(place)].type};
    }
    const Field& first = whole->fields()[path[0]];
    const expr::PortText* const port = port_of(group, first);
    if (!port)
        return std::nullopt;
    VerilogBinding result;
    result.name = use.port.name;
    result.where = use.port.where;
    result.output = group.output != first.back;
    result.count = port->count();
    result.wire = port->wire;
    result.to = field_text(*use.fields[0]->operands[0], use.fields);
    if (first.back) {
        const auto reverse_fields = static_cast<std::size_t>(
            std::count_if(whole->fields().data(), whole->fields().data() + path[0],
                          [](const Field& field) { return field.back; }));
        result.port =
            result.output ? port->write_port : port->reverse_fields[reverse_fields].read_port;
        path.erase(path.begin());
    } else {
        result.port = result.output ? port->write_port : port->read_port;
        result.bundle = port->bundle != nullptr;
        path[0] -= static_cast<std::uint32_t>(
            std::count_if(whole->fields().data(), whole->fields().data() + path[0],
                          [](const Field& field) { return field.back; }));
    }
    if (!path.empty()) {
        result.field = static_cast<int>(path[0]);
        result.inner.assign(path.begin() + 1, path.end());
    }
    return result;
}

/// Reports a field that several ports write.
bool FieldPorts::check_apart(const Group& group, const Use& use) const {
    for (const Use& other : group.uses) {
        if (&other == &use)
            return true;
        const std::size_t both = std::min(use.fields.size(), other.fields.size());
        if (!std::equal(use.fields.begin(), use.fields.begin() + static_cast<std::ptrdiff_t>(both),
                        other.fields.begin(),
                        [](const Ast* a, const Ast* b) { return a->text == b->text; }))
            continue;
        context_.diagnostics
            .add(Code::duplicate_name, use.port.where,
                 fmt::format("'{}' is written by '{}' and '{}'",
                             field_text(*use.fields[0]->operands[0], use.fields), other.port.name,
                             use.port.name))
            .note(other.port.where, fmt::format("'{}' is bound here", other.port.name));
        return false;
    }
    return true;
}

/// Returns a part of a type below a path that no use covers, as "data.last"; empty if all are
/// covered.
std::string FieldPorts::unwritten(const Group& group, const Type& type,
                                  std::vector<std::string>& path) {
    for (const Field& field : type.fields()) {
        if (path.empty() && type.is_bundle() && field.back == group.output)
            continue; // the other side writes it
        path.push_back(field.name);
        bool covered = false, inside = false;
        for (const Use& use : group.uses) {
            const std::size_t both = std::min(use.fields.size(), path.size());
            bool same = true;
            for (std::size_t k = 0; k < both; ++k)
                same = same && use.fields[k]->text == path[k];
            covered = covered || (same && use.fields.size() <= path.size());
            inside = inside || (same && use.fields.size() > path.size());
        }
        if (!covered) {
            std::string missing;
            if (!inside)
                missing = fmt::format("{}", fmt::join(path, "."));
            else
                missing = unwritten(group, *field.type, path);
            if (!missing.empty())
                return missing;
        }
        path.pop_back();
    }
    return {};
}

/// Checks that ports of the module write everything that the module's side writes of a bus.
void FieldPorts::check_written(const Group& group) const {
    if (!group.output && !group.view->type->is_bundle())
        return;
    std::vector<std::string> path;
    const std::string missing = unwritten(group, *group.view->type, path);
    if (!missing.empty())
        context_.diagnostics.add(
            Code::unbound_port, group.where,
            fmt::format("'{0}.{1}' is written by no port of the module; bind one to '{0}.{1}'",
                        group.view->name, missing));
}

} // namespace sme::yaml
