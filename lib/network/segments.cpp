// SPDX-License-Identifier: Apache-2.0
#include "network/segments.hpp"

#include <algorithm>

namespace sme {

Segments Segments::affine(std::uint64_t count, std::int64_t offset, std::int64_t stride) {
    Segments result;
    result.append(count, offset, stride);
    return result;
}

void Segments::append(std::uint64_t count, std::int64_t offset, std::int64_t stride) {
    if (count == 0)
        return;
    if (!runs_.empty()) {
        Segment& last = runs_.back();
        const std::int64_t step = last.count == 1 ? offset - last.offset : last.stride;
        const bool continues = offset == last.offset + static_cast<std::int64_t>(last.count) * step;
        if (continues && (count == 1 || stride == step)) {
            last.stride = step;
            last.count += count;
            return;
        }
    }
    runs_.push_back({size(), count, offset, count == 1 ? 0 : stride});
}

std::size_t Segments::run_of(std::uint64_t index) const {
    if (runs_.size() == 1)
        return 0;
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), index,
                         [](std::uint64_t i, const Segment& run) { return i < run.first; });
    return static_cast<std::size_t>(after - runs_.begin()) - 1;
}

namespace {

/// Returns how many steps of `stride` from `value` stay inside `run`, at most `most`.
std::uint64_t steps_inside(const Segment& run, std::int64_t value, std::int64_t stride,
                           std::uint64_t most) {
    if (stride == 0)
        return most;
    const auto at = static_cast<std::uint64_t>(value);
    const std::uint64_t room = stride > 0 ? run.end() - 1 - at : at - run.first;
    const auto size = static_cast<std::uint64_t>(stride > 0 ? stride : -stride);
    return std::min(most, room / size + 1);
}

} // namespace

Segments Segments::then(const Segments& outer) const {
    Segments result;
    for (const Segment& run : runs_)
        for (std::uint64_t index = run.first; index < run.end();) {
            const std::int64_t value = run.at(index);
            const Segment& target = outer.runs_[outer.run_of(static_cast<std::uint64_t>(value))];
            const std::uint64_t count = steps_inside(target, value, run.stride, run.end() - index);
            result.append(count, target.at(static_cast<std::uint64_t>(value)),
                          run.stride * target.stride);
            index += count;
        }
    return result;
}

std::uint64_t Segments::index_of(std::int64_t value) const {
    for (const Segment& run : runs_) {
        const std::int64_t ahead = value - run.offset;
        const std::int64_t stride = run.count == 1 || run.stride == 0 ? 1 : run.stride;
        const std::int64_t steps = ahead / stride;
        const bool inside =
            run.stride == 0 ? ahead == 0 : steps < static_cast<std::int64_t>(run.count);
        if (steps >= 0 && inside && steps * stride == ahead)
            return run.first + static_cast<std::uint64_t>(steps);
    }
    return size();
}

bool Segments::is_identity() const {
    return runs_.empty() ||
           (runs_.size() == 1 && runs_[0].offset == 0 && (runs_[0].stride == 1 || size() == 1));
}

} // namespace sme
