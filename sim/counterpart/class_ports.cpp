// SPDX-License-Identifier: Apache-2.0
//
// 1. comments and literals become blanks, so that places stay, 2. the class and its body are found,
// 3. what stands at the outermost level of the body is read.
#include "counterpart/class_ports.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "base/files.hpp"

namespace sme::counterpart {

namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The text with blanks for comments, literals and lines of the preprocessor.
std::string bare(std::string_view text) {
    std::string made{text};
    const auto blank = [&](std::size_t from, std::size_t to) {
        for (std::size_t k = from; k < std::min(to, made.size()); ++k)
            if (made[k] != '\n')
                made[k] = ' ';
    };
    for (std::size_t k = 0; k < made.size(); ++k) {
        const std::string_view rest = std::string_view{made}.substr(k);
        std::size_t end = k;
        if (rest.starts_with("//") || (rest[0] == '#' && (k == 0 || made[k - 1] == '\n')))
            end = std::min(made.find('\n', k), made.size());
        else if (rest.starts_with("/*"))
            end = std::min(made.find("*/", k + 2), made.size()) + 2;
        else if (rest[0] == '"' || (rest[0] == '\'' && (k == 0 || !is_word(made[k - 1])))) {
            for (end = k + 1; end < made.size() && made[end] != rest[0] && made[end] != '\n'; ++end)
                end += made[end] == '\\' ? 1u : 0u;
            ++end;
        }
        if (end > k) {
            blank(k, end);
            k = end - 1;
        }
    }
    return made;
}

class ClassReader {
public:
    ClassReader(SourceRef source, std::string name, Diagnostics& diagnostics)
        : source_{std::move(source)}, name_{std::move(name)}, text_{bare(source_->text())},
          diagnostics_{diagnostics} {
        const std::size_t colons = name_.rfind("::", name_.find('<'));
        plain_ = colons == std::string::npos ? name_ : name_.substr(colons + 2);
        plain_ = plain_.substr(0, plain_.find('<'));
    }

    std::optional<ClassText> read() {
        if (!find_body())
            return no_class();
        made_.systemc = made_.systemc || is_module();
        if (made_.systemc)
            read_members();
        else if (!read_constructor())
            return std::nullopt;
        return std::move(made_);
    }

private:
    Location place(std::size_t begin, std::size_t end) const {
        Location where;
        where.source = source_;
        where.begin = static_cast<std::uint32_t>(begin);
        where.end = static_cast<std::uint32_t>(end);
        return where;
    }

    /// The word at a place that is no word's middle; its end.
    std::size_t word_end(std::size_t at) const {
        while (at < text_.size() && is_word(text_[at]))
            ++at;
        return at;
    }
    std::size_t skip_blanks(std::size_t at) const {
        while (at < text_.size() && std::isspace(static_cast<unsigned char>(text_[at])))
            ++at;
        return at;
    }
    std::size_t find_word(std::string_view word, std::size_t from) const {
        for (std::size_t at = text_.find(word, from); at != std::string::npos;
             at = text_.find(word, at + 1))
            if ((at == 0 || !is_word(text_[at - 1])) && !is_word(text_[at + word.size()]))
                return at;
        return std::string::npos;
    }

    /// Behind the bracket that closes the one at a place.
    std::size_t behind(std::size_t open) const {
        std::size_t depth = 0;
        for (std::size_t at = open; at < text_.size(); ++at) {
            if (std::string_view{"({["}.find(text_[at]) != std::string_view::npos)
                ++depth;
            if (std::string_view{")}]"}.find(text_[at]) != std::string_view::npos && --depth == 0)
                return at + 1;
        }
        return text_.size();
    }
    /// The same of angle brackets.
    std::size_t behind_angle(std::size_t open) const {
        std::size_t depth = 0;
        for (std::size_t at = open; at < text_.size(); ++at) {
            depth += text_[at] == '<' ? 1u : 0u;
            if (text_[at] == '>' && --depth == 0)
                return at + 1;
        }
        return text_.size();
    }

    bool find_body() {
        for (const char* const keyword : {"class", "struct", "SC_MODULE"})
            for (std::size_t at = find_word(keyword, 0); at != std::string::npos;
                 at = find_word(keyword, at + 1)) {
                std::size_t from = skip_blanks(word_end(at));
                if (from < text_.size() && text_[from] == '(')
                    from = skip_blanks(from + 1);
                const std::size_t end = word_end(from);
                const std::string found = text_.substr(from, end - from);
                const std::size_t open = text_.find_first_of("{;", end);
                if (found.empty() || open == std::string::npos || text_[open] != '{')
                    continue;
                if (found == plain_) {
                    made_.where = place(from, end);
                    made_.systemc = std::string_view{keyword} == "SC_MODULE";
                    head_ = text_.substr(end, open - end);
                    begin_ = open + 1;
                    end_ = behind(open) - 1;
                    return true;
                }
                if (std::string_view{keyword} != "SC_MODULE" || end > from)
                    others_.push_back(found);
            }
        return false;
    }

    std::optional<ClassText> no_class() {
        const std::string near = did_you_mean(plain_, others_);
        diagnostics_.add(Code::unknown_name, place(0, 0),
                         fmt::format("'{}' has no class '{}'{}", source_->path(), plain_,
                                     !near.empty() ? near
                                     : others_.empty()
                                         ? "; give the file that defines it"
                                         : fmt::format("; it has {}", fmt::join(others_, ", "))));
        return std::nullopt;
    }

    bool is_module() const { return head_.find("sc_module") != std::string::npos; }

    void add(const std::string& name, ClassPort::Direction direction, std::size_t from) {
        made_.ports.push_back({name, direction, place(from, from + name.size())});
    }

    /// "sc_in<bool> a{"a"}, b;" and "sc_in_clk clk;"
    void read_members() {
        for (std::size_t at = begin_; at < end_;) {
            if (text_[at] == '{' || text_[at] == '(') {
                at = behind(at);
            } else if (is_word(text_[at])) {
                const std::size_t end = word_end(at);
                const std::string word = text_.substr(at, end - at);
                at = end;
                using Direction = ClassPort::Direction;
                if (word == "sc_in_clk" || word == "sc_in")
                    at = read_names(end, Direction::input);
                else if (word == "sc_out_clk" || word == "sc_out")
                    at = read_names(end, Direction::output);
                else if (word == "sc_inout" || word == "sc_inout_clk")
                    at = read_names(end, Direction::both);
            } else
                ++at;
        }
    }

    std::size_t read_names(std::size_t at, ClassPort::Direction direction) {
        at = skip_blanks(at);
        if (at < end_ && text_[at] == '<')
            at = behind_angle(at);
        while (at < end_ && text_[at] != ';') {
            at = skip_blanks(at);
            const std::size_t end = word_end(at);
            if (end == at)
                return at + 1; // a reference, a function
            const std::string name = text_.substr(at, end - at);
            const std::size_t from = at;
            at = skip_blanks(end);
            if (at < end_ && text_[at] == '(')
                return behind(at); // a function that gives one
            add(name, direction, from);
            if (at < end_ && text_[at] == '{')
                at = skip_blanks(behind(at));
            if (at < end_ && text_[at] == ',')
                ++at;
        }
        return at;
    }

    bool read_constructor() {
        for (std::size_t at = begin_; at < end_;) {
            if (text_[at] == '{' || text_[at] == '(') {
                at = behind(at);
            } else if (is_word(text_[at])) {
                const std::size_t end = word_end(at), open = skip_blanks(end);
                const bool is_name = text_.compare(at, end - at, plain_) == 0;
                const bool is_destructor = at > 0 && text_[at - 1] == '~';
                if (is_name && !is_destructor && open < end_ && text_[open] == '(' &&
                    read_parameters(open + 1, behind(open) - 1))
                    return bad_.empty() || refuse();
                at = end;
            } else
                ++at;
        }
        diagnostics_.add(Code::unbound_port, made_.where,
                         fmt::format("class '{0}' has no constructor with ports; write "
                                     "{0}(sme::In<...> name, sme::Out<...> name) in it",
                                     plain_));
        return false;
    }

    bool refuse() {
        diagnostics_.add(Code::unbound_port, made_.where,
                         fmt::format("'{}' of the constructor of '{}' is no port and has no "
                                     "default; give it one, or derive a class that passes it",
                                     bad_, plain_));
        return false;
    }

    /// Whether there are ports among them.
    bool read_parameters(std::size_t begin, std::size_t end) {
        made_.ports.clear();
        bad_.clear();
        std::size_t angles = 0, brackets = 0, from = begin;
        for (std::size_t at = begin; at <= end; ++at) {
            const char c = at == end ? ',' : text_[at];
            angles += c == '<' ? 1u : 0u;
            angles -= c == '>' && angles > 0 ? 1u : 0u;
            brackets += c == '(' || c == '{' || c == '[' ? 1u : 0u;
            brackets -= (c == ')' || c == '}' || c == ']') && brackets > 0 ? 1u : 0u;
            if (at == end || (c == ',' && angles == 0 && brackets == 0)) {
                read_parameter(from, at);
                from = at + 1;
            }
        }
        return !made_.ports.empty();
    }

    void read_parameter(std::size_t begin, std::size_t end) {
        const std::size_t equals = text_.substr(begin, end - begin).find('=');
        std::size_t last = equals == std::string::npos ? end : begin + equals;
        while (last > begin && !is_word(text_[last - 1]))
            --last;
        std::size_t first = last;
        while (first > begin && is_word(text_[first - 1]))
            --first;
        const std::string type = text_.substr(begin, first - begin);
        const auto is = [&](std::string_view port) {
            const std::size_t at = type.find(port);
            return at != std::string::npos && (at == 0 || !is_word(type[at - 1]));
        };
        const std::string name = text_.substr(first, last - first);
        if (is("In<"))
            add(name, ClassPort::Direction::input, first);
        else if (is("Out<"))
            add(name, ClassPort::Direction::output, first);
        else if (equals == std::string::npos && !name.empty())
            bad_ = name;
    }

    const SourceRef source_;
    const std::string name_;
    std::string plain_; // without namespaces and arguments
    const std::string text_;
    Diagnostics& diagnostics_;
    ClassText made_;
    std::vector<std::string> others_;
    std::string head_; // between its name and its body
    std::size_t begin_ = 0, end_ = 0;
    std::string bad_; // a parameter that is no port
};

} // namespace

std::optional<ClassText> read_class(const std::string& path, const std::string& name,
                                    Diagnostics& diagnostics) {
    constexpr std::size_t max_bytes = std::size_t{16} << 20;
    FileText file = read_text(path, max_bytes);
    if (!file.text) {
        diagnostics.add(Code::file_unreadable, {},
                        fmt::format("cannot read '{}': {}", path, file.problem));
        return std::nullopt;
    }
    const auto source = std::make_shared<Source>(path, std::move(*file.text));
    return ClassReader{source, name, diagnostics}.read();
}

} // namespace sme::counterpart
