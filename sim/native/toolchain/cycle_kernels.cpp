// SPDX-License-Identifier: Apache-2.0
//
// The functions of a C module that run whole cycles.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "native/toolchain/c_module.hpp"

namespace sme::native {

bool CModule::can_be_whole_cycles() const {
    return !steps_.empty() &&
           steps_.size() <= CycleKernelWriter::max_statements && // otherwise too many to analyse
           std::none_of(steps_.begin(), steps_.end(), [&](const ScheduledStep& step) {
               return has_loops(step); // a call per step is cheap compared with its loops
           });
}

void CModule::write_cycle_kernels(const Graph& graph, unsigned threads) {
    if (!can_be_whole_cycles())
        return;
    ThreadShares all{{{}}, {}, 1};
    for (std::uint32_t k = 0; k < steps_.size(); ++k)
        all.pieces[0].push_back({k, steps_[k].range});
    add_cycle_kernels(graph, all);
    if (threads == 1)
        return;
    // functions that only cycle kernels call are in the file of one of them
    const auto waits = [&](const ScheduledStep& step) {
        return waits_in_whole_cycles(graph, step);
    };
    if (large_ && std::any_of(steps_.begin(), steps_.end(), waits))
        return;
    if (const auto shares = share_out(graph, steps_, wires_begin_, threads))
        add_cycle_kernels(graph, *shares);
}

/// True if a step writes memories that must wait only because a cycle may stop.
bool CModule::waits_in_whole_cycles(const Graph& graph, const ScheduledStep& step) const {
    const FamilyPlan* const plan = family(step.family);
    if (!plan || step.part >= plan->parts.size() || !plan->parts[step.part].written)
        return false;
    const Subject subject{graph.processes[plan->family], *plan->group};
    return !are_single(subject, step) && plan->parts[step.part].shape.stepwise &&
           !subject.commits_later;
}

PartPlan CModule::waiting_plan(const Graph& graph, const ScheduledStep& step) {
    Subject subject{graph.processes[step.family], *family(step.family)->group};
    subject.commits_later = true;
    return plan(subject, step.part);
}

/// Writes all steps of a cycle; if one step cannot be written, writes no cycle kernels.
void CModule::add_cycle_kernels(const Graph& graph, const ThreadShares& shares) {
    const std::uint32_t before = functions_.size();
    KernelTeam team{static_cast<unsigned>(shares.pieces.size()), shares.common};
    std::vector<std::unique_ptr<CycleKernelWriter>> writers;
    for (const auto& pieces : shares.pieces) {
        const std::string name = functions_.unique("cycle_kernel");
        writers.push_back(
            std::make_unique<CycleKernelWriter>(name, wires_begin_, functions_.tables(), team));
        for (const ThreadShares::Piece& piece : pieces)
            if (!add_to_cycle_kernel(graph, piece, *writers.back()) || !writers.back()->is_fit())
                return functions_.cut(before);
        team.may_stop = team.may_stop || writers.back()->may_stop();
        team.has_edges = team.has_edges || writers.back()->has_edges();
    }
    CycleKernels made{{}, shares.largest};
    for (std::size_t k = 0; k < writers.size(); ++k) {
        const std::optional<std::string> text = writers[k]->text();
        if (!text)
            return functions_.cut(before);
        CycleKernelPlan plan = writers[k]->plan();
        plan.function = functions_.add(
            plan.name, team.threads == 1
                           ? "\n/* whole cycles on one thread */\n" + *text
                           : fmt::format("\n/* whole cycles on thread {} of {} */\n{}", k + 1,
                                         team.threads, *text));
        made.threads.push_back(std::move(plan));
    }
    cycle_kernels_.push_back(std::move(made));
}

bool CModule::has_loops(const ScheduledStep& step) const {
    if (const FamilyPlan* const plan = family(step.family))
        return step.part < plan->parts.size() && plan->parts[step.part].shape.loops;
    const auto* const results = dynamic_cast<interpret::ResultsGroup*>(step.group);
    return results && shape_of(results->program().parts[0]).loops;
}

bool CModule::add_to_cycle_kernel(const Graph& graph, const ThreadShares::Piece& piece,
                                  CycleKernelWriter& kernel) {
    const std::uint32_t number = piece.number;
    ScheduledStep step = steps_[number];
    step.range = piece.range;
    if (const FamilyPlan* const plan = family(step.family)) {
        if (step.part == plan->parts.size())
            return true; // a cycle kernel commits memory writes last
        const PartPlan& part = plan->parts[step.part];
        if (!part.written)
            return false;
        Subject subject{graph.processes[plan->family], *plan->group};
        if (waits_in_whole_cycles(graph, step)) {
            subject.commits_later = true;
            kernel.add(subject, waiting_plan(graph, step), step);
        } else
            kernel.add(subject, part, step);
        return true;
    }
    if (const auto* const results = dynamic_cast<interpret::ResultsGroup*>(step.group)) {
        kernel.add(*results, graph.processes[step.family], step.family);
        return true;
    }
    if (const auto* const models = dynamic_cast<ModelGroup*>(step.group)) {
        if (models->is_callable())
            kernel.add(*models, step, number);
        return models->is_callable();
    }
    auto* const moving = dynamic_cast<CopyingGroup*>(step.group);
    if (moving)
        kernel.add(moving->copy_plan(), step, number);
    return moving != nullptr;
}

} // namespace sme::native
