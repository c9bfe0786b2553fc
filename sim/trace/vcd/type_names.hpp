// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sme/type.hpp"

namespace sme::trace {

/// A line of the declaration of a value.
struct TypeLine {
    enum class Kind : std::uint8_t { leaf, scope, scope_ends };
    Kind kind;
    /// Continues the name of the bus, outside all its scopes; else the name of a field.
    bool continues;
    std::string name;
    std::uint32_t leaf = 0; // its place in Type::scalars()
};

/// How the scalars of a type are declared: a scope for each struct, elements of arrays side by side
/// with their indices behind the name.
struct TypeLines {
    std::vector<TypeLine> lines;
    std::vector<std::string> comments; // on fields whose names are changed
};

TypeLines lines_of(const Type& type);

/// The indices of the first or the last scalar or struct of an array of any dimension: "[0][0]".
std::string corner(const Type& type, bool last);
/// As they are written in a trace: "_0_0".
std::string written_corner(const Type& type, bool last);

/// "x[0] to x[3] are x_0 to x_3"; empty when the names are as they were.
std::string renaming(const std::string& first, const std::string& last,
                     const std::string& written_first, const std::string& written_last);

} // namespace sme::trace
