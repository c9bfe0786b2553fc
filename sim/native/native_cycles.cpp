// SPDX-License-Identifier: Apache-2.0
#include "native/native_cycles.hpp"

#include <algorithm>
#include <utility>

#include "interpret/block/program_group.hpp"

namespace sme::native {

NativeCycles::NativeCycles(const CycleKernelPlan& plan, Kernel kernel,
                           const std::vector<Group*>& groups,
                           const std::vector<ScheduledStep>& steps,
                           const std::function<std::byte*(const FamilyData::Entry&)>& find)
    : kernel_{kernel}, guards_(plan.guards) {
    std::map<std::uint32_t, interpret::Guard*> guards;
    for (const CycleKernelPlan::Observer& observer : plan.observers) {
        interpret::Guard* const first = guards_.data() + observer.first_guard;
        guards[observer.family] = first;
        observers_.push_back(
            {dynamic_cast<interpret::ResultsGroup*>(groups[observer.family]), first});
    }
    for (const ScheduledStep& step : steps)
        if (auto* const group = dynamic_cast<ModelGroup*>(step.group))
            if (std::find(models_.begin(), models_.end(), group) == models_.end())
                models_.push_back(group);
    for (const FamilyData::Entry& entry : plan.data) {
        std::byte* found = nullptr;
        switch (entry.datum.kind) {
        case Datum::Kind::guards:
            found = reinterpret_cast<std::byte*>(guards.at(entry.family));
            break;
        case Datum::Kind::waiting:
            found = waiting(entry.family,
                            dynamic_cast<interpret::ProgramGroup&>(*groups[entry.family]));
            break;
        case Datum::Kind::model: found = pointers(plan.models[entry.datum.number]); break;
        case Datum::Kind::moved:
        case Datum::Kind::next: {
            const CopyPlan copy =
                dynamic_cast<CopyingGroup&>(*steps[entry.family].group).copy_plan();
            if (entry.datum.kind == Datum::Kind::next)
                found = reinterpret_cast<std::byte*>(copy.next);
            else // rows are only read
                found = copy.rows ? const_cast<std::byte*>(copy.rows->values.data()) : copy.ring;
            break;
        }
        default: found = find(entry);
        }
        data_.push_back(found);
    }
}

std::byte* NativeCycles::waiting(std::uint32_t family, const interpret::ProgramGroup& group) {
    std::vector<Pending>& made = waiting_[family];
    if (made.empty())
        for (const expr::PartProgram& part : group.program().parts)
            made.resize(std::max<std::size_t>(made.size(), part.memory_writes.size() *
                                                               group.places().order.size()),
                        {no_word, 0});
    return reinterpret_cast<std::byte*>(made.data());
}

/// In the order of ModelPointer.
std::byte* NativeCycles::pointers(const CycleModels::Instance& model) {
    const ModelCalls& calls = model.calls;
    const auto code = [](auto* function) { return reinterpret_cast<const void*>(function); };
    std::vector<const void*> all{calls.model,       calls.clock,          calls.said,
                                 calls.dirty,       code(calls.enter),    code(calls.eval),
                                 code(calls.cycle), code(calls.set_time), &ahead_};
    all.insert(all.end(), model.ports.begin(), model.ports.end());
    auto& made = pointers_.emplace_back(std::make_unique<const void*[]>(all.size()));
    std::copy(all.begin(), all.end(), made.get());
    return reinterpret_cast<std::byte*>(made.get());
}

std::uint64_t NativeCycles::run(const Frame& frame, std::uint64_t cycles) {
    for (const ModelGroup* const group : models_)
        if (!group->is_running())
            return 0;
    for (const Observer& observer : observers_) {
        cycles = std::min(cycles, observer.group->guard(frame.cycle, observer.guards));
        if (cycles == 0)
            return 0;
    }
    const Block block{frame.read, frame.write, frame.cycle,  0,      0, cycles,
                      nullptr,    nullptr,     data_.data(), nullptr};
    const std::uint64_t done = kernel_(&block);
    if (std::exchange(ahead_, 0) != 0)
        for (ModelGroup* const group : models_)
            group->run_ahead();
    if (done == 0)
        return 0;
    cycles_ += done;
    for (const Observer& observer : observers_)
        observer.group->skip(frame.cycle, done, observer.guards);
    return done;
}

} // namespace sme::native
