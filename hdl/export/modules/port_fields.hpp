// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sme/type.hpp"

namespace sme::hdl {

/// A field of a bus that is a vector of its own.
struct PortField {
    std::string name; // "data"
    TypeRef type;
    int field = -1; // among the forward fields; -1: it runs back
    int back = -1;  // among the back fields; -1: it runs forward
};

/// The fields of a bundle, and of a struct unless that is `packed` into one vector. None of any
/// other type.
std::vector<PortField> port_fields(const Type& type, bool packed);

/// Where forward field `field` of a struct lies in it as one vector: its lowest bit.
std::uint64_t low_bit_of(const Type& type, int field);

} // namespace sme::hdl
