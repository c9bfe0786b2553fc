// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "expr/process/observe.hpp"
#include "interpret/block/evaluator.hpp"
#include "interpret/observers/checks.hpp"
#include "sme/internal/group.hpp"

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

/// Notes the first fault that is reported, and passes faults on to `to` unless it is null.
class FaultNote final : public NullControl {
public:
    explicit FaultNote(Control* to = nullptr) : to_{to} {}
    void fault(std::uint64_t position, const Diagnostic& what) override {
        if (!first)
            first = what;
        if (to_)
            to_->fault(position, what);
    }

    std::optional<Diagnostic> first;

private:
    Control* to_;
};

/// The callback of an observer of a value, called in each cycle with the bytes of the value as in a
/// bus slot, or with no bytes and the reason.
using TakeValue = std::function<void(std::span<const std::byte> slot, const std::string& problem)>;

/// The observer that evaluates a probe. Its faults are not faults of the network.
std::shared_ptr<const GroupFactory> value_factory(std::shared_ptr<const expr::Probe> probe,
                                                  TakeValue take);

/// The values of nodes that cannot fault, in the cycle of a frame.
std::vector<std::uint64_t> values_of(const expr::Program& program, std::vector<expr::NodeId> nodes,
                                     const SlotMap& places, const Frame& frame);

} // namespace sme::interpret
