// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sme::verilator {

// What the elements of a netlist are, by their names.

bool is_assignment(std::string_view kind);
/// It has no effect on what variables hold after the first moment.
bool is_silent(std::string_view kind);
/// An expression without effects whose value depends on its operands only, or a statement whose
/// effects are those of the assignments in it.
bool is_understood(std::string_view kind);

} // namespace sme::verilator
