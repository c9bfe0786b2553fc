// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/syntax/ast.hpp"
#include "expr/typing/formula.hpp"
#include "expr/typing/structs.hpp"
#include "network/shape.hpp"
#include "yaml/scope/library.hpp"
#include "yaml/scope/network_scope.hpp"

namespace sme::yaml {

/// Reads the values after '=' in declarations.
class Initials {
public:
    Initials(NetworkScope& scope, FilePlace place, FileAccess* files, Diagnostics& diagnostics)
        : scope_{scope}, place_{std::move(place)}, files_{files}, diagnostics_{diagnostics} {}

    /// Returns a constant of a type. For T[] (`unsized`), `type` is the element type, and the value
    /// determines the number of elements. Null after an error was reported.
    std::shared_ptr<const expr::ConstantArray> constant(const expr::Ast& ast, const TypeRef& type,
                                                        bool unsized, const std::string& what);

    /// Returns the initial values of a family as slot bytes: one value for all members, or one for
    /// each. `nullopt` after an error was reported.
    std::optional<std::vector<std::byte>> slots(const expr::Ast& ast, const TypeRef& type,
                                                const Shape& shape, const std::string& what);

    /// Returns the path of a file named in this scope's file, or by a file parameter.
    std::string path_of(const std::string& written);
    /// Returns the path of a file to be read. `nullopt` if access is refused, which is reported.
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
    /// `in_row` is the maximum number of elements in one row: for an array with rows, the size of
    /// its last dimension.
    bool file_leaves(const expr::Ast& ast, const Type& element, std::uint64_t count,
                     std::uint64_t in_row, const std::string& what,
                     std::vector<std::uint64_t>& into);

    /// Returns slot bytes as `slots` does, for an expression in the indices of the family.
    std::optional<std::vector<std::byte>> each_slot(const expr::Ast& ast, const TypeRef& type,
                                                    const Shape& shape, const std::string& what);
    std::optional<expr::Formula> formula(const expr::Ast& ast, const TypeRef& type,
                                         const Shape& shape);

    NetworkScope& scope_;
    FilePlace place_;
    FileAccess* files_; // null: any file is read
    Diagnostics& diagnostics_;
};

/// Returns true if an expression contains one of these names.
bool mentions(const expr::Ast& ast, const std::set<std::string>& names);

/// Returns the value of a tree from `read_value` in a context without a type: fields and elements
/// have their own types. Reports a field or element without a type and returns a broken value;
/// `advice` tells what to write for a field.
expr::BoundExpr value_of(const expr::Ast& ast, expr::Elaborator& elaborator,
                         const std::string& advice = expr::typed_field_advice);

} // namespace sme::yaml
