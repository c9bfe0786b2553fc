// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sme {

/// The index ranges of a family: low ≤ i < low + count for each dimension, the last one running
/// fastest. No dimension: a single thing without an index.
struct Shape {
    /// Where the index of a dimension stands in a name: behind all of it.
    static constexpr std::uint32_t at_end = ~std::uint32_t{0};

    struct Dimension {
        std::int64_t low = 0;
        std::uint64_t count = 0;
        std::string index; // the name of the index, for families of processes
        /// How many characters of the family's name stand before the index: things inside a family
        /// of components are called "stage[3].fifo".
        std::uint32_t after = at_end;
    };
    std::vector<Dimension> dimensions;
    /// Of a family with dropped members: the flat positions in the whole box that are kept,
    /// ascending. Empty: all.
    std::vector<std::uint64_t> kept{};

    /// A text in which "{k}" stands for index k of a member, with its value. Nothing when there is
    /// no such index, which `unknown` then names.
    std::optional<std::string> filled_in(const std::string& text, std::uint64_t flat,
                                         std::string& unknown) const;

    std::uint64_t count() const;
    /// How many members there would be without dropped ones.
    std::uint64_t box() const;
    /// The index values of the member at a flat position.
    std::vector<std::int64_t> indices(std::uint64_t flat) const;
    /// The member at a flat position of the box, or nothing when it was dropped.
    std::optional<std::uint64_t> member(std::uint64_t at) const;
    /// "name", "name[3]", "name[1, 2]" or "na[1].me[2]".
    std::string element_name(const std::string& name, std::uint64_t flat) const;
};

/// The shape of families inside each member of a family: all of `outer`, then `inner`. The indices
/// of `outer` lose their names, and stand after `outer_name_length` characters if they stood at the
/// end of a name.
Shape nested(const Shape& outer, std::size_t outer_name_length, const Shape& inner);

} // namespace sme
