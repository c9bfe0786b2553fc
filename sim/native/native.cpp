// SPDX-License-Identifier: Apache-2.0
#include "native/native.hpp"

#include <fmt/format.h>

namespace sme::native {

bool Native::load(std::shared_ptr<const Object> object, std::string& problem) {
    for (const FamilyPlan& family : unit_.families())
        for (const PartPlan& part : family.parts)
            for (const PartPlan::Function& function : part.functions)
                if (!object->kernel(function.name)) {
                    problem = fmt::format("there is no function '{}'", function.name);
                    return false;
                }
    for (const auto& [family, row] : unit_.results())
        if (!object->kernel(row.name)) {
            problem = fmt::format("there is no function '{}'", row.name);
            return false;
        }
    for (const RowPlan& row : unit_.rows())
        if (!object->kernel(row.name)) {
            problem = fmt::format("there is no function '{}'", row.name);
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
        Row& row = rows_.emplace_back();
        row.kernel = object_->kernel(plan.name);
        row.steps = plan.end - plan.first;
        for (const auto& [family, datum] : plan.data)
            row.data.push_back(groups_.at(family)->pointer(datum));
        for (const std::uint32_t family : plan.commits)
            row.commits.push_back(groups_.at(family).get());
    }
    return true;
}

std::uint32_t Native::run_row(std::size_t number, const Frame& frame) const {
    const Row& row = rows_[number];
    for (const NativeGroup* group : row.commits)
        if (group->has_left())
            return 0;
    const Block block{frame.read, frame.write, frame.cycle,     0,      0, 0,
                      nullptr,    nullptr,     row.data.data(), nullptr};
    const std::uint64_t stopped = row.kernel(&block);
    return stopped == 0 ? row.steps : static_cast<std::uint32_t>(stopped - 1);
}

Group* Native::group(std::uint32_t family) const {
    const auto found = groups_.find(family);
    return found == groups_.end() ? nullptr : found->second.get();
}

} // namespace sme::native
