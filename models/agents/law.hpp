// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace models {

/// How wide a location is; positions are counted from its centre.
constexpr std::int32_t location_size = 4096;

struct Vector {
    std::int32_t x;
    std::int32_t y;
};

/// What is seen of an agent.
struct Sighting {
    std::uint32_t id;
    Vector at;
};

/// Of an integer square root by Newton's method, from `r`, in 16 steps at most.
inline std::int32_t root(std::int32_t square, std::int32_t r) {
    std::int32_t last = 0;
    for (int step = 0; step < 16 && r != last; ++step) {
        last = r;
        r = (r + square / r) / 2;
    }
    return r;
}

/// What an agent is led by, apart from the others.
class Persona {
public:
    explicit Persona(std::uint32_t id) : bias_{37 * id} {}
    std::uint32_t bias() const { return bias_; }

    /// Where it looks around; `seen` is the number of agents there, itself among them.
    void look(Vector at, std::uint32_t location, std::size_t seen) {
        for (const std::uint32_t factor :
             {static_cast<std::uint32_t>(at.x), static_cast<std::uint32_t>(at.y), location})
            bias_ = (bias_ & 0xffffU) * factor;
        bias_ += static_cast<std::uint32_t>(seen);
    }

    /// The force by which the others push an agent away.
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
            } else { // at the same point: somewhere, by the number of the cycle
                force.x -= strength * static_cast<std::int32_t>((cycle + 1) & 1U);
                force.y -= strength * static_cast<std::int32_t>(((cycle + 1) >> 1U) & 1U);
            }
        }
        return force;
    }

private:
    std::uint32_t bias_;
};

/// A square of locations whose edges meet.
class Torus {
public:
    Torus(std::uint32_t side, std::uint32_t agents) : side_{side}, agents_{agents} {}
    std::uint32_t side() const { return side_; }
    std::uint32_t locations() const { return side_ * side_; }
    std::uint32_t agents() const { return agents_ * locations(); }

    /// An agent where it starts; ids count from 1.
    Sighting start(std::uint32_t id) const {
        const auto step = static_cast<std::int32_t>(location_size / (agents_ + 4));
        const std::int32_t at =
            step * static_cast<std::int32_t>((id - 1) % agents_ + 2) - location_size / 2;
        return {id, {at, at}};
    }
    std::uint32_t start_location(std::uint32_t id) const { return (id - 1) / agents_; }

    /// The location so many columns and rows, from −side on, beyond another.
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

/// How many locations further a coordinate lies: −1, 0 or 1, one step of a longer way.
inline std::int32_t step_of(std::int32_t coordinate) {
    return coordinate < -location_size / 2 ? -1 : coordinate >= location_size / 2 ? 1 : 0;
}

} // namespace models
