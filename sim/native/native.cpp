// SPDX-License-Identifier: Apache-2.0
#include "native/native.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::native {

bool Native::load(std::size_t file, std::shared_ptr<const Object> object, std::string& problem) {
    for (const std::uint32_t number : unit_.files()[file])
        if (const std::string& name = unit_.function(number).name; !object->kernel(name)) {
            problem = fmt::format("there is no function '{}'", name);
            return false;
        }
    objects_[file] = std::move(object);
    load_families();
    load_results();
    load_rows();
    load_lap();
    return true;
}

Kernel Native::kernel(std::uint32_t function) const {
    const CFunction& found = unit_.function(function);
    return objects_[found.file]->kernel(found.name);
}

/// Those whose functions are all there.
void Native::load_families() {
    const auto is_complete = [&](const FamilyPlan& family) {
        return std::all_of(family.parts.begin(), family.parts.end(), [&](const PartPlan& part) {
            return std::all_of(part.functions.begin(), part.functions.end(),
                               [&](const auto& made) { return is_loaded(made.number); });
        });
    };
    std::erase_if(waiting_, [&](const FamilyPlan* family) {
        if (!is_complete(*family))
            return false;
        auto& made = groups_[family->family];
        made = std::make_unique<NativeGroup>(
            *family, [&](const PartPlan::Function& function) { return kernel(function.number); });
        fresh_.emplace_back(family->family, made.get());
        return true;
    });
}

void Native::load_results() {
    std::erase_if(waiting_results_, [&](const ResultsPlan* plan) {
        if (!is_loaded(plan->row.function))
            return false;
        auto& group = dynamic_cast<interpret::ResultsGroup&>(*groups_of_network_[plan->family]);
        results_.push_back(
            std::make_unique<NativeResults>(plan->row, kernel(plan->row.function), group));
        group.evaluator().exchange(
            [steps = results_.back().get()](const Frame& frame, std::vector<std::uint64_t>& values,
                                            std::vector<interpret::PendingWrite>* pending) {
                return steps->run(frame, values, pending);
            });
        return true;
    });
}

/// Whether native code steps what a step runs, if it is a YAML process.
bool Native::is_native(const ScheduledStep& step) const {
    return step.family >= groups_of_network_.size() || groups_.contains(step.family) ||
           !dynamic_cast<interpret::ProgramGroup*>(groups_of_network_[step.family]);
}

/// Whether a row can run. The code of a single process stands in the row: it needs its native group
/// only for memory writes that wait.
bool Native::is_complete(const RowPlan& plan) const {
    const auto from = unit_.steps().begin();
    return is_loaded(plan.function) &&
           std::all_of(from + plan.first, from + plan.end, [&](const ScheduledStep& step) {
               if (is_native(step))
                   return true;
               const auto& group =
                   dynamic_cast<interpret::ProgramGroup&>(*groups_of_network_[step.family]);
               return !group.commits_later() &&
                      are_single({graph_.processes[step.family], group}, step);
           });
}

std::size_t Native::families() const {
    std::map<std::uint32_t, bool> native; // of those in rows: whether all steps are
    for (const FamilyPlan* const plan : waiting_)
        native[plan->family] = !unit_.steps().empty();
    std::vector<bool> in_row(unit_.steps().size());
    for (std::size_t k = 0; k < rows_.size(); ++k)
        if (rows_[k].kernel)
            std::fill(in_row.begin() + unit_.rows()[k].first, in_row.begin() + unit_.rows()[k].end,
                      true);
    for (std::size_t k = 0; k < in_row.size(); ++k)
        if (const auto found = native.find(unit_.steps()[k].family); found != native.end())
            found->second = found->second && in_row[k];
    return groups_.size() +
           static_cast<std::size_t>(std::count_if(native.begin(), native.end(),
                                                  [](const auto& one) { return one.second; }));
}

/// Where something lies that rows and laps find behind `data`.
std::byte* Native::pointer(const FamilyData::Entry& entry) const {
    if (entry.datum.kind == Datum::Kind::function)
        return reinterpret_cast<std::byte*>(kernel(entry.datum.number));
    if (const auto found = groups_.find(entry.family); found != groups_.end())
        return found->second->pointer(entry.datum);
    Group& group = *groups_of_network_[entry.family];
    if (const auto* const program = dynamic_cast<interpret::ProgramGroup*>(&group))
        return pointer_of(program->program(), program->places(), entry.datum);
    const auto& results = dynamic_cast<interpret::ResultsGroup&>(group);
    return pointer_of(results.program(), results.places(), entry.datum);
}

void Native::load_rows() {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        const RowPlan& plan = unit_.rows()[k];
        LoadedRow& row = rows_[k];
        if (row.kernel || !is_complete(plan))
            continue;
        row.kernel = kernel(plan.function);
        row.steps = plan.end - plan.first;
        for (const FamilyData::Entry& entry : plan.data)
            row.data.push_back(pointer(entry));
        for (const std::uint32_t family : plan.commits)
            row.commits.push_back(groups_.at(family).get());
        fresh_rows_ = true;
    }
}

void Native::load_lap() {
    const LapPlan& plan = unit_.lap();
    const auto is_there = [&](const ScheduledStep& step) { return is_native(step); };
    if (lap_ || plan.name.empty() || !is_loaded(plan.function) ||
        !std::all_of(unit_.steps().begin(), unit_.steps().end(), is_there))
        return;
    lap_ =
        std::make_unique<NativeLap>(plan, kernel(plan.function), groups_of_network_, unit_.steps(),
                                    [&](const FamilyData::Entry& entry) { return pointer(entry); });
}

std::uint32_t Native::run_row(std::size_t number, const Frame& frame) const {
    const LoadedRow& row = rows_[number];
    for (const NativeGroup* group : row.commits)
        if (group->has_left())
            return 0;
    const Block block{frame.read, frame.write, frame.cycle,     0,      0, 0,
                      nullptr,    nullptr,     row.data.data(), nullptr};
    const std::uint64_t stopped = row.kernel(&block);
    return stopped == 0 ? row.steps : static_cast<std::uint32_t>(stopped - 1);
}

} // namespace sme::native
