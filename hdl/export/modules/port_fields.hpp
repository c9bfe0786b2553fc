// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sme/type.hpp"

namespace sme::hdl {

/// A field of a bus with a vector of its own.
struct PortField {
    std::string name; // "data"
    TypeRef type;
    int field = -1; // among the forward fields; -1: a back field
    int back = -1;  // among the back fields; -1: a forward field
};

/// Returns the fields of a bundle, and of a struct unless it is `packed` into one vector. Empty for
/// other types.
std::vector<PortField> port_fields(const Type& type, bool packed);

/// Returns the lowest bit of forward field `field` in a struct packed into one vector.
std::uint64_t low_bit_of(const Type& type, int field);

} // namespace sme::hdl
