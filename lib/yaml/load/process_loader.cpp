// SPDX-License-Identifier: Apache-2.0
#include "yaml/load/loaders.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "expr/process/process.hpp"
#include "yaml/load/clock_signals.hpp"
#include "yaml/load/port_loader.hpp"
#include "yaml/load/verilog_loader.hpp"
#include "yaml/pipelines/pipeline.hpp"
#include "yaml/scope/domains.hpp"
#include "yaml/sequences/machine.hpp"

namespace sme::yaml {

namespace {

/// Returns true if the initial value is zero, the default for integers and arrays of integers.
bool is_zero(const expr::Ast& ast, const Type& type) {
    const Type* inner = &type;
    while (inner->kind() == TypeKind::array)
        inner = inner->element().get();
    return ast.kind == expr::Ast::Kind::number && ast.value == 0 && inner->is_integer();
}

/// Loads one family of processes.
class ProcessLoader {
public:
    /// `name` and `shape` are the family's in its scope; a component that is a single process has
    /// the name of its instance and an empty shape.
    ProcessLoader(Context& context, const BodySyntax& body, const std::string& name, Shape shape,
                  const Location& where)
        : context_{context}, diagnostics_{context.diagnostics}, body_{body}, shape_{std::move(
                                                                                 shape)},
          text_{std::make_shared<expr::ProcessView>()}, ports_{context, shape_, family_, *text_} {
        family_.name = name;
        family_.shape = context_.in_graph(shape_);
        family_.count = family_.shape.count();
        family_.declared = where;
        text_->name = name;
        text_->shape = family_.shape;
        for (const Shape::Dimension& dimension : family_.shape.dimensions)
            if (!dimension.index.empty())
                names_.insert(dimension.index);
    }

    /// Loads a process with the ports bound in its sections in and out.
    Unit run(const ProcessSyntax& process) {
        const std::size_t errors = diagnostics_.errors();
        if (process.in)
            load_ports(*process.in, false);
        if (process.out)
            load_ports(*process.out, true);
        return load_body(errors);
    }

    /// Loads a component that is a process, with the component's ports.
    Unit run_component() {
        const std::size_t errors = diagnostics_.errors();
        for (const auto& [name, view] : context_.buses) {
            const Binding binding{&view, {}, nullptr, view.declared};
            names_.insert(name);
            ports_.add(port_named_as(binding), binding, view.use == BusView::Use::output,
                       view.closes);
        }
        return load_body(errors);
    }

private:
    Unit load_body(std::size_t errors) {
        for (const DeclarationSyntax& state : body_.states)
            if (take_name(state.name.name, state.name.where) && state.declaration)
                add_state(state.name, *state.declaration);
        for (const expr::LetText& let : body_.lets)
            if (take_name(let.name, let.declared))
                text_->lets.push_back(let);
        place_ports(*text_, body_.crossings, family_, context_);
        text_->clock = steps_in(context_.domains.own, context_);
        text_->reset = body_.reset;
        const Metastability metastability{body_.crossings, context_};
        metastability.check(*text_);
        text_->actor = body_.names;
        if (body_.step)
            text_->step = *body_.step;
        if (body_.sequence && !body_.broken && diagnostics_.errors() == errors)
            add_sequence();
        if (body_.pipeline && !body_.broken && diagnostics_.errors() == errors)
            add(pipeline_of(body_, *text_, context_, names_));
        note_observed();
        if (context_.loading.options.metastability && diagnostics_.errors() == errors)
            for (const MetastableState& state : metastability.add(*text_))
                add_state(state.name, state.declaration, state.every_cycle);
        Unit result;
        result.shape = shape_;
        result.process = text_;
        result.declared = family_.declared;
        if (diagnostics_.errors() == errors && !body_.broken && !broken_ &&
            !context_.scope.fuel().reported)
            result.family = finish(result.bound);
        return result;
    }

    /// Adds the state machine of the sequence to the step.
    void add_sequence() {
        const Location& where = body_.sequence->front().where;
        if (!names_.insert("at").second) {
            diagnostics_.add(Code::duplicate_name, where,
                             "in a process with a sequence, 'at' is the item of the cycle; give "
                             "what is named 'at' here another name");
            return;
        }
        add(machine_of(body_, where, *text_, context_, names_));
    }

    void add(std::optional<ProcessAddition> addition) {
        if (!addition)
            return;
        text_->enumerations = std::move(addition->enumerations);
        if (addition->picture)
            context_.design.machines.push_back(std::move(*addition->picture));
        for (const ProcessAddition::State& state : addition->states)
            add_state(state);
        for (expr::LetText& let : addition->lets)
            text_->lets.push_back(std::move(let));
        for (expr::Statement& statement : addition->block.statements)
            text_->step.statements.push_back(std::move(statement));
    }

    /// Adds a state that is not in the file.
    void add_state(const ProcessAddition::State& made) {
        expr::StateText state;
        state.name = made.name;
        state.declared = made.where;
        state.generated = true;
        std::vector<std::byte> initial;
        if (made.initial != 0) {
            initial.resize(made.type->size());
            std::memcpy(initial.data(), &made.initial, initial.size());
        }
        if (body_.reset)
            state.initial = initial;
        if (!context_.spend(500, made.where) || !ports_.count_scalars(1, made.where))
            return;
        add_slot(state, made.type, std::move(initial), context_, family_);
        text_->states.push_back(std::move(state));
    }

    /// A run without a clock has no checks, so there everything may be read by one.
    void note_observed() {
        text_->observed = context_.loading.observed;
        if (body_.checks)
            add_names(*body_.checks, text_->observed);
        if (context_.loading.options.untimed)
            text_->observed.insert(names_.begin(), names_.end());
    }

    /// Adds the family to the network; keeps the process in `kept` if exporters want it.
    std::size_t finish(std::shared_ptr<const expr::BoundProcess>& kept) {
        const LoadOptions& options = context_.loading.options;
        const auto bound = options.keep_bound ? std::make_shared<expr::BoundProcess>() : nullptr;
        auto program = std::make_shared<expr::Program>(
            expr::build_process(*text_, context_.scope, diagnostics_, options.cover, bound.get()));
        if (bound)
            bound->program = program;
        kept = bound;
        for (const expr::PartProgram& part : program->parts) {
            Part& result = family_.parts.emplace_back();
            result.may_fault = !part.faults.empty();
            for (const expr::FieldUse& use : part.reads)
                result.reads.push_back({use.port, use.fields});
            for (const expr::FieldUse& use : part.writes)
                result.writes.push_back({use.port, use.fields});
            context_.design.may_halt = context_.design.may_halt || !part.halts.empty();
        }
        bool& has_random = context_.design.has_random;
        has_random = has_random || std::any_of(program->nodes.begin(), program->nodes.end(),
                                               [](const expr::Node& node) {
                                                   return node.op == expr::Op::random;
                                               });
        if (reads_memory_late(*program) && !options.untimed) {
            Part& commit = family_.parts.emplace_back();
            commit.kind = Part::Kind::commit;
        }
        family_.kind = context_.kinds.process(std::move(program));
        context_.design.graph.processes.push_back(std::move(family_));
        return context_.design.graph.processes.size() - 1;
    }

    /// Returns true if a part for wires or for coverage, which may run after the update part, reads
    /// a memory: writes then wait for the end of the cycle.
    static bool reads_memory_late(const expr::Program& program) {
        const std::size_t update = program.parts.size() - (program.cover.points.empty() ? 1 : 2);
        bool reads = false;
        for (std::size_t p = 0; p < program.parts.size(); ++p)
            if (p != update)
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

    void load_ports(const BindingsSyntax& section, bool output) {
        for (const BindingSyntax& each : section.ports) {
            const std::optional<Binding> binding = find_binding(each.value, context_, broken_);
            if (!binding)
                continue;
            const expr::FamilyName name = each.port ? *each.port : port_named_as(*binding);
            if (take_name(name.name, name.where))
                ports_.add(name, *binding, output, each.closes);
        }
    }

    void add_state(const expr::FamilyName& name, const expr::Declaration& declaration,
                   bool every_cycle = false) {
        Constants constants{context_.scope, diagnostics_};
        TypeRef type = constants.elaborator().type(*declaration.type);
        if (!type)
            return;
        if (type->is_bundle()) {
            diagnostics_.add(Code::bad_bundle, declaration.where,
                             fmt::format("'{}' is {}, which has back fields; only buses and ports "
                                         "can have such a type",
                                         name.name, type->name()));
            return;
        }
        expr::StateText state;
        state.name = name.name;
        state.declared = name.where;
        state.every_cycle = every_cycle;
        state.generated = declaration.generated;
        std::vector<std::byte> initial;
        if (declaration.initial && !is_zero(*declaration.initial, *type)) {
            auto bytes = context_.initials.slots(*declaration.initial, type, family_.shape,
                                                 fmt::format("'{}'", state.name));
            if (!bytes)
                return;
            initial = std::move(*bytes);
        }
        state.is_memory = type->kind() == TypeKind::array;
        if (body_.reset && !state.is_memory)
            state.initial = initial;
        if (!context_.spend(500, name.where) ||
            (!state.is_memory && !ports_.count_scalars(type->leaf_count(), name.where)))
            return;
        if (state.is_memory)
            add_memory(state, type, word_dimensions(*declaration.type, *type), std::move(initial),
                       context_, family_);
        else
            add_slot(state, type, std::move(initial), context_, family_);
        text_->states.push_back(std::move(state));
    }

    Context& context_;
    Diagnostics& diagnostics_;
    const BodySyntax& body_;
    const Shape shape_;
    ProcessFamily family_;
    std::shared_ptr<expr::ProcessView> text_;
    PortLoader ports_;
    bool broken_ = false; // the error was reported elsewhere
    std::set<std::string> names_;
};

/// Drops the members for which the condition does not hold.
bool keep_members(const WhereSyntax& where, Shape& shape, Context& context) {
    Diagnostics& diagnostics = context.diagnostics;
    if (!where.text || shape.dimensions.empty()) {
        diagnostics.add(Code::bad_range, where.where,
                        "'where' is a condition on the indices of a family, as in 'k % 2 == 0'");
        return false;
    }
    if (!where.ast)
        return false;
    std::optional<Constants> constants;
    for (std::uint64_t k = 0; k < shape.box(); ++k) {
        if (!context.spend(200, where.where))
            return false;
        if (k % 4096 == 0) // renewed regularly, as it keeps every node it made
            constants.emplace(context.scope, diagnostics);
        const std::vector<std::int64_t> at = Shape{shape.dimensions}.indices(k);
        for (std::size_t d = 0; d < at.size(); ++d)
            if (!shape.dimensions[d].index.empty())
                constants->elaborator().bind(shape.dimensions[d].index,
                                             expr::BoundExpr::number(at[d]));
        const auto holds = constants->elaborator().condition(*where.ast, "'where'");
        if (!holds)
            return false;
        const auto known = constants->builder().constant_value(*holds);
        if (!known) {
            diagnostics.add(Code::not_constant, where.where,
                            "which members there are is known before the run, but this is not");
            return false;
        }
        if (*known != 0)
            shape.kept.push_back(k);
    }
    if (shape.kept.empty())
        diagnostics.add(Code::bad_range, where.where, "this drops every member of the family");
    const bool any = !shape.kept.empty();
    if (shape.kept.size() == shape.box())
        shape.kept.clear();
    return any;
}

} // namespace

Unit load_component_process(const BodySyntax& body, const Location& where, Context& inside) {
    ProcessLoader loader{
        inside, body, inside.prefix.substr(0, inside.prefix.size() - 1), {}, where};
    return loader.run_component();
}

Unit load_made_process(const ProcessSyntax& process, const std::string& name, const Shape& shape,
                       Context& context) {
    return ProcessLoader{context, process.body, name, shape, process.where}.run(process);
}

namespace {

/// Checks the text for an implementation of these members outside the network, and reports errors.
bool is_outside_good(const OutsideSyntax& written, const Shape& members, Context& context) {
    if (written.scope && context.around.count() > 1) {
        context.diagnostics.add(
            Code::bad_option, written.scope->where,
            fmt::format(
                "this is one scope, but the process is in {} instances; leave it out, or "
                "name one process with 'sme cosim --instance ... --reference ... --scope ...'",
                context.around.count()));
        return false;
    }
    std::string unknown;
    if (!written.scope || members.count() == 0 ||
        members.filled_in(written.scope->text, 0, unknown))
        return true;
    std::vector<std::string> names;
    for (const Shape::Dimension& dimension : members.dimensions)
        if (!dimension.index.empty())
            names.push_back(dimension.index);
    const std::string near = did_you_mean(unknown, names);
    context.diagnostics.add(
        Code::unknown_name, written.scope->where,
        fmt::format("'{}' is no index of this family{}", unknown,
                    !near.empty()   ? near
                    : names.empty() ? "; name it, as in 'stage[k < 4]'"
                                    : fmt::format("; its indices are {}", fmt::join(names, ", "))));
    return false;
}

/// Records a second implementation that other parts join to the network.
void note_outside(const ProcessSyntax& second, const std::string& first_name, const Unit& first,
                  Context& context) {
    const OutsideSyntax& written = *second.outside;
    Shape members = context.in_graph(first.shape);
    if (!is_outside_good(written, members, context) ||
        context.loading.options.against != Against::all)
        return;
    const Word& file = *written.waveform;
    const auto text = [](const std::optional<Word>& word) {
        return word ? word->text : std::string{};
    };
    SecondPlace result;
    result.process = context.prefix + first_name;
    result.members = std::move(members);
    result.where = second.where;
    result.scope = text(written.scope);
    result.clock = text(written.clock);
    result.reset = text(written.reset);
    if (const auto path = context.initials.path_to_read(file.text, file.where)) {
        result.file = *path;
        context.design.seconds.push_back(std::move(result));
    }
}

void load_process(const ProcessSyntax& process, Context& context) {
    const std::string& name = process.name.name;
    if (!context.scope.declare(name, process.where, "a process", context.diagnostics))
        return;
    std::optional<Shape> shape = read_shape(process.name, context);
    if (!shape || process.broken ||
        (process.members && !keep_members(*process.members, *shape, context)))
        return;
    const InDomain in_domain{process, context};
    const std::size_t begin = context.design.graph.processes.size();
    const std::size_t errors = context.diagnostics.errors();
    Unit result;
    if (process.use)
        result = load_instance(*shape, process, context);
    else {
        const std::string full = context.prefix + name;
        result =
            process.verilog
                ? load_verilog_process(context, process, full, *shape)
                : ProcessLoader{context, process.body, full, *shape, process.where}.run(process);
        if (process.body.checks)
            result.checks = &*process.body.checks;
    }
    if (process.against) {
        use_names_of(*process.against, context);
        const Against wanted = context.loading.options.against;
        if (process.against->outside)
            note_outside(*process.against, name, result, context);
        else if ((wanted == Against::all ||
                  (wanted == Against::components && process.against->use)) &&
                 context.diagnostics.errors() == errors && !process.body.broken)
            context.members[process.against->name.name] =
                load_against(context, process, *shape, begin);
    }
    if (process.channel) {
        result.channel = process.channel;
        result.queue = process.queue;
        for (std::size_t p = begin; p < context.design.graph.processes.size(); ++p)
            context.design.graph.processes[p].channel = process.channel;
    }
    Unit& kept = context.members[name] = std::move(result);
    kept.scope = &context;
    for (const Unit& group : kept.groups)
        if (group.checks)
            context.loading.checks.push_back(
                {group.context.get(), group.checks, group.family ? &group : nullptr});
    if (kept.checks)
        context.loading.checks.push_back({kept.context ? kept.context.get() : &context, kept.checks,
                                          kept.family ? &kept : nullptr});
}

} // namespace

void load_processes(const std::vector<ProcessSyntax>& section, Context& context) {
    for (const ProcessSyntax& process : section)
        load_process(process, context);
}

} // namespace sme::yaml
