// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "expr/process/observe.hpp"
#include "interpret/block/evaluator.hpp"
#include "interpret/observers/checks.hpp"
#include "sme/group.hpp"

namespace sme::interpret {

/// A control that ignores all reports: for values that are computed but possibly unused. A subclass
/// may override single reports.
class NullControl : public Control {
public:
    void halt() override {}
    void fail() override {}
    void print(std::uint64_t, std::uint32_t, std::string) override {}
    void fault(std::uint64_t, const Diagnostic&) override {}
};

/// The callback of an observer of a value, called in each cycle with the bytes of the value as in a
/// bus slot, or with no bytes and the reason.
using TakeValue = std::function<void(std::span<const std::byte> slot, const std::string& problem)>;

/// The observer that evaluates a probe. Its faults are not faults of the network.
std::shared_ptr<const GroupFactory> value_factory(std::shared_ptr<const expr::Probe> probe,
                                                  TakeValue take);

/// The operands of a check in the cycle of a frame. A value that cannot be computed, such as an
/// unselected array element out of range, is shown as "?".
std::vector<Verdict::Shown> shown_operands(const expr::Program& program, const expr::Check& check,
                                           const SlotMap& places, const Frame& frame);

/// The value of a node that cannot fault, in the cycle of a frame.
std::uint64_t value_of(const expr::Program& program, expr::NodeId node, const SlotMap& places,
                       const Frame& frame);

} // namespace sme::interpret
