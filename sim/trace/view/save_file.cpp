// SPDX-License-Identifier: Apache-2.0
//
// A save file is a list of lines: "@flags" apply until the next flags, "[color] n" and "^1 file"
// apply to the next signal; "+{label} name" shows a signal under another name; "-text" is a line of
// text, which opens or closes a group if the flags request it.
#include "trace/view/save_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "base/digest.hpp"
#include "base/files.hpp"
#include "trace/view/radixes.hpp"

namespace sme::trace {

namespace {

// the flags of a line, as GTKWave numbers them
constexpr unsigned hexadecimal = 0x2, decimal = 0x4, binary = 0x8, right = 0x20, blank = 0x200,
                   with_sign = 0x400, collapsed = 0x1000, translated = 0x2000, real = 0x40000,
                   closed = 0x400000, group_begins = 0x800000, group_ends = 0x1000000;
/// Uses a table of the trace itself, as in FST files; GTKWave then ignores our tables.
constexpr std::uint64_t named_by_trace = 0x100000000 | right | binary;

constexpr std::uint64_t max_open = 64; // signals, with all groups open
constexpr std::uint64_t max_in_open_group = 16;
constexpr std::size_t max_translations = 127; // the limit of GTKWave
constexpr double wave_pixels = 827;           // the width of the window below, measured
constexpr double pixels_per_frame = 200;      // the unit of GTKWave's zoom

unsigned flags_of(Radix radix) {
    switch (radix) {
    case Radix::binary: return right | binary;
    case Radix::decimal: return right | decimal;
    case Radix::signed_decimal: return right | with_sign;
    case Radix::hexadecimal: return right | hexadecimal;
    case Radix::real: return right | real | hexadecimal;
    }
    return right;
}

/// An index of GTKWave's rainbow: 1 red, 2 orange, 3 yellow, 4 green, 5 blue, 6 indigo, 7 violet; 0
/// the default.
int colour_of(Part part) {
    switch (part) {
    case Part::data: return 0;
    case Part::clock: return 7;
    case Part::handshake: return 2;
    case Part::choice: return 3;
    case Part::state: return 5;
    }
    return 0;
}

/// Converts a text for a line of a save file, or for braces.
std::string for_line(const std::string& text) {
    std::string result = text;
    std::replace_if(
        result.begin(), result.end(),
        [](char c) { return (c >= 0 && c < ' ') || c == '{' || c == '}'; }, '_');
    return result;
}

/// The signed first line of our files; `mark` begins a comment.
std::string signed_text(const std::string& mark, const std::string& text) {
    return fmt::format("{} sme {:016x}: written anew until you change it\n{}", mark,
                       Digest{}.add(text).value(), text);
}

bool is_untouched(const std::string& text) {
    const std::size_t line_end = text.find('\n');
    const std::size_t mark_end = text.find(' ');
    if (line_end == std::string::npos || mark_end > line_end)
        return false;
    return text == signed_text(text.substr(0, mark_end), text.substr(line_end + 1));
}

/// A GTKWave table: each value in hexadecimal digits, with its name.
std::string translation_of(const Type& type, const std::string&) {
    const std::uint64_t digits = (type.width_bits() + 3) / 4;
    std::string text;
    for (const Member& member : type.members())
        text += fmt::format("{:0{}x} {}\n", member.value, digits, member.name);
    return signed_text("#", text);
}

/// A Surfer mapping: its name in the list of formats, the width, then values and names.
std::string mapping_of(const Type& type, const std::string& name) {
    std::string text = fmt::format("Name = {}\nBits = {}\n", name, type.width_bits());
    for (const Member& member : type.members())
        text += fmt::format("{} {}\n", member.value, member.name);
    return signed_text("#", text);
}

/// The name of a save file without its extension.
std::string stem_of(const View& view) {
    return view.save.substr(0, view.save.rfind('.'));
}

void add_mappings(const std::vector<Row>& rows, ValueNames& names) {
    for (const Row& row : rows) {
        if (row.enumeration)
            names.number_of(row.enumeration);
        add_mappings(row.rows, names);
    }
}

class SaveWriter {
public:
    explicit SaveWriter(const View& view)
        : view_{view}, translations_{stem_of(view), max_translations, translation_of} {}

    std::vector<ViewFile> write() {
        std::uint64_t signals = 0;
        for (const Row& row : view_.rows)
            signals += row.signals();
        roomy_ = signals <= max_open;
        // GTKWave resolves file names relative to [savefile]
        text_ = fmt::format("[dumpfile] \"{}\"\n[savefile] \"{}\"\n[timestart] {}\n"
                            "[size] 1400 800\n[pos] -1 -1\n",
                            view_.trace, view_.save, view_.begin_ticks);
        if (view_.span_ticks > 0)
            text_ += fmt::format("*{:.6f} {}\n",
                                 -std::log2(view_.span_ticks * pixels_per_frame / wave_pixels),
                                 view_.marker_ticks ? std::to_string(*view_.marker_ticks) : "-1");
        text_ += "[sst_width] 190\n[signals_width] 260\n[sst_expanded] 1\n";
        for (const Row& row : view_.rows)
            write_row(row);
        if (signals > max_signals)
            write_text(blank,
                       fmt::format("{} more signals are in the tree", signals - max_signals));
        std::vector<ViewFile> files = translations_.take();
        files.push_back({view_.save, signed_text("[*]", text_)});
        return files;
    }

private:
    void write_row(const Row& row) {
        if (written_ >= max_signals)
            return;
        switch (row.kind) {
        case Row::Kind::signal: return write_signal(row);
        case Row::Kind::remark: return write_text(blank, row.label);
        case Row::Kind::group: break;
        }
        const bool shut = !roomy_ && row.signals() > max_in_open_group;
        write_text(group_begins | blank | (shut ? closed : 0), row.label);
        for (const Row& inner : row.rows)
            write_row(inner);
        // collapsed: the end of a closed group takes no row; the end of an open group separates its
        // signals from the following ones
        write_text(group_ends | blank | (shut ? collapsed | closed : 0), row.label);
    }

    void write_text(unsigned flags, const std::string& text) {
        text_ += fmt::format("@{:x}\n-{}\n", flags, for_line(text));
    }

    void write_signal(const Row& row) {
        ++written_;
        const bool is_named = row.enumeration && view_.trace.ends_with(".fst");
        const std::size_t translation =
            row.enumeration && !is_named ? translations_.number_of(row.enumeration) : 0;
        text_ += fmt::format("@{:x}\n",
                             is_named ? named_by_trace
                                      : flags_of(row.radix) | (translation > 0 ? translated : 0));
        if (const int colour = colour_of(row.part); colour > 0)
            text_ += fmt::format("[color] {}\n", colour);
        if (translation > 0)
            text_ += fmt::format("^{} {}\n", translation, translations_.file(translation));
        const std::size_t begin = row.signal.rfind('.', row.signal.find('[')) + 1;
        const std::string own = row.signal.substr(begin, row.signal.find('[', begin) - begin);
        if (row.label != own && row.label != row.signal.substr(begin))
            text_ += fmt::format("+{{{}}} ", for_line(row.label));
        text_ += row.signal + "\n";
    }

    const View& view_;
    ValueNames translations_;
    std::string text_;
    std::uint64_t written_ = 0;
    bool roomy_ = false;
};

} // namespace

std::vector<ViewFile> files_of(const View& view) {
    return SaveWriter{view}.write();
}

std::vector<ViewFile> mapping_files_of(const View& view) {
    ValueNames names{stem_of(view), std::numeric_limits<std::size_t>::max(), mapping_of};
    add_mappings(view.rows, names);
    std::vector<ViewFile> files = names.take();
    for (ViewFile& file : files)
        file.name.insert(0, mappings_folder);
    return files;
}

WriteResult write_view_file(const std::string& folder, const ViewFile& file, bool overwrite) {
    constexpr std::size_t largest = std::size_t{1} << 26;
    const std::string path = folder + file.name;
    const FileText there = read_file(path, largest);
    if (!overwrite && (there.too_large || (there.text && !is_untouched(*there.text))))
        return {true, {}};
    std::error_code unknown;
    if (!overwrite && !there.text && std::filesystem::is_regular_file(path, unknown))
        return {false, fmt::format("cannot read '{}': {}", path, there.problem)};
    if (const std::filesystem::path in = std::filesystem::path{path}.parent_path();
        file.name.find('/') != std::string::npos)
        std::filesystem::create_directories(in, unknown); // the file reports failures
    OutputFile output{path};
    output.write(file.text);
    output.commit();
    return {false, output.problem()};
}

} // namespace sme::trace
