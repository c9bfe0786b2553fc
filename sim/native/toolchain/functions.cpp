// SPDX-License-Identifier: Apache-2.0
#include "native/toolchain/functions.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "native/ir/routine.hpp"
#include "native/toolchain/c_module.hpp"

namespace sme::native {

std::string Functions::unique(const std::string& wanted) {
    std::string name = wanted;
    for (unsigned k = 2; !names_.insert(name).second; ++k)
        name = fmt::format("{}_{}", wanted, k);
    return name;
}

std::uint32_t Functions::add(std::string name, std::string text) {
    all_.push_back({std::move(name), std::move(text)});
    return static_cast<std::uint32_t>(all_.size() - 1);
}

std::uint32_t Functions::share(const Subject& subject, const std::string& body) {
    const auto [known, fresh] = known_.try_emplace(body);
    if (!fresh)
        return known->second;
    const std::string name = unique(c_name(subject.family.name) + "_"); // no local has such a name
    std::string text = body;
    for (std::size_t at = 0; (at = text.find('@', at)) != std::string::npos; at += name.size())
        text.replace(at, 1, name);
    // without its place: the compiled code remains valid when the file moves or its lines do
    known->second = add(name, fmt::format("\n/* {} */\n{}", subject.family.name, text));
    return known->second;
}

void Functions::cut(std::uint32_t count) {
    all_.resize(count);
    std::erase_if(known_, [&](const auto& known) { return known.second >= count; });
}

std::size_t Functions::bytes() const {
    std::size_t sum = 0;
    for (const CFunction& function : all_)
        sum += function.text.size();
    return sum;
}

void CFiles::place(CFunction& function, std::uint32_t number) {
    if (function.file != CFunction::no_file)
        return;
    const std::size_t bytes = function.text.size();
    if (bytes > left_) {
        if (!files_.back().empty())
            files_.emplace_back();
        left_ = file_bytes_;
    }
    function.file = static_cast<std::uint32_t>(files_.size() - 1);
    files_.back().push_back(number);
    left_ -= std::min(bytes, left_);
}

// The functions of a C module that run whole cycles.

bool CModule::can_be_whole_cycles() const {
    return !steps_.empty() &&
           steps_.size() <= CycleKernelWriter::max_statements && // otherwise too many to analyse
           std::none_of(steps_.begin(), steps_.end(), [&](const ScheduledStep& step) {
               return has_loops(step); // a call per step is cheap compared with its loops
           });
}

void CModule::write_cycle_kernels(const Graph& graph) {
    if (!can_be_whole_cycles())
        return;
    ThreadShares all{{{}}, {}, 1};
    for (std::uint32_t k = 0; k < steps_.size(); ++k)
        all.pieces[0].push_back({k, steps_[k].range});
    add_cycle_kernels(graph, all);
    if (options_.threads.count <= 1)
        return;
    // functions that only cycle kernels call are in the file of the one above
    const auto waits = [&](const ScheduledStep& step) {
        return waits_in_whole_cycles(graph, step);
    };
    if (large_ && std::any_of(steps_.begin(), steps_.end(), waits))
        return;
    if (const auto shares = share_out(graph, steps_, wires_begin_, options_.threads))
        add_cycle_kernels(graph, *shares);
}

/// True if a step writes memories that must wait only because a cycle may stop.
bool CModule::waits_in_whole_cycles(const Graph& graph, const ScheduledStep& step) const {
    const FamilyPlan* const plan = family(step.family);
    if (!plan || step.part >= plan->parts.size())
        return false;
    const Subject subject{graph.processes[plan->family], *plan->group};
    return !are_single(subject, step) && plan->parts[step.part].shape.stepwise &&
           !subject.commits_later;
}

PartPlan CModule::waiting_plan(const Graph& graph, const ScheduledStep& step) {
    Subject subject{graph.processes[step.family], *family(step.family)->group};
    subject.commits_later = true;
    subject.steady = nullptr; // whole cycles skip no instances
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
    CycleKernels result{{}, shares.largest};
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
        result.threads.push_back(std::move(plan));
    }
    cycle_kernels_.push_back(std::move(result));
}

bool CModule::has_loops(const ScheduledStep& step) const {
    if (const FamilyPlan* const plan = family(step.family))
        return step.part < plan->parts.size() && plan->parts[step.part].shape.loops;
    const auto* const results = abilities_of(step.group).results;
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
        Subject subject{graph.processes[plan->family], *plan->group};
        if (!can_link(subject, step))
            return false;
        if (waits_in_whole_cycles(graph, step)) {
            subject.commits_later = true;
            kernel.add(subject, waiting_plan(graph, step), step);
        } else
            kernel.add(subject, part, step);
        return true;
    }
    const Abilities group = abilities_of(step.group);
    if (group.results)
        kernel.add(*group.results, graph.processes[step.family], step.family);
    else if (group.models && group.models->is_callable())
        kernel.add(*group.models, step, number);
    else if (group.copies)
        kernel.add(group.copies->copy_plan(), step, number);
    else
        return false;
    return true;
}

} // namespace sme::native
