// SPDX-License-Identifier: Apache-2.0
#include "network/shape.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme {

std::uint64_t Shape::box() const {
    std::uint64_t product = 1;
    for (const Dimension& dimension : dimensions)
        product *= dimension.count;
    return product;
}

std::uint64_t Shape::count() const {
    return kept.empty() ? box() : kept.size();
}

std::vector<std::uint64_t> Shape::counts() const {
    std::vector<std::uint64_t> all;
    for (const Dimension& dimension : dimensions)
        all.push_back(dimension.count);
    return all;
}

std::vector<std::int64_t> Shape::lows() const {
    std::vector<std::int64_t> all;
    for (const Dimension& dimension : dimensions)
        all.push_back(dimension.low);
    return all;
}

std::vector<std::int64_t> Shape::indices(std::uint64_t flat) const {
    if (!kept.empty())
        flat = kept[flat];
    std::vector<std::int64_t> values(dimensions.size());
    for (std::size_t d = dimensions.size(); d-- > 0;) {
        values[d] = dimensions[d].low + static_cast<std::int64_t>(flat % dimensions[d].count);
        flat /= dimensions[d].count;
    }
    return values;
}

std::optional<std::uint64_t> Shape::member(std::uint64_t at) const {
    if (kept.empty())
        return at;
    const auto found = std::lower_bound(kept.begin(), kept.end(), at);
    if (found == kept.end() || *found != at)
        return std::nullopt;
    return static_cast<std::uint64_t>(found - kept.begin());
}

std::optional<std::string> Shape::filled_in(const std::string& text, std::uint64_t flat,
                                            std::string& unknown) const {
    const std::vector<std::int64_t> values = indices(flat);
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t close = text[at] == '{' ? text.find('}', at) : std::string::npos;
        if (close == std::string::npos) {
            result += text[at++];
            continue;
        }
        unknown = text.substr(at + 1, close - at - 1);
        std::size_t d = dimensions.size(); // the innermost dimension with that name
        while (d > 0 && dimensions[d - 1].index != unknown)
            --d;
        if (d == 0)
            return std::nullopt;
        result += fmt::format("{}", values[d - 1]);
        at = close + 1;
    }
    return result;
}

std::string Shape::element_name(const std::string& name, std::uint64_t flat) const {
    const std::vector<std::int64_t> values = indices(flat);
    std::string result;
    std::size_t begin = 0;
    for (std::size_t d = 0; d < dimensions.size();) {
        const std::size_t after = std::min<std::size_t>(dimensions[d].after, name.size());
        std::size_t end = d + 1;
        while (end < dimensions.size() && dimensions[end].after == dimensions[d].after)
            ++end;
        result += fmt::format("{}[{}]", name.substr(begin, after - begin),
                              fmt::join(values.begin() + static_cast<std::ptrdiff_t>(d),
                                        values.begin() + static_cast<std::ptrdiff_t>(end), ", "));
        begin = after;
        d = end;
    }
    return result + name.substr(begin);
}

Shape nested(const Shape& outer, std::size_t outer_name_length, const Shape& inner) {
    Shape result = outer;
    for (Shape::Dimension& dimension : result.dimensions) {
        dimension.index.clear();
        if (dimension.after == Shape::at_end)
            dimension.after = static_cast<std::uint32_t>(outer_name_length);
    }
    result.dimensions.insert(result.dimensions.end(), inner.dimensions.begin(),
                             inner.dimensions.end());
    result.kept.clear();
    if (outer.kept.empty() && inner.kept.empty())
        return result;
    const std::uint64_t each = inner.box();
    for (std::uint64_t a = 0; a < outer.count(); ++a)
        for (std::uint64_t p = 0; p < inner.count(); ++p)
            result.kept.push_back((outer.kept.empty() ? a : outer.kept[a]) * each +
                                  (inner.kept.empty() ? p : inner.kept[p]));
    return result;
}

} // namespace sme
