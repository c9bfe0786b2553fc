// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "export/modules/initial_values.hpp"
#include "expr/process/process.hpp"
#include "expr/typing/value.hpp"

namespace sme::hdl {

/// Returns the states of a process with unobservable initial values: the first cycle assigns each
/// of them a value that depends on none of them, and no other value depends on them. They need no
/// reset. Arrays in `memories` have no reset anyway.
std::set<const expr::StateText*> unseen_states(const expr::ProcessView& text, expr::Scope& scope,
                                               const InitialValues& initial,
                                               const std::set<const expr::StateText*>& memories);

} // namespace sme::hdl
