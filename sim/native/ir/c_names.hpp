// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "expr/program/program.hpp"

namespace sme::native {

/// An integer type of the generated C: u8 … u64, i8 … i64.
struct CType {
    unsigned bytes = 8;
    bool is_signed = false;

    std::string name() const;
    /// The type of a scalar in a slot.
    static CType in_slot(expr::Scalar type) { return {type.bytes(), type.is_signed}; }
    bool operator==(const CType&) const = default;
};

/// The name of the type of a scalar in a slot.
inline std::string slot_type(expr::Scalar type) {
    return CType::in_slot(type).name();
}

/// Converts a name of a network to a C name: "total.value" becomes "n_total_value". No keyword,
/// macro, built-in function or library of a C compiler, and no other generated name, begins with
/// this prefix.
std::string c_name(const std::string& name);

} // namespace sme::native
