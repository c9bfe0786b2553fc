// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bits/integer.hpp"
#include "expr/syntax/ast.hpp"
#include "sme/type.hpp"

namespace sme::expr {

// Endings of messages about type mismatches: the cast to write. A cast never loses a bit of the
// computed value, unless the advice names the bits that remain. Each function returns an empty
// string if there is no such cast.

/// Advises a cast like the elaborator's `cast_advice`, for the integer expression at a location. A
/// sum that would lose its carry gets casts at its operands: "; write u9(a) + u9(b)".
std::string cast_advice(const Type& given, const Type& wanted, const Location& where);
/// Advises how to give two operands of different integer types one type.
std::string join_advice(const Ast& binary, const TypeRef& a, const TypeRef& b);

/// Returns the narrowest type that holds these numbers, or null.
TypeRef narrowest_type(Integer low, Integer high);

} // namespace sme::expr
