// SPDX-License-Identifier: Apache-2.0
//
// The bound design as JSON: 1. expressions, with types, ranges and known values; 2. steps; 3. the
// names of a scope: buses, processes and instances of components, each with its inside.
#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "expr/syntax/printer.hpp"
#include "expr/typing/functions.hpp"
#include "yaml/design.hpp"
#include "yaml/print/document.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

namespace {

using expr::BoundExpr;
using expr::BoundRef;

Json number(Integer value) {
    return Json::word(to_string(value));
}
Json truth(bool value) {
    return Json::word(value ? "true" : "false");
}

/// Adds the place of a thing in a file, if it has one.
void set_place(Json& to, const Location& where) {
    if (where.known())
        to.set("where", Json::text(describe(where)));
}

/// Returns the lengths of a family; null for a single object.
Json lengths(const std::vector<std::uint64_t>& counts) {
    Json result = Json::list();
    for (const std::uint64_t count : counts)
        result.push(number(static_cast<Integer>(count)));
    return result;
}

void set_shape(Json& to, const Shape& shape) {
    if (!shape.is_single())
        to.set("shape", lengths(shape.counts()));
}

/// Prints expressions and steps, and lists the functions that they call.
class StepPrinter {
public:
    Json expression(const BoundExpr& bound) {
        Json result = Json::map().set("kind", Json::text(kind_of(bound)));
        set_text(result, bound);
        if (const TypeRef& type = expr::type_of(bound))
            result.set("type", Json::text(type->name()));
        set_value(result, bound);
        if (bound.ast)
            set_place(result, bound.ast->where);
        const expr::BoundDetails& more = bound.more();
        if (more.match)
            result.set("patterns", patterns(*more.match));
        if (const auto& body = more.body && more.body->value ? more.body : more.body_here)
            result.set("body", Json::word(std::to_string(number_of(body))));
        if (!more.runs.empty())
            result.set("runs", runs(more.runs));
        const bool one_run = more.runs.size() == 1 &&
                             std::all_of(more.runs[0].ranges.begin(), more.runs[0].ranges.end(),
                                         [](const auto& range) { return range.count == range.of; });
        if (!bound.operands.empty() && !one_run)
            result.set("of", all(bound.operands));
        return result;
    }

    Json block(const expr::BoundBlock& block) {
        Json result = Json::list();
        for (const expr::BoundStatement& each : block)
            result.push(statement(each));
        return result;
    }

    Json lets(const std::map<std::string, BoundRef>& lets) {
        Json result = Json::map();
        for (const auto& [name, value] : lets)
            result.set(name, optional(value));
        return result;
    }

    /// Returns the bodies of the functions that were called so far; each call has the number of
    /// its body.
    Json functions() {
        Json result = Json::list();
        for (std::size_t k = 0; k < bodies_.size(); ++k) { // a body may add others
            const expr::BoundBody& body = *bodies_[k];
            Json function = Json::map().set("name", Json::text(body.function->name));
            set_place(function, body.function->declared);
            if (!body.lets.empty())
                function.set("lets", lets(body.lets));
            result.push(std::move(function.set("value", optional(body.value))));
        }
        return result;
    }

private:
    static const char* kind_of(const BoundExpr& bound) {
        static constexpr const char* names[]{"leaf",    "unary",  "binary", "element",    "slice",
                                             "field",   "choice", "match",  "fit",        "cast",
                                             "call",    "call",   "struct", "struct",     "array",
                                             "reduced", "folded", "loop",   "folded-loop"};
        static_assert(std::size(names) ==
                      static_cast<std::size_t>(BoundExpr::Kind::folded_loop) + 1);
        return names[static_cast<std::size_t>(bound.kind)];
    }

    /// Adds the name, the operator, the field or the function of an expression.
    static void set_text(Json& to, const BoundExpr& bound) {
        if (!bound.ast)
            return;
        const expr::Ast& ast = *bound.ast;
        using Kind = BoundExpr::Kind;
        switch (bound.kind) {
        case Kind::leaf: to.set("text", Json::text(expr::print(ast))); break;
        case Kind::unary:
        case Kind::binary: to.set("operator", Json::text(expr::spelling(ast.op))); break;
        case Kind::field: to.set("field", Json::text(ast.text)); break;
        case Kind::call:
        case Kind::own_call:
        case Kind::reduced:
        case Kind::loop:
        case Kind::folded:
        case Kind::folded_loop:
            if (ast.kind == expr::Ast::Kind::call)
                to.set("function", Json::text(expr::print(*ast.operands[0])));
            break;
        default: break;
        }
    }

    /// Adds the value if it is known before the run, or the range of a number without a type.
    static void set_value(Json& to, const BoundExpr& bound) {
        if (bound.is_constant())
            to.set("value", number(bound.low));
        else if (bound.is_exact())
            to.set("range", Json::list({number(bound.low), number(bound.high)}));
        else if (bound.known && bound.is_bool())
            to.set("value", truth(*bound.known != 0));
        else if (bound.known)
            to.set("value", number(expr::type_of(bound)->is_signed()
                                       ? Integer{static_cast<std::int64_t>(*bound.known)}
                                       : Integer{*bound.known}));
    }

    Json optional(const BoundRef& bound) { return bound ? expression(*bound) : Json::word("null"); }
    Json all(const std::vector<BoundRef>& bound) {
        Json result = Json::list();
        for (const BoundRef& each : bound)
            result.push(optional(each));
        return result;
    }

    static Json patterns(const expr::BoundPatterns& bound) {
        std::vector<expr::Pattern> written;
        for (const expr::BoundPattern& each : bound)
            written.push_back(*each.text);
        return Json::text(expr::print(written));
    }
    static Json patterns(const expr::BoundMatch& match) {
        Json result = Json::list();
        for (const expr::BoundPatterns& arm : match.arms)
            result.push(patterns(arm));
        return result;
    }

    Json runs(const std::vector<expr::BoundRun>& runs) {
        Json result = Json::list();
        for (const expr::BoundRun& run : runs) {
            Json first = Json::list(), count = Json::list();
            for (const expr::BoundRange& range : run.ranges) {
                first.push(number(static_cast<Integer>(range.first)));
                count.push(number(static_cast<Integer>(range.count)));
            }
            result.push(Json::map()
                            .set("first", std::move(first))
                            .set("count", std::move(count))
                            .set("element", optional(run.element)));
        }
        return result;
    }

    std::size_t number_of(const std::shared_ptr<const expr::BoundBody>& body) {
        const auto known = std::find(bodies_.begin(), bodies_.end(), body);
        if (known != bodies_.end())
            return static_cast<std::size_t>(known - bodies_.begin());
        bodies_.push_back(body);
        return bodies_.size() - 1;
    }

    void set_condition(Json& to, const char* key, const expr::BoundCondition& condition) {
        if (condition.value)
            to.set(key, expression(*condition.value));
    }

    Json right_side(const expr::BoundRhs& rhs) {
        using Kind = expr::Rhs::Kind;
        static constexpr const char* keys[]{"value", "first", "fields", "choice", "arms"};
        Json result = Json::map();
        if (rhs.kind == Kind::match)
            result.set("match", optional(rhs.value));
        if (rhs.kind == Kind::expression) {
            if (rhs.value)
                result.set("value", expression(*rhs.value));
        } else {
            Json entries = Json::list();
            for (std::size_t k = 0; k < rhs.entries.size(); ++k)
                entries.push(entry(rhs.entries[k], rhs.match ? &rhs.match->arms[k] : nullptr));
            result.set(keys[static_cast<std::size_t>(rhs.kind)], std::move(entries));
        }
        set_condition(result, "when", rhs.when);
        return result;
    }

    Json entry(const expr::BoundRhs::Entry& entry, const expr::BoundPatterns* patterns_of) {
        Json result = Json::map();
        if (patterns_of)
            result.set("patterns", patterns(*patterns_of)).set("possible", truth(entry.possible));
        if (!entry.field.empty())
            result.set("field", Json::text(entry.field));
        set_condition(result, "condition", entry.condition);
        result.set("is", entry.possible ? right_side(entry.rhs) : Json::word("null"));
        return result;
    }

    Json statement(const expr::BoundStatement& statement) {
        using Kind = expr::Statement::Kind;
        static constexpr const char* names[]{"assign", "if", "match", "assert", "halt", "print"};
        Json result =
            Json::map().set("kind", Json::text(names[static_cast<std::size_t>(statement.kind)]));
        set_place(result, statement.where);
        if (!statement.indices.empty()) {
            Json loop = Json::list();
            for (const expr::LoopIndex& index : statement.indices)
                loop.push(
                    Json::map()
                        .set("index", Json::text(index.name))
                        .set("range", Json::list({number(index.low),
                                                  number(index.low +
                                                         static_cast<Integer>(index.count) - 1)})));
            result.set("loop", std::move(loop));
        }
        if (!statement.lines.empty()) {
            Json lines = Json::list();
            for (const expr::BoundLine& line : statement.lines) {
                lines.push(Json::map()
                               .set("target", expression(*line.target.tree))
                               .set("is", right_side(line.rhs)));
            }
            result.set("lines", std::move(lines));
        }
        if (statement.effect.value || !statement.effect.entries.empty() ||
            statement.effect.when.value)
            result.set("is", right_side(statement.effect));
        if (!statement.printed.empty())
            result.set("printed", all(statement.printed));
        if (statement.kind == Kind::match)
            result.set("subject", optional(statement.match->subject));
        if (statement.kind == Kind::choice || statement.kind == Kind::match) {
            Json arms = Json::list();
            for (std::size_t k = 0; k < statement.arms.size(); ++k) {
                const expr::BoundStatement::Arm& each = statement.arms[k];
                Json arm = Json::map();
                if (statement.kind == Kind::match)
                    arm.set("patterns", patterns(statement.match->arms[k]));
                set_condition(arm, "condition", each.condition);
                if (!each.possible)
                    arm.set("possible", truth(false));
                arms.push(std::move(arm.set("step", block(each.block))));
            }
            result.set("arms", std::move(arms));
        }
        return result;
    }

    std::vector<std::shared_ptr<const expr::BoundBody>> bodies_;
};

class DesignPrinter {
public:
    explicit DesignPrinter(const Graph& graph) : graph_{graph} {}

    Json run(const expr::ModuleView& network) {
        Json result = Json::map().set("network", Json::text(graph_.name));
        set_place(result, graph_.declared);
        Json domains = Json::list(), channels = Json::list();
        for (const ClockDomain& domain : graph_.domains)
            domains.push(Json::map()
                             .set("name", Json::text(domain.name))
                             .set("every", number(Integer{domain.rate.every}))
                             .set("offset", number(Integer{domain.rate.offset})));
        for (std::uint32_t k = 0; k < graph_.channels.size(); ++k)
            channels.push(channel(k));
        result.set("domains", std::move(domains)).set("channels", std::move(channels));
        return std::move(result.set("scope", scope(network)));
    }

private:
    Json channel(std::uint32_t number_of) const {
        const ChannelFamily& channel = graph_.channels[number_of];
        Json result = Json::map()
                          .set("id", Json::word(std::to_string(number_of)))
                          .set("name", Json::text(channel.name));
        set_place(result, channel.declared);
        for (const BusFamily& bus : graph_.buses)
            if (bus.channel == ChannelPart{ChannelRole::received, number_of} && bus.bundle) {
                result.set("message", Json::text(bus.type->fields().at(1).type->name()));
                set_shape(result, bus.shape);
                break;
            }
        for (const ProcessFamily& process : graph_.processes)
            if (process.channel == ChannelPart{ChannelRole::queue, number_of}) {
                result.set("depth", number(Integer{process.memories.at(0).words}));
                break;
            }
        return result;
    }

    Json scope(const expr::ModuleView& view) {
        Json buses = Json::list(), units = Json::list();
        for (const expr::BusView* each : view.views)
            buses.push(bus(*each));
        for (const expr::Unit* each : view.units)
            units.push(unit(*each));
        Json result = Json::map();
        if (!view.parameters.empty()) {
            Json parameters = Json::map();
            for (const auto& [name, value] : view.parameters)
                parameters.set(name, number(value));
            result.set("parameters", std::move(parameters));
        }
        return std::move(result.set("buses", std::move(buses)).set("processes", std::move(units)));
    }

    Json bus(const expr::BusView& view) const {
        static constexpr const char* uses[]{"own", "input", "output"};
        const BusFamily& family = graph_.family_of(static_cast<std::uint64_t>(view.elements.at(0)));
        Json result =
            Json::map()
                .set("id", number(Integer{static_cast<std::uint64_t>(view.elements.at(0))}))
                .set("name", Json::text(view.name))
                .set("type", Json::text(view.type->name()))
                .set("use", Json::text(uses[static_cast<std::size_t>(view.use)]));
        set_shape(result, view.shape);
        set_place(result, view.declared);
        result.set("delay", number(Integer{family.delay}));
        if (family.domain != no_domain)
            result.set("domain", number(Integer{family.domain}));
        if (family.channel)
            result.set("channel", number(Integer{family.channel.channel}));
        return result;
    }

    Json unit(const expr::Unit& unit) {
        Json result = Json::map();
        if (unit.family)
            result.set("id", number(static_cast<Integer>(*unit.family)));
        result.set("name", Json::text(unit.name));
        set_shape(result, unit.shape);
        set_place(result, unit.declared);
        if (unit.inside)
            result.set("component", Json::text(unit.inside->name));
        if (unit.verilog)
            result.set("module", Json::text(unit.verilog->module.top.text));
        if (unit.family)
            add_family(result, graph_.processes[*unit.family]);
        if (unit.process && unit.bound)
            add_process(result, *unit.process, *unit.bound);
        if (unit.inside && !unit.process)
            result.set("scope", scope(*unit.inside));
        return result;
    }

    void add_family(Json& to, const ProcessFamily& family) const {
        if (family.domain != no_domain)
            to.set("domain", number(Integer{family.domain}));
        if (family.channel)
            to.set("channel", number(Integer{family.channel.channel}));
        Json ports = Json::list();
        for (const Port& port : family.ports)
            if (port.buses.size() > 0 &&
                !graph_.family_of(static_cast<std::uint64_t>(port.buses.at(0))).state)
                ports.push(Json::map()
                               .set("name", Json::text(port.name))
                               .set("type", Json::text(port.type->name()))
                               .set("output", truth(port.output))
                               .set("bus", Json::text(graph_.bus_name(
                                               static_cast<std::uint64_t>(port.buses.at(0))))));
        to.set("ports", std::move(ports));
    }

    static void add_process(Json& to, const expr::ProcessView& text,
                            const expr::BoundProcess& bound) {
        StepPrinter printer;
        if (text.actor)
            to.set("actor", truth(true));
        Json states = Json::list();
        for (const expr::StateText& state : text.states) {
            Json one = Json::map()
                           .set("name", Json::text(state.name))
                           .set("type", Json::text(state.type->name()));
            if (state.is_memory)
                one.set("words", lengths(state.dimensions));
            set_place(one, state.declared);
            states.push(std::move(one));
        }
        to.set("states", std::move(states));
        to.set("lets", printer.lets(bound.lets));
        if (bound.reset)
            to.set("reset", printer.expression(*bound.reset));
        to.set("step", printer.block(bound.step));
        to.set("functions", printer.functions());
    }

    const Graph& graph_;
};

} // namespace

std::string SourceView::design() const {
    return DesignPrinter{context_.design.graph}.run(describe()).dump() + "\n";
}

} // namespace sme::yaml
