// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/sized_network.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "cli/findings.hpp"

namespace sme::cli {

namespace {

using sizing::Search;

int write_file(const std::string& path, const std::string& text) {
    OutputFile file{path};
    file.write(text);
    if (file.commit())
        return exit_code::fine;
    report_error(Code::file_unwritable, file.problem());
    return exit_code::file;
}

std::string table(const SizedNetwork& network, const std::vector<Search::Point>& front) {
    std::string text = "cycles,bits";
    for (const SizedChannel& channel : network.channels())
        text += channel.name.find(',') == std::string::npos ? "," + channel.name
                                                            : fmt::format(",\"{}\"", channel.name);
    text += '\n';
    for (const Search::Point& point : front) {
        text += fmt::format("{},{}", point.cycles, point.bits);
        for (const std::uint64_t depth : point.depths)
            text += fmt::format(",{}", depth);
        text += '\n';
    }
    return text;
}

/// Maps values to positions in a plot.
struct Axis {
    double from, to;  // positions in the plot
    double low, high; // values
    double at(std::uint64_t value) const {
        const double range = std::max(1.0, high - low);
        return from + (to - from) * (static_cast<double>(value) - low) / range;
    }
};

std::string plot(const SizedNetwork& network, const std::vector<Search::Point>& front) {
    constexpr double width = 640, height = 400, left = 80, right = 30, top = 40, bottom = 60;
    const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
    const Axis x{left, width - right, number(front.front().cycles), number(front.back().cycles)};
    const Axis y{height - bottom, top, number(front.back().bits), number(front.front().bits)};
    const std::size_t bend = sizing::knee(front);
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
        "<text x=\"{2}\" y=\"24\" font-size=\"14\">{3}: cycles against bits in channels</text>\n",
        width, height, left, network.name());
    text += fmt::format("<path d=\"M{0} {1}V{2}H{3}\" fill=\"none\" stroke=\"black\"/>\n", left,
                        top, height - bottom, width - right);
    const auto x_label = [&](std::uint64_t value) {
        text += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                            x.at(value), height - bottom + 18, value);
    };
    const auto y_label = [&](std::uint64_t value) {
        text += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 8,
                            y.at(value) + 4, value);
    };
    x_label(front.front().cycles);
    y_label(front.front().bits);
    if (front.size() > 1) {
        x_label(front.back().cycles);
        y_label(front.back().bits);
    }
    text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">cycles</text>\n"
                        "<text x=\"20\" y=\"{}\" text-anchor=\"middle\">bits</text>\n",
                        (left + width - right) / 2, height - 12, (top + height - bottom) / 2);
    std::string steps;
    for (const Search::Point& point : front)
        steps += steps.empty()
                     ? fmt::format("M{:.1f} {:.1f}", x.at(point.cycles), y.at(point.bits))
                     : fmt::format("H{:.1f}V{:.1f}", x.at(point.cycles), y.at(point.bits));
    text += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#888\"/>\n", steps);
    for (std::size_t k = 0; k < front.size(); ++k) {
        const double cx = x.at(front[k].cycles), cy = y.at(front[k].bits);
        text += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"><title>{} "
                            "cycles, {} bits</title></circle>\n",
                            cx, cy, k == bend ? 6 : 4, k == bend ? "#c33" : "#36c", front[k].cycles,
                            front[k].bits);
        if (k == bend)
            text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">knee: {} cycles, {} bits</text>\n",
                                cx + 10, cy - 8, front[k].cycles, front[k].bits);
    }
    return text + "</svg>\n";
}

/// A file with some bytes replaced, as lines.
class PatchedFile {
public:
    explicit PatchedFile(SourceRef source) : source_{std::move(source)} {}

    void replace(const Location& where, std::string with) {
        const Source::Position at = source_->position(where.begin);
        edits_[at.line].push_back({at.column - 1, where.end - where.begin, std::move(with)});
    }

    /// Writes the difference in the unified format, with three lines of context.
    std::string diff() {
        constexpr std::uint32_t around = 3;
        std::string text = fmt::format("--- {0}\n+++ {0}\n", source_->path());
        const std::uint32_t last = last_line();
        for (auto edit = edits_.begin(); edit != edits_.end();) {
            const std::uint32_t first = edit->first > around ? edit->first - around : 1;
            std::uint32_t end = std::min(edit->first + around, last);
            auto next = std::next(edit);
            while (next != edits_.end() && next->first <= end + around) {
                end = std::min(next->first + around, last);
                ++next;
            }
            const std::uint32_t count = end - first + 1;
            text += fmt::format("@@ -{0},{1} +{0},{1} @@\n", first, count);
            for (std::uint32_t line = first; line <= end; ++line)
                add_line(text, line);
            edit = next;
        }
        return text;
    }

private:
    struct Edit {
        std::uint32_t column, length;
        std::string with;
    };

    /// The number of the last line; a final line end starts no further line.
    std::uint32_t last_line() const {
        const std::uint32_t count = source_->line_count();
        return source_->text().ends_with('\n') ? count - 1 : count;
    }

    void add_line(std::string& text, std::uint32_t line) {
        const std::string old{source_->line(line)};
        const auto edit = edits_.find(line);
        const bool unended = line == source_->line_count();
        const auto add = [&](char mark, const std::string& content) {
            text += fmt::format("{}{}\n", mark, content);
            if (unended)
                text += "\\ No newline at end of file\n";
        };
        if (edit == edits_.end())
            return add(' ', old);
        std::string result = old;
        std::sort(edit->second.begin(), edit->second.end(),
                  [](const Edit& a, const Edit& b) { return a.column > b.column; });
        for (const Edit& each : edit->second) // from right to left
            result.replace(each.column, each.length, each.with);
        add('-', old);
        add('+', result);
    }

    SourceRef source_;
    std::map<std::uint32_t, std::vector<Edit>> edits_;
};

} // namespace

int write_front(const std::string& path, const SizedNetwork& network,
                const std::vector<Search::Point>& front) {
    return write_file(path, path.ends_with(".svg") ? plot(network, front) : table(network, front));
}

int write_patch(const std::string& path, const SizedNetwork& network,
                const sizing::Depths& depths) {
    std::map<std::string, PatchedFile> files;
    for (std::size_t k = 0; k < depths.size(); ++k) {
        const yaml::ChannelLine& line = network.channels()[k].line;
        if (line.places == depths[k])
            continue;
        PatchedFile& file =
            files.try_emplace(line.depth.source->path(), line.depth.source).first->second;
        file.replace(line.depth,
                     line.given ? std::to_string(depths[k]) : fmt::format("depth {} ", depths[k]));
    }
    std::string text;
    for (auto& [name, file] : files)
        text += file.diff();
    return write_file(path, text);
}

} // namespace sme::cli
