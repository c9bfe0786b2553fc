// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expr/typing/elaborator.hpp"

namespace sme::expr {

/// A field of a struct that has no type but that of its fields.
struct FieldValue {
    std::string name;
    Location where;
    Value value;
};

/// A struct of these fields in their order. Reports a field that stands twice and one whose value
/// has no type: `advice` says what to write then.
Value struct_of(const std::vector<FieldValue>& fields, const std::string& advice,
                Elaborator& elaborator);

/// The fields of `type`, a struct, that the `named` values are for, by their numbers. Nothing when
/// something was reported: a field that is none or stands twice, and, when `rest_is_zero`, one that
/// is not given and of which zero is no value. `where` is all of it.
std::optional<std::vector<std::size_t>> fields_given(std::span<const AstRef> named,
                                                     const Type& type, bool rest_is_zero,
                                                     const Location& where, Elaborator& elaborator);

/// The number of the first scalar of a field among those of its struct.
std::size_t first_leaf(const Type& type, std::size_t field);

/// Zero in every scalar, whether or not that is a member of its enumeration.
Value zero_of(const TypeRef& type, Builder& builder);

/// How a field in a place without a type is written.
extern const char* const typed_field_advice;

} // namespace sme::expr
