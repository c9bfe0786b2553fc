// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sme {

/// The index ranges of a family: low ≤ i < low + count for each dimension; the last one varies
/// fastest. Without dimensions: a single object without an index.
struct Shape {
    /// The position of a dimension's index in a name: at the end.
    static constexpr std::uint32_t at_end = ~std::uint32_t{0};

    struct Dimension {
        std::int64_t low = 0;
        std::uint64_t count = 0;
        std::string index; // the name of the index, for families of processes
        /// The number of characters of the family's name before the index: members of a family of
        /// components have names like "stage[3].fifo".
        std::uint32_t after = at_end;
    };
    std::vector<Dimension> dimensions;
    /// For a family with dropped members: the flat positions in the full box that are kept,
    /// ascending. Empty: all are kept.
    std::vector<std::uint64_t> kept{};

    /// Replaces each "{k}" in a text by the value of index k of a member. `nullopt` if the index
    /// does not exist; then `unknown` is its name.
    std::optional<std::string> filled_in(const std::string& text, std::uint64_t flat,
                                         std::string& unknown) const;

    /// True for a single object without an index.
    bool is_single() const { return dimensions.empty(); }
    std::uint64_t count() const;
    /// Returns the number of members including dropped ones.
    std::uint64_t box() const;
    /// Returns the length of each dimension.
    std::vector<std::uint64_t> counts() const;
    /// Returns the lowest index of each dimension.
    std::vector<std::int64_t> lows() const;
    /// Returns the index values of the member at a flat position.
    std::vector<std::int64_t> indices(std::uint64_t flat) const;
    /// Returns the member at a flat position of the box; `nullopt` if it was dropped.
    std::optional<std::uint64_t> member(std::uint64_t at) const;
    /// Returns "name", "name[3]", "name[1, 2]" or "na[1].me[2]".
    std::string element_name(const std::string& name, std::uint64_t flat) const;
};

/// Returns the shape of families inside each member of a family: all dimensions of `outer`, then
/// those of `inner`. The indices of `outer` lose their names; those at the end of a name move to
/// the position after `outer_name_length` characters.
Shape nested(const Shape& outer, std::size_t outer_name_length, const Shape& inner);

} // namespace sme
