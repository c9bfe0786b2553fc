// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/counted.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::cli {

std::string counted(std::uint64_t count, const char* one, const char* many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string listed(const std::vector<std::string>& names, std::size_t most, std::size_t all) {
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size()));
    const std::string text = fmt::format("{}", fmt::join(names.begin(), end, ", "));
    return all > most ? fmt::format("{} and {} more", text, all - most) : text;
}

} // namespace sme::cli
