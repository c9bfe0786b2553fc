// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "expr/process/process.hpp"
#include "expr/program/builder.hpp"

namespace sme::expr {

/// One scalar of the value with which a state begins, of the instance that runs.
NodeId initial_node(Builder& builder, const ProcessView& text, const StateText& state,
                    const Leaf& leaf);

} // namespace sme::expr
