// SPDX-License-Identifier: Apache-2.0
//
// 1. Removes rows, in pieces of half of them, then of a quarter, and so on (after Zeller and
//    Hildebrandt, 2002).
// 2. Makes values idle: of a scalar in all rows, of whole rows, one by one.
// 3. Repeats both, since idle values may make more rows unnecessary. Rows that still show a
//    difference, perhaps an earlier one, are kept up to that cycle.
#include "lockstep/comparison.hpp"

#include <algorithm>
#include <utility>

namespace sme::lockstep {

/// True if these rows still show a difference; they then become the best so far.
bool Shrink::take(std::vector<Row> rows) {
    if (stopped || rows.empty())
        return false;
    if (trials_ >= most_trials || cycles_ >= most_cycles || give_up()) {
        stopped = true;
        return false;
    }
    ++trials_;
    cycles_ += rows.size();
    const std::optional<std::uint64_t> cycle = differs(rows);
    if (!cycle)
        return false;
    rows.resize(std::min<std::size_t>(rows.size(), static_cast<std::size_t>(*cycle) + 1));
    best_ = std::move(rows);
    return true;
}

void Shrink::drop_rows() {
    for (std::size_t piece = best_.size() / 2; piece > 0; piece /= 2)
        for (std::size_t at = 0; at + piece <= best_.size() && best_.size() > 1;) {
            std::vector<Row> rows = best_;
            const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(at);
            rows.erase(begin, begin + static_cast<std::ptrdiff_t>(piece));
            if (!take(std::move(rows)))
                at += piece;
        }
}

/// In `count` rows from `first` on, makes the scalars from … to idle.
bool Shrink::make_idle(std::size_t first, std::size_t count, std::size_t from, std::size_t to) {
    std::vector<Row> rows = best_;
    for (std::size_t r = first; r < first + count && r < rows.size(); ++r) {
        for (std::size_t k = from; k < to; ++k)
            std::copy_n(idle.begin() + static_cast<std::ptrdiff_t>(scalars[k].first),
                        scalars[k].second,
                        rows[r].begin() + static_cast<std::ptrdiff_t>(scalars[k].first));
        if (!allowed(rows[r]))
            return false;
    }
    return rows != best_ && take(std::move(rows));
}

void Shrink::idle_values() {
    for (std::size_t k = 0; k < scalars.size(); ++k)
        make_idle(0, best_.size(), k, k + 1);
    for (std::size_t r = 0; r < best_.size(); ++r)
        if (!make_idle(r, 1, 0, scalars.size()))
            for (std::size_t k = 0; k < scalars.size() && r < best_.size(); ++k)
                make_idle(r, 1, k, k + 1);
}

std::vector<Shrink::Row> Shrink::run(std::vector<Row> rows) {
    best_ = std::move(rows);
    std::size_t before = 0;
    do {
        before = best_.size() + active(best_);
        drop_rows();
        idle_values();
    } while (!stopped && best_.size() + active(best_) < before);
    return best_;
}

std::size_t Shrink::active(const std::vector<Row>& rows) const {
    std::size_t count = 0;
    for (const Row& row : rows)
        for (const auto& [offset, bytes] : scalars) {
            const auto at = static_cast<std::ptrdiff_t>(offset);
            count +=
                std::equal(row.begin() + at, row.begin() + at + static_cast<std::ptrdiff_t>(bytes),
                           idle.begin() + at)
                    ? 0u
                    : 1u;
        }
    return count;
}

} // namespace sme::lockstep
