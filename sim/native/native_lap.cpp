// SPDX-License-Identifier: Apache-2.0
#include "native/native_lap.hpp"

#include <algorithm>

#include "interpret/block/program_group.hpp"

namespace sme::native {

NativeLap::NativeLap(const LapPlan& plan, Kernel kernel, const std::vector<Group*>& groups,
                     const std::vector<ScheduledStep>& steps,
                     const std::function<std::byte*(const FamilyData::Entry&)>& find)
    : kernel_{kernel}, watches_(plan.watches) {
    std::map<std::uint32_t, interpret::Watch*> watches;
    for (const LapPlan::Observer& observer : plan.observers) {
        interpret::Watch* const first = watches_.data() + observer.first_watch;
        watches[observer.family] = first;
        observers_.push_back(
            {dynamic_cast<interpret::ResultsGroup*>(groups[observer.family]), first});
    }
    for (const FamilyData::Entry& entry : plan.data) {
        std::byte* found = nullptr;
        switch (entry.datum.kind) {
        case Datum::Kind::watches:
            found = reinterpret_cast<std::byte*>(watches.at(entry.family));
            break;
        case Datum::Kind::waiting:
            found = waiting(entry.family,
                            dynamic_cast<interpret::ProgramGroup&>(*groups[entry.family]));
            break;
        case Datum::Kind::moved:
        case Datum::Kind::next: {
            const Moves moves = dynamic_cast<MovingGroup&>(*steps[entry.family].group).moves();
            if (entry.datum.kind == Datum::Kind::next)
                found = reinterpret_cast<std::byte*>(moves.next);
            else // rows are only read
                found = moves.rows ? const_cast<std::byte*>(moves.rows->values.data()) : moves.ring;
            break;
        }
        default: found = find(entry);
        }
        data_.push_back(found);
    }
}

std::byte* NativeLap::waiting(std::uint32_t family, const interpret::ProgramGroup& group) {
    std::vector<Pending>& made = waiting_[family];
    if (made.empty())
        for (const expr::PartProgram& part : group.program().parts)
            made.resize(std::max<std::size_t>(made.size(), part.memory_writes.size() *
                                                               group.places().order.size()),
                        {no_word, 0});
    return reinterpret_cast<std::byte*>(made.data());
}

std::uint64_t NativeLap::run(const Frame& frame, std::uint64_t cycles) {
    for (const Observer& observer : observers_) {
        cycles = std::min(cycles, observer.group->watch(frame.cycle, observer.watches));
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
        observer.group->pass(frame.cycle, done, observer.watches);
    return done;
}

} // namespace sme::native
