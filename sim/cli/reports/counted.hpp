// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace sme::cli {

/// "1 cycle", "3 cycles".
inline std::string counted(std::uint64_t count, const char* one, const char* many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

inline constexpr std::size_t max_named = 8; // in a message

/// "a, b and 7 more": at most as many of these names as `most`, of `all` that there are.
inline std::string listed(const std::vector<std::string>& names, std::size_t most,
                          std::size_t all) {
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size()));
    const std::string text = fmt::format("{}", fmt::join(names.begin(), end, ", "));
    return all > most ? fmt::format("{} and {} more", text, all - most) : text;
}
inline std::string listed(const std::vector<std::string>& names, std::size_t most) {
    return listed(names, most, names.size());
}

} // namespace sme::cli
