// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "interpret/observers/results_group.hpp"
#include "native/abi.hpp"
#include "native/cycle/lap_writer.hpp"

namespace sme::native {

/// Runs the function of a lap, and tells observers what went by.
class NativeLap {
public:
    /// `steps`: what the numbers of the plan's data mean that are no family's; `find`: where the
    /// other data lie.
    NativeLap(const LapPlan& plan, Kernel kernel, const std::vector<Group*>& groups,
              const std::vector<ScheduledStep>& steps,
              const std::function<std::byte*(const FamilyData::Entry&)>& find);

    /// As Lap.
    std::uint64_t run(const Frame& frame, std::uint64_t cycles);
    /// How many it has run.
    std::uint64_t cycles() const { return cycles_; }

private:
    std::byte* waiting(std::uint32_t family, const interpret::ProgramGroup& group);

    struct Observer {
        interpret::ResultsGroup* group;
        interpret::Watch* watches;
    };

    Kernel kernel_;
    std::vector<interpret::Watch> watches_;
    std::vector<Observer> observers_;
    std::map<std::uint32_t, std::vector<Pending>> waiting_; // by family
    std::vector<std::byte*> data_;
    std::uint64_t cycles_ = 0;
};

} // namespace sme::native
