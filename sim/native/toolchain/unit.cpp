// SPDX-License-Identifier: Apache-2.0
#include "native/toolchain/unit.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "native/emit/prelude.hpp"

namespace sme::native {

namespace {

constexpr std::uint32_t no_plan = ~std::uint32_t{0};
constexpr std::size_t most_statements = 20'000;          // of all rows in one file
constexpr std::size_t most_large_statements = 1'000'000; // of all rows in several
constexpr std::size_t statement_bytes = 56;              // of C, about

/// What an instance takes the interpreter in a cycle.
std::uint64_t operations_of(const expr::PartProgram& part) {
    return part.nodes.size() + part.stores.size() + part.memory_writes.size();
}

/// What all instances take.
std::uint64_t operations_of(const Subject& subject) {
    std::uint64_t sum = 0;
    for (const expr::PartProgram& part : subject.program.parts)
        sum += operations_of(part);
    return sum * subject.places.order.size();
}

} // namespace

Unit::Unit(const Graph& graph, const std::vector<Group*>& groups, std::uint64_t wires_begin,
           std::vector<ScheduledStep> steps, std::size_t file_bytes)
    : network_{graph.name}, wires_begin_{wires_begin}, file_bytes_{file_bytes},
      plan_of_(graph.processes.size(), no_plan), steps_{std::move(steps)}, placed_{file_bytes} {
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
        if (auto* const group = dynamic_cast<interpret::ProgramGroup*>(groups[f]))
            add({graph.processes[f], *group}, f, *group);
        else if (const auto* const results = dynamic_cast<interpret::ResultsGroup*>(groups[f]))
            write_results({graph.processes[f], *results}, f);
    large_ = is_large(graph);
    if (large_)
        place_families();
    else
        placed_.make_one();
    write_rows(graph);
    place_rest();
    write_lap(graph);
    place_rest();
    if (large_)
        weigh_files(graph);
}

void Unit::add(const Subject& subject, std::uint32_t family, interpret::ProgramGroup& group) {
    FamilyPlan made{family, &group, {}, operations_of(subject)};
    plan_of_[family] = static_cast<std::uint32_t>(families_.size());
    for (unsigned part = 0; part < group.program().parts.size(); ++part)
        made.parts.push_back(group.counts(part) ? PartPlan{} : plan(subject, part));
    families_.push_back(std::move(made));
}

PartPlan Unit::plan(const Subject& subject, unsigned part) {
    const expr::Program& program = subject.program;
    PartPlan made;
    made.written = true;
    made.shape = shape_of(program.parts[part]);
    made.pieces = Pieces::of(program, program.parts[part], subject.places);
    const bool may_alias = aliases(subject, part);
    for (const Pattern& pattern : made.pieces.patterns) {
        KernelText kernel =
            write_kernel(subject, part, made.pieces, pattern, may_alias, functions_.tables());
        const std::uint32_t number = functions_.share(subject, kernel.body);
        made.functions.push_back({number, functions_[number].name, std::move(kernel.data),
                                  large_ && functions_[number].file != CFunction::no_file});
    }
    return made;
}

/// Whether the part reads wires and writes wires.
bool Unit::aliases(const Subject& subject, unsigned part) const {
    const expr::Program& program = subject.program;
    const auto is_wire = [&](std::uint32_t port) {
        const auto& runs = subject.places.ports[port].runs();
        return std::any_of(runs.begin(), runs.end(), [&](const Segment& run) {
            return static_cast<std::uint64_t>(run.offset) >= wires_begin_;
        });
    };
    const expr::PartProgram& text = program.parts[part];
    bool reads = false;
    expr::for_each_node(text, [&](expr::NodeId id) {
        reads = reads || (program.nodes[id].op == expr::Op::load && is_wire(program.nodes[id].a));
    });
    return reads && std::any_of(text.stores.begin(), text.stores.end(),
                                [&](const expr::Store& store) { return is_wire(store.port); });
}

void Unit::write_results(const Subject& subject, std::uint32_t family) {
    RowWriter row{functions_.unique(fmt::format("results_{}", results_.size() + 1)), 0,
                  wires_begin_, functions_.tables()};
    row.add_results(subject, family);
    RowPlan plan = row.plan();
    plan.function = functions_.add(
        plan.name,
        fmt::format("\n/* what {} at */\n{}",
                    subject.family.file.empty() ? "checks look" : subject.family.file + " looks",
                    row.text()));
    results_.push_back({family, std::move(plan), operations_of(subject)});
}

const FamilyPlan* Unit::family(std::uint32_t number) const {
    const bool has = number < plan_of_.size() && plan_of_[number] != no_plan;
    return has ? &families_[plan_of_[number]] : nullptr;
}

/// Whether it takes several files. Guessed for rows, whose text depends on it; a lap is short.
bool Unit::is_large(const Graph& graph) const {
    std::size_t statements = 0;
    for (const ScheduledStep& step : steps_)
        statements += row_size(graph, step);
    return functions_.bytes() + std::min(statements, most_statements) * statement_bytes >
           file_bytes_;
}

/// The most expensive first.
void Unit::place_families() {
    struct Placed {
        std::uint64_t operations;
        std::vector<std::uint32_t> functions;
    };
    std::vector<Placed> all;
    for (FamilyPlan& family : families_) {
        Placed& made = all.emplace_back(Placed{family.operations, {}});
        for (PartPlan& part : family.parts)
            for (PartPlan::Function& function : part.functions) {
                made.functions.push_back(function.number);
                function.elsewhere = true;
            }
    }
    for (const ResultsPlan& results : results_)
        all.push_back({results.operations, {results.row.function}});
    std::stable_sort(all.begin(), all.end(), [](const Placed& one, const Placed& other) {
        return one.operations > other.operations;
    });
    for (const Placed& placed : all)
        for (const std::uint32_t function : placed.functions)
            placed_.place(functions_[function], function);
}

/// What has no place yet, in files of its own where there are several.
void Unit::place_rest() {
    placed_.close();
    for (std::uint32_t k = 0; k < functions_.size(); ++k)
        placed_.place(functions_[k], k);
}

/// What each file brings. Single processes that are in rows need their own functions only where
/// several threads run.
void Unit::weigh_files(const Graph& graph) {
    benefits_.resize(files().size());
    std::vector<bool> in_rows(plan_of_.size(), true);
    std::uint32_t next = 0; // step that is looked at
    const auto leave_out = [&](std::uint32_t end) {
        for (; next < end; ++next)
            if (const FamilyPlan* const plan = family(steps_[next].family))
                in_rows[plan->family] = false;
    };
    for (const RowPlan& row : rows_) {
        leave_out(row.first);
        for (; next < row.end; ++next) {
            const ScheduledStep& step = steps_[next];
            const FamilyPlan& plan = *family(step.family);
            const Subject subject{graph.processes[plan.family], *plan.group};
            if (step.part >= plan.parts.size())
                continue;
            if (are_single(subject, step))
                benefits_[functions_[row.function].file].in_rows +=
                    operations_of(subject.program.parts[step.part]) * step.range.count;
            else
                in_rows[plan.family] = false;
        }
    }
    leave_out(static_cast<std::uint32_t>(steps_.size()));
    const auto add = [&](std::uint32_t function, std::uint64_t operations, bool covered) {
        Benefit& benefit = benefits_[functions_[function].file];
        benefit.alone += operations;
        benefit.beside_rows += covered ? 0 : operations;
    };
    for (const FamilyPlan& plan : families_)
        if (!plan.parts.empty() && !plan.parts.back().functions.empty())
            add(plan.parts.back().functions.back().number, plan.operations,
                in_rows[plan.family] && !steps_.empty());
    for (const ResultsPlan& results : results_)
        add(results.row.function, results.operations, false);
}

std::vector<std::size_t> Unit::order(bool one_thread) const {
    std::vector<std::size_t> made(files().size());
    std::iota(made.begin(), made.end(), std::size_t{0});
    if (!large_)
        return made;
    const auto worth = [&](std::size_t file) {
        const Benefit& benefit = benefits_[file];
        return one_thread ? benefit.in_rows + benefit.beside_rows : benefit.alone;
    };
    std::stable_sort(made.begin(), made.end(),
                     [&](std::size_t one, std::size_t other) { return worth(one) > worth(other); });
    return made;
}

/// Statements that a step would be in a row; 0: it cannot be part of one.
std::size_t Unit::row_size(const Graph& graph, const ScheduledStep& step) const {
    const FamilyPlan* const plan = family(step.family);
    if (!plan)
        return 0;
    return RowWriter::size({graph.processes[plan->family], *plan->group},
                           step.part < plan->parts.size() ? &plan->parts[step.part] : nullptr,
                           step);
}

/// As many steps behind each other as can be; a step of one's own is called as well without.
void Unit::write_rows(const Graph& graph) {
    const std::size_t most_in_row =
        large_ ? std::max<std::size_t>(file_bytes_ / statement_bytes, 1) : ~std::size_t{0};
    std::size_t left = large_ ? most_large_statements : most_statements;
    std::optional<RowWriter> row;
    const auto finish = [&] {
        if (row && row->steps() > 0)
            write_row(*row);
        row.reset();
    };
    for (std::uint32_t k = 0; k < steps_.size(); ++k) {
        const ScheduledStep& step = steps_[k];
        const std::size_t size = row_size(graph, step);
        if (size == 0 || size > left || (row && row->statements() + size > most_in_row))
            finish();
        if (size == 0 || size > left)
            continue;
        if (!row)
            row.emplace(functions_.unique(fmt::format("row_{}", rows_.size() + 1)), k, wires_begin_,
                        functions_.tables());
        const FamilyPlan& plan = *family(step.family);
        const Subject subject{graph.processes[plan.family], *plan.group};
        if (step.part < plan.parts.size())
            row->add(subject, plan.parts[step.part], step);
        else
            row->add_commit(subject, plan.family);
        left -= size;
    }
    finish();
}

void Unit::write_row(RowWriter& row) {
    RowPlan plan = row.plan();
    plan.function = functions_.add(
        plan.name, fmt::format("\n/* what follows in a cycle on one thread: steps {} to {} */\n{}",
                               plan.first, plan.end - 1, row.text()));
    rows_.push_back(std::move(plan));
}

/// Writes all steps of a cycle, or no lap when one step cannot be written.
void Unit::write_lap(const Graph& graph) {
    if (steps_.size() > LapWriter::most_statements)
        return; // too many to look at, before a statement is written
    if (std::any_of(steps_.begin(), steps_.end(),
                    [&](const ScheduledStep& step) { return has_loops(step); }))
        return; // a call for each step costs nothing beside its loops
    const std::uint32_t before = functions_.size();
    LapWriter lap{functions_.unique("lap"), wires_begin_, functions_.tables()};
    for (const ScheduledStep& step : steps_)
        if (const FamilyPlan* const plan = family(step.family)) {
            if (step.part < plan->parts.size() && plan->parts[step.part].written)
                lap.look({graph.processes[plan->family], *plan->group}, plan->parts[step.part],
                         step);
        } else if (const auto* const results = dynamic_cast<interpret::ResultsGroup*>(step.group))
            lap.look(*results, graph.processes[step.family], step.family);
    for (std::uint32_t k = 0; k < steps_.size(); ++k) // knows by now what is called
        if (auto* const moving = dynamic_cast<MovingGroup*>(steps_[k].group))
            lap.look(moving->moves(), k);
    lap.end_looking();
    for (std::uint32_t k = 0; k < steps_.size(); ++k)
        if (!add_to_lap(graph, k, lap) || !lap.is_fit())
            return functions_.cut(before);
    if (steps_.empty())
        return;
    lap_ = lap.plan();
    lap_.function = functions_.add(lap_.name, "\n/* whole cycles on one thread */\n" + lap.text());
}

bool Unit::has_loops(const ScheduledStep& step) const {
    if (const FamilyPlan* const plan = family(step.family))
        return step.part < plan->parts.size() && plan->parts[step.part].shape.loops;
    const auto* const results = dynamic_cast<interpret::ResultsGroup*>(step.group);
    return results && shape_of(results->program().parts[0]).loops;
}

bool Unit::add_to_lap(const Graph& graph, std::uint32_t number, LapWriter& lap) {
    const ScheduledStep& step = steps_[number];
    if (const FamilyPlan* const plan = family(step.family)) {
        if (step.part == plan->parts.size())
            return true; // a lap makes memory writes last
        const PartPlan& part = plan->parts[step.part];
        if (!part.written)
            return false;
        Subject subject{graph.processes[plan->family], *plan->group};
        if (are_single(subject, step) || !part.shape.stepwise || subject.commits_later) {
            lap.add(subject, part, step);
            return true;
        }
        subject.commits_later = true;
        lap.add(subject, this->plan(subject, step.part), step);
        return true;
    }
    if (const auto* const results = dynamic_cast<interpret::ResultsGroup*>(step.group)) {
        lap.add(*results, graph.processes[step.family], step.family);
        return true;
    }
    auto* const moving = dynamic_cast<MovingGroup*>(step.group);
    if (moving)
        lap.add(moving->moves(), step, number);
    return moving != nullptr;
}

std::string Unit::text_of(const std::vector<std::uint32_t>& functions) const {
    std::vector<const std::string*> texts;
    for (const std::uint32_t number : functions)
        texts.push_back(&functions_[number].text);
    std::string made = fmt::format("/* network {} */\n\n{}\n{}", network_, prelude(),
                                   functions_.tables().text(texts));
    for (const std::string* const text : texts)
        made += *text;
    return made;
}

std::string Unit::text(std::size_t file) const {
    return text_of(files()[file]);
}

std::string Unit::text() const {
    std::vector<std::uint32_t> all;
    for (const std::vector<std::uint32_t>& file : files())
        all.insert(all.end(), file.begin(), file.end());
    return text_of(all);
}

} // namespace sme::native
