// SPDX-License-Identifier: Apache-2.0
#include "network/folded_name.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace sme {

namespace {

constexpr char mark = '\x01'; // in no name: FoldedName ensures it

/// Parses "3" or "1, 2" up to a bracket; returns the position of the bracket, or 0.
std::size_t read_indices(const std::string& name, std::size_t at, std::vector<std::int64_t>& into) {
    while (true) {
        std::int64_t index = 0;
        const auto [end, error] =
            std::from_chars(name.data() + at, name.data() + name.size(), index);
        if (error != std::errc{})
            return 0;
        into.push_back(index);
        at = static_cast<std::size_t>(end - name.data());
        if (name.compare(at, 1, "]") == 0)
            return at;
        if (name.compare(at, 2, ", ") != 0)
            return 0;
        at += 2;
    }
}

std::string marks(std::size_t count) {
    std::string result = "[";
    for (std::size_t k = 0; k < count; ++k) {
        result += k == 0 ? "" : ", ";
        result += mark;
    }
    return result + ']';
}

} // namespace

FoldedName::FoldedName(const std::string& name, const Shape& shape)
    : count_{shape.count()}, linear_{shape.kept.empty()} {
    std::size_t next = 0; // the dimension whose index comes next
    for (std::size_t at = 0;; ++at) {
        next = add_dimensions(shape, next, at, at >= name.size());
        if (at >= name.size())
            return;
        std::vector<std::int64_t> indices;
        const std::size_t close = name[at] == '[' ? read_indices(name, at + 1, indices) : 0;
        if (close == 0) {
            pattern_ += name[at] == mark ? '?' : name[at];
            continue;
        }
        pattern_ += marks(indices.size());
        for (const std::int64_t index : indices)
            ranges_.push_back({index, index});
        at = close;
    }
}

std::size_t FoldedName::add_dimensions(const Shape& shape, std::size_t next, std::size_t at,
                                       bool all) {
    const std::size_t first = next;
    for (; next < shape.dimensions.size() && (all || shape.dimensions[next].after == at); ++next) {
        const Shape::Dimension& dimension = shape.dimensions[next];
        ranges_.push_back(
            {dimension.low, dimension.low + static_cast<std::int64_t>(dimension.count) - 1});
    }
    if (next > first)
        pattern_ += marks(next - first);
    return next;
}

void FoldedName::add(const FoldedName& other) {
    for (std::size_t k = 0; k < ranges_.size(); ++k) {
        ranges_[k].low = std::min(ranges_[k].low, other.ranges_[k].low);
        ranges_[k].high = std::max(ranges_[k].high, other.ranges_[k].high);
    }
    count_ += other.count_;
    linear_ = linear_ && other.linear_;
}

bool FoldedName::is_whole_range() const {
    return has_one_index() &&
           static_cast<std::uint64_t>(ranges_[0].high - ranges_[0].low) + 1 == count_;
}

std::vector<std::string> FoldedName::segments() const {
    std::vector<std::string> result{""};
    std::size_t next = 0;
    int depth = 0;
    for (const char c : pattern_) {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c == mark) {
            const Range& range = ranges_[next++];
            result.back() += range.low == range.high ? fmt::format("{}", range.low)
                                                     : fmt::format("{}..{}", range.low, range.high);
        } else if (c == '.' && depth <= 0)
            result.emplace_back();
        else
            result.back() += c;
    }
    return result;
}

std::string FoldedName::text() const {
    return fmt::format("{}", fmt::join(segments(), "."));
}

} // namespace sme
