// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/calls/structs.hpp"
#include "expr/syntax/ast.hpp"
#include "expr/typing/formula.hpp"
#include "network/shape.hpp"
#include "yaml/scope/library.hpp"
#include "yaml/scope/network_scope.hpp"

namespace sme::yaml {

/// Reads the values that declarations give after '='.
class Initials {
public:
    Initials(NetworkScope& scope, FilePlace place, FileAccess* files, Diagnostics& diagnostics)
        : scope_{scope}, place_{std::move(place)}, files_{files}, diagnostics_{diagnostics} {}

    /// A constant of a type. For T[] (`unsized`) `type` is that of an element, and as many elements
    /// are made as there are. Null when something was reported.
    std::shared_ptr<const expr::ConstantArray> constant(const expr::Ast& ast, const TypeRef& type,
                                                        bool unsized, const std::string& what);

    /// Slot bytes of a family's initial values: of one value that all have, or of each. Nothing
    /// when something was reported.
    std::optional<std::vector<std::byte>> slots(const expr::Ast& ast, const TypeRef& type,
                                                const Shape& shape, const std::string& what);

    /// The path of a file that is named in the file of this scope, or by a file parameter.
    std::string path_of(const std::string& written);
    /// The same, of one that is going to be read. Nothing when it may not be, which was reported.
    std::optional<std::string> path_to_read(const std::string& written, const Location& where);
    const FilePlace& place() const { return place_; }

private:
    bool leaves(Constants& constants, const expr::Ast& ast, const TypeRef& type,
                const std::string& what, std::vector<std::uint64_t>& into);
    bool list_leaves(Constants& constants, const expr::Ast& ast, const TypeRef& type,
                     const std::string& what, std::vector<std::uint64_t>& into);
    bool field_leaves(Constants& constants, const expr::Ast& ast, const TypeRef& type,
                      std::vector<std::uint64_t>& into);
    bool equal_leaves(Constants& constants, const expr::Ast& ast, const Type& array,
                      const std::string& what, std::vector<std::uint64_t>& into);
    bool value_leaves(Constants& constants, const expr::Ast& ast, const TypeRef& type,
                      const std::string& what, std::vector<std::uint64_t>& into);
    /// `in_row` elements may stand in one row: of an array with rows, those of its last dimension.
    bool file_leaves(const expr::Ast& ast, const Type& element, std::uint64_t count,
                     std::uint64_t in_row, const std::string& what,
                     std::vector<std::uint64_t>& into);

    /// As `slots`, for an expression in the indices of the family.
    std::optional<std::vector<std::byte>> each_slot(const expr::Ast& ast, const TypeRef& type,
                                                    const Shape& shape, const std::string& what);
    std::optional<expr::Formula> formula(const expr::Ast& ast, const TypeRef& type,
                                         const Shape& shape);

    NetworkScope& scope_;
    FilePlace place_;
    FileAccess* files_; // null: any file is read
    Diagnostics& diagnostics_;
};

/// Whether an expression has one of these names in it.
bool mentions(const expr::Ast& ast, const std::set<std::string>& names);

/// The value of a tree from `read_value` where nothing says its type: fields and elements have
/// types of their own. Broken, and reported, when one has none: `advice` says what to write where
/// that is a field.
expr::Value value_of(const expr::Ast& ast, expr::Elaborator& elaborator,
                     const std::string& advice = expr::typed_field_advice);

} // namespace sme::yaml
