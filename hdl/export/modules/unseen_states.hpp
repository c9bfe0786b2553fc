// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "export/modules/initial_values.hpp"
#include "expr/process/process.hpp"
#include "expr/typing/value.hpp"

namespace sme::hdl {

/// The states of a process whose initial values nothing can see: its first cycle assigns each of
/// them a value that depends on none of them, and nothing else depends on them either. They need no
/// reset. Arrays among `memories` have none anyway.
std::set<const expr::StateText*> unseen_states(const expr::ProcessView& text, expr::Scope& scope,
                                               const InitialValues& initial,
                                               const std::set<const expr::StateText*>& memories);

} // namespace sme::hdl
