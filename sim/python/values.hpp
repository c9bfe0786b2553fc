// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "sme/type.hpp"

namespace sme::python {

/// The NumPy dtype of a type, with the layout of its slots: bool, integers of 1, 2, 4 or 8 bytes, a
/// subarray of 64-bit words for wider ones, structured for structs. An enumeration and a
/// fixed-point number are the integers that store them.
nanobind::object dtype_of(const Type& type);

/// The type of a family's values: an array of its members; `type` itself without dimensions.
TypeRef array_type(TypeRef type, const std::vector<std::uint64_t>& shape);

/// The value of a slot: a bool, an int, a Fraction, the name of a member of an enumeration;
/// otherwise a NumPy scalar or array with a copy.
nanobind::object to_python(const Type& type, const std::byte* slot);

/// Writes a value to a slot. Takes what `to_python` returns, numbers of enumerations, dicts and
/// structured values of NumPy for structs, and sequences of the same shape for arrays. Raises
/// TypeError and ValueError, with the name `what`, and then leaves the slot as it was.
void from_python(const Type& type, nanobind::handle value, std::byte* slot,
                 const std::string& what);

} // namespace sme::python
