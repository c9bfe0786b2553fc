// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "expr/program/builder.hpp"

namespace sme::expr {

/// Fills `nodes` and `loops` of a part that needs the roots: a node that depends on the step or
/// carried values of a loop goes into that loop, any other node before it. On entry, `loops` holds
/// the loops with memory writes, which come first, in this order.
void schedule(const Builder& builder, const std::vector<NodeId>& roots, PartProgram& part);
/// Schedules a part of a finished program.
void schedule(const Program& program, const std::vector<NodeId>& roots, PartProgram& part);

} // namespace sme::expr
