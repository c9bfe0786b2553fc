// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "interpret/observers/results_group.hpp"
#include "native/abi.hpp"
#include "native/cycle/fused_steps.hpp"

namespace sme::native {

/// Computes what an observer looks at with a compiled function. Memory writes (what `past`
/// remembers) are handed back, to be made when it has judged.
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
