// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "expr/process/observe.hpp"
#include "interpret/block/evaluator.hpp"
#include "interpret/observers/checks.hpp"

namespace sme::interpret {

/// The operands of a check in the cycle of a frame. A value that cannot be computed, such as an
/// unselected array element out of range, is shown as "?".
std::vector<CheckResult::Shown> shown_operands(const expr::Program& program,
                                               const expr::Check& check, const SlotMap& places,
                                               const Frame& frame);

} // namespace sme::interpret
