// SPDX-License-Identifier: Apache-2.0
#include "yaml/process_loader.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "expr/parser.hpp"
#include "expr/process.hpp"
#include "yaml/binding.hpp"
#include "yaml/keys.hpp"
#include "yaml/process_state.hpp"
#include "yaml/statements.hpp"

namespace sme::yaml {

namespace {

/// A bus as it is named in a binding: "token", "token[k]".
struct BusReference {
    const BusFamily* bus = nullptr;
    std::vector<expr::AstRef> indices;
    expr::AstRef ast;
};

expr::Rule rule_of(Unwritten unwritten) {
    return unwritten == Unwritten::hold    ? expr::Rule::hold
           : unwritten == Unwritten::error ? expr::Rule::error
                                           : expr::Rule::zero;
}

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
    ProcessLoader(Context& context, const Node& body)
        : context_{context}, diagnostics_{context.diagnostics}, body_{body} {}

    void run(const expr::FamilyName& name, const Location& where) {
        const std::optional<Shape> shape = read_shape(name, context_);
        if (!shape ||
            !is_map_or_empty(body_, "a map with in, out, state, let and step", diagnostics_))
            return;
        check_keys(body_, format::process, fmt::format("process '{}'", name.name), diagnostics_);
        family_.name = name.name;
        family_.shape = *shape;
        family_.count = shape->count();
        family_.declared = where;
        text_.name = name.name;
        for (const Shape::Dimension& dimension : shape->dimensions) {
            text_.indices.push_back(dimension.index);
            text_.index_low.push_back(dimension.low);
            text_.index_count.push_back(dimension.count);
            if (!dimension.index.empty())
                names_.insert(dimension.index);
        }
        const std::size_t errors = diagnostics_.errors();
        if (const Node* section = body_.find("in"))
            load_ports(*section, false);
        if (const Node* section = body_.find("out"))
            load_ports(*section, true);
        if (const Node* section = body_.find("state"))
            load_states(*section);
        if (const Node* section = body_.find("let"))
            load_lets(*section);
        if (const Node* section = body_.find("step"))
            text_.step = read_step(*section, diagnostics_);
        else
            diagnostics_.add(Code::missing_key, where,
                             fmt::format("process '{}' has no step", name.name));
        if (diagnostics_.errors() == errors && !broken_ && !context_.scope.work().reported)
            finish();
    }

private:
    void finish() {
        auto program = std::make_shared<expr::Program>(
            expr::build_process(text_, context_.scope, diagnostics_));
        for (const expr::PartProgram& part : program->parts) {
            Part& made = family_.parts.emplace_back();
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
        context_.processes[family_.name] = context_.design.graph.processes.size();
        context_.design.graph.processes.push_back(std::move(family_));
    }

    /// Whether a part for wires, which may run after the update part, reads a memory: then writes
    /// wait for the end of the cycle.
    static bool reads_memory_late(const expr::Program& program) {
        for (std::size_t p = 0; p + 1 < program.parts.size(); ++p)
            for (const expr::NodeId id : program.parts[p].nodes)
                if (program.nodes[id].op == expr::Op::memory_read)
                    return true;
        return false;
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
            const std::optional<BusReference> bus = reference(value);
            if (port && bus)
                add_port(*port, *bus, output, key.where);
        }
    }

    /// A port that has the name of its bus.
    void load_plain(const Node& node, bool output) {
        const std::optional<BusReference> bus = reference(node);
        if (!bus)
            return;
        expr::FamilyName port;
        port.where = node.where;
        port.name = bus->bus->name;
        add_port(port, *bus, output, node.where);
    }

    std::optional<BusReference> reference(const Node& node) {
        BusReference found;
        found.ast = expr::parse_expression(node.text, diagnostics_);
        if (!found.ast)
            return std::nullopt;
        const expr::Ast* base = found.ast.get();
        if (base->kind == expr::Ast::Kind::index) {
            found.indices.assign(base->kids.begin() + 1, base->kids.end());
            base = base->kids[0].get();
        }
        if (base->kind != expr::Ast::Kind::name) {
            diagnostics_.add(Code::bad_index, node.where,
                             "a binding is the name of a bus, with indices when it is a family");
            return std::nullopt;
        }
        const auto bus = context_.buses.find(base->text);
        if (bus == context_.buses.end()) {
            if (context_.broken_buses.count(base->text)) { // reported where it is declared
                broken_ = true;
                return std::nullopt;
            }
            std::vector<std::string> names;
            if (diagnostics_.suppressed() == 0) // else nobody sees them
                for (const auto& [name, place] : context_.buses)
                    names.push_back(name);
            diagnostics_.add(
                Code::unknown_name, base->where,
                fmt::format("there is no bus '{}'{}", base->text, did_you_mean(base->text, names)));
            return std::nullopt;
        }
        found.bus = &context_.design.graph.buses[bus->second];
        return found;
    }

    void add_port(const expr::FamilyName& name, const BusReference& reference, bool output,
                  const Location& where) {
        if (!take_name(name.name, where))
            return;
        const BusFamily& bus = *reference.bus;
        std::optional<Shape> shape = read_shape(name, context_);
        if (!shape)
            return;
        const bool whole = reference.indices.empty() && !bus.shape.dimensions.empty();
        if (whole && !shape->dimensions.empty() && shape->count() != bus.count) {
            diagnostics_.add(Code::bad_range, where,
                             fmt::format("port '{}' has {} elements, but '{}' has {}", name.name,
                                         shape->count(), bus.name, bus.count));
            return;
        }
        if (whole && shape->dimensions.empty())
            shape = bus.shape;
        constexpr std::uint64_t most_ports = 65'536;
        if (shape->count() > most_ports) {
            diagnostics_.add(Code::too_large, where,
                             fmt::format("an array of ports has at most {} elements, but '{}' has "
                                         "{}",
                                         most_ports, name.name, shape->count()));
            return;
        }
        if (!count_scalars(bus.type->leaf_count() * shape->count(), where) ||
            !context_.spend(500 * shape->count(), where))
            return;
        expr::PortText port;
        port.name = name.name;
        port.type = bus.type;
        port.wire = bus.wire();
        port.rule = rule_of(bus.unwritten);
        port.declared = where;
        for (const Shape::Dimension& dimension : shape->dimensions) {
            port.lows.push_back(dimension.low);
            port.counts.push_back(dimension.count);
        }
        const auto first = static_cast<std::uint32_t>(family_.ports.size());
        const auto count = static_cast<std::uint32_t>(shape->count());
        if (!bind_ports(port.name, reference, *shape, whole, output, where))
            return;
        port.write_port = port.read_port = first;
        if (output) { // a second set of ports reads back what the process writes
            port.read_port = first + count;
            for (std::uint32_t k = 0; k < count; ++k) {
                Port back = family_.ports[first + k];
                back.output = false;
                back.own = true;
                family_.ports.push_back(std::move(back));
            }
        }
        (output ? text_.outputs : text_.inputs).push_back(std::move(port));
    }

    /// What a process has at hand is limited, as every scalar becomes an operation.
    bool count_scalars(std::uint64_t more, const Location& where) {
        constexpr std::uint64_t most = std::uint64_t{1} << 20;
        const bool fits = (scalars_ += more) <= most;
        if (!fits)
            diagnostics_.add(Code::too_large, where,
                             fmt::format("the ports and states of '{}' have more than {} scalars; "
                                         "arrays of states do not count",
                                         family_.name, most));
        return fits;
    }

    bool bind_ports(const std::string& name, const BusReference& reference, const Shape& shape,
                    bool whole, bool output, const Location& where) {
        const BusFamily& bus = *reference.bus;
        Binder binder{context_.scope, diagnostics_};
        for (std::uint64_t k = 0; k < shape.count(); ++k) {
            Port port;
            port.name = shape.element_name(name, k);
            port.output = output;
            port.type = bus.type;
            port.declared = where;
            if (whole)
                port.buses =
                    Segments::affine(family_.count, static_cast<std::int64_t>(bus.first + k), 0);
            else {
                std::map<std::string, Integer> fixed;
                const std::vector<std::int64_t> at = shape.indices(k);
                for (std::size_t d = 0; d < at.size(); ++d)
                    if (!shape.dimensions[d].index.empty())
                        fixed[shape.dimensions[d].index] = at[d];
                auto bound =
                    binder.bind(bus, *reference.ast, reference.indices, family_.shape, fixed);
                if (!bound)
                    return false;
                port.buses = std::move(*bound);
            }
            family_.ports.push_back(std::move(port));
        }
        return true;
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
        if (!context_.spend(500, key.where) ||
            (!state.is_memory && !count_scalars(type->leaf_count(), key.where)))
            return;
        if (state.is_memory)
            add_memory(state, type, std::move(initial), context_, family_);
        else
            add_slot(state, type, std::move(initial), context_, family_);
        text_.states.push_back(std::move(state));
    }

    void load_lets(const Node& section) {
        if (!is_map_or_empty(section, "a map of names", diagnostics_))
            return;
        for (const auto& [key, value] : section.entries)
            if (auto let = read_let(key, value, diagnostics_);
                let && take_name(let->name, key.where))
                text_.lets.push_back(std::move(*let));
    }

    Context& context_;
    Diagnostics& diagnostics_;
    const Node& body_;
    ProcessFamily family_;
    expr::ProcessText text_;
    std::uint64_t scalars_ = 0;
    bool broken_ = false; // for a reason that was reported elsewhere
    std::set<std::string> names_;
};

} // namespace

void load_processes(const Node& section, Context& context) {
    if (!is_map_or_empty(section, "a map of processes", context.diagnostics))
        return;
    for (const auto& [key, value] : section.entries) {
        const auto name = expr::parse_family_name(key.text, context.diagnostics);
        if (name && context.scope.declare(name->name, key.where, context.diagnostics))
            ProcessLoader{context, value}.run(*name, key.where);
    }
}

} // namespace sme::yaml
