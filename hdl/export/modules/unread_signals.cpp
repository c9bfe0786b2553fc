// SPDX-License-Identifier: Apache-2.0
//
// A module's text is scanned for names: 1. signals and constants by their declarations, a line
// each; 2. the bits of each that are read, which is every mention but as a target; 3. wires and
// constants of which nothing is read are removed, until there are none; 4. the rest is listed.
#include "export/modules/unread_signals.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "export/modules/names.hpp"

namespace sme::hdl {

namespace {

std::optional<std::uint64_t> number_in(std::string_view text) {
    std::uint64_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    return end.ec == std::errc{} && end.ptr == text.data() + text.size() ? std::optional{value}
                                                                         : std::nullopt;
}

std::string_view taken(std::string_view& rest, std::string_view word) {
    if (!rest.starts_with(word))
        return {};
    rest.remove_prefix(word.size());
    return word;
}

/// A signal or constant that a line declares.
struct Declaration {
    std::string name;
    std::uint64_t width = 1;
    bool removable = false; // a wire with its value, or a constant
    bool is_memory = false; // read as a whole, or not at all
    std::vector<bool> read; // by bit

    void read_bits(std::uint64_t low, std::uint64_t high) {
        for (std::uint64_t bit = low; bit <= high && bit < width; ++bit)
            read[bit] = true;
    }
    bool is_read() const { return std::find(read.begin(), read.end(), true) != read.end(); }
};

/// "    wire [7:0] x = …", "    input wire clk,", "    localparam [3:0] A = …".
std::optional<Declaration> declaration_in(std::string_view line) {
    std::string_view rest =
        line.substr(std::min<std::size_t>(line.find_first_not_of(' '), line.size()));
    const bool is_parameter = !taken(rest, "parameter ").empty(); // instances give it a value
    const bool is_constant = is_parameter || !taken(rest, "localparam ").empty();
    if (is_constant)
        taken(rest, "integer ");
    bool is_signal = false;
    for (const char* const word : {"input ", "wire ", "reg "})
        is_signal = !taken(rest, word).empty() || is_signal;
    if (!is_constant && !is_signal)
        return std::nullopt;
    taken(rest, "signed ");
    Declaration made;
    if (!taken(rest, "[").empty()) {
        const std::size_t end = rest.find(":0] ");
        const auto high = number_in(rest.substr(0, std::min(end, rest.size())));
        if (!high)
            return std::nullopt;
        made.width = *high + 1;
        rest.remove_prefix(end + 4);
    }
    const std::size_t end = static_cast<std::size_t>(
        std::find_if_not(rest.begin(), rest.end(), is_name_char) - rest.begin());
    made.name = rest.substr(0, end);
    rest.remove_prefix(end);
    if (made.name.empty())
        return std::nullopt;
    made.is_memory = rest.starts_with(" [");
    if (made.is_memory)
        made.width = 1;
    made.removable = !is_parameter && rest.starts_with(" = ");
    made.read.assign(made.width, false);
    return made;
}

class Reads {
public:
    explicit Reads(std::string_view text) : text_{text} {
        bool in_function = false; // its arguments and variables are its own
        each_line([&](std::string_view line) {
            in_function = in_function || line.starts_with("    function ");
            if (!in_function)
                if (auto found = declaration_in(line)) {
                    std::string name = found->name;
                    all_.emplace(std::move(name), std::move(*found));
                }
            in_function = in_function && !line.starts_with("    endfunction");
        });
        each_line([&](std::string_view line) { read(line); });
    }

    /// The text without the lines that declare what is removable and not read, and the comments
    /// above them; whether there were any.
    bool remove_from(std::string& text) const {
        std::string made, notes;
        bool any = false;
        each_line([&](std::string_view line) {
            const std::size_t begin = line.find_first_not_of(' ');
            if (begin != std::string_view::npos && line.substr(begin).starts_with("//")) {
                notes.append(line) += '\n';
                return;
            }
            const auto found = declaration_in(line);
            const auto known = found ? all_.find(found->name) : all_.end();
            if (found && found->removable && known != all_.end() && !known->second.is_read())
                any = true;
            else
                (made += notes).append(line) += '\n';
            notes.clear();
        });
        text = made + notes;
        return any;
    }

    /// The bits that nothing reads, as slices.
    std::vector<std::string> unread() const {
        std::vector<std::string> made;
        for (const auto& [name, each] : all_)
            for (std::uint64_t bit = 0; bit < each.width; ++bit) {
                if (each.read[bit])
                    continue;
                std::uint64_t high = bit;
                while (high + 1 < each.width && !each.read[high + 1])
                    ++high;
                made.push_back(each.is_memory                       ? name + "[0]"
                               : bit == 0 && high + 1 == each.width ? name
                               : bit == high ? fmt::format("{}[{}]", name, bit)
                                             : fmt::format("{}[{}:{}]", name, high, bit));
                bit = high;
            }
        return made;
    }

private:
    template <class Visit> void each_line(Visit visit) const {
        for (std::size_t begin = 0; begin < text_.size();) {
            const std::size_t end = std::min(text_.find('\n', begin), text_.size());
            visit(text_.substr(begin, end - begin));
            begin = end + 1;
        }
    }

    /// Marks what a line reads. The first name of an assignment is its target.
    void read(std::string_view line) {
        const std::size_t first = line.find_first_not_of(' ');
        if (first == std::string_view::npos)
            return;
        const std::size_t declared = line.substr(first).starts_with("assign ") ? first + 7 : first;
        const auto own = declaration_in(line);
        std::size_t driven = 0; // what stands before is what an instance drives
        for (std::size_t at = first; at < line.size();) {
            if (line[at] == driven_mark)
                driven = line.find(')', at);
            if (line.substr(at).starts_with("//"))
                return;
            if (line.substr(at).starts_with("/*"))
                at = std::min(line.find("*/", at), line.size() - 2) + 2;
            if (at < line.size() && !is_name_char(line[at])) {
                ++at;
                continue;
            }
            const std::size_t begin = at;
            while (at < line.size() && is_name_char(line[at]))
                ++at;
            const char before = begin == 0 ? ' ' : line[begin - 1];
            const auto known = all_.find(std::string{line.substr(begin, at - begin)});
            if (known == all_.end() || before == '\'' || before == '.')
                continue;
            const bool is_own = own && own->name == known->first && begin < line.find(" = ");
            if (is_own || begin < driven || (begin == declared && is_target(line, at)))
                continue;
            known_read(known->second, line, at);
        }
    }

    /// Whether an assignment follows a name, behind what stands in brackets.
    static bool is_target(std::string_view line, std::size_t at) {
        while (at < line.size() && line[at] == '[') {
            int depth = 0;
            for (; at < line.size(); ++at) {
                depth += line[at] == '[' ? 1 : line[at] == ']' ? -1 : 0;
                if (depth == 0)
                    break;
            }
            ++at;
        }
        const std::string_view rest = line.substr(std::min(at, line.size()));
        return rest.starts_with(" <= ") || rest.starts_with(" = ");
    }

    static void known_read(Declaration& found, std::string_view line, std::size_t at) {
        const std::size_t end = line.find(']', at);
        if (!found.is_memory && at < line.size() && line[at] == '[' &&
            end != std::string_view::npos) {
            const std::string_view inside = line.substr(at + 1, end - at - 1);
            const std::size_t colon = inside.find(':');
            const auto high = number_in(inside.substr(0, std::min(colon, inside.size())));
            const auto low =
                colon == std::string_view::npos ? high : number_in(inside.substr(colon + 1));
            if (high && low)
                return found.read_bits(*low, *high);
        }
        found.read_bits(0, found.width - 1);
    }

    std::string_view text_;
    std::map<std::string, Declaration> all_;
};

} // namespace

namespace {

/// In a function there are no wires: lint is told that its arguments and variables may have bits
/// that nothing reads.
void excuse_functions(std::string& text) {
    constexpr std::string_view head = "    function ", tail = "    endfunction\n";
    for (std::size_t begin = 0;
         (begin = text.find(std::string{"\n"}.append(head), begin)) != std::string::npos;) {
        ++begin;
        std::size_t end = text.find(tail, begin);
        if (end == std::string::npos)
            return;
        end += tail.size();
        const std::string lines = text.substr(text.find('\n', begin), end - text.find('\n', begin));
        if (!Reads{lines}.unread().empty()) {
            const std::string excused = fmt::format(
                "    // verilator lint_off UNUSEDSIGNAL\n{}    // verilator lint_on UNUSEDSIGNAL\n",
                text.substr(begin, end - begin));
            text.replace(begin, end - begin, excused);
            end = begin + excused.size();
        }
        begin = end - 1;
    }
}

} // namespace

std::string without_unread(std::string text) {
    for (bool any = true; any;) {
        const std::string before = text;
        any = Reads{before}.remove_from(text);
    }
    excuse_functions(text);
    const std::vector<std::string> unread = Reads{text}.unread();
    if (!unread.empty()) {
        std::string name = "unused";
        while (text.find(" " + name + " ") != std::string::npos)
            name += "_";
        const std::size_t end = text.rfind("endmodule");
        text.insert(end,
                    fmt::format("\n    // bits that nothing reads\n    wire {} = &{{1'b0, {}}};\n",
                                name, fmt::join(unread, ", ")));
    }
    text.erase(std::remove(text.begin(), text.end(), driven_mark), text.end());
    return text;
}

} // namespace sme::hdl
