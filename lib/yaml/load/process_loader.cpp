// SPDX-License-Identifier: Apache-2.0
#include "yaml/load/process_loader.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/parser.hpp"
#include "expr/process.hpp"
#include "yaml/load/against_loader.hpp"
#include "yaml/load/component_loader.hpp"
#include "yaml/load/port_loader.hpp"
#include "yaml/load/process_state.hpp"
#include "yaml/load/verilog_loader.hpp"
#include "yaml/read/keys.hpp"
#include "yaml/read/statements.hpp"

namespace sme::yaml {

namespace {

/// Zero is what integers and arrays of them begin with anyway.
bool is_zero(const expr::Ast& ast, const Type& type) {
    const Type* inner = &type;
    while (inner->kind() == TypeKind::array)
        inner = inner->element().get();
    return ast.kind == expr::Ast::Kind::number && ast.value == 0 && inner->is_integer();
}

/// Loads one family of processes.
class ProcessLoader {
public:
    /// `name` and `shape` are those of the family in its scope; a component that is one process has
    /// the name of its instance and no shape of its own.
    ProcessLoader(Context& context, const Node& body, const std::string& name, Shape shape,
                  const Location& where)
        : context_{context}, diagnostics_{context.diagnostics}, body_{body}, shape_{std::move(
                                                                                 shape)},
          text_{std::make_shared<expr::ProcessText>()}, ports_{context, shape_, family_, *text_} {
        family_.name = name;
        family_.shape = context_.in_graph(shape_);
        family_.count = family_.shape.count();
        family_.declared = where;
        text_->name = name;
        text_->kept = family_.shape.kept;
        for (const Shape::Dimension& dimension : family_.shape.dimensions) {
            text_->indices.push_back(dimension.index);
            text_->index_low.push_back(dimension.low);
            text_->index_count.push_back(dimension.count);
            if (!dimension.index.empty())
                names_.insert(dimension.index);
        }
    }

    /// With the ports that the sections in and out bind.
    Unit run() {
        const std::size_t errors = diagnostics_.errors();
        if (const Node* section = body_.find("in"))
            load_ports(*section, false);
        if (const Node* section = body_.find("out"))
            load_ports(*section, true);
        return load_body(errors);
    }

    /// With the ports of the component that the process is.
    Unit run_component() {
        const std::size_t errors = diagnostics_.errors();
        for (const auto& [name, view] : context_.buses) {
            const Binding binding{&view, {}, nullptr, view.declared};
            names_.insert(name);
            ports_.add(port_named_as(binding), binding, view.use == BusView::Use::output);
        }
        return load_body(errors);
    }

private:
    Unit load_body(std::size_t errors) {
        if (const Node* section = body_.find("state"))
            load_states(*section);
        if (const Node* section = body_.find("let"))
            load_lets(*section);
        if (const Node* section = body_.find("reset"))
            load_reset(*section);
        if (const Node* section = body_.find("step"))
            text_->step = read_step(*section, diagnostics_);
        else
            diagnostics_.add(Code::missing_key, family_.declared,
                             fmt::format("process '{}' has no step", family_.name));
        Unit made;
        made.shape = shape_;
        made.text = text_;
        made.declared = family_.declared;
        if (diagnostics_.errors() == errors && !broken_ && !context_.scope.work().reported)
            made.family = finish();
        return made;
    }

    /// Adds the family to the network.
    std::size_t finish() {
        auto program = std::make_shared<expr::Program>(expr::build_process(
            *text_, context_.scope, diagnostics_, context_.loading.options.cover));
        for (const expr::PartProgram& part : program->parts) {
            Part& made = family_.parts.emplace_back();
            made.may_fault = !part.faults.empty();
            for (const expr::FieldUse& use : part.reads)
                made.reads.push_back({use.port, use.fields});
            for (const expr::FieldUse& use : part.writes)
                made.writes.push_back({use.port, use.fields});
            context_.design.may_halt = context_.design.may_halt || !part.halts.empty();
        }
        if (reads_memory_late(*program)) {
            Part& commit = family_.parts.emplace_back();
            commit.kind = Part::Kind::commit;
        }
        family_.kind = context_.kinds.process(std::move(program));
        context_.design.graph.processes.push_back(std::move(family_));
        return context_.design.graph.processes.size() - 1;
    }

    /// Whether a part for wires, which may run after the update part, reads a memory: then writes
    /// wait for the end of the cycle.
    static bool reads_memory_late(const expr::Program& program) {
        bool reads = false;
        for (std::size_t p = 0; p + 1 < program.parts.size(); ++p)
            expr::for_each_node(program.parts[p], [&](expr::NodeId id) {
                reads = reads || program.nodes[id].op == expr::Op::memory_read;
            });
        return reads;
    }

    bool take_name(const std::string& name, const Location& where) {
        if (!context_.scope.check_hiding(name, where, diagnostics_))
            return false;
        if (names_.insert(name).second)
            return true;
        diagnostics_.add(Code::duplicate_name, where,
                         fmt::format("'{}' is already a name in this process", name));
        return false;
    }

    void load_ports(const Node& section, bool output) {
        if (section.is_text())
            return load_plain(section, output);
        if (section.is_list()) {
            for (const Node& item : section.items)
                if (item.is_text())
                    load_plain(item, output);
                else
                    wrong_shape(item, "the name of a bus", diagnostics_);
            return;
        }
        if (!section.is_map())
            return wrong_shape(section, "a bus, a list of buses, or {port: bus}", diagnostics_);
        for (const auto& [key, value] : section.entries) {
            const auto port = expr::parse_family_name(key.text, diagnostics_);
            if (!value.is_text()) {
                wrong_shape(value, "the name of a bus", diagnostics_);
                continue;
            }
            const std::optional<Binding> binding = find_binding(value, context_, broken_);
            if (port && binding && take_name(port->name, key.where))
                ports_.add(*port, *binding, output);
        }
    }

    /// A port that has the name of its bus.
    void load_plain(const Node& node, bool output) {
        const std::optional<Binding> binding = find_binding(node, context_, broken_);
        if (binding && take_name(binding->view->name, node.where))
            ports_.add(port_named_as(*binding), *binding, output);
    }

    void load_states(const Node& section) {
        if (!is_map_or_empty(section, "a map of states", diagnostics_))
            return;
        for (const auto& [key, value] : section.entries) {
            if (!is_name(key, "a state", diagnostics_) || !take_name(key.text.text, key.where))
                continue;
            if (!value.is_text()) {
                wrong_shape(value, "'type = initial value'", diagnostics_);
                continue;
            }
            const auto declaration = expr::parse_declaration(value.text, diagnostics_);
            if (!declaration)
                continue;
            if (declaration->wire || declaration->delay || declaration->hold ||
                declaration->error) {
                diagnostics_.add(Code::expression_syntax, declaration->where,
                                 "a state is written 'type = initial value'; it always holds");
                continue;
            }
            add_state(key, *declaration);
        }
    }

    void add_state(const Node& key, const expr::Declaration& declaration) {
        Constants constants{context_.scope, diagnostics_};
        TypeRef type = constants.elaborator().type(*declaration.type);
        if (!type)
            return;
        if (type->is_bundle()) {
            diagnostics_.add(Code::bad_bundle, declaration.where,
                             fmt::format("'{}' is {}, which has back fields; only buses and ports "
                                         "can have such a type",
                                         key.text.text, type->name()));
            return;
        }
        expr::StateText state;
        state.name = key.text.text;
        state.declared = key.where;
        std::vector<std::byte> initial;
        if (declaration.initial && !is_zero(*declaration.initial, *type)) {
            auto bytes = context_.initials.slots(*declaration.initial, type, family_.shape,
                                                 fmt::format("'{}'", state.name));
            if (!bytes)
                return;
            initial = std::move(*bytes);
        }
        state.is_memory = type->kind() == TypeKind::array;
        if (body_.find("reset") && !state.is_memory)
            state.initial = initial;
        if (!context_.spend(500, key.where) ||
            (!state.is_memory && !ports_.count_scalars(type->leaf_count(), key.where)))
            return;
        if (state.is_memory)
            add_memory(state, type, word_dimensions(*declaration.type, *type), std::move(initial),
                       context_, family_);
        else
            add_slot(state, type, std::move(initial), context_, family_);
        text_->states.push_back(std::move(state));
    }

    void load_reset(const Node& section) {
        if (section.is_text())
            text_->reset = expr::parse_expression(section.text, diagnostics_);
        else
            wrong_shape(section, "a condition", diagnostics_);
    }

    void load_lets(const Node& section) {
        if (!is_map_or_empty(section, "a map of names", diagnostics_))
            return;
        for (const auto& [key, value] : section.entries)
            if (auto let = read_let(key, value, diagnostics_);
                let && take_name(let->name, key.where))
                text_->lets.push_back(std::move(*let));
    }

    Context& context_;
    Diagnostics& diagnostics_;
    const Node& body_;
    const Shape shape_;
    ProcessFamily family_;
    std::shared_ptr<expr::ProcessText> text_;
    PortLoader ports_;
    bool broken_ = false; // for a reason that was reported elsewhere
    std::set<std::string> names_;
};

/// Drops the members for which the condition does not hold.
bool read_where(const Node& node, Shape& shape, Context& context) {
    Diagnostics& diagnostics = context.diagnostics;
    if (!node.is_text() || shape.dimensions.empty()) {
        diagnostics.add(Code::bad_range, node.where,
                        "'where' is a condition on the indices of a family, as in 'k % 2 == 0'");
        return false;
    }
    const expr::AstRef ast = expr::parse_expression(node.text, diagnostics);
    if (!ast)
        return false;
    std::optional<Constants> constants;
    for (std::uint64_t k = 0; k < shape.box(); ++k) {
        if (!context.spend(200, node.where))
            return false;
        if (k % 4096 == 0) // a fresh one now and then: it keeps every node it made
            constants.emplace(context.scope, diagnostics);
        const std::vector<std::int64_t> at = Shape{shape.dimensions}.indices(k);
        for (std::size_t d = 0; d < at.size(); ++d)
            if (!shape.dimensions[d].index.empty())
                constants->elaborator().bind(shape.dimensions[d].index, expr::Value::number(at[d]));
        const auto holds = constants->elaborator().condition(*ast, "'where'");
        if (!holds)
            return false;
        const auto known = constants->builder().constant_value(*holds);
        if (!known) {
            diagnostics.add(Code::not_constant, node.where,
                            "which members there are is known before the run, but this is not");
            return false;
        }
        if (*known != 0)
            shape.kept.push_back(k);
    }
    if (shape.kept.empty())
        diagnostics.add(Code::bad_range, node.where, "this drops every member of the family");
    const bool any = !shape.kept.empty();
    if (shape.kept.size() == shape.box())
        shape.kept.clear();
    return any;
}

} // namespace

Unit load_component_process(const Node& body, const Location& where, Context& inside) {
    ProcessLoader loader{
        inside, body, inside.prefix.substr(0, inside.prefix.size() - 1), {}, where};
    return loader.run_component();
}

void load_processes(const Node& section, Context& context) {
    if (!is_map_or_empty(section, "a map of processes", context.diagnostics))
        return;
    for (const auto& [key, value] : section.entries) {
        const auto name = expr::parse_family_name(key.text, context.diagnostics);
        if (!name || !context.scope.declare(name->name, key.where, context.diagnostics))
            continue;
        std::optional<Shape> shape = read_shape(*name, context);
        if (!shape ||
            !is_map_or_empty(value, "a map with in, out, state, let and step", context.diagnostics))
            continue;
        if (const Node* where = value.find("where"); where && !read_where(*where, *shape, context))
            continue;
        const std::string what = fmt::format("process '{}'", name->name);
        const std::size_t begin = context.design.graph.processes.size();
        const std::size_t errors = context.diagnostics.errors();
        Unit made;
        if (value.find("use")) {
            check_keys(value, format::instance, what, context.diagnostics);
            made = load_instance(name->name, *shape, value, key.where, context);
        } else if (value.find("verilog")) {
            check_keys(value, format::verilog_process, what, context.diagnostics);
            made = load_verilog_process(context, value, context.prefix + name->name, *shape,
                                        key.where);
            made.checks = value.find("checks");
        } else {
            check_keys(value, format::process, what, context.diagnostics);
            made =
                ProcessLoader{context, value, context.prefix + name->name, *shape, key.where}.run();
            made.checks = value.find("checks");
        }
        if (const Node* against = value.find("against")) {
            check_against(*against, context);
            const LoadOptions& options = context.loading.options;
            if ((options.against || (options.print && against->find("use"))) &&
                context.diagnostics.errors() == errors)
                context.members[name->name + ".against"] =
                    load_against(context, value, name->name, *shape, begin);
        }
        Unit& kept = context.members[name->name] = std::move(made);
        for (const Unit& group : kept.groups)
            if (group.checks)
                context.loading.checks.push_back(
                    {group.inside.get(), group.checks, group.family ? &group : nullptr});
        if (kept.checks)
            context.loading.checks.push_back({kept.inside ? kept.inside.get() : &context,
                                              kept.checks, kept.family ? &kept : nullptr});
    }
}

} // namespace sme::yaml
