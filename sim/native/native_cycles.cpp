// SPDX-License-Identifier: Apache-2.0
#include "native/native_cycles.hpp"

#include <algorithm>

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

std::uint64_t NativeCycles::run(const Frame& frame, std::uint64_t cycles) {
    for (const Observer& observer : observers_) {
        cycles = std::min(cycles, observer.group->guard(frame.cycle, observer.guards));
        if (cycles == 0)
            return 0;
    }
    const Block block{frame.read, frame.write, frame.cycle,  0,      0, cycles,
                      nullptr,    nullptr,     data_.data(), nullptr};
    const std::uint64_t done = kernel_(&block);
    if (done == 0)
        return 0;
    cycles_ += done;
    for (const Observer& observer : observers_)
        observer.group->skip(frame.cycle, done, observer.guards);
    return done;
}

} // namespace sme::native
