// SPDX-License-Identifier: Apache-2.0
#include "native/unit.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "native/prelude.hpp"

namespace sme::native {

Unit::Unit(const Graph& graph, const std::vector<Group*>& groups, std::uint64_t wires_begin,
           std::vector<ScheduledStep> steps)
    : wires_begin_{wires_begin}, steps_{std::move(steps)} {
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
        if (auto* const group = dynamic_cast<interpret::ProgramGroup*>(groups[f]))
            add({graph.processes[f], *group}, f, *group);
        else if (const auto* const results = dynamic_cast<interpret::ResultsGroup*>(groups[f]))
            write_results({graph.processes[f], *results}, f);
    write_rows(graph);
    write_lap(graph);
    text_ = fmt::format("/* network {} */\n\n{}\n{}{}", graph.name, prelude(), tables_.text(),
                        functions_);
}

void Unit::add(const Subject& subject, std::uint32_t family, interpret::ProgramGroup& group) {
    FamilyPlan made{family, &group, {}};
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
        KernelText kernel = write_kernel(subject, part, made.pieces, pattern, may_alias, tables_);
        made.functions.push_back({function(subject, kernel.body), std::move(kernel.data)});
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
    const bool reads = std::any_of(text.nodes.begin(), text.nodes.end(), [&](expr::NodeId id) {
        return program.nodes[id].op == expr::Op::load && is_wire(program.nodes[id].a);
    });
    return reads && std::any_of(text.stores.begin(), text.stores.end(),
                                [&](const expr::Store& store) { return is_wire(store.port); });
}

void Unit::write_results(const Subject& subject, std::uint32_t family) {
    RowWriter row{unique(fmt::format("results_{}", results_.size() + 1)), 0, wires_begin_, tables_};
    row.add_results(subject, family);
    functions_ += fmt::format(
        "\n/* what {} at */\n{}",
        subject.family.file.empty() ? "checks look" : subject.family.file + " looks", row.text());
    results_.emplace_back(family, row.plan());
}

const FamilyPlan* Unit::family(std::uint32_t number) const {
    const auto found =
        std::find_if(families_.begin(), families_.end(),
                     [&](const FamilyPlan& family) { return family.family == number; });
    return found == families_.end() ? nullptr : &*found;
}

/// As many steps behind each other as can be; a step of one's own is called as well without.
void Unit::write_rows(const Graph& graph) {
    constexpr std::size_t most_statements = 20'000; // of all rows
    std::size_t left = most_statements;
    std::optional<RowWriter> row;
    const auto finish = [&] {
        if (row && row->steps() > 0) {
            functions_ += fmt::format("\n/* what follows in a cycle on one thread: steps {} to {} "
                                      "*/\n{}",
                                      row->plan().first, row->plan().end - 1, row->text());
            rows_.push_back(row->plan());
        }
        row.reset();
    };
    for (std::uint32_t k = 0; k < steps_.size(); ++k) {
        const ScheduledStep& step = steps_[k];
        const FamilyPlan* const plan = family(step.family);
        if (!plan) {
            finish();
            continue;
        }
        const Subject subject{graph.processes[plan->family], *plan->group};
        const PartPlan* const part =
            step.part < plan->parts.size() ? &plan->parts[step.part] : nullptr;
        const std::size_t size = RowWriter::size(subject, part, step);
        if (size == 0 || size > left) {
            finish();
            continue;
        }
        if (!row)
            row.emplace(unique(fmt::format("row_{}", rows_.size() + 1)), k, wires_begin_, tables_);
        if (part)
            row->add(subject, *part, step);
        else
            row->add_commit(subject, plan->family);
        left -= size;
    }
    finish();
}

/// All steps of a cycle, or none: one that nobody could write makes a lap impossible.
void Unit::write_lap(const Graph& graph) {
    if (steps_.size() > LapWriter::most_statements)
        return; // too many to look at, before a statement is written
    LapWriter lap{unique("lap"), wires_begin_, tables_};
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
            return;
    if (steps_.empty())
        return;
    functions_ += "\n/* whole cycles on one thread */\n" + lap.text();
    lap_ = lap.plan();
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

/// A name that no function has so far.
std::string Unit::unique(const std::string& wanted) {
    std::string name = wanted;
    for (unsigned k = 2; !names_.insert(name).second; ++k)
        name = fmt::format("{}_{}", wanted, k);
    return name;
}

/// The name of a function with a body, which is written when it is new.
std::string Unit::function(const Subject& subject, const std::string& body) {
    const auto [known, fresh] = known_.try_emplace(body);
    if (!fresh)
        return known->second;
    std::string name = unique(c_name(subject.family.name) + "_"); // no local is
    known->second = name;
    std::string text = body;
    for (std::size_t at = 0; (at = text.find("NAME", at)) != std::string::npos; at += name.size())
        text.replace(at, 4, name);
    functions_ += fmt::format("\n/* {}: {} */\n{}", subject.family.name,
                              describe(subject.family.declared), text);
    return name;
}

} // namespace sme::native
