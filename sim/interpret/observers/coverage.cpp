// SPDX-License-Identifier: Apache-2.0
#include "interpret/observers/coverage.hpp"

#include <algorithm>

#include "sme/archive.hpp"

namespace sme::interpret {

std::vector<std::uint64_t> CoverCounts::sums() const {
    std::vector<std::uint64_t> sums(results_ + 1, 0);
    for (const std::unique_ptr<std::uint64_t[]>& own : counts_)
        for (std::size_t k = 0; own && k < sums.size(); ++k)
            sums[k] += own[k];
    return sums;
}

void CoverCounts::state(Archive& archive) {
    std::vector<std::uint64_t> all = sums();
    archive(all);
    if (all.size() != results_ + 1)
        throw CheckpointError{"other lines are counted"};
    if (!archive.saves())
        std::copy(all.begin(), all.end(), of(0));
}

std::vector<std::uint64_t> CoverCounts::points() const {
    const std::vector<std::uint64_t> sums = this->sums();
    std::vector<std::uint64_t> made;
    for (const expr::CoverPoint& point : program_->cover.points) {
        std::uint64_t& sum = made.emplace_back(point.always * sums[results_]);
        for (const std::uint32_t result : point.results)
            sum += sums[result];
    }
    return made;
}

} // namespace sme::interpret
