// SPDX-License-Identifier: Apache-2.0
#include "yaml/read/prescan.hpp"

#include <algorithm>
#include <numeric>

namespace sme::yaml {

namespace {

/// Walks the raw text in parallel with the value.
class Aligner {
public:
    Aligner(const SourceRef& source, std::string_view raw, std::size_t begin,
            const std::string& value)
        : raw_{raw}, value_{value}, at_{begin} {
        made_.text = {source, value, {}};
        made_.text.offsets.reserve(value.size() + 1);
    }

    Aligned run() {
        const char first = here();
        if (first == '"' || first == '\'') {
            quote_ = first;
            ++at_;
        } else if (first == '|' || first == '>')
            at_ = std::min(raw_.find('\n', at_), raw_.size());
        else if (raw_.substr(at_, value_.size()) == value_)
            take_all();
        while (made_.text.offsets.size() < value_.size())
            step();
        made_.text.offsets.push_back(static_cast<std::uint32_t>(std::min(at_, raw_.size())));
        while (quote_ != '\0' && at_ < raw_.size() && (is_blank(here()) || is_joined()))
            ++at_;
        made_.end = at_;
        return std::move(made_);
    }

private:
    char here(std::size_t ahead = 0) const {
        return at_ + ahead < raw_.size() ? raw_[at_ + ahead] : '\0';
    }
    void put(std::size_t bytes) {
        const std::size_t room = value_.size() - made_.text.offsets.size();
        made_.text.offsets.insert(made_.text.offsets.end(), std::min(bytes, room),
                                  static_cast<std::uint32_t>(std::min(at_, raw_.size())));
    }

    /// Advances by the whole value, which the text here equals.
    void take_all() {
        made_.text.offsets.resize(value_.size());
        std::iota(made_.text.offsets.begin(), made_.text.offsets.end(),
                  static_cast<std::uint32_t>(at_));
        at_ += value_.size();
    }

    /// Advances by one character of the value.
    void step() {
        const char c = value_[made_.text.offsets.size()];
        if (!is_blank(c))
            while (at_ < raw_.size() && here() != c && (is_blank(here()) || is_joined()))
                ++at_;
        if (quote_ == '"' && here() == '\\' && !is_joined())
            return escape(c);
        put(1);
        if (quote_ == '\'' && c == '\'')
            at_ += 2;
        else if (at_ < raw_.size() && (here() == c || is_blank(c)))
            ++at_;
    }

    /// Returns true at a backslash that joins its line with the next one.
    bool is_joined() const {
        return quote_ == '"' && here() == '\\' &&
               (here(1) == '\n' || (here(1) == '\r' && here(2) == '\n'));
    }

    void escape(char c) {
        put(utf8_size(c));
        const char kind = here(1);
        at_ += kind == 'x' ? 4 : kind == 'u' ? 6 : kind == 'U' ? 10 : 2;
    }

    std::string_view raw_;
    const std::string& value_;
    std::size_t at_;
    char quote_ = '\0';
    Aligned made_;
};

} // namespace

Aligned align(const SourceRef& source, std::string_view raw, std::size_t begin,
              const std::string& value) {
    return Aligner{source, raw, begin, value}.run();
}

// Scans a file line by line, only as far as needed to tell plain texts from maps: which line begins
// an entry, where its key ends, and which lines continue its value. Quoted text and text under '|'
// may be taken for plain: the bytes covered there are restored unchanged.

namespace {

constexpr std::size_t none = std::string_view::npos;

bool begins_word(std::string_view text, std::size_t at) {
    return is_blank(text[at - 1]) || std::string_view{"[{,"}.find(text[at - 1]) != none;
}

class Scanner {
public:
    explicit Scanner(std::string_view text) : text_{text} {}

    std::vector<std::size_t> run() {
        for (std::size_t at = 0; at < text_.size();)
            at = line(at);
        end_plain();
        return std::move(found_);
    }

private:
    char here(std::size_t at) const { return at < text_.size() ? text_[at] : '\n'; }
    bool ends_at(std::size_t at) const { return here(at) == '\n' || here(at) == '\r'; }
    std::size_t behind_spaces(std::size_t at) const {
        while (at < text_.size() && text_[at] == ' ')
            ++at;
        return at;
    }
    /// Returns true if a comment begins here.
    bool is_comment(std::size_t at) const {
        return here(at) == '#' && (at == 0 || is_blank(text_[at - 1]));
    }
    /// Returns true if a colon here ends a key.
    bool is_colon(std::size_t at) const { return here(at) == ':' && is_blank(here(at + 1)); }

    /// Scans a line, or all the lines of a value in brackets; returns the start of the next line.
    std::size_t line(std::size_t begin) {
        const std::size_t end = std::min(text_.find('\n', begin), text_.size());
        std::size_t at = behind_spaces(begin);
        if (ends_at(at))
            return end + 1;
        const int column = static_cast<int>(at - begin);
        if (plain_ != none && column > parent_ && !is_comment(at)) {
            plain_end_ = end;
            return end + 1;
        }
        end_plain();
        parent_ = column - 1; // a line with this indentation continues this one
        while (here(at) == '-' && is_blank(here(at + 1)) && !ends_at(at)) {
            parent_ = static_cast<int>(at - begin);
            at = behind_spaces(at + 1);
        }
        if (const std::size_t colon = key_end(at, end); colon != none) {
            parent_ = static_cast<int>(at - begin);
            cover_maps(at, colon);
            at = behind_spaces(colon + 1);
        }
        return std::max(value(at, end), end + 1);
    }

    /// Returns the colon after the key that begins here; npos if absent.
    std::size_t key_end(std::size_t at, std::size_t end) const {
        if (here(at) == '"' || here(at) == '\'') {
            const std::size_t quote = text_.find(text_[at], at + 1);
            return quote < end && is_colon(quote + 1) ? quote + 1 : none;
        }
        if (here(at) == '[' || here(at) == '{')
            return none;
        const std::vector<Bracket> maps = maps_in(at, end);
        auto map = maps.begin();
        for (; at < end && !is_comment(at); ++at)
            if (is_colon(at))
                return at;
            else if (map != maps.end() && at == map->open)
                at = map++->close;
        return none;
    }

    /// Scans the value after a key or a dash; returns its end, if known.
    std::size_t value(std::size_t at, std::size_t end) {
        const char first = here(at);
        const std::size_t close_quote = first == '"' ? closing_quote(text_, at) : none;
        if (close_quote != none && goes_on(close_quote + 1)) { // a print with a condition
            plain_ = close_quote + 1;
            plain_end_ = end;
            return end;
        }
        if (ends_at(at) || is_comment(at) || first == '"' || first == '\'' || first == '|' ||
            first == '>')
            return end;
        if (first == '[' || first == '{') {
            const std::size_t close = closing(at, text_.size());
            if (close == none)
                return text_.size();
            if (!goes_on(close + 1)) {
                cover_cuts(at, close);
                return std::min(text_.find('\n', close), text_.size());
            }
            if (first == '[' || close > end)
                return std::min(text_.find('\n', close), text_.size());
            found_.push_back(at);
        }
        plain_ = at;
        plain_end_ = end;
        return end;
    }

    /// Returns true if an expression continues after the map that ends here.
    bool goes_on(std::size_t at) const {
        const std::size_t next = behind_spaces(at);
        return !ends_at(next) && !is_comment(next) &&
               std::string_view{",]}:"}.find(here(next)) == none;
    }

    /// Returns the matching closing bracket before `end`; ignores brackets in quotes.
    std::size_t closing(std::size_t at, std::size_t end) const {
        int depth = 0;
        for (; at < end; ++at) {
            const char c = text_[at];
            if (is_comment(at))
                at = std::min(text_.find('\n', at), end) - 1;
            else if ((c == '"' || c == '\'') && begins_word(text_, at))
                at = std::min(text_.find(c, at + 1), end);
            else if (c == '[' || c == '{')
                ++depth;
            else if ((c == ']' || c == '}') && --depth == 0)
                return at;
        }
        return none;
    }

    /// Covers the bytes of expressions in a map or list of YAML from `open` to `close` at which
    /// YAML would cut them apart: `{x[2]: u8, y: f(a, b)}` at the brackets and at the comma in the
    /// call.
    void cover_cuts(std::size_t open, std::size_t close) {
        const std::vector<Bracket> brackets = brackets_in(open + 1, close);
        auto bracket = brackets.begin();
        int inside = 0;     // depth in the brackets of an expression
        bool begins = true; // an entry, or the value after a key, begins here
        for (std::size_t at = open + 1; at < close; ++at) {
            at = behind_aside(at, close);
            const char c = at < close ? text_[at] : ' ';
            const bool is_bracket = bracket != brackets.end() && at == bracket->open;
            const bool opens = c == '(' || is_bracket;
            const bool closes = c == ')' || c == ']' || c == '}';
            const bool parts = c == ',' || is_colon(at);
            const bool of_yaml = inside == 0 && (is_bracket ? begins && !goes_on(bracket->close + 1)
                                                            : closes || parts);
            if (!of_yaml && (opens || closes || parts)) {
                inside += opens ? 1 : closes ? -1 : 0;
                if (c != '(' && c != ')')
                    found_.push_back(at);
            }
            begins = of_yaml ? !closes : begins && is_blank(c);
            bracket += is_bracket ? 1 : 0;
        }
    }

    void end_plain() {
        if (plain_ != none)
            cover_maps(plain_, plain_end_);
        plain_ = none;
    }

    /// Returns the place after the comment or the quoted text that begins here.
    std::size_t behind_aside(std::size_t at, std::size_t end) const {
        const char c = at < end ? text_[at] : '\0';
        if (is_comment(at))
            return std::min(text_.find('\n', at), end);
        if ((c == '"' || c == '\'') && at > 0 && begins_word(text_, at))
            return std::min(text_.substr(0, end).find(c, at + 1), end);
        return at;
    }

    struct Bracket {
        std::size_t open;
        std::size_t close = none;
    };

    /// Returns the opening brackets before `end`, in order, in one pass.
    std::vector<Bracket> brackets_in(std::size_t at, std::size_t end) const {
        std::vector<std::size_t> open; // their numbers
        std::vector<Bracket> all;
        for (; at < end; ++at) {
            at = behind_aside(at, end);
            const char c = at < end ? text_[at] : ' ';
            if (c == '[' || c == '{') {
                open.push_back(all.size());
                all.push_back({at});
            } else if ((c == ']' || c == '}') && !open.empty()) {
                all[open.back()].close = at;
                open.pop_back();
            }
        }
        return all;
    }

    /// Returns the outermost maps of fields that end before `end`.
    std::vector<Bracket> maps_in(std::size_t at, std::size_t end) const {
        std::vector<Bracket> maps;
        if (text_.substr(0, end).find('{', at) == none)
            return maps;
        for (const Bracket& each : brackets_in(at, end))
            if (text_[each.open] == '{' && each.close != none &&
                (maps.empty() || each.open > maps.back().close))
                maps.push_back(each);
        return maps;
    }

    void cover_maps(std::size_t begin, std::size_t end) {
        for (const auto& [open, close] : maps_in(begin, end))
            for (std::size_t at = open; at < close; ++at)
                if (is_colon(at))
                    found_.push_back(at);
    }

    std::string_view text_;
    std::vector<std::size_t> found_;
    std::size_t plain_ = none; // start of the plain text that the next line may continue
    std::size_t plain_end_ = 0;
    int parent_ = 0; // a continuation line is indented beyond this column; -1: any
};

} // namespace

std::size_t closing_quote(std::string_view text, std::size_t open) {
    for (std::size_t at = open + 1; at < text.size() && text[at] != '\n'; ++at)
        if (text[at] == '\\')
            ++at;
        else if (text[at] == '"')
            return at;
    return none;
}

std::vector<std::size_t> bytes_of_plain_maps(std::string_view text) {
    return Scanner{text}.run();
}

} // namespace sme::yaml
