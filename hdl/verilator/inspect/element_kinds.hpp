// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sme::verilator {

// The classes of netlist elements, by kind.

bool is_assignment(std::string_view kind);
/// Returns true if the element has no effect on variables after time 0.
bool is_silent(std::string_view kind);
/// Returns true for an expression without effects that depends on its operands only, and for a
/// statement whose only effects are the assignments in it.
bool is_understood(std::string_view kind);

} // namespace sme::verilator
