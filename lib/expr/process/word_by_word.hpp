// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "expr/process/process.hpp"

namespace sme::expr {

/// A line that assigns all of a memory, or of a row of it, as one over ranges: "a: b" is
/// "a[k < n]: b[k]". Nothing where the line is none of these, or its value no choice of arrays that
/// have a name. The names of the indices have a blank in them, as no name of a file has.
class WordByWord {
public:
    /// Whether a name stands for an array of these dimensions, which waits for its indices.
    using IsArray = std::function<bool(const Ast& name, const std::vector<std::uint64_t>&)>;

    WordByWord(const Statement& statement, const StateText& memory);

    /// How many words the line assigns; 0: it is none of these.
    Integer words() const;
    std::optional<Statement> statement(const IsArray& is_array) const;

    /// The name at the left end of a target.
    static const Ast& base_of(const Ast& target);

private:
    std::optional<Rhs> value(const Rhs& rhs, const IsArray& is_array) const;
    AstRef value(const AstRef& ast, const IsArray& is_array) const;

    const Statement& statement_;
    std::vector<std::uint64_t> left_; // dimensions that are not indexed
};

} // namespace sme::expr
