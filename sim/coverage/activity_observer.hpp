// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "network/picture/channels.hpp"
#include "runtime/observer.hpp"

namespace sme::coverage {

/// Counts the cycles in which each bus was active; ignores states. The unwritten value of an
/// `error` bus counts as a separate value. Wires are compared in the cycles that ran; for other
/// buses, the values that readers see in the cycle after the last one count, too. The items of a
/// stream move when the clock of its writer rises, which a slow clock does not do in every cycle.
class ActivityObserver final : public Observer {
public:
    void open(const Observed& observed) override;
    void step(unsigned part, Range range, const Frame& frame) override;
    void close(std::uint64_t cycles) override;

    /// Complete after `close`.
    const Activity& activity() const { return activity_; }

private:
    /// Equidistant slots of a family, whose values are compared.
    struct Row {
        std::size_t family;
        std::size_t offset; // in the arena
        std::int64_t stride;
        std::uint64_t count;
        std::size_t slot_bytes;
        std::size_t value_bytes;
        std::size_t before; // in `before_`
        bool wire;
        bool may_be_unwritten;
    };
    /// The positions of `valid` and `ready` of the streams of a family.
    struct Stream {
        std::size_t family;
        std::int64_t valid, valid_stride;
        std::int64_t ready, ready_stride;
        std::uint64_t count;
        ClockRate rate;
    };

    bool add_stream(std::size_t number, const Observed& observed);
    void add_rows(std::size_t number, const Segments& slots);
    std::uint64_t changes(const Row& row, const std::byte* read);
    bool is_changed(const Row& row, const std::byte* now, const std::byte* before) const;
    void keep(const Row& row, const std::byte* read);
    static std::uint64_t items(const Stream& stream, const std::byte* read);

    const Graph* graph_ = nullptr;
    std::vector<Row> rows_;
    std::vector<Stream> streams_;
    std::vector<std::byte> before_;
    Activity activity_;
    std::uint64_t first_cycle_ = 0;
    std::uint64_t seen_ = 0, settled_ = 0; // number of cycles; of cycles in which wires had values
};

} // namespace sme::coverage
