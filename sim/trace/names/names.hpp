// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
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

/// Replaces all characters but A-Z, a-z, 0-9 and _ by _; viewers accept the result.
std::string sanitised(std::string_view name);

/// Converts a name for a comment: nothing in it ends the comment or the line.
std::string for_comment(std::string_view name);

/// The short name of a signal in the value changes: base 94, '!' to '~', least significant digit
/// first. Short names are dense and increasing.
std::string identifier(std::uint32_t signal);

/// Appends an index to a name: "_3", "_m1" for −1.
void append_index(std::string& name, std::int64_t index);

/// The names of one scope. Does not store the members of families: a family reserves all names that
/// consist of its own name and numbers.
class NameSet {
public:
    /// Reserves a name for a single thing: the requested name, or a variant of it.
    std::string place(const std::string& wanted);
    /// Reserves a name for a family, to which indices are appended.
    std::string place_family(const std::string& wanted);

private:
    bool is_free(const std::string& name) const;
    bool is_free_for_family(const std::string& name) const;
    void block_families(const std::string& name);

    std::unordered_set<std::string> singles_;
    std::unordered_set<std::string> families_;
    std::unordered_set<std::string> blocked_; // not available as names of families
};

} // namespace sme::trace
