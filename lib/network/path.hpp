// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "network/graph.hpp"

namespace sme {

/// A step of a path: a name, or an index in brackets.
struct PathStep {
    std::string name; // empty: an index
    std::int64_t index = 0;
    bool operator==(const PathStep&) const = default;
};

using Path = std::vector<PathStep>;
using PathRest = std::span<const PathStep>;

/// Parses the name of anything in a network: "core.regs[3].field". Names are separated by '.'; each
/// may have indices, of which "[1, 2]" means the same as "[1][2]". Spaces are ignored. `nullopt` if
/// the text is no path.
std::optional<Path> parse_path(std::string_view text);

/// Returns the member of a family that the first steps name, and removes these steps. `nullopt` if
/// they name no member.
std::optional<std::uint64_t> take_member(const std::string& family, const Shape& shape,
                                         PathRest& rest);
/// The same for the instances of a family of processes.
std::optional<std::uint64_t> take_instance(const ProcessFamily& family, PathRest& rest);

/// Follows fields and array elements into a type: replaces it by the type of the part, and adds the
/// position of the part in bytes. False if there is no such part.
bool follow(PathRest rest, TypeRef& type, std::size_t& offset);

} // namespace sme
