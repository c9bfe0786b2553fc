// SPDX-License-Identifier: Apache-2.0
//
// Reads the declarations of a VCD file as rows. Keeps its own stack of scopes: recursion would let
// a malicious file exhaust the call stack.
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/clock_rate.hpp"
#include "trace/view/vcd_reader.hpp"

namespace sme::trace {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/// Splits a text at spaces.
class Words {
public:
    explicit Words(std::string_view text) : text_{text} {}

    /// Returns the next word; empty at the end.
    std::string_view next() {
        while (at_ < text_.size() && is_space(text_[at_]))
            ++at_;
        const std::size_t begin = at_;
        while (at_ < text_.size() && !is_space(text_[at_]))
            ++at_;
        return text_.substr(begin, at_ - begin);
    }
    /// Returns the words up to $end.
    std::vector<std::string_view> up_to_end() {
        std::vector<std::string_view> words;
        for (std::string_view word = next(); !word.empty() && word != "$end"; word = next())
            words.push_back(word);
        return words;
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

std::string joined(const std::vector<std::string_view>& words, std::size_t first) {
    std::string text;
    for (std::size_t k = first; k < words.size(); ++k)
        text += fmt::format("{}{}", k == first ? "" : " ", words[k]);
    return text;
}

/// The names in our own comments: "x is y" and "x[0] to x[3] are x_0 to x_3".
class OwnNames {
public:
    void learn(const std::string& comment) {
        if (const std::size_t is = comment.find(" is "); is != std::string::npos) {
            names_[last_part(comment.substr(is + 4))] = last_part(comment.substr(0, is));
            return;
        }
        const std::size_t to = comment.find(" to ");
        const std::size_t are = comment.find(" are ", to == std::string::npos ? 0 : to);
        const std::size_t bracket = comment.find('[');
        if (to == std::string::npos || are == std::string::npos || bracket > to)
            return;
        const std::string first = last_part(comment.substr(0, to));
        const std::string written =
            last_part(comment.substr(are + 5, comment.find(" to ", are) - are - 5));
        std::string suffix;
        std::string shape; // the shape of the brackets: "[,]"
        for (const char c : first.substr(std::min(first.find('['), first.size()))) {
            if (c == '[' || c == ',' || c == ']')
                shape += c;
            suffix += c == '[' || c == ','   ? "_"
                      : c == '-'             ? "m"
                      : c >= '0' && c <= '9' ? std::string{c}
                                             : "";
        }
        if (written.ends_with(suffix))
            families_[written.substr(0, written.size() - suffix.size())] = {
                first.substr(0, first.find('[')), shape};
    }

    std::string original(const std::string& written) const {
        if (const auto found = names_.find(written); found != names_.end())
            return found->second;
        std::vector<std::string> indices;
        std::string rest = written;
        while (true) {
            const std::size_t begin = rest.rfind('_');
            if (begin == std::string::npos || !is_index(rest.substr(begin + 1)))
                return written;
            indices.insert(indices.begin(), rest.substr(begin + 1));
            rest.resize(begin);
            const auto found = families_.find(rest);
            if (found != families_.end() && count(found->second.shape) == indices.size())
                return with_indices(found->second, indices);
        }
    }

private:
    struct Family {
        std::string name;
        std::string shape;
    };

    static std::string last_part(const std::string& path) {
        return path.substr(path.rfind('.') + 1); // npos + 1 is 0
    }
    static bool is_index(const std::string& text) {
        const std::size_t digits = text.starts_with('m') ? 1 : 0;
        return text.size() > digits &&
               text.find_first_not_of("0123456789", digits) == std::string::npos;
    }
    static std::size_t count(const std::string& shape) {
        std::size_t places = 0;
        for (const char c : shape)
            places += c == '[' || c == ',' ? 1 : 0;
        return places;
    }
    static std::string with_indices(const Family& family, const std::vector<std::string>& indices) {
        std::string result = family.name;
        std::size_t next = 0;
        for (const char c : family.shape) {
            result += c == ',' ? ", " : std::string{c};
            if (c == ']')
                continue;
            std::string index = indices[next++];
            if (index[0] == 'm')
                index[0] = '-';
            result += index;
        }
        return result;
    }

    std::map<std::string, std::string> names_;
    std::map<std::string, Family> families_;
};

class DeclarationReader {
    static constexpr std::size_t max_scopes = 256; // maximum depth

public:
    std::vector<Row> read(std::string_view text) {
        Words words{text};
        open_.emplace_back();
        for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
            if (word == "$scope")
                open_scope(words.up_to_end());
            else if (word == "$upscope") {
                words.up_to_end();
                close_scope();
            } else if (word == "$var")
                add_variable(words.up_to_end());
            else if (word == "$comment")
                read_comment(joined(words.up_to_end(), 0));
            else if (word[0] == '$')
                words.up_to_end();
        }
        while (open_.size() > 1)
            close_scope();
        return open_[0].list.take();
    }

private:
    struct Open {
        std::string path;  // ends with a dot
        std::string label; // of the group
        RowList list;
        OwnNames own;
        bool hidden = false; // beyond the shown members of a family
    };

    void read_comment(const std::string& text) {
        clock_next_ = text.starts_with(clock_mark);
        marks_clocks_ = marks_clocks_ || clock_next_;
        if (!clock_next_)
            open_.back().own.learn(text);
    }

    std::string original(const std::string& written) const {
        for (std::size_t k = open_.size(); k-- > 0;)
            if (std::string name = open_[k].own.original(written); name != written)
                return name;
        return written;
    }

    void open_scope(const std::vector<std::string_view>& words) {
        const std::string name{words.size() > 1 ? words[1] : "_"};
        Open scope;
        scope.hidden = open_.back().hidden || open_.size() > max_scopes;
        if (!scope.hidden) {
            scope.path = open_.back().path + name + ".";
            scope.label = original(name);
            scope.hidden = !open_.back().list.wants(scope.label);
        }
        open_.push_back(std::move(scope));
    }

    void close_scope() {
        if (open_.size() == 1)
            return;
        Open scope = std::move(open_.back());
        open_.pop_back();
        Open& outer = open_.back();
        if (outer.hidden)
            return;
        if (scope.hidden && !scope.label.empty())
            return outer.list.skip(scope.label);
        if (scope.list.empty())
            return;
        Row group{Row::Kind::group, scope.label};
        group.rows = scope.list.take();
        outer.list.add(std::move(group));
    }

    void add_variable(const std::vector<std::string_view>& words) {
        const bool clock = std::exchange(clock_next_, false);
        Open& scope = open_.back();
        if (words.size() < 4 || scope.hidden)
            return;
        std::uint64_t width = 0;
        std::from_chars(words[1].data(), words[1].data() + words[1].size(), width);
        std::string name{words[3]};
        std::string range;
        for (std::size_t k = 4; k < words.size(); ++k)
            range += words[k];
        if (range.empty() && name.ends_with(']') && name[0] != '\\') {
            const std::size_t bracket = name.rfind('[');
            range = bracket == std::string::npos ? "" : name.substr(bracket);
            name.resize(name.size() - range.size());
        }
        range = shown_range(words[0], width, range);
        const bool bit = !range.empty() && range.find(':') == std::string::npos;
        Row row{Row::Kind::signal, original(name) + (bit ? range : "")};
        row.signal = scope.path + name + range;
        describe_variable(words[0], width, row);
        if (marks_clocks_ ? clock : row.label == "clock" || row.label == "clk")
            row.part = Part::clock;
        if (scope.list.wants(row.label))
            scope.list.add(std::move(row));
        else
            scope.list.skip(row.label);
    }

    /// The range as GTKWave 3.3 appends it to the name.
    static std::string shown_range(std::string_view kind, std::uint64_t width,
                                   const std::string& range) {
        for (const char* without : {"integer", "parameter", "real", "realtime", "string", "event"})
            if (kind == without)
                return {};
        if (range.empty())
            return width > 1 ? fmt::format("[{}:0]", width - 1) : std::string{};
        const std::size_t colon = range.find(':');
        const bool one = colon != std::string::npos &&
                         range.substr(1, colon - 1) + "]" == range.substr(colon + 1);
        return one ? range.substr(0, colon) + "]" : range;
    }

    static void describe_variable(std::string_view kind, std::uint64_t width, Row& row) {
        constexpr std::uint64_t most = 64; // wider ones are hexadecimal anyway
        const auto bits = static_cast<unsigned>(std::clamp<std::uint64_t>(width, 1, most));
        describe(kind == "integer" ? Type::signed_integer(bits) : Type::unsigned_integer(bits),
                 row);
        if (kind == "real" || kind == "realtime")
            row.radix = Radix::real;
    }

    std::vector<Open> open_; // open scopes; the first is the file itself
    bool clock_next_ = false, marks_clocks_ = false;
};

} // namespace

std::vector<Row> rows_of_declarations(std::string_view text) {
    std::vector<Row> rows = DeclarationReader{}.read(text);
    if (rows.size() == 1 && rows[0].kind == Row::Kind::group) { // its name carries no information
        std::vector<Row> inner = std::move(rows[0].rows);
        rows = std::move(inner);
    }
    std::stable_partition(rows.begin(), rows.end(),
                          [](const Row& row) { return row.part == Part::clock; });
    return rows;
}

} // namespace sme::trace
