// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "expr/syntax/step.hpp"

namespace sme::yaml {

/// Returns true for "u8(x)" and "i8(x)".
bool is_conversion(const expr::Ast& call);

/// The lets that expressions may name.
using FaultScope = std::map<std::string, const expr::Rhs*>;

/// Returns true if a value, or a let that it needs, can be a fault for some values of its operands:
/// a division, an index, or a function that may have one.
bool may_fault(const expr::AstRef& tree, const FaultScope& lets);
bool may_fault(const expr::Rhs& rhs, const FaultScope& lets);

} // namespace sme::yaml
