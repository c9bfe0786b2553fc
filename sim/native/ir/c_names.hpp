// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "expr/program/program.hpp"

namespace sme::native {

/// An integer type of the C that is written: u8 … u64, i8 … i64.
struct CType {
    unsigned bytes = 8;
    bool is_signed = false;

    std::string name() const;
    /// How a scalar lies in a slot.
    static CType in_slot(expr::Scalar type) { return {type.bytes(), type.is_signed}; }
    bool operator==(const CType&) const = default;
};

/// The name of the type in which a scalar lies in a slot.
inline std::string slot_type(expr::Scalar type) {
    return CType::in_slot(type).name();
}

/// A name of a network as one of C: "n_total_value" of "total.value". No keyword, macro, built-in
/// function or library of a C compiler, and nothing that this part writes by itself, begins so.
std::string c_name(const std::string& name);

} // namespace sme::native
