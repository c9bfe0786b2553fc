// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "expr/process/process.hpp"
#include "expr/program/builder.hpp"

namespace sme::expr {

/// Returns one scalar of a state's initial value, for the running instance.
NodeId initial_node(Builder& builder, const ProcessView& text, const StateText& state,
                    const Leaf& leaf);

} // namespace sme::expr
