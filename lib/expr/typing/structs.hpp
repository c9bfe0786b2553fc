// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expr/typing/elaborator.hpp"

namespace sme::expr {

/// A field of a struct whose type is derived from its fields.
struct FieldValue {
    std::string name;
    Location where;
    BoundExpr value;
};

/// Returns a struct of these fields, in order. Reports a duplicate field and a value without a
/// type; `advice` says what to write then.
BoundExpr struct_of(const std::vector<FieldValue>& fields, const std::string& advice,
                    Elaborator& elaborator);

/// Returns the field numbers of `type`, a struct, for the `named` values. `nullopt` after reporting
/// an unknown or duplicate field, or, with `rest_is_zero`, a missing field whose type has no zero.
/// `where` is the whole expression.
std::optional<std::vector<std::size_t>> fields_given(std::span<const AstRef> named,
                                                     const Type& type, bool rest_is_zero,
                                                     const Location& where, Elaborator& elaborator);

/// Returns the number of the field's first scalar within its struct.
std::size_t first_leaf(const Type& type, std::size_t field);

/// Returns zero in every scalar, even where an enumeration has no such member.
BoundExpr zero_of(const TypeRef& type, Builder& builder);

/// How to write a field where the context gives no type.
extern const char* const typed_field_advice;

} // namespace sme::expr
