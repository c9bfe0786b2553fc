// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "network/shape.hpp"

namespace sme {

/// Names that differ only in their indices, as one: "stage[0..7].fifo" for "stage[0].fifo" to
/// "stage[7].fifo".
class FoldedName {
public:
    /// Takes the name of a family: numbers in brackets are indices, and so are those of its shape.
    explicit FoldedName(const std::string& name, const Shape& shape = {});

    /// Returns the pattern: names with the same pattern can be folded into one.
    const std::string& pattern() const { return pattern_; }
    void add(const FoldedName& other);

    /// Returns the number of names it represents.
    std::uint64_t count() const { return count_; }
    /// Returns whether the name has one index, which grows by one from each member to the next.
    bool has_one_index() const { return ranges_.size() == 1 && linear_; }
    std::int64_t low() const { return ranges_[0].low; }
    /// Returns whether its single index takes every value of its range exactly once.
    bool is_whole_range() const;

    /// Returns the parts of the name between dots: "stage[0..7]", "fifo".
    std::vector<std::string> segments() const;
    std::string text() const;

private:
    struct Range {
        std::int64_t low;
        std::int64_t high;
    };

    std::size_t add_dimensions(const Shape& shape, std::size_t next, std::size_t at, bool all);

    std::string pattern_; // with a mark in place of each index
    std::vector<Range> ranges_;
    std::uint64_t count_ = 1;
    bool linear_ = true; // no dropped members
};

} // namespace sme
