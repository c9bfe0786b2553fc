// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "interpret/observers/recorder.hpp"
#include "native/cycle/fused_steps.hpp"
#include "native/toolchain/abi.hpp"
#include "native/toolchain/c_module.hpp"

namespace sme::native {

/// Computes the operands of an observer with a compiled function. Returns memory writes (the values
/// for `past`), which the observer commits after its verdict.
class NativeResults {
public:
    NativeResults(const FusedPlan& plan, Kernel kernel, const interpret::ResultsGroup& group);

    /// As Evaluator::Results.
    bool run(const Frame& frame, std::vector<std::uint64_t>& values,
             std::vector<interpret::PendingWrite>* pending);

private:
    Kernel kernel_;
    const interpret::ResultsGroup& group_;
    std::vector<std::uint64_t> results_;
    std::vector<Pending> pending_;
    std::vector<std::byte*> data_;
};

/// The address of a datum that functions read through `data`; null if the caller supplies it.
std::byte* pointer_of(const expr::Program& program, const interpret::SlotMap& places,
                      const Datum& datum);

/// Steps a family with compiled functions, on the slots and memories of the interpreter's group,
/// which handles rare events. So either can replace the other between any two cycles.
class NativeGroup final : public SteadyGroup {
public:
    /// `find` returns a function; never null. `plan` must outlive the object.
    template <class Find>
    NativeGroup(const FamilyPlan& plan, Find find) : plan_{plan}, group_{*plan.group} {
        make_pending();
        for (const PartPlan& part : plan.parts) {
            Part& result = parts_.emplace_back();
            for (const PartPlan::Function& function : part.functions)
                result.functions.push_back({find(function), pointers(function.data)});
            for (const PartPlan::Function& function : part.some)
                result.some.push_back({find(function), pointers(function.data)});
            for (const std::vector<std::int64_t>& table : part.runs.tables)
                result.tables.push_back(table.data());
        }
    }

    void step(unsigned part, Range range, const Frame& frame) override;
    void finish(Control& control) override { group_.finish(control); }
    void add_abilities(Abilities& abilities) override { abilities.steady = this; }
    std::optional<Needs> needs(unsigned part) const override { return group_.needs(part); }
    std::uint8_t* wrote(unsigned part) override { return group_.wrote(part); }
    bool step_some(unsigned part, Range range, const std::uint8_t* needed, std::uint64_t* changes,
                   const Frame& frame) override;

    /// One part of one instance, for callers that step instances one by one: the same as `step`,
    /// without looking up its function each time. The group must outlive it.
    class OneStep {
    public:
        void run(const Frame& frame);

    private:
        friend class NativeGroup;
        NativeGroup* group_ = nullptr;
        unsigned part_ = 0;
        bool counts_ = false;
        Kernel kernel_ = nullptr;
        Block block_{};
        std::vector<std::int64_t> at_;
    };
    OneStep one_step(unsigned part, std::uint64_t position);

    /// The address of a `data` entry of the functions.
    std::byte* pointer(const Datum& datum);
    /// True if memory writes of the interpreter wait besides those of native code.
    bool has_left() const { return left_.load(std::memory_order_relaxed); }

private:
    struct Function {
        Kernel kernel;
        std::vector<std::byte*> data;
    };
    struct Part {
        std::vector<Function> functions;
        std::vector<Function> some;
        std::vector<const std::int64_t*> tables;
    };

    std::vector<std::byte*> pointers(const std::vector<Datum>& data);
    void make_pending();
    void commit(const WaitingWrite& waiting, std::uint64_t position);
    void step_run(unsigned part, const InstanceRun& instances, Range range, const Frame& frame);
    void run(unsigned part, const Function& function, Block block, const Frame& frame);
    void run_some(unsigned part, const Function& function, Block block, const Frame& frame);
    void leave(unsigned part, Range range, const Frame& frame);
    void commit(const Frame& frame);

    const FamilyPlan& plan_;
    interpret::ProgramGroup& group_;
    std::vector<Part> parts_;
    std::vector<Pending> pending_;
    std::vector<WaitingWrite> waiting_; // of the part that writes memories
    std::uint64_t places_ = 0;          // entries per instance in `pending_`
    std::atomic<bool> left_{false};     // writes of the interpreter also wait
};

} // namespace sme::native
