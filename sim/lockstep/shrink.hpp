// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace sme::lockstep {

/// How inputs that show a difference are made smaller: first fewer rows, then more values that are
/// idle. The same for the same rows, unless `give_up` ends it.
struct Shrink {
    using Row = std::vector<std::byte>;

    /// Runs rows: the cycle of the difference that they show, or nothing.
    std::function<std::optional<std::uint64_t>(const std::vector<Row>&)> differs;
    std::function<bool(const Row&)> allowed; // by rules
    std::function<bool()> give_up;
    Row idle;
    std::vector<std::pair<std::size_t, std::size_t>> scalars; // offset and bytes, in a row

    static constexpr std::uint64_t most_trials = 2000;
    static constexpr std::uint64_t most_cycles = 2'000'000; // of all trials

    /// Of rows that show a difference.
    std::vector<Row> run(std::vector<Row> rows);
    /// Scalars that are not idle.
    std::size_t active(const std::vector<Row>& rows) const;

    bool stopped = false; // before nothing more could be left out

private:
    bool take(std::vector<Row> rows);
    void drop_rows();
    void idle_values();
    bool make_idle(std::size_t first, std::size_t count, std::size_t from, std::size_t to);

    std::vector<Row> best_;
    std::uint64_t trials_ = 0, cycles_ = 0;
};

} // namespace sme::lockstep
