// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace sme::lockstep {

/// Reduces inputs that show a difference: first to fewer rows, then to more idle values. The result
/// depends on the rows only, unless `give_up` ends the search.
struct Shrink {
    using Row = std::vector<std::byte>;

    /// Runs rows; returns the cycle of the difference, or `nullopt`.
    std::function<std::optional<std::uint64_t>(const std::vector<Row>&)> differs;
    std::function<bool(const Row&)> allowed; // by rules
    std::function<bool()> give_up;
    Row idle;
    std::vector<std::pair<std::size_t, std::size_t>> scalars; // offset and bytes, in a row

    static constexpr std::uint64_t most_trials = 2000;
    static constexpr std::uint64_t most_cycles = 2'000'000; // in all trials

    /// Reduces rows that show a difference.
    std::vector<Row> run(std::vector<Row> rows);
    /// The number of scalars that are not idle.
    std::size_t active(const std::vector<Row>& rows) const;

    bool stopped = false; // before the reduction was complete

private:
    bool take(std::vector<Row> rows);
    void drop_rows();
    void idle_values();
    bool make_idle(std::size_t first, std::size_t count, std::size_t from, std::size_t to);

    std::vector<Row> best_;
    std::uint64_t trials_ = 0, cycles_ = 0;
};

} // namespace sme::lockstep
