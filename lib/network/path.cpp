// SPDX-License-Identifier: Apache-2.0
#include "network/path.hpp"

#include <algorithm>
#include <charconv>

namespace sme {

namespace {

/// Removes an index and the ',' or ']' after it; false if absent.
bool take_index(std::string_view& text, Path& into) {
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (error != std::errc{} || end == text.data() + text.size() || (*end != ',' && *end != ']'))
        return false;
    into.push_back({{}, index});
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

/// Removes the first steps if they are these.
bool take_steps(std::string_view written, PathRest& rest) {
    written.remove_prefix(written.starts_with('.') ? 1 : 0); // after an index
    const std::optional<Path> steps = written.empty() ? Path{} : parse_path(written);
    if (!steps || steps->size() > rest.size() ||
        !std::equal(steps->begin(), steps->end(), rest.begin()))
        return false;
    rest = rest.subspan(steps->size());
    return true;
}

/// Removes an index within a range; returns its place in the range.
std::optional<std::uint64_t> take_place(std::int64_t low, std::uint64_t count, PathRest& rest) {
    if (rest.empty() || !rest.front().name.empty() || rest.front().index < low)
        return std::nullopt;
    const auto place =
        static_cast<std::uint64_t>(rest.front().index) - static_cast<std::uint64_t>(low);
    rest = rest.subspan(1);
    return place < count ? std::optional{place} : std::nullopt;
}

} // namespace

std::optional<Path> parse_path(std::string_view text) {
    std::string plain{text};
    std::erase(plain, ' ');
    Path path;
    for (std::string_view rest = plain;;) {
        const std::size_t end = std::min(rest.find_first_of(".[],"), rest.size());
        if (end == 0)
            return std::nullopt;
        path.push_back({std::string{rest.substr(0, end)}});
        rest.remove_prefix(end);
        while (rest.starts_with('[')) {
            do {
                rest.remove_prefix(1);
                if (!take_index(rest, path))
                    return std::nullopt;
            } while (rest.starts_with(','));
            rest.remove_prefix(1);
        }
        if (rest.empty())
            return path;
        if (!rest.starts_with('.'))
            return std::nullopt;
        rest.remove_prefix(1);
    }
}

std::optional<std::uint64_t> take_member(const std::string& family, const Shape& shape,
                                         PathRest& rest) {
    const std::string_view name = family;
    PathRest left = rest;
    std::uint64_t at = 0;
    std::size_t begin = 0;
    for (const Shape::Dimension& dimension : shape.dimensions) {
        const std::size_t after = std::min<std::size_t>(dimension.after, name.size());
        if (!take_steps(name.substr(begin, after - begin), left))
            return std::nullopt;
        const auto place = take_place(dimension.low, dimension.count, left);
        if (!place)
            return std::nullopt;
        at = at * dimension.count + *place;
        begin = after;
    }
    if (!take_steps(name.substr(begin), left))
        return std::nullopt;
    rest = left;
    return shape.member(at);
}

std::optional<std::uint64_t> take_instance(const ProcessFamily& family, PathRest& rest) {
    if (family.names.empty())
        return take_member(family.name, family.shape, rest);
    for (std::size_t k = 0; k < family.names.size(); ++k) {
        const ProcessFamily::NameRun& run = family.names[k];
        PathRest left = rest;
        if (!take_steps(run.text, left))
            continue;
        std::uint64_t place = 0;
        if (run.indexed) {
            const std::uint64_t end =
                k + 1 < family.names.size() ? family.names[k + 1].first : family.count;
            const auto found =
                take_place(static_cast<std::int64_t>(run.index), end - run.first, left);
            if (!found)
                continue;
            place = *found;
        }
        rest = left;
        return run.first + place;
    }
    return std::nullopt;
}

bool follow(PathRest rest, TypeRef& type, std::size_t& offset) {
    while (!rest.empty()) {
        if (type->kind() == TypeKind::array) {
            const auto place = take_place(0, type->count(), rest);
            if (!place)
                return false;
            offset += *place * type->element()->size();
            type = TypeRef{type->element()};
            continue;
        }
        const int position =
            type->kind() == TypeKind::structure ? type->find_field(rest.front().name) : -1;
        if (position < 0)
            return false;
        const Field& field = type->fields()[static_cast<std::size_t>(position)];
        offset += field.offset;
        type = TypeRef{field.type};
        rest = rest.subspan(1);
    }
    return true;
}

} // namespace sme
