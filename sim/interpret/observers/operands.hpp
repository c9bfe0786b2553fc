// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "expr/process/observe.hpp"
#include "interpret/block/evaluator.hpp"
#include "interpret/observers/checks.hpp"

namespace sme::interpret {

/// What a check looks at in the cycle of a frame. What cannot be computed there, such as an element
/// outside of an array that the check does not select, is shown as "?".
std::vector<CheckResult::Shown> shown_operands(const expr::Program& program,
                                               const expr::Check& check, const SlotMap& places,
                                               const Frame& frame);

} // namespace sme::interpret
