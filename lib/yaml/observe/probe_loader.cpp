// SPDX-License-Identifier: Apache-2.0
//
// Expressions that are not in the file: observers of their values.
#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/syntax/parser.hpp"
#include "yaml/observe/observer_scope.hpp"

namespace sme::yaml {

namespace {

using expr::Value;

/// A unit that holds a family of processes, and the scope that it stands in.
struct Found {
    Context* context = nullptr;
    const Unit* unit = nullptr;
};

Found find_unit(Context& context, std::size_t family);

Found find_unit(Context& context, const Unit& unit, std::size_t family) {
    if (unit.family == family)
        return {&context, &unit};
    for (const Unit& group : unit.groups)
        if (const Found found = find_unit(context, group, family); found.unit)
            return found;
    return unit.inside ? find_unit(*unit.inside, family) : Found{};
}

Found find_unit(Context& context, std::size_t family) {
    for (const auto& [name, unit] : context.members)
        if (const Found found = find_unit(context, unit, family); found.unit)
            return found;
    return {};
}

expr::Text text_of(const std::string& written) {
    expr::Text text{std::make_shared<Source>("expression", written), written, {}};
    for (std::uint32_t k = 0; k <= written.size(); ++k)
        text.offsets.push_back(k);
    return text;
}

/// The value with a type of its own; broken, and reported, when it has none.
Value value_of(const expr::Ast& ast, expr::Elaborator& elaborator) {
    Value value = elaborator.loaded(elaborator.evaluate(ast), ast.where);
    if (value.kind == Value::Kind::long_number)
        return elaborator.fail(Code::needs_type, ast.where,
                               "the type of this is not known; write it, as in u256(...)");
    if (!value.is_exact())
        return value;
    const auto type = expr::scalar_between(value.low, value.high);
    return type ? elaborator.fit(value,
                                 type->is_signed ? Type::signed_integer(type->width_bits)
                                                 : Type::unsigned_integer(type->width_bits),
                                 ast.where, "this")
                : value;
}

class ProbeLoader {
public:
    ProbeLoader(Context& network, std::size_t number)
        : network_{network}, written_{network.loading.options.probes[number]}, number_{number} {
        builder_.loops().from = network.loading.options.loops_from;
        observer_.name = fmt::format("probe {}", number);
        observer_.observer = true;
        observer_.helper = true;
        observer_.declared = text_of(written_.text).all();
    }

    void run() {
        const expr::AstRef ast =
            expr::parse_expression(text_of(written_.text), network_.diagnostics);
        if (!ast)
            return;
        if (!written_.family)
            return load(*ast, ObserverScope{network_, 0, ports_});
        const Found found = find_unit(network_, *written_.family);
        if (!found.unit || !found.unit->text)
            return load(*ast, ObserverScope{network_, 0, ports_});
        const std::uint64_t all = network_.design.graph.processes[*written_.family].count;
        const std::uint64_t each = all / found.context->around.count();
        load(*ast, ObserverScope{*found.context, written_.instance / each, ports_, *found.unit,
                                 written_.instance});
    }

private:
    void load(const expr::Ast& ast, ObserverScope&& scope) {
        scope.remember();
        const Value value = value_of(ast, scope.elaborator());
        if (network_.diagnostics.has_errors() || !value.ok())
            return;
        if (value.kind != Value::Kind::typed) {
            network_.diagnostics.add(Code::needs_type, ast.where,
                                     "this is no single value; write an index, a field or a state");
            return;
        }
        auto probe = std::make_shared<expr::Probe>();
        probe->type = value.type;
        probe->reads_wire = ports_.reads_wire(value.leaves);
        std::vector<expr::Root> results;
        for (const expr::NodeId leaf : value.leaves)
            results.push_back({leaf});
        finish_observer(ports_, results, probe->program, observer_);
        for (const Memory& memory : observer_.memories)
            probe->remembers += memory.words;
        if (!network_.kinds.probe)
            return;
        observer_.kind = network_.kinds.probe(std::move(probe), number_);
        network_.design.graph.processes.push_back(std::move(observer_));
    }

    Context& network_;
    const ProbeText& written_;
    std::size_t number_;
    ProcessFamily observer_;
    expr::Builder builder_;
    ObserverPorts ports_{network_.design.graph, builder_, observer_};
};

} // namespace

void load_probes(Context& network) {
    for (std::size_t k = 0; k < network.loading.options.probes.size(); ++k)
        ProbeLoader{network, k}.run();
}

} // namespace sme::yaml
