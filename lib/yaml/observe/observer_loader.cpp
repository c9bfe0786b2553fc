// SPDX-License-Identifier: Apache-2.0
//
// outputs: observers that record rows.
#include <filesystem>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/data/input_row.hpp"
#include "yaml/observe/observer_scope.hpp"
#include "yaml/scope/domains.hpp"

namespace sme::yaml {

namespace {

ProcessFamily observer_named(const std::string& name, const Location& where) {
    ProcessFamily observer;
    observer.name = name;
    observer.observer = true;
    observer.declared = where;
    return observer;
}

/// Returns the alternatives to the header 'value' of a file with one column: the recorded
/// expression, or the file's name.
std::vector<std::vector<std::string>> also_headed(const expr::Recording& recording,
                                                  const std::string& record) {
    return {{record}, {std::filesystem::path{recording.path}.stem().string()}};
}

void read_expected(const Word& file_name, const std::string& record, expr::Recording& recording,
                   Context& context) {
    recording.has_expected = true;
    const auto path = context.initials.path_to_read(file_name.text, file_name.where);
    if (!path)
        return;
    recording.expected_path = *path;
    auto file = read_data(recording.expected_path, file_name.where, context.diagnostics);
    if (!file)
        return;
    const DataColumns columns{recording.columns, recording.types, also_headed(recording, record)};
    if (!settle_header(*file, columns, "a recorded row has", context.diagnostics) ||
        !context.spend(20 * file->values.size(), file_name.where))
        return;
    for (std::size_t r = 0; r < file->row_count(); ++r)
        if (!add_row(*file, r, columns, "a recorded row has", recording.expected.emplace_back(),
                     context.diagnostics))
            return;
}

/// Reads the number of rows that ends the run.
void read_halt_after(const OutputSyntax& output, expr::Elaborator& elaborator,
                     expr::Recording& recording, Context& context) {
    const Location& where = output.halt_after->where;
    const bool expected = !output.rows;
    if (expected && !recording.has_expected) {
        context.diagnostics.add(Code::missing_key, where,
                                "'halt_after: expect' needs a key 'expect': the file whose rows "
                                "are counted");
        return;
    }
    const std::optional<Integer> count =
        expected ? Integer{recording.expected.size()}
                 : elaborator.constant(*output.rows, "the number of rows");
    if (!count || context.diagnostics.has_errors())
        return;
    if (*count < 1 || *count > Integer{1} << 62) {
        context.diagnostics.add(
            Code::bad_cycles, where,
            fmt::format("a run halts after 1 to 2^62 rows, but this is {}", to_string(*count)));
        return;
    }
    recording.halt_after = static_cast<std::uint64_t>(*count);
    context.design.ends_by_itself = true;
}

/// Returns all members of a family as one array, with a column "y[0].a" for each scalar; a broken
/// value after reporting an error.
expr::BoundExpr whole_family(const expr::BoundExpr& family, const std::string& name,
                             expr::Elaborator& elaborator, const Location& where,
                             DataColumns& columns) {
    std::uint64_t count = 1;
    for (const std::uint64_t each : family.family()->counts)
        count *= each;
    TypeRef type;
    std::vector<expr::NodeId> leaves;
    for (std::uint64_t k = 0; k < count; ++k) {
        if (leaves.size() > expr::Elaborator::max_leaves)
            return elaborator.fail(
                Code::too_large, where,
                fmt::format("a row can have at most {} values", expr::Elaborator::max_leaves));
        const expr::BoundExpr member = elaborator.loaded(family.family()->element(k, where), where);
        if (!member.ok())
            return {};
        type = member.type;
        std::string indices;
        std::uint64_t rest = k;
        for (std::size_t d = family.family()->counts.size(); d-- > 0;) {
            const std::uint64_t at = rest % family.family()->counts[d];
            indices = fmt::format(
                "[{}]{}", family.family()->lows[d] + static_cast<std::int64_t>(at), indices);
            rest /= family.family()->counts[d];
        }
        for (const Leaf& scalar : type->scalars())
            columns.add(scalar, name + indices, name);
        leaves.insert(leaves.end(), member.leaves.begin(), member.leaves.end());
    }
    for (std::size_t d = family.family()->counts.size(); d-- > 0;)
        type = Type::array(type, family.family()->counts[d]);
    return expr::BoundExpr::of(type, std::move(leaves));
}

/// Returns the value of a row, with a known type; a broken value after reporting an error.
expr::BoundExpr recorded_value(const OutputSyntax& output, expr::Elaborator& elaborator,
                               DataColumns& columns) {
    const Location& where = output.record.where;
    const expr::Ast& ast = *output.record.ast;
    expr::BoundExpr value =
        output.record.text ? elaborator.evaluate(ast) : value_of(ast, elaborator);
    if (value.form == expr::Form::family && value.family()->what == "bus")
        return whole_family(value, output.record_text, elaborator, where, columns);
    value = elaborator.loaded(std::move(value), where);
    if (value.form == expr::Form::long_number)
        return elaborator.fail(Code::needs_type, where,
                               "the type of the recorded value is not known; write it, as in "
                               "u256(...)");
    if (!value.is_exact())
        return value;
    const auto type = expr::scalar_between(value.low, value.high);
    return type ? elaborator.fit(std::move(value),
                                 type->is_signed ? Type::signed_integer(type->width_bits)
                                                 : Type::unsigned_integer(type->width_bits),
                                 where, "what is recorded")
                : value;
}

void load_output(const OutputSyntax& output, Context& context) {
    const auto& [path, where] = output.path;
    auto recording = std::make_shared<expr::Recording>();
    recording->path = written_path(path, context);
    recording->where = where;
    ProcessFamily observer = observer_named(fmt::format("output {}", path), where);
    observer.file = path;
    expr::Builder builder;
    builder.loops().from = context.loading.options.loops_from;
    ObserverPorts ports{context.design.graph, builder, observer};
    ObserverScope scope{context, 0, ports};
    expr::Elaborator& elaborator = scope.elaborator();
    DataColumns columns;
    const expr::BoundExpr value = recorded_value(output, elaborator, columns);
    auto condition =
        output.when ? elaborator.condition(*output.when, "'when'") : builder.boolean(true);
    const auto domain = output.domain ? find_domain(*output.domain, context) : no_domain;
    if (!value.ok() || value.form != expr::Form::typed || !condition || !domain)
        return;
    if (const ClockRate rate = steps_in(*domain, context); !rate.is_every_cycle())
        condition =
            builder.operation(expr::Op::logical_and, {1, false}, builder.rises(rate), *condition);
    if (columns.names.empty())
        for (const Leaf& scalar : value.type->scalars())
            columns.add(scalar, "", "value");
    recording->type = value.type;
    recording->columns = std::move(columns.names);
    recording->types = std::move(columns.types);
    std::vector<expr::Root> results;
    for (const expr::NodeId leaf : value.leaves)
        results.push_back({leaf, *condition});
    results.push_back({*condition});
    std::vector<expr::NodeId> nodes = value.leaves;
    nodes.push_back(*condition);
    recording->reads_wire = ports.reads_wire(nodes);
    if (output.expect)
        read_expected(*output.expect, output.record_text, *recording, context);
    if (output.halt_after)
        read_halt_after(output, elaborator, *recording, context);
    if (context.diagnostics.has_errors())
        return;
    finish_observer(ports, results, recording->program, observer);
    observer.kind = context.kinds.recording(recording);
    context.design.recordings.push_back(std::move(recording));
    context.design.graph.processes.push_back(std::move(observer));
}

/// Returns the first location of a name in an expression, which may be very deep.
Location place_of(const std::string& name, const expr::Ast& expression) {
    std::vector<const expr::Ast*> waiting{&expression};
    while (!waiting.empty()) {
        const expr::Ast& ast = *waiting.back();
        waiting.pop_back();
        if (ast.kind == expr::Ast::Kind::name && ast.text == name)
            return ast.where;
        for (auto operand = ast.operands.rbegin(); operand != ast.operands.rend(); ++operand)
            if (*operand)
                waiting.push_back(operand->get());
    }
    return expression.where;
}

} // namespace

/// Checks assumptions. Generators of random values evaluate them; here they only need to be
/// conditions on buses.
void check_assumptions(const std::vector<RequirementSyntax>& section, Context& context) {
    ProcessFamily nobody = observer_named("assumptions", {});
    expr::Builder builder;
    ObserverPorts ports{context.design.graph, builder, nobody};
    std::vector<std::string> refused;
    for (const RequirementSyntax& each : section) {
        ObserverScope scope{context, 0, ports};
        scope.keep_to_buses(refused);
        scope.remember();
        refused.clear();
        scope.elaborator().condition(*each.ast, "an assumption");
        for (const std::string& name : refused)
            context.diagnostics.add(
                Code::unknown_name, place_of(name, *each.ast),
                fmt::format("an assumption is about buses in any cycle, but '{}' is {}; write a "
                            "condition on buses alone",
                            name, name == "cycle" ? "the number of one" : "no bus"));
    }
}

void load_outputs(const std::vector<OutputSyntax>& section, Context& context) {
    for (const OutputSyntax& output : section)
        load_output(output, context);
}

} // namespace sme::yaml
