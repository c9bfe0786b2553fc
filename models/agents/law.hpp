// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace models {

/// The width of a location; positions are relative to its centre.
constexpr std::int32_t location_size = 4096;

struct Vector {
    std::int32_t x;
    std::int32_t y;
};

/// The visible state of an agent.
struct Sighting {
    std::uint32_t id;
    Vector at;
};

/// Computes an integer square root by Newton's method, from `r`, in at most 16 steps.
inline std::int32_t root(std::int32_t square, std::int32_t r) {
    std::int32_t last = 0;
    for (int step = 0; step < 16 && r != last; ++step) {
        last = r;
        r = (r + square / r) / 2;
    }
    return r;
}

/// The individual drive of an agent, independent of the others.
class Persona {
public:
    explicit Persona(std::uint32_t id) : bias_{37 * id} {}
    std::uint32_t bias() const { return bias_; }

    /// Updates the drive after a look around; `seen` is the number of agents there, including
    /// itself.
    void look(Vector at, std::uint32_t location, std::size_t seen) {
        for (const std::uint32_t factor :
             {static_cast<std::uint32_t>(at.x), static_cast<std::uint32_t>(at.y), location})
            bias_ = (bias_ & 0xffffU) * factor;
        bias_ += static_cast<std::uint32_t>(seen);
    }

    /// Returns the force with which the others push an agent away.
    Vector force(const Sighting& self, const std::vector<Sighting>& view,
                 std::uint32_t cycle) const {
        const auto scale_x = static_cast<std::int32_t>(bias_ & 0xffU) + 1;
        const auto scale_y = static_cast<std::int32_t>((bias_ >> 8U) & 0xffU) + 1;
        Vector force{0, 0};
        for (const Sighting& other : view) {
            if (other.id == self.id)
                continue;
            const Vector d{(self.at.x - other.at.x) * scale_x / 128,
                           (self.at.y - other.at.y) * scale_y / 128};
            const std::int32_t square = d.x * d.x + d.y * d.y;
            const std::int32_t strength =
                std::min(location_size, 3 * location_size * location_size / (square + 1));
            if (square != 0) {
                const std::int32_t distance = root(square, std::max(std::abs(d.x), std::abs(d.y)));
                force.x += strength * d.x / distance;
                force.y += strength * d.y / distance;
            } else { // at the same point: the direction depends on the cycle number
                force.x -= strength * static_cast<std::int32_t>((cycle + 1) & 1U);
                force.y -= strength * static_cast<std::int32_t>(((cycle + 1) >> 1U) & 1U);
            }
        }
        return force;
    }

private:
    std::uint32_t bias_;
};

/// A square of locations with opposite edges joined.
class Torus {
public:
    Torus(std::uint32_t side, std::uint32_t agents) : side_{side}, agents_{agents} {}
    std::uint32_t side() const { return side_; }
    std::uint32_t locations() const { return side_ * side_; }
    std::uint32_t agents() const { return agents_ * locations(); }

    /// Returns an agent at its start; ids count from 1.
    Sighting start(std::uint32_t id) const {
        const auto step = static_cast<std::int32_t>(location_size / (agents_ + 4));
        const std::int32_t at =
            step * static_cast<std::int32_t>((id - 1) % agents_ + 2) - location_size / 2;
        return {id, {at, at}};
    }
    std::uint32_t start_location(std::uint32_t id) const { return (id - 1) / agents_; }

    /// Returns the location at an offset in columns and rows, from −side on.
    std::uint32_t beyond(std::uint32_t location, std::int32_t columns, std::int32_t rows) const {
        const auto side = static_cast<std::int32_t>(side_);
        const std::int32_t column = static_cast<std::int32_t>(location % side_) + columns + side;
        const std::int32_t row = static_cast<std::int32_t>(location / side_) + rows + side;
        return static_cast<std::uint32_t>(row % side * side + column % side);
    }

private:
    std::uint32_t side_;
    std::uint32_t agents_;
};

/// Returns the location step of a coordinate: −1, 0 or 1, one step of a longer way.
inline std::int32_t step_of(std::int32_t coordinate) {
    return coordinate < -location_size / 2 ? -1 : coordinate >= location_size / 2 ? 1 : 0;
}

} // namespace models
