// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "interpret/observers/results_group.hpp"
#include "native/abi.hpp"
#include "native/cycle/cycle_kernel.hpp"

namespace sme::native {

/// Runs the cycle kernel, and tells observers what went by.
class NativeCycles {
public:
    /// `steps`: what the numbers of the plan's data mean that are no family's; `find`: where the
    /// other data lie.
    NativeCycles(const CycleKernelPlan& plan, Kernel kernel, const std::vector<Group*>& groups,
                 const std::vector<ScheduledStep>& steps,
                 const std::function<std::byte*(const FamilyData::Entry&)>& find);

    /// As CycleKernel.
    std::uint64_t run(const Frame& frame, std::uint64_t cycles);
    /// How many it has run.
    std::uint64_t cycles() const { return cycles_; }

private:
    std::byte* waiting(std::uint32_t family, const interpret::ProgramGroup& group);

    struct Observer {
        interpret::ResultsGroup* group;
        interpret::Guard* guards;
    };

    std::byte* pointers(const CycleModels::Instance& model);

    Kernel kernel_;
    std::vector<interpret::Guard> guards_;
    std::vector<Observer> observers_;
    std::map<std::uint32_t, std::vector<Pending>> waiting_; // by family
    std::vector<ModelGroup*> models_;
    std::vector<std::unique_ptr<const void*[]>> pointers_; // of each model
    unsigned char ahead_ = 0; // all models have run a rising edge of a cycle that is not done
    std::vector<std::byte*> data_;
    std::uint64_t cycles_ = 0;
};

} // namespace sme::native
