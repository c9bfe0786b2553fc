// SPDX-License-Identifier: Apache-2.0
#include "native/native.hpp"

#include <fmt/format.h>

namespace sme::native {

/// Of all functions that are called.
std::vector<std::string> Native::names() const {
    std::vector<std::string> made;
    for (const FamilyPlan& family : unit_.families())
        for (const PartPlan& part : family.parts)
            for (const PartPlan::Function& function : part.functions)
                made.push_back(function.name);
    for (const auto& [family, row] : unit_.results())
        made.push_back(row.name);
    for (const RowPlan& row : unit_.rows())
        made.push_back(row.name);
    if (!unit_.lap().name.empty())
        made.push_back(unit_.lap().name);
    return made;
}

bool Native::load(std::shared_ptr<const Object> object, std::string& problem) {
    for (const std::string& name : names())
        if (!object->kernel(name)) {
            problem = fmt::format("there is no function '{}'", name);
            return false;
        }
    object_ = std::move(object);
    for (const FamilyPlan& family : unit_.families())
        groups_[family.family] = std::make_unique<NativeGroup>(
            family, [&](const std::string& name) { return object_->kernel(name); });
    for (const auto& [family, row] : unit_.results()) {
        auto& group = dynamic_cast<interpret::ResultsGroup&>(*groups_of_network_[family]);
        results_.push_back(std::make_unique<NativeResults>(row, object_->kernel(row.name), group));
        group.evaluator().exchange(
            [steps = results_.back().get()](const Frame& frame, std::vector<std::uint64_t>& values,
                                            std::vector<interpret::PendingWrite>* pending) {
                return steps->run(frame, values, pending);
            });
    }
    rows_.clear();
    for (const RowPlan& plan : unit_.rows()) {
        LoadedRow& row = rows_.emplace_back();
        row.kernel = object_->kernel(plan.name);
        row.steps = plan.end - plan.first;
        for (const auto& [family, datum] : plan.data)
            row.data.push_back(groups_.at(family)->pointer(datum));
        for (const std::uint32_t family : plan.commits)
            row.commits.push_back(groups_.at(family).get());
    }
    load_lap();
    return true;
}

void Native::load_lap() {
    const LapPlan& plan = unit_.lap();
    if (plan.name.empty())
        return;
    lap_ = std::make_unique<NativeLap>(
        plan, object_->kernel(plan.name), groups_of_network_, unit_.steps(),
        [&](const FamilyData::Entry& entry) {
            if (const auto found = groups_.find(entry.family); found != groups_.end())
                return found->second->pointer(entry.datum);
            const auto& results =
                dynamic_cast<interpret::ResultsGroup&>(*groups_of_network_[entry.family]);
            return pointer_of(results.program(), results.places(), entry.datum);
        });
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
