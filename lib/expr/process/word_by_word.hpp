// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "expr/process/process.hpp"

namespace sme::expr {

/// Rewrites a line that assigns all of a memory, or a row of it, as a line over ranges: "a: b"
/// becomes "a[k < n]: b[k]". Applies only if the value is a choice of named arrays. The new index
/// names contain a blank, so they differ from all names in a file.
class WordByWord {
public:
    /// Returns true if a name is an array with these dimensions, not yet indexed.
    using IsArray = std::function<bool(const Ast& name, const std::vector<std::uint64_t>&)>;

    WordByWord(const Statement& statement, const StateText& memory);

    /// Returns the number of words that the line assigns; 0: the rewrite does not apply.
    Integer words() const;
    std::optional<Statement> statement(const IsArray& is_array) const;

    /// Returns the name at the left end of a target.
    static const Ast& base_of(const Ast& target);

private:
    std::optional<Rhs> value(const Rhs& rhs, const IsArray& is_array) const;
    AstRef value(const AstRef& ast, const IsArray& is_array) const;

    const Statement& statement_;
    std::vector<std::uint64_t> left_; // unindexed dimensions
};

} // namespace sme::expr
