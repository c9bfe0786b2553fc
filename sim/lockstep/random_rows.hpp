// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "lockstep/random_rules.hpp"
#include "network/graph.hpp"

namespace sme::lockstep {

/// A number for each (seed, place): the finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
std::uint64_t mixed(std::uint64_t value);

/// A random value for a scalar, canonical: any of its type, or of low … high; the smallest and the
/// largest more often.
std::uint64_t random_scalar(const Type& type, std::uint64_t random);
std::uint64_t random_in(const Type& type, std::uint64_t low, std::uint64_t high,
                        std::uint64_t random);

/// Rows of random values under rules: row r is what is read in cycle r. A row is drawn as a whole
/// until all assumptions hold; when that does not help, its scalars are drawn again one by one, and
/// what makes fewer assumptions hold is taken back. The same for the same seed.
class RandomRows {
public:
    static constexpr unsigned whole_draws = 64;
    static constexpr unsigned single_draws = 20'000;

    RandomRows(const Graph& graph, std::vector<std::uint64_t> elements, const RandomRules& rules,
               std::uint64_t seed);
    ~RandomRows();
    RandomRows(const RandomRows&) = delete;
    RandomRows& operator=(const RandomRows&) = delete;

    /// Draws the next row; the elements at these places keep their values. False when nothing was
    /// found.
    bool draw(const std::vector<bool>& kept);
    /// The value of an element in the row.
    const std::byte* value(std::size_t place) const { return row_.data() + offsets_[place]; }
    std::size_t bytes(std::size_t place) const { return types_[place]->size(); }
    std::uint64_t rows() const { return rows_; }

    /// The same row, or another one, as bytes: a value of `bytes(place)` at `offset(place)`.
    std::size_t offset(std::size_t place) const { return offsets_[place]; }
    std::size_t row_bytes() const { return row_.size(); }
    /// Whether all assumptions hold for a row.
    bool allows(const std::vector<std::byte>& row);
    /// The values before the run, or those next to them that lie in the ranges.
    std::vector<std::byte> idle(const Graph& graph,
                                const std::vector<std::uint64_t>& elements) const;
    /// Offset and bytes of each scalar.
    std::vector<std::pair<std::size_t, std::size_t>> scalars() const;
    /// Why the last row was not found.
    Diagnostic problem() const;

private:
    class Judge;
    struct Scalar {
        std::size_t place;
        std::size_t offset; // in the row
        TypeRef owner;      // keeps `type`
        const Type* type;
        bool ranged = false;
        std::uint64_t low = 0, high = 0;
    };

    void put(const Scalar& scalar, std::uint64_t random);
    std::size_t holding();

    std::vector<TypeRef> types_;
    std::vector<std::size_t> offsets_;
    std::vector<Scalar> scalars_;
    std::vector<std::unique_ptr<Judge>> judges_;
    std::vector<std::byte> row_;
    std::uint64_t seed_;
    std::uint64_t rows_ = 0;
};

} // namespace sme::lockstep
