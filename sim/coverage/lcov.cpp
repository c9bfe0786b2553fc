// SPDX-License-Identifier: Apache-2.0
#include "coverage/lcov.hpp"

#include <algorithm>
#include <charconv>
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

namespace {

/// The numbers of a record, separated by commas, without "-".
std::vector<std::uint64_t> numbers_in(std::string_view text) {
    std::vector<std::uint64_t> result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        std::uint64_t number = 0;
        if (std::from_chars(text.data(), text.data() + end, number).ec == std::errc{})
            result.push_back(number);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

void add_branch(const std::vector<std::uint64_t>& record, FileCoverage& to) {
    std::vector<Branch>& ways = to.branches[static_cast<std::uint32_t>(record[0])];
    const auto block = static_cast<unsigned>(record[1]), number = static_cast<unsigned>(record[2]);
    auto way = std::find_if(ways.begin(), ways.end(), [&](const Branch& each) {
        return each.block == block && each.number == number;
    });
    if (way == ways.end())
        way = ways.insert(ways.end(), Branch{block, number});
    if (record.size() > 3) {
        way->reached = true;
        way->taken += record[3];
    }
}

} // namespace

void add_lcov(std::string_view text, LineCoverage& to) {
    FileCoverage* file = nullptr;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t colon = std::min(line.find(':'), line.size() - 1);
        const std::string_view key = line.substr(0, colon), value = line.substr(colon + 1);
        if (key == "SF")
            file = &to[std::string{value}];
        else if (const auto record = numbers_in(value); !file)
            continue;
        else if (key == "BRDA" && record.size() >= 3)
            add_branch(record, *file);
        else if (key == "DA" && record.size() == 2)
            file->lines[static_cast<std::uint32_t>(record[0])] += record[1];
    }
}

} // namespace sme::coverage
