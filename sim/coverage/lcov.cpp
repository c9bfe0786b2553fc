// SPDX-License-Identifier: Apache-2.0
#include "coverage/lcov.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace sme::coverage {

std::uint64_t FileCoverage::lines_hit() const {
    return static_cast<std::uint64_t>(std::count_if(
        lines.begin(), lines.end(), [](const auto& line) { return line.second > 0; }));
}

std::uint64_t FileCoverage::branches_found() const {
    std::uint64_t sum = 0;
    for (const auto& [line, ways] : branches)
        sum += ways.size();
    return sum;
}

std::uint64_t FileCoverage::branches_hit() const {
    std::uint64_t sum = 0;
    for (const auto& [line, ways] : branches)
        for (const Branch& way : ways)
            sum += way.taken > 0;
    return sum;
}

std::string lcov_text(const LineCoverage& coverage, const std::string& test) {
    std::string name; // letters, digits and '_' only
    for (const char c : test)
        name +=
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
    std::string text = fmt::format("TN:{}\n", name);
    for (const auto& [path, file] : coverage) {
        text += fmt::format("SF:{}\n", std::filesystem::absolute(path).lexically_normal().string());
        for (const auto& [line, ways] : file.branches)
            for (const Branch& way : ways)
                text += fmt::format("BRDA:{},{},{},{}\n", line, way.block, way.number,
                                    way.reached ? fmt::format("{}", way.taken) : "-");
        text += fmt::format("BRF:{}\nBRH:{}\n", file.branches_found(), file.branches_hit());
        for (const auto& [line, count] : file.lines)
            text += fmt::format("DA:{},{}\n", line, count);
        text += fmt::format("LF:{}\nLH:{}\nend_of_record\n", file.lines.size(), file.lines_hit());
    }
    return text;
}

} // namespace sme::coverage
