// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/observer.hpp"

namespace sme::orders {

/// Records the values read from every bus in the last cycles of a run, and finds where two runs of
/// one network differ.
class SlotTape final : public Observer {
public:
    /// Discards all but the cycles from `cycle` on.
    void begin(std::uint64_t cycle);
    std::size_t row_bytes() const { return row_bytes_; }

    struct Place {
        std::uint64_t cycle;
        std::uint64_t element;
    };
    /// The first element in the first cycle that differs; both tapes must hold the same cycles.
    std::optional<Place> first_difference(const SlotTape& other) const;
    /// The value of an element in a recorded cycle.
    const std::byte* value(const Place& place) const;

    void open(const Observed& observed) override;
    void step(unsigned part, Range range, const Frame& frame) override;
    void close(std::uint64_t) override {}

private:
    /// Consecutive elements of a family with consecutive slots.
    struct Run {
        std::uint64_t element;
        std::uint64_t count;
        std::int64_t offset;
        std::int64_t stride;
        std::size_t bytes; // of a value
        bool wire;
        std::size_t at; // in a row
    };

    std::vector<Run> runs_;
    std::size_t row_bytes_ = 0;
    std::vector<std::byte> rows_kept_;
    std::size_t rows_ = 0;
    std::uint64_t first_cycle_ = 0;
};

} // namespace sme::orders
