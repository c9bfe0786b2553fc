// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "expr/program/builder.hpp"

namespace sme::expr {

/// Fills `nodes` and `loops` of a part that needs the roots: what depends on the step of a loop, or
/// on what it carries, goes into that loop, anything else before it. What is in `loops` before are
/// loops with memory writes, which come first and in their order.
void schedule(const Builder& builder, const std::vector<NodeId>& roots, PartProgram& part);
/// The same for a program that is made.
void schedule(const Program& program, const std::vector<NodeId>& roots, PartProgram& part);

} // namespace sme::expr
