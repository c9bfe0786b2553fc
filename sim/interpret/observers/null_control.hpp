// SPDX-License-Identifier: Apache-2.0
#pragma once

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

} // namespace sme::interpret
