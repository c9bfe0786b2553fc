// SPDX-License-Identifier: Apache-2.0
#include "vcd/scanner.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/clock_rate.hpp"
#include "base/files.hpp"

namespace sme::vcd {

namespace {

constexpr std::size_t longest_name = 4096; // with its scopes; limits the memory for names

Kind kind_of(std::string_view type) {
    if (type.starts_with("real") || type == "shortreal")
        return Kind::real;
    if (type == "event")
        return Kind::event;
    return type == "string" ? Kind::text : Kind::bits;
}

/// Returns where the ranges at the end of a word begin: at "[7:0]" in "mem[2][7:0]"; the end of the
/// word if there are no ranges. A single "[2]" belongs to the name.
std::size_t range_begin(std::string_view word) {
    std::size_t begin = word.size();
    while (begin > 0 && word[begin - 1] == ']') {
        const std::size_t open = word.rfind('[', begin - 1);
        if (open == std::string_view::npos || open == 0 ||
            word.substr(open, begin - open).find(':') == std::string_view::npos)
            break;
        begin = open;
    }
    return begin;
}

class HeaderParser {
public:
    HeaderParser(Cursor& cursor, Declarations& declarations, CodeTable& codes)
        : cursor_{cursor}, made_{declarations}, codes_{codes} {
        made_.scopes.push_back({0, {}});
        open_.push_back({0, 0});
    }

    std::optional<Diagnostic> parse() {
        for (bool first = true; !problem_; first = false) {
            std::string_view word = cursor_.word();
            if (word.empty())
                return cursor_.problem_at_end("it has no '$enddefinitions'");
            if (first && word.starts_with(byte_order_mark))
                word.remove_prefix(byte_order_mark.size());
            if (word.empty())
                continue;
            if (word.front() != '$')
                return cursor_.problem(word, complaint_of(word));
            if (word == "$enddefinitions")
                return end("$enddefinitions");
            parse_section(word);
        }
        return problem_;
    }

private:
    std::string complaint_of(std::string_view word) const {
        const std::string shown{word.substr(0, 20)};
        if (word.starts_with("\xff\xfe") || word.starts_with("\xfe\xff"))
            return "the file is written in UTF-16; save it as UTF-8";
        if (!made_.tick && made_.variables.empty())
            return fmt::format("a VCD file begins with a word like '$timescale', but this is "
                               "'{}'{}",
                               shown,
                               cursor_.path().ends_with(".fst")
                                   ? "; it is no FST file either: its first bytes are others"
                                   : "");
        return fmt::format("a declaration begins with '$', but this is '{}'", shown);
    }

    void parse_section(std::string_view word) {
        if (word == "$var")
            parse_variable();
        else if (word == "$scope")
            parse_scope();
        else if (word == "$upscope")
            leave_scope(word);
        else if (word == "$timescale")
            parse_timescale();
        else if (word == "$comment")
            return parse_comment();
        else if (!cursor_.skip_section())
            problem_ = unended();
    }

    /// Parses a comment that may mark the next variable as a clock or as signed; in an FST file,
    /// attributes come between the two.
    void parse_comment() {
        std::string text;
        for (std::string_view word = cursor_.word(); word != "$end"; word = cursor_.word()) {
            if (word.empty())
                return fail(word, {});
            if (text.size() < longest_name)
                (text += text.empty() ? "" : " ") += word;
        }
        clock_of_.reset();
        signed_ = text == signed_mark;
        if (text.starts_with(clock_mark))
            clock_of_ = text.substr(std::min(clock_mark.size() + 1, text.size()));
    }

    Diagnostic unended() const { return cursor_.problem_at_end("it ends within a declaration"); }

    void fail(std::string_view word, std::string message) {
        if (!problem_)
            problem_ = word.empty() ? unended() : cursor_.problem(word, std::move(message));
    }

    /// Returns the next word of a section, which must not end yet.
    std::string take(const char* what) {
        const std::string_view word = problem_ ? std::string_view{} : cursor_.word();
        if (word.empty() || word == "$end")
            fail(word, fmt::format("{} belongs here, but this is '$end'", what));
        return std::string{word};
    }

    std::optional<Diagnostic> end(const char* section) {
        const std::string_view word = problem_ ? std::string_view{} : cursor_.word();
        if (word != "$end")
            fail(word, fmt::format("'{}' ends with '$end', but this is '{}'", section,
                                   word.substr(0, 20)));
        return problem_;
    }

    void parse_timescale() {
        std::string text;
        while (true) {
            const std::string_view word = cursor_.word();
            if (word.empty())
                return fail(word, {});
            if (word != "$end") {
                text += word.substr(0, 20);
                continue;
            }
            return set_tick(text, word);
        }
    }

    /// Numbers other than 1, 10 and 100 occur for real clocks: 244 ns for 4.096 MHz.
    void set_tick(const std::string& text, std::string_view end) {
        made_.tick = vcd::parse_timescale(text);
        if (made_.tick)
            return;
        if (!text.starts_with('+'))
            made_.tick = vcd::parse_time(text);
        if (made_.tick && *made_.tick > 0)
            return cursor_.warn(Unusual::timescale, end,
                                fmt::format("a timescale is 1, 10 or 100 and a unit; '{}' is taken "
                                            "unchanged",
                                            text.substr(0, 20)));
        fail(end, fmt::format("a timescale is 1, 10 or 100 and a unit such as ns, but this is '{}'",
                              text.substr(0, 20)));
    }

    void parse_scope() {
        take("the kind of a scope");
        const std::string_view word = problem_ ? std::string_view{} : cursor_.word();
        if (word == "$end") {
            cursor_.warn(Unusual::scope_name, word,
                         "a scope has no name; its signals are read as those of the scope around "
                         "it");
            open_.push_back(open_.back());
            return;
        }
        if (word.empty())
            return fail(word, {});
        std::string name{word};
        if (end("$scope"))
            return;
        const std::size_t size = open_.back().path_size + name.size() + 1;
        if (size > longest_name) {
            problem_ = cursor_.problem(
                cursor_.at - 1, cursor_.at,
                fmt::format("a name with its scopes has at most {} characters", longest_name));
            return;
        }
        if (name.front() == '\\')
            name.erase(0, 1);
        made_.scopes.push_back({open_.back().scope, std::move(name)});
        open_.push_back({static_cast<std::uint32_t>(made_.scopes.size() - 1), size});
    }

    void leave_scope(std::string_view word) {
        if (open_.size() == 1)
            return fail(word, "no scope is open that '$upscope' could leave");
        open_.pop_back();
        end("$upscope");
    }

    void parse_variable() {
        const std::string type = take("the type of a variable");
        const Kind kind = kind_of(type);
        const std::uint32_t width = parse_width(kind);
        const std::string code = take("the code of a variable");
        const std::string first = take("the name of a variable");
        if (problem_)
            return;
        Variable variable{open_.back().scope, codes_.add(code), {}, {}};
        const std::size_t split = range_begin(first);
        const std::size_t begin = first.front() == '\\' ? 1 : 0;
        variable.name = first.substr(begin, split - begin);
        variable.range = first.substr(split);
        add_other_words(variable);
        if (problem_)
            return;
        if (variable.signal == made_.signals.size())
            made_.signals.push_back({kind, std::max(width, 1u), true});
        else
            compare_widths(variable, kind, width);
        Signal& signal = made_.signals[variable.signal];
        signal.width_bits = std::max(signal.width_bits, width);
        signal.no_width = signal.no_width && width == 0;
        signal.is_signed |= std::exchange(signed_, false);
        if (clock_of_ && kind == Kind::bits && width == 1)
            made_.clocks.push_back(
                {static_cast<std::uint32_t>(made_.variables.size()), *clock_of_});
        clock_of_.reset();
        made_.variables.push_back(std::move(variable));
    }

    /// Checks, at $end, a variable whose code is already in use.
    void compare_widths(const Variable& variable, Kind kind, std::uint32_t width) {
        const Signal& signal = made_.signals[variable.signal];
        if (kind != Kind::bits || signal.kind != Kind::bits || signal.width_bits == width)
            return;
        const auto other =
            std::find_if(made_.variables.begin(), made_.variables.end(),
                         [&](const Variable& each) { return each.signal == variable.signal; });
        cursor_.warn(
            Unusual::two_widths, cursor_.at - 4, cursor_.at,
            fmt::format("'{}' is declared with {} bits, but '{}', which has the same code, "
                        "with {}; both are read with {}",
                        variable.name, width, other->name, signal.width_bits,
                        std::max(width, signal.width_bits)));
    }

    /// Adds the ranges that are separate from the name, up to $end.
    void add_other_words(Variable& variable) {
        while (true) {
            const std::string_view word = cursor_.word();
            if (word.empty())
                return fail(word, {});
            const std::size_t size =
                open_.back().path_size + variable.name.size() + variable.range.size();
            if (size > longest_name)
                return fail(word, fmt::format("a name with its scopes has at most {} characters",
                                              longest_name));
            if (word == "$end")
                return;
            if (word.front() == '[')
                variable.range += word;
            else
                (variable.name += ' ') += word;
        }
    }

    std::uint32_t parse_width(Kind kind) {
        const std::string_view word = problem_ ? std::string_view{} : cursor_.word();
        std::uint32_t width = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), width);
        if (word.empty() || error != std::errc{} || end != word.data() + word.size() ||
            width > Declarations::max_width)
            fail(word, fmt::format("the width of a variable is a number up to {}, but this is '{}'",
                                   Declarations::max_width, word.substr(0, 20)));
        else if (width == 0 && kind == Kind::bits)
            cursor_.warn(Unusual::no_width, word,
                         "a variable of width 0 is read as one bit, the lowest that is written");
        return width;
    }

    Cursor& cursor_;
    Declarations& made_;
    CodeTable& codes_;
    struct Open {
        std::uint32_t scope;
        std::size_t path_size;
    };
    std::vector<Open> open_;              // scopes
    std::optional<std::string> clock_of_; // the domain whose clock the next variable is
    bool signed_ = false;                 // the next variable is signed
    std::optional<Diagnostic> problem_;
};

} // namespace

std::optional<Diagnostic> parse_header(Cursor& cursor, Declarations& declarations,
                                       CodeTable& codes) {
    return HeaderParser{cursor, declarations, codes}.parse();
}

const Variable* Declarations::clock_of(const std::string& domain) const {
    for (const MarkedClock& clock : clocks)
        if (clock.domain == domain)
            return &variables[clock.variable];
    return nullptr;
}

std::string Declarations::path(std::uint32_t scope) const {
    if (scope == 0)
        return {};
    std::string path = this->path(scopes[scope].outer);
    if (!path.empty())
        path += '.';
    return path += scopes[scope].name;
}

} // namespace sme::vcd
