// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sme/type.hpp"

namespace sme::trace {

/// A line in the declaration of a value.
struct TypeLine {
    enum class Kind : std::uint8_t { leaf, scope, scope_ends };
    Kind kind;
    /// True if the name continues that of the bus, outside all its scopes; false for a field.
    bool continues;
    std::string name;
    std::uint32_t leaf = 0; // its index in Type::scalars()
};

/// The declaration of the scalars of a type: a scope for each struct, elements of arrays as
/// separate variables with their indices after the name.
struct TypeLines {
    std::vector<TypeLine> lines;
    std::vector<std::string> comments; // about fields with changed names
};

TypeLines lines_of(const Type& type);

/// The indices of the first or last scalar or struct of an array of any dimension: "[0][0]".
std::string corner(const Type& type, bool last);
/// The same as written in a trace: "_0_0".
std::string written_corner(const Type& type, bool last);

/// "x[0] to x[3] are x_0 to x_3"; empty if the names are unchanged.
std::string renaming(const std::string& first, const std::string& last,
                     const std::string& written_first, const std::string& written_last);

} // namespace sme::trace
