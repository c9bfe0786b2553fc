// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace sme {

/// An edge between two vertices, a < b; listed once.
struct Link {
    std::uint32_t a;
    std::uint32_t b;
    double weight;
};

/// Halves a graph again and again, so that each half has about half of the costs and the links
/// between the halves weigh little. Returns the part of each vertex; the parts of each half are
/// consecutive numbers. `parts` is a power of two. Without METIS, or without memory, all vertices
/// are in part 0. Equal arguments give equal results.
std::vector<std::uint32_t> bisect(const std::vector<double>& costs, const std::vector<Link>& links,
                                  std::size_t parts);

} // namespace sme
