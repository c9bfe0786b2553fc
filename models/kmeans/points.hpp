// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace models {

using Point = std::array<std::int32_t, 3>;
using Points = std::span<const Point>;

/// Coordinates range from 0 to this number minus one.
constexpr std::int32_t range = 1000;

/// Returns the same points for the same seed.
inline std::vector<Point> random_points(std::uint64_t count, std::uint64_t seed) {
    std::mt19937 random{static_cast<std::uint32_t>(seed)};
    std::vector<Point> points(count);
    for (Point& point : points)
        for (std::int32_t& coordinate : point)
            coordinate = static_cast<std::int32_t>(random() % range);
    return points;
}

} // namespace models
