// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "interpret/observers/recorder.hpp"
#include "native/cycle/cycle_kernel.hpp"
#include "native/toolchain/abi.hpp"
#include "runtime/observer.hpp"

namespace sme::native {

/// Runs a cycle kernel on each of its threads, and notifies observers of the completed cycles.
class NativeCycles final : public CycleKernel {
public:
    /// The function of one thread.
    struct Function {
        const CycleKernelPlan& plan;
        Kernel kernel;
    };
    /// `steps`: for data that belong to steps instead of families; `find`: returns the address of
    /// other data.
    NativeCycles(const std::vector<Function>& functions, double largest_share,
                 const std::vector<Group*>& groups, const std::vector<ScheduledStep>& steps,
                 const std::function<std::byte*(const FamilyData::Entry&)>& find);

    unsigned threads() const override { return static_cast<unsigned>(threads_.size()); }
    double largest_share() const override { return largest_share_; }
    std::uint64_t begin(const Frame& frame, std::uint64_t cycles) override;
    std::uint64_t run(const Frame& frame, std::uint64_t cycles) override;
    void end(const Frame& frame, std::uint64_t done) override;
    bool is_held_up() const override;

    /// The number of cycles run.
    std::uint64_t cycles() const { return cycles_; }

private:
    struct Observer {
        interpret::ResultsGroup* group;
        interpret::Guard* guards;
    };
    /// The data of one thread.
    struct Thread {
        Kernel kernel = nullptr;
        std::vector<interpret::Guard> guards;
        std::map<std::uint32_t, std::vector<Pending>> waiting; // by family
        std::vector<std::unique_ptr<const void*[]>> pointers;  // by model
        unsigned char ahead = 0; // all models have run a rising edge of an unfinished cycle
        Meeting meeting = {};
        std::vector<std::byte*> data;
    };

    void add_observers(const CycleKernelPlan& plan, Thread& thread,
                       const std::vector<Group*>& groups);
    std::byte* pointer(const CycleKernelPlan& plan, const FamilyData::Entry& entry, Thread& thread,
                       const std::vector<Group*>& groups, const std::vector<ScheduledStep>& steps);

    std::vector<std::unique_ptr<Thread>> threads_;
    struct alignas(128) Line {
        std::uint64_t words[Meeting::line_words] = {};
    };
    std::vector<Line> lines_; // for the meeting of the threads
    double largest_share_;
    std::vector<Observer> observers_;
    std::vector<ModelGroup*> models_;
    std::uint64_t cycles_ = 0;
};

} // namespace sme::native
