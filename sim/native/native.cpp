// SPDX-License-Identifier: Apache-2.0
#include "native/native.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::native {

bool Native::load(std::size_t file, std::shared_ptr<const Object> object, std::string& problem) {
    for (const std::uint32_t number : module_.files()[file])
        if (const std::string& name = module_.function(number).name; !object->kernel(name)) {
            problem = fmt::format("there is no function '{}'", name);
            return false;
        }
    objects_[file] = std::move(object);
    load_families();
    load_results();
    load_fused();
    load_cycle_kernels();
    return true;
}

Kernel Native::kernel(std::uint32_t function) const {
    const CFunction& found = module_.function(function);
    return objects_[found.file]->kernel(found.name);
}

/// Loads the families whose functions are all available.
void Native::load_families() {
    const auto is_complete = [&](const FamilyPlan& family) {
        return std::all_of(family.parts.begin(), family.parts.end(), [&](const PartPlan& part) {
            const auto is_there = [&](const auto& result) { return is_loaded(result.number); };
            return std::all_of(part.functions.begin(), part.functions.end(), is_there) &&
                   std::all_of(part.some.begin(), part.some.end(), is_there);
        });
    };
    std::erase_if(waiting_, [&](const FamilyPlan* family) {
        if (!is_complete(*family))
            return false;
        auto& result = groups_[family->family];
        result = std::make_unique<NativeGroup>(
            *family, [&](const PartPlan::Function& function) { return kernel(function.number); });
        fresh_.emplace_back(family->family, result.get());
        return true;
    });
}

void Native::load_results() {
    std::erase_if(waiting_results_, [&](const ResultsPlan* plan) {
        if (!is_loaded(plan->fused.function))
            return false;
        auto& group = *abilities_of(groups_of_network_[plan->family]).results;
        results_.push_back(
            std::make_unique<NativeResults>(plan->fused, kernel(plan->fused.function), group));
        group.evaluator().swap_results(
            [steps = results_.back().get()](const Frame& frame, std::vector<std::uint64_t>& values,
                                            std::vector<interpret::PendingWrite>* pending) {
                return steps->run(frame, values, pending);
            });
        return true;
    });
}

/// True if native code runs a step, or if it is not a step of a YAML process.
bool Native::is_native(const ScheduledStep& step) const {
    return step.family >= groups_of_network_.size() || groups_.contains(step.family) ||
           !abilities_of(groups_of_network_[step.family]).program;
}

/// True if fused steps can run. They contain the code of single processes, which need their native
/// groups only for waiting memory writes.
bool Native::is_complete(const FusedPlan& plan) const {
    const auto from = module_.steps().begin();
    return is_loaded(plan.function) &&
           std::all_of(from + plan.first, from + plan.end, [&](const ScheduledStep& step) {
               if (is_native(step))
                   return true;
               const auto& group = *abilities_of(groups_of_network_[step.family]).program;
               return !group.commits_later() &&
                      are_single({graph_.processes[step.family], group}, step);
           });
}

std::size_t Native::families() const {
    std::map<std::uint32_t, bool> native; // with fused steps: true if all their steps are fused
    for (const FamilyPlan* const plan : waiting_)
        native[plan->family] = !module_.steps().empty();
    std::vector<bool> is_fused(module_.steps().size());
    for (std::size_t k = 0; k < fused_.size(); ++k)
        if (fused_[k].kernel)
            std::fill(is_fused.begin() + module_.fused()[k].first,
                      is_fused.begin() + module_.fused()[k].end, true);
    for (std::size_t k = 0; k < is_fused.size(); ++k)
        if (const auto found = native.find(module_.steps()[k].family); found != native.end())
            found->second = found->second && is_fused[k];
    return groups_.size() +
           static_cast<std::size_t>(std::count_if(native.begin(), native.end(),
                                                  [](const auto& one) { return one.second; }));
}

/// The address of a `data` entry of fused steps and cycle kernels.
std::byte* Native::pointer(const FamilyData::Entry& entry) const {
    if (entry.datum.kind == Datum::Kind::function)
        return reinterpret_cast<std::byte*>(kernel(entry.datum.number));
    if (entry.datum.kind == Datum::Kind::counts)
        return reinterpret_cast<std::byte*>(
            abilities_of(groups_of_network_[entry.family]).program->counters(0));
    if (const auto found = groups_.find(entry.family); found != groups_.end())
        return found->second->pointer(entry.datum);
    const Abilities group = abilities_of(groups_of_network_[entry.family]);
    return group.program
               ? pointer_of(group.program->program(), group.program->places(), entry.datum)
               : pointer_of(group.results->program(), group.results->places(), entry.datum);
}

void Native::load_fused() {
    for (std::size_t k = 0; k < fused_.size(); ++k) {
        const FusedPlan& plan = module_.fused()[k];
        LoadedSteps& fused = fused_[k];
        if (fused.kernel || !is_complete(plan))
            continue;
        fused.kernel = kernel(plan.function);
        fused.steps = plan.end - plan.first;
        fused.held.resize(plan.held);
        for (const FamilyData::Entry& entry : plan.data)
            fused.data.push_back(entry.datum.kind == Datum::Kind::held
                                     ? reinterpret_cast<std::byte*>(fused.held.data())
                                     : pointer(entry));
        for (const std::uint32_t family : plan.commits)
            fused.commits.push_back(groups_.at(family).get());
        fresh_fused_ = true;
    }
}

/// The loaded functions of fused steps, and those of `before` that share no step with them.
std::vector<FusedItems> Native::fused_items(const Native* before) const {
    std::vector<FusedItems> own;
    for (std::size_t k = 0; k < fused_.size(); ++k)
        if (fused_[k].kernel)
            own.push_back({module_.fused()[k].first, module_.fused()[k].end,
                           [this, k](const Frame& frame) { return run_fused(k, frame); }});
    if (!before)
        return own;
    std::vector<FusedItems> result = own;
    for (FusedItems& other : before->fused_items(nullptr)) {
        const auto next = std::lower_bound(
            own.begin(), own.end(), other.end_item,
            [](const FusedItems& one, std::uint32_t end) { return one.first_item < end; });
        if (next == own.begin() || std::prev(next)->end_item <= other.first_item)
            result.push_back(std::move(other));
    }
    std::sort(result.begin(), result.end(), [](const FusedItems& one, const FusedItems& other) {
        return one.first_item < other.first_item;
    });
    return result;
}

void Native::load_cycle_kernels() {
    const auto is_there = [&](const ScheduledStep& step) { return is_native(step); };
    if (!std::all_of(module_.steps().begin(), module_.steps().end(), is_there))
        return;
    for (const CModule::CycleKernels& kernels : module_.cycle_kernels()) {
        std::vector<NativeCycles::Function> functions;
        for (const CycleKernelPlan& plan : kernels.threads)
            if (is_loaded(plan.function))
                functions.push_back({plan, kernel(plan.function)});
        const auto has_it = [&](const std::unique_ptr<NativeCycles>& one) {
            return one->threads() == kernels.threads.size();
        };
        if (functions.size() == kernels.threads.size() &&
            std::none_of(cycle_kernels_.begin(), cycle_kernels_.end(), has_it))
            cycle_kernels_.push_back(std::make_unique<NativeCycles>(
                functions, kernels.largest_share, groups_of_network_, module_.steps(),
                [&](const FamilyData::Entry& entry) { return pointer(entry); }));
    }
}

std::uint64_t Native::cycles_in_kernels(unsigned threads) const {
    std::uint64_t sum = 0;
    for (const std::unique_ptr<NativeCycles>& one : cycle_kernels_)
        if (one->threads() == threads || threads == 0)
            sum += one->cycles();
    return sum;
}

std::uint32_t Native::run_fused(std::size_t number, const Frame& frame) const {
    const LoadedSteps& fused = fused_[number];
    for (const NativeGroup* group : fused.commits)
        if (group->has_left())
            return 0;
    Block block{frame.read, frame.write, frame.cycle,       0,       0,      0,
                nullptr,    nullptr,     fused.data.data(), nullptr, nullptr};
    block.fresh = frame.fresh ? 1 : 0;
    const std::uint64_t stopped = fused.kernel(&block);
    return stopped == 0 ? fused.steps : static_cast<std::uint32_t>(stopped - 1);
}

} // namespace sme::native
