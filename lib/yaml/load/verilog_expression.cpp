// SPDX-License-Identifier: Apache-2.0
//
// "a: x.value + 1" at an input: 1. each bus in it becomes a port of a process, 2. its wire gets a
// type that the expression fits, 3. the process is loaded as if it were in the file.
#include "yaml/load/verilog_loader.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/process/process.hpp"
#include "expr/syntax/printer.hpp"
#include "yaml/load/loaders.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;

namespace {

AstRef name_of(const std::string& name, const Location& where) {
    auto result = std::make_shared<Ast>();
    result->kind = Ast::Kind::name;
    result->where = where;
    result->text = name;
    return result;
}

/// Returns the members of a family of processes, each with the elements of an array of ports.
Shape product(const Shape& members, const Shape& elements) {
    Shape result = members;
    for (const Shape::Dimension& dimension : elements.dimensions)
        result.dimensions.push_back(dimension);
    result.kept.clear();
    for (const std::uint64_t member : members.kept)
        for (std::uint64_t k = 0; k < elements.count(); ++k)
            result.kept.push_back(member * elements.count() + k);
    for (std::size_t d = 0; d < result.dimensions.size(); ++d)
        if (result.dimensions[d].index.empty())
            result.dimensions[d].index = fmt::format("index_{}", d);
    return result;
}

class ExpressionBinder {
public:
    ExpressionBinder(const VerilogExpression& expression, Context& context)
        : wanted_{expression}, context_{context}, where_{expression.value.where} {}

    std::optional<Binding> run() {
        const std::optional<Shape> elements = read_shape(wanted_.to, context_);
        if (!elements)
            return std::nullopt;
        shape_ = product(wanted_.members, *elements);
        for (const Shape::Dimension& dimension : shape_.dimensions)
            taken_.insert(dimension.index);
        auto process = std::make_shared<ProcessSyntax>();
        process->where = where_;
        process->in.emplace();
        process->out.emplace();
        const AstRef value = with_ports(wanted_.value.ast, *process->in);
        auto result = std::make_unique<Context::MadeProcess>();
        const std::string output = free_name(wanted_.to.name);
        process->body.step = step(output, value);
        result->bus = add_bus(type_of(output, *process->body.step));
        const std::string bus = result->bus.name;
        process->name.name = bus;
        process->out->ports.push_back({expr::FamilyName{declared(), output, {}}, at_bus(bus)});
        context_.buses[bus] = result->bus; // while the process is loaded
        const std::size_t errors = context_.diagnostics.errors();
        result->unit = load_made_process(*process, context_.prefix + bus, shape_, context_);
        context_.buses.erase(bus);
        if (context_.diagnostics.errors() != errors)
            return std::nullopt;
        result->process = std::move(process);
        context_.made.push_back(std::move(result));
        Binding bound;
        bound.view = &context_.made.back()->bus;
        bound.where = where_;
        bound.ast = at_bus(bus).ast;
        if (bound.ast->kind == Ast::Kind::index)
            bound.indices.assign(bound.ast->operands.begin() + 1, bound.ast->operands.end());
        return bound;
    }

private:
    /// A port of the generated process, for a bus.
    struct Use {
        std::string name;
        const BusView* view;
        bool whole;
    };

    /// Returns the location of the port in its Verilog.
    Location declared() const {
        return wanted_.port.declared.known() ? wanted_.port.declared : where_;
    }

    expr::FamilyName port(const std::string& name) const { return {where_, name, {}}; }

    std::string free_name(const std::string& wanted) {
        std::string name = wanted;
        Diagnostics quiet;
        for (int k = 1; context_.scope.find(name) || !taken_.insert(name).second ||
                        !context_.scope.check_hiding(name, where_, quiet);
             ++k)
            name = fmt::format("{}_{}", wanted, k);
        return name;
    }

    /// Returns the expression with each bus replaced by a port; adds the ports to `in`.
    AstRef with_ports(const AstRef& ast, BindingsSyntax& in) {
        const Ast& base = ast->kind == Ast::Kind::index ? *ast->operands[0] : *ast;
        const auto bus =
            base.kind == Ast::Kind::name ? context_.buses.find(base.text) : context_.buses.end();
        if (bus != context_.buses.end()) {
            const bool family = !bus->second.shape.dimensions.empty();
            if (ast->kind == Ast::Kind::name)
                return name_of(use(ast, bus->second, in), ast->where);
            if (family && is_fixed(*ast))
                return name_of(use(ast, bus->second, in), ast->where);
        }
        if (ast->operands.empty())
            return ast;
        auto result = std::make_shared<Ast>(*ast);
        for (AstRef& operand : result->operands)
            if (operand)
                operand = with_ports(operand, in);
        return result;
    }

    /// Returns true if the indices are constant for each member.
    bool is_fixed(const Ast& index) const {
        return std::all_of(index.operands.begin() + 1, index.operands.end(),
                           [&](const AstRef& each) { return is_known(*each); });
    }
    bool is_known(const Ast& ast) const {
        if (ast.kind == Ast::Kind::name)
            return context_.buses.count(ast.text) == 0 &&
                   (context_.scope.find(ast.text) ||
                    std::any_of(shape_.dimensions.begin(), shape_.dimensions.end(),
                                [&](const auto& each) { return each.index == ast.text; }));
        if (ast.kind != Ast::Kind::number && ast.kind != Ast::Kind::unary &&
            ast.kind != Ast::Kind::binary)
            return false;
        return std::all_of(ast.operands.begin(), ast.operands.end(),
                           [&](const AstRef& operand) { return is_known(*operand); });
    }

    const std::string& use(const AstRef& bus, const BusView& view, BindingsSyntax& in) {
        const std::string text = expr::print(*bus);
        const auto [place, result] = uses_.try_emplace(text);
        if (result) {
            place->second = {free_name(view.name), &view,
                             bus->kind == Ast::Kind::name && !view.shape.dimensions.empty()};
            ValueSyntax value;
            value.ast = bus;
            value.where = bus->where;
            in.ports.push_back({port(place->second.name), std::move(value)});
        }
        return place->second.name;
    }

    expr::Block step(const std::string& output, const AstRef& value) const {
        expr::Statement assign;
        assign.where = where_;
        assign.target = name_of(output, where_);
        assign.rhs.where = where_;
        assign.rhs.value = value;
        return {{std::move(assign)}};
    }

    ValueSyntax at_bus(const std::string& bus) const {
        ValueSyntax value;
        value.where = where_;
        value.ast = name_of(bus, where_);
        if (shape_.dimensions.empty())
            return value;
        auto index = std::make_shared<Ast>();
        index->kind = Ast::Kind::index;
        index->where = where_;
        index->operands.push_back(value.ast);
        for (const Shape::Dimension& dimension : shape_.dimensions)
            index->operands.push_back(name_of(dimension.index, where_));
        value.ast = std::move(index);
        return value;
    }

    /// Returns the type of the wire: a number of the port's width, a bool, or a type of the same
    /// width that a bus in it has; the first type if none fits.
    TypeRef type_of(const std::string& output, const expr::Block& body) {
        const std::uint64_t elements = std::max<std::uint64_t>(
            shape_.count() / std::max<std::uint64_t>(wanted_.members.count(), 1), 1);
        const unsigned width = std::max(1U, static_cast<unsigned>(wanted_.port.width / elements));
        std::vector<TypeRef> candidates;
        const auto number = [&](bool is_signed) {
            candidates.push_back(is_signed ? Type::signed_integer(width)
                                           : Type::unsigned_integer(width));
        };
        if (width > Type::max_bits)
            return Type::unsigned_integer(1);
        number(wanted_.port.is_signed);
        if (width == 1)
            candidates.push_back(Type::boolean());
        number(!wanted_.port.is_signed);
        for (const auto& [text, each] : uses_)
            add_types(each.view->type, width, candidates);
        for (const TypeRef& candidate : candidates)
            if (fits(output, body, candidate))
                return candidate;
        return candidates[0];
    }

    static void add_types(const TypeRef& type, unsigned width, std::vector<TypeRef>& into) {
        if (type->width_bits() == width && !type->is_integer() && !type->is_bundle())
            into.push_back(type);
        if (type->kind() == TypeKind::array)
            add_types(TypeRef{type->element()}, width, into);
        else if (type->kind() == TypeKind::structure)
            for (const Field& field : type->fields())
                add_types(TypeRef{field.type}, width, into);
    }

    bool fits(const std::string& output, const expr::Block& body, const TypeRef& type) {
        expr::ProcessView trial;
        trial.name = wanted_.owner;
        trial.shape = shape_;
        std::uint32_t ports = 0;
        const auto add = [&](const std::string& name, const BusView& view, bool whole) {
            expr::PortText result;
            result.name = name;
            result.type = view.type->is_bundle() ? view.type->forward() : view.type;
            result.bundle = view.type->is_bundle() ? view.type : nullptr;
            if (whole)
                result.shape = view.shape;
            for (const BusView& back : view.reverse_fields)
                result.reverse_fields.push_back({ports++, back.type});
            result.read_port = result.write_port = ports;
            ports += static_cast<std::uint32_t>(result.count());
            return result;
        };
        for (const auto& [text, each] : uses_)
            trial.inputs.push_back(add(each.name, *each.view, each.whole));
        BusView target;
        target.type = type;
        trial.outputs.push_back(add(output, target, false));
        trial.outputs.back().wire = true;
        trial.outputs.back().read_port = ports;
        trial.step = body;
        expr::Trial tried{context_.scope.fuel()};
        expr::build_process(trial, context_.scope, tried.diagnostics);
        return !tried.diagnostics.has_errors();
    }

    BusView add_bus(const TypeRef& type) {
        BusView view;
        view.name =
            fmt::format("{}.{}", wanted_.owner.substr(context_.prefix.size()), wanted_.to.name);
        view.shape = {shape_.dimensions}; // positions count dropped members too
        view.type = type;
        view.wire = true;
        view.declared = where_;
        BusFamily bus;
        bus.name = context_.prefix + view.name;
        bus.type = type;
        bus.delay = 0;
        bus.declared = where_;
        bus.generated = true;
        bus.shape = context_.in_graph(view.shape);
        const BusFamily& added = context_.design.graph.add(std::move(bus));
        view.elements = Segments::affine(added.count, static_cast<std::int64_t>(added.first), 1);
        return view;
    }

    const VerilogExpression& wanted_;
    Context& context_;
    const Location where_;
    Shape shape_; // shape of the generated process
    std::set<std::string> taken_;
    std::map<std::string, Use> uses_; // by the text of the bus
};

} // namespace

std::optional<Binding> bind_expression(const VerilogExpression& expression, Context& context) {
    return ExpressionBinder{expression, context}.run();
}

} // namespace sme::yaml
