// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sme {

/// The index ranges of a family: low ≤ i < low + count for each dimension, the last one running
/// fastest. No dimension: a single thing without an index.
struct Shape {
    struct Dimension {
        std::int64_t low = 0;
        std::uint64_t count = 0;
        std::string index; // the name of the index, for families of processes
    };
    std::vector<Dimension> dimensions;

    std::uint64_t count() const;
    /// The index values of the element at a flat position.
    std::vector<std::int64_t> indices(std::uint64_t flat) const;
    /// "name", "name[3]" or "name[1, 2]".
    std::string element_name(const std::string& name, std::uint64_t flat) const;
};

} // namespace sme
