// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "interpret/observers/results_group.hpp"
#include "native/abi.hpp"
#include "native/cycle/fused_steps.hpp"

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

} // namespace sme::native
