// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sme::cli {

/// "1 cycle", "3 cycles".
std::string counted(std::uint64_t count, const char* one, const char* many);

inline constexpr std::size_t max_named = 8; // names in one message

/// "a, b and 7 more": lists at most `most` names, and counts the rest up to `all`.
std::string listed(const std::vector<std::string>& names, std::size_t most, std::size_t all);
inline std::string listed(const std::vector<std::string>& names, std::size_t most) {
    return listed(names, most, names.size());
}

} // namespace sme::cli
