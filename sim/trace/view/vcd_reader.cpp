// SPDX-License-Identifier: Apache-2.0
//
// 1. the declarations, up to $enddefinitions, in memory
// 2. the times in the first values behind them
// 3. the last time, from the end of the file
#include "trace/view/vcd_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>

namespace sme::trace {

namespace {

constexpr std::string_view end_mark = "$enddefinitions";
constexpr std::size_t block_bytes = std::size_t{1} << 20;
constexpr std::size_t tail_bytes = std::size_t{1} << 16;

/// Appends the next bytes of the file; how many there were.
std::size_t append_block(std::ifstream& file, std::string& text, std::size_t bytes) {
    const std::size_t before = text.size();
    text.resize(before + bytes);
    file.read(text.data() + before, static_cast<std::streamsize>(bytes));
    const auto got = static_cast<std::size_t>(file.gcount());
    text.resize(before + got);
    return got;
}

/// The times in "#12" lines, ascending, as far as they are numbers.
std::vector<std::uint64_t> times_in(std::string_view text, std::size_t most) {
    std::vector<std::uint64_t> times;
    for (std::size_t at = text.find("\n#"); at != std::string_view::npos && times.size() < most;
         at = text.find("\n#", at + 1)) {
        std::uint64_t time = 0;
        const char* const begin = text.data() + at + 2;
        const auto [end, error] = std::from_chars(begin, text.data() + text.size(), time);
        const bool whole = end != text.data() + text.size(); // else it may go on
        if (error == std::errc{} && whole && (times.empty() || time >= times.back()))
            times.push_back(time);
    }
    return times;
}

std::uint64_t last_time(std::ifstream& file) {
    file.clear();
    file.seekg(0, std::ios::end);
    const std::streamoff size = file.tellg();
    const std::streamoff from = std::max<std::streamoff>(0, size - std::streamoff{tail_bytes});
    file.seekg(from);
    std::string tail;
    append_block(file, tail, tail_bytes);
    const std::vector<std::uint64_t> times = times_in(tail, tail.size());
    return times.empty() ? 0 : times.back();
}

} // namespace

VcdSummary summary_of_vcd(const std::string& path) {
    VcdSummary made;
    std::ifstream file{path, std::ios::binary};
    std::string text;
    std::size_t mark = std::string::npos;
    while (mark == std::string::npos) {
        const std::size_t searched =
            text.size() < end_mark.size() ? 0 : text.size() - end_mark.size();
        if (text.size() >= VcdSummary::max_bytes) {
            made.problem = fmt::format("the declarations of '{}' are longer than {} MiB", path,
                                       VcdSummary::max_bytes >> 20);
            return made;
        }
        if (append_block(file, text, block_bytes) == 0) {
            made.problem = file.eof()
                               ? fmt::format("'{}' is no VCD file: it has no '{}'", path, end_mark)
                               : fmt::format("cannot read '{}': {}", path, std::strerror(errno));
            return made;
        }
        mark = text.find(end_mark, searched);
    }
    made.rows = rows_of_declarations(std::string_view{text}.substr(0, mark));
    if (made.rows.empty()) {
        made.problem = fmt::format("'{}' declares no signals", path);
        return made;
    }
    text.erase(0, mark);
    append_block(file, text, tail_bytes);
    made.times = times_in(text, VcdSummary::max_times);
    made.end = last_time(file);
    return made;
}

} // namespace sme::trace
