// SPDX-License-Identifier: Apache-2.0
#include "orders/slot_tape.hpp"

#include <algorithm>
#include <cstring>

namespace sme::orders {

void SlotTape::open(const Observed& observed) {
    const Graph& graph = observed.graph();
    for (std::size_t b = 0; b < graph.buses.size(); ++b) {
        const BusFamily& bus = graph.buses[b];
        for (const Segment& run : observed.slots(b).runs()) {
            runs_.push_back({bus.first + run.first, run.count, run.offset, run.stride,
                             bus.type->size(), bus.wire(), row_bytes_});
            row_bytes_ += run.count * bus.type->size();
        }
    }
}

void SlotTape::begin(std::uint64_t cycle) {
    rows_ = 0;
    rows_kept_.clear();
    first_cycle_ = cycle;
}

void SlotTape::step(unsigned, Range, const Frame& frame) {
    rows_kept_.resize((rows_ + 1) * row_bytes_);
    std::byte* const row = rows_kept_.data() + rows_ * row_bytes_;
    ++rows_;
    for (const Run& run : runs_) {
        if (run.wire && !frame.wires_settled)
            continue;
        const std::byte* const slots = frame.read + run.offset;
        if (run.stride == static_cast<std::int64_t>(run.bytes))
            std::memcpy(row + run.at, slots, run.count * run.bytes);
        else
            for (std::uint64_t k = 0; k < run.count; ++k)
                std::memcpy(row + run.at + k * run.bytes,
                            slots + static_cast<std::int64_t>(k) * run.stride, run.bytes);
    }
}

std::optional<SlotTape::Place> SlotTape::first_difference(const SlotTape& other) const {
    const std::size_t rows = std::min(rows_, other.rows_);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::byte* const mine = rows_kept_.data() + row * row_bytes_;
        const std::byte* const theirs = other.rows_kept_.data() + row * row_bytes_;
        if (std::memcmp(mine, theirs, row_bytes_) == 0)
            continue;
        for (const Run& run : runs_)
            for (std::uint64_t k = 0; k < run.count; ++k) {
                const std::size_t at = run.at + k * run.bytes;
                if (std::memcmp(mine + at, theirs + at, run.bytes) != 0)
                    return Place{first_cycle_ + row, run.element + k};
            }
    }
    return std::nullopt;
}

const std::byte* SlotTape::value(const Place& place) const {
    const auto after = std::upper_bound(
        runs_.begin(), runs_.end(), place.element,
        [](std::uint64_t element, const Run& run) { return element < run.element; });
    const Run& run = *std::prev(after);
    return rows_kept_.data() + (place.cycle - first_cycle_) * row_bytes_ + run.at +
           (place.element - run.element) * run.bytes;
}

} // namespace sme::orders
