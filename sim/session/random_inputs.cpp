// SPDX-License-Identifier: Apache-2.0
//
// An assumption is a process of its own: its inputs are the buses that its text names, now or some
// cycles ago, its output is whether the assumption holds.
#include "session/random_inputs.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/integer.hpp"
#include "expr/process/process.hpp"
#include "expr/syntax/printer.hpp"
#include "expr/typing/elaborator.hpp"
#include "interpret/block/program_group.hpp"
#include "lockstep/comparison.hpp"
#include "session/run_digest.hpp"

namespace sme::session {

namespace {

using expr::Ast;
using expr::AstRef;
using Kind = Ast::Kind;

/// The name of a bus in assumptions: a channel that an input feeds goes by its own name.
const std::string& name_of(const BusFamily& bus, const Graph& graph) {
    return bus.channel.role == ChannelRole::rows ? graph.channels[bus.channel.channel].name
                                                 : bus.name;
}

const BusFamily* bus_named(const std::string& name, const Graph& graph) {
    const BusFamily* found = nullptr;
    for (const BusFamily& bus : graph.buses)
        if (!bus.state && bus.reverse_field.empty() && name_of(bus, graph) == name &&
            (!found || bus.channel.role == ChannelRole::rows))
            found = &bus;
    return found;
}

/// The scalars, with their elements, that a text such as "x.valid" or "lane[3]" names.
std::vector<std::pair<std::uint64_t, Leaf>> scalars_named(const std::string& name,
                                                          const Graph& graph) {
    std::vector<std::pair<std::uint64_t, Leaf>> result;
    const std::string first = name.substr(0, name.find_first_of(".["));
    const BusFamily* const bus = bus_named(first, graph);
    if (!bus)
        return result;
    for (const Leaf& scalar : bus->type->scalars())
        for (std::uint64_t k = 0; k < bus->count; ++k)
            if (name == bus->shape.element_name(first, k) + scalar.path)
                result.emplace_back(bus->first + k, scalar);
    return result;
}

/// The values of a scalar type of at most 64 bits that has ranges; `nullopt` for others.
std::optional<std::pair<Integer, Integer>> limits_of(const Type& type) {
    if (type.kind() == TypeKind::enumeration || type.kind() == TypeKind::boolean || type.is_wide())
        return std::nullopt;
    const auto width = static_cast<unsigned>(type.width_bits());
    const Integer least = type.is_signed() ? -(Integer{1} << (width - 1)) : Integer{0};
    return std::pair{least, (Integer{1} << (type.is_signed() ? width - 1 : width)) - 1};
}

/// The constraints among "a and b and c" that compare one scalar with a constant, as ranges.
class Ranges {
public:
    Ranges(const expr::ModuleView& network, const Graph& graph, lockstep::RandomRules& rules)
        : network_{network}, graph_{graph}, rules_{rules} {}

    void narrow(const Ast& condition) {
        if (condition.kind != Kind::binary)
            return;
        const Ast &left = *condition.operands[0], &right = *condition.operands[1];
        if (condition.op == expr::Operator::logical_and) {
            narrow(left);
            narrow(right);
        } else if (const auto value = constant(right))
            compare(left, condition.op, *value);
        else if (const auto before = constant(left))
            compare(right, turned(condition.op), *before);
    }

private:
    static expr::Operator turned(expr::Operator op) {
        switch (op) {
        case expr::Operator::less: return expr::Operator::greater;
        case expr::Operator::less_equal: return expr::Operator::greater_equal;
        case expr::Operator::greater: return expr::Operator::less;
        case expr::Operator::greater_equal: return expr::Operator::less_equal;
        default: return op;
        }
    }

    std::optional<Integer> constant(const Ast& ast) const {
        Diagnostics ignored; // it need not be one
        expr::Builder builder;
        return expr::Elaborator{builder, *network_.scope, ignored}.constant(ast, "a limit");
    }

    void compare(const Ast& place, expr::Operator op, Integer value) {
        if (place.kind != Kind::name && place.kind != Kind::field && place.kind != Kind::index)
            return;
        for (const auto& [element, scalar] : scalars_named(expr::print(place), graph_)) {
            const auto limits = limits_of(*scalar.type);
            if (!limits)
                continue;
            auto [low, high] = *limits;
            switch (op) {
            case expr::Operator::equal: low = high = value; break;
            case expr::Operator::less: high = value - 1; break;
            case expr::Operator::less_equal: high = value; break;
            case expr::Operator::greater: low = value + 1; break;
            case expr::Operator::greater_equal: low = value; break;
            default: continue;
            }
            put(element, scalar, std::max(low, limits->first), std::min(high, limits->second));
        }
    }

    /// Contradictory rules keep the earlier range: the assumption itself then fails.
    void put(std::uint64_t element, const Leaf& scalar, Integer low, Integer high) {
        const auto number = [&](std::uint64_t word) {
            return scalar.type->is_signed() ? Integer{static_cast<std::int64_t>(word)}
                                            : Integer{word};
        };
        const auto known =
            std::find_if(rules_.ranges.begin(), rules_.ranges.end(), [&](const auto& range) {
                return range.element == element && range.offset == scalar.offset;
            });
        if (known != rules_.ranges.end()) {
            low = std::max(low, number(known->low));
            high = std::min(high, number(known->high));
        }
        if (low > high)
            return;
        const lockstep::RandomRules::Range range{element, scalar.offset,
                                                 static_cast<std::uint64_t>(low),
                                                 static_cast<std::uint64_t>(high), false};
        if (known == rules_.ranges.end())
            rules_.ranges.push_back(range);
        else
            *known = range;
    }

    const expr::ModuleView& network_;
    const Graph& graph_;
    lockstep::RandomRules& rules_;
};

/// Makes the process of an assumption from its text.
class AssumptionBuilder {
public:
    AssumptionBuilder(const expr::ModuleView& network, const Graph& graph, Diagnostics& diagnostics)
        : network_{network}, graph_{graph}, diagnostics_{diagnostics} {}

    std::optional<lockstep::RandomRules::Assumption> build(const yaml::Assumed& assumed) {
        const std::size_t errors = diagnostics_.errors();
        constexpr const char* output = "assumption_holds";
        expr::ProcessView view;
        view.name = "assumption";
        expr::Statement& statement = view.step.statements.emplace_back();
        statement.where = assumed.where;
        statement.rhs.where = assumed.where;
        statement.rhs.value = rewritten(*assumed.condition, 0);
        if (diagnostics_.errors() != errors)
            return std::nullopt;
        std::stable_sort(ports_.begin(), ports_.end(), [](const Seen& one, const Seen& other) {
            return (one.ago == 0) > (other.ago == 0);
        });
        lockstep::RandomRules::Assumption result;
        for (const Seen& seen : ports_) {
            expr::PortText& port = view.inputs.emplace_back();
            port.name = seen.name;
            port.type = seen.bus->type;
            port.read_port = static_cast<std::uint32_t>(result.types.size());
            port.shape = seen.bus->shape;
            for (std::uint64_t k = 0; k < seen.bus->count; ++k) {
                result.types.push_back(seen.bus->type);
                if (seen.ago == 0)
                    result.elements.push_back(seen.bus->first + k);
                else
                    result.earlier.push_back({seen.bus->first + k, seen.ago});
            }
        }
        expr::PortText& port = view.outputs.emplace_back();
        port.name = output;
        port.type = Type::boolean();
        port.write_port = port.read_port = static_cast<std::uint32_t>(result.types.size());
        Ast target;
        target.kind = Kind::name, target.where = assumed.where;
        target.text = output;
        statement.target = std::make_shared<Ast>(std::move(target));
        auto program = std::make_shared<expr::Program>(
            expr::build_process(view, *network_.scope, diagnostics_));
        if (diagnostics_.errors() != errors)
            return std::nullopt;
        result.text = assumed.text, result.where = assumed.where;
        result.parts = static_cast<unsigned>(program->parts.size());
        result.digest = digest_of(*program);
        result.kind = interpret::program_factory(std::move(program));
        return result;
    }

private:
    struct Seen {
        const BusFamily* bus;
        std::uint64_t ago;
        std::string name;
    };

    static AstRef made(Kind kind, const Ast& like, std::vector<AstRef> operands,
                       expr::Operator op = expr::Operator::add) {
        auto result = std::make_shared<Ast>();
        result->kind = kind;
        result->op = op;
        result->where = like.where;
        result->depth = like.depth + 2;
        result->operands = std::move(operands);
        return result;
    }

    /// The name of the input that has the value of a bus some cycles ago.
    AstRef input(const BusFamily& bus, std::uint64_t ago, const Ast& written) {
        auto result = std::make_shared<Ast>(written);
        result->kind = Kind::name;
        result->operands.clear();
        const std::string& name = name_of(bus, graph_);
        result->text = ago == 0 ? name : fmt::format("{} {} ago", name, ago);
        const auto known = std::any_of(ports_.begin(), ports_.end(),
                                       [&](const Seen& seen) { return seen.name == result->text; });
        if (!known)
            ports_.push_back({&bus, ago, result->text});
        return result;
    }

    /// A field of a bundle that is a bus of its own: "x.ready" or "lane[2].ready".
    AstRef reverse_field(const Ast& ast, std::uint64_t ago) {
        const Ast* base = ast.operands[0].get();
        const Ast* const index = base->kind == Kind::index ? base : nullptr;
        if (index)
            base = index->operands[0].get();
        const BusFamily* const bundle =
            base->kind == Kind::name ? bus_named(base->text, graph_) : nullptr;
        const BusFamily* const bus = bundle ? graph_.reverse_field(*bundle, ast.text) : nullptr;
        if (!bus)
            return nullptr;
        AstRef whole = input(*bus, ago, *base);
        if (!index)
            return whole;
        std::vector<AstRef> operands{std::move(whole)};
        for (std::size_t k = 1; k < index->operands.size(); ++k)
            operands.push_back(rewritten(*index->operands[k], ago));
        return made(Kind::index, *index, std::move(operands));
    }

    /// past(x), past(x, n), stable(x), rose(x), fell(x)
    AstRef history(const Ast& call, std::uint64_t ago) {
        const std::string& name = call.operands[0]->text;
        if (call.operands.size() < 2 || call.operands.size() > (name == "past" ? 3u : 2u)) {
            diagnostics_.add(Code::bad_call, call.where,
                             fmt::format("{} has {}", name,
                                         name == "past" ? "one or two arguments: past(x, cycles)"
                                                        : "one argument"));
            return call.operands[0];
        }
        std::uint64_t cycles = 1;
        if (call.operands.size() == 3) {
            expr::Builder builder;
            const auto given = expr::Elaborator{builder, *network_.scope, diagnostics_}.constant(
                *call.operands[2], "how far past looks back");
            if (given && (*given < 1 || *given > most_cycles))
                diagnostics_.add(Code::bad_call, call.operands[2]->where,
                                 fmt::format("past looks back 1 to {} cycles, but this is {}",
                                             most_cycles, to_string(*given)));
            else if (given)
                cycles = static_cast<std::uint64_t>(*given);
        }
        const Ast& x = *call.operands[1];
        AstRef before = rewritten(x, ago + cycles);
        if (name == "past")
            return before;
        if (name == "stable")
            return made(Kind::binary, call, {rewritten(x, ago), std::move(before)},
                        expr::Operator::equal);
        AstRef now = rewritten(x, ago);
        AstRef& off = name == "rose" ? before : now;
        off = made(Kind::unary, call, {std::move(off)}, expr::Operator::logical_not);
        return made(Kind::binary, call, {std::move(now), std::move(before)},
                    expr::Operator::logical_and);
    }

    /// The expression with the values of `ago` cycles before.
    AstRef rewritten(const Ast& ast, std::uint64_t ago) {
        if (ast.kind == Kind::name)
            if (const BusFamily* const bus = bus_named(ast.text, graph_))
                return input(*bus, ago, ast);
        if (ast.kind == Kind::field)
            if (AstRef field = reverse_field(ast, ago))
                return field;
        const bool call = ast.kind == Kind::call && ast.operands[0]->kind == Kind::name;
        if (call) {
            const std::string& name = ast.operands[0]->text;
            if (name == "past" || name == "stable" || name == "rose" || name == "fell")
                return history(ast, ago);
        }
        auto result = std::make_shared<Ast>(ast);
        for (std::size_t k = call ? 1 : 0; k < result->operands.size(); ++k)
            if (ast.operands[k])
                result->operands[k] = rewritten(*ast.operands[k], ago);
        return result;
    }

    static constexpr std::uint64_t most_cycles = 65'536;

    const expr::ModuleView& network_;
    const Graph& graph_;
    Diagnostics& diagnostics_;
    std::vector<Seen> ports_;
};

/// The rules about some random inputs. Reports a rule about them that names other buses.
lockstep::RandomRules rules_about(const std::vector<std::uint64_t>& inputs,
                                  const lockstep::RandomRules& rules, const Graph& graph,
                                  Diagnostics& diagnostics) {
    const auto has = [&](std::uint64_t element) {
        return std::binary_search(inputs.begin(), inputs.end(), element);
    };
    for (const lockstep::RandomRules::Assumption& each : rules.assumptions) {
        const auto other = std::find_if_not(each.elements.begin(), each.elements.end(), has);
        if (other != each.elements.end() &&
            std::any_of(each.elements.begin(), each.elements.end(), has))
            diagnostics.add(
                Code::unknown_name, each.where,
                fmt::format("'{0}' constrains random inputs, but '{1}' is not one of its clock in "
                            "this run; its value in the cycle before is 'past({1})'",
                            each.text, graph.bus_name(*other)));
    }
    return lockstep::about(rules, inputs, graph);
}

} // namespace

bool add_assumption(const yaml::Assumed& assumed, bool needed, const expr::ModuleView& network,
                    const Graph& graph, lockstep::RandomRules& rules, Diagnostics& diagnostics) {
    auto built = AssumptionBuilder{network, graph, diagnostics}.build(assumed);
    if (!built)
        return false;
    if (built->elements.empty()) {
        diagnostics.add(Code::unknown_name, assumed.where,
                        "an assumption is about inputs, but this names none outside 'past'");
        return false;
    }
    built->needed = needed;
    rules.assumptions.push_back(std::move(*built));
    Ranges{network, graph, rules}.narrow(*assumed.condition);
    return true;
}

void feed_random_inputs(yaml::Design& design, const lockstep::RandomRules& rules,
                        std::uint64_t seed, Diagnostics& diagnostics) {
    Graph& graph = design.graph;
    for (const yaml::RandomInputs& inputs : design.random_inputs) {
        ProcessFamily& process = graph.processes[inputs.family];
        std::vector<std::uint64_t> elements;
        for (const Port& port : process.ports)
            elements.push_back(static_cast<std::uint64_t>(port.buses.at(0)));
        std::sort(elements.begin(), elements.end());
        lockstep::RandomRules own = rules_about(elements, rules, graph, diagnostics);
        for (const yaml::RandomInputs::Stream& stream : inputs.streams) {
            own.handshakes.push_back({stream.element, stream.valid, stream.ready});
            if (stream.channel)
                own.ranges.push_back({stream.element, stream.valid, 1, 1});
        }
        if (diagnostics.has_errors())
            return;
        lockstep::RandomRows first{graph, elements, own, seed};
        first.draw(std::vector<bool>(elements.size())); // the feeder reports a failure
        for (std::size_t p = 0; p < elements.size(); ++p)
            if (!graph.family_of(elements[p]).wire())
                lockstep::set_initial(graph, elements[p], first.value(p));
        ProcessFamily feeder = lockstep::ruled_feeder_of(graph, elements, own, process.name);
        feeder.declared = process.declared;
        feeder.input = true;
        for (Port& port : feeder.ports) {
            port.domain = inputs.domain;
            port.declared = process.declared;
        }
        feeder.kind = lockstep::random_feeder(std::move(elements), std::move(own), seed,
                                              graph.rate_of(inputs.domain));
        process = std::move(feeder);
    }
}

} // namespace sme::session
