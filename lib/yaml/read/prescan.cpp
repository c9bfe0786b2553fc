// SPDX-License-Identifier: Apache-2.0
#include "yaml/read/prescan.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/read/tree.hpp"

namespace sme::yaml {

namespace {

constexpr std::string_view key = "print";

/// Returns true if only indentation and list dashes precede a key on its line.
bool begins_entry(std::string_view text, std::size_t key_begin) {
    const std::size_t line = text.rfind('\n', key_begin) + 1; // npos + 1 is 0
    for (std::size_t at = key_begin == 0 ? 0 : line; at < key_begin; ++at)
        if (text[at] != ' ' && text[at] != '-')
            return false;
    return true;
}

/// Returns the start of the quoted text after a key, or npos.
std::size_t quote_behind(std::string_view text, std::size_t at) {
    at = std::min(text.find_first_not_of(' ', at), text.size());
    if (at == text.size() || text[at] != ':')
        return std::string_view::npos;
    at = text.find_first_not_of(" \t\r\n", at + 1);
    return at != std::string_view::npos && text[at] == '"' ? at : std::string_view::npos;
}

} // namespace

TextMask::TextMask(const Source& source) : source_{source.text()} {
    constexpr char cover = 'q'; // any letter: neither a YAML indicator nor a blank
    for (std::size_t at = source_.find(key); at != std::string_view::npos;
         at = source_.find(key, at + 1)) {
        if (!begins_entry(source_, at))
            continue;
        const std::size_t open = quote_behind(source_, at + key.size());
        const std::size_t close =
            open == std::string_view::npos ? open : closing_quote(source_, open);
        if (close == std::string_view::npos)
            continue;
        if (covered_.empty())
            covered_ = source_;
        std::fill(covered_.begin() + static_cast<std::ptrdiff_t>(open),
                  covered_.begin() + static_cast<std::ptrdiff_t>(close) + 1, cover);
        at = close;
    }
    const std::vector<std::size_t> maps = bytes_of_plain_maps(source_);
    if (covered_.empty() && !maps.empty())
        covered_ = source_;
    for (const std::size_t at : maps)
        covered_[at] = cover;
}

bool TextMask::restore(expr::Text& value) const {
    bool any = false;
    if (covered_.empty())
        return any;
    for (std::size_t k = 0; k < value.text.size(); ++k)
        if (const std::uint32_t at = value.offsets[k];
            at < covered_.size() && covered_[at] == value.text[k]) {
            any = any || covered_[at] != source_[at];
            value.text[k] = source_[at];
        }
    return any;
}

namespace {

Location place(const SourceRef& source, std::size_t begin, std::size_t length = 1) {
    Location where;
    where.source = source;
    where.begin = static_cast<std::uint32_t>(begin);
    where.end = static_cast<std::uint32_t>(begin + length);
    return where;
}

/// Returns the length of the well-formed UTF-8 character that begins here; 0 if malformed.
std::size_t utf8_length(std::string_view text, std::size_t at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t length = byte < 0x80   ? 1
                               : byte < 0xc2 ? 0
                               : byte < 0xe0 ? 2
                               : byte < 0xf0 ? 3
                               : byte < 0xf5 ? 4
                                             : 0;
    if (length == 0 || at + length > text.size())
        return 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((static_cast<unsigned char>(text[at + k]) & 0xc0) != 0x80)
            return 0;
    return length;
}

bool check_characters(const SourceRef& source, Diagnostics& diagnostics) {
    const std::string_view text = source->text();
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte >= 0x20 && byte < 0x7f) {
            ++at;
            continue;
        }
        const std::size_t length = utf8_length(text, at);
        const bool control =
            (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') || byte == 0x7f;
        if (length == 0 || control) {
            diagnostics.add(Code::not_text, place(source, at),
                            control ? fmt::format("byte 0x{:02x} is no part of a text", byte)
                                    : fmt::format("byte 0x{:02x} is not UTF-8", byte));
            return false;
        }
        if (byte == '\r' && (at + 1 == text.size() || text[at + 1] != '\n')) {
            diagnostics.add(Code::not_text, place(source, at),
                            "a carriage return has no line feed");
            return false;
        }
        at += length;
    }
    return true;
}

bool check_documents(const SourceRef& source, Diagnostics& diagnostics) {
    bool content = false;
    for (std::uint32_t n = 1; n <= source->line_count(); ++n) {
        const std::string_view line = source->line(n);
        const bool marker = line.starts_with("---") || line.starts_with("...");
        const bool directive = line.starts_with("%");
        if (directive || (marker && content)) {
            diagnostics.add(Code::yaml_documents, place(source, source->offset(n, 1), 3),
                            directive ? "a file has no YAML directives"
                                      : "a file holds one document; this begins another one");
            return false;
        }
        const std::size_t first = line.find_first_not_of(" \t");
        content = content || (first != std::string_view::npos && line[first] != '#');
    }
    return true;
}

bool check_depth(const SourceRef& source, std::string_view text, Diagnostics& diagnostics) {
    int depth = 0;
    // block lists on one line ("- - - -") nest, too
    int dashes = 0;
    bool line_start = true;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\n') {
            dashes = 0;
            line_start = true;
        } else if (line_start && (c == '-' || c == '?') && at + 1 < text.size() &&
                   text[at + 1] == ' ')
            ++dashes;
        else if (c != ' ')
            line_start = false;
        if (c == '[' || c == '{' || c == '(')
            ++depth;
        else if ((c == ']' || c == '}' || c == ')') && depth > 0)
            --depth;
        if (depth > 4 * Limits::depth || dashes > Limits::depth) {
            diagnostics.add(Code::yaml_too_deep, place(source, at),
                            fmt::format("lists, maps and brackets are nested more than {} deep",
                                        Limits::depth));
            return false;
        }
    }
    return true;
}

} // namespace

bool prescan(const SourceRef& source, std::string_view covered, Diagnostics& diagnostics) {
    return check_characters(source, diagnostics) && check_documents(source, diagnostics) &&
           check_depth(source, covered, diagnostics);
}

namespace {

/// Returns the last unclosed bracket outside quotes and comments.
std::optional<std::size_t> open_bracket(std::string_view text) {
    std::vector<std::size_t> open;
    char quote = '\0';
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        const bool first = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n' ||
                           text[at - 1] == '[' || text[at - 1] == '{' || text[at - 1] == ',';
        if (quote != '\0')
            quote = c == quote ? '\0' : quote;
        else if (first && (c == '"' || c == '\''))
            quote = c;
        else if (first && c == '#')
            at = std::min(text.find('\n', at), text.size()) - 1;
        else if (c == '{' || c == '[')
            open.push_back(at);
        else if ((c == '}' || c == ']') && !open.empty())
            open.pop_back();
    }
    return open.empty() ? std::nullopt : std::optional{open.back()};
}

/// Explains why a line is not YAML, from the line itself and the position at which the parser
/// failed.
class Explainer {
public:
    Explainer(const SourceRef& source, std::uint32_t at)
        : source_{source}, line_{source->position(at).line}, text_{source->line(line_)}, at_{at} {}

    Diagnostic& explain(const std::string& reason, Diagnostics& diagnostics) const {
        const auto add = [&](Code code, std::size_t at, std::string message) -> Diagnostic& {
            return diagnostics.add(code, place(source_, at), std::move(message));
        };
        const char here = at_ < source_->text().size() ? source_->text()[at_] : '\0';
        const std::size_t tab = text_.find('\t');
        if (tab < text_.find_first_not_of(" \t"))
            return add(Code::yaml_syntax,
                       source_->offset(line_, static_cast<std::uint32_t>(tab + 1)),
                       "a line is indented with spaces, never with tabs");
        if (here == '*' || here == '&' || reason.find("anchor") != reason.npos ||
            reason.find("alias") != reason.npos)
            return add(Code::yaml_alias, at_, std::string{alias_sentence});
        if (here == '!' || reason.find("tag") != reason.npos)
            return add(Code::yaml_tag, at_, std::string{tag_sentence});
        if (reason.find("flow") != reason.npos && at_ + 1 >= trimmed_size())
            if (const auto bracket = open_bracket(source_->text()))
                return add(Code::yaml_syntax, *bracket,
                           fmt::format("this '{}' is never closed", source_->text()[*bracket]));
        if (begins_flow())
            return add(Code::yaml_flow, at_, std::string{flow_sentence});
        if (has_colon_inside())
            return add(Code::yaml_colon, at_,
                       "a colon followed by a space inside an expression is read as a map; write "
                       "slices as x[7:0] without spaces, and choices as 'if a then b else c'");
        if (here == '@' || here == '`' || here == '%' || here == '?')
            return add(Code::yaml_syntax, at_, fmt::format("no value begins with '{}'", here));
        if (reason.find("quoted scalar") != reason.npos)
            return add(Code::yaml_quote, at_, "the closing quote is missing on this line");
        if (reason.find("expected key") != reason.npos ||
            reason.find("expected '-'") != reason.npos)
            return add(Code::yaml_syntax, at_,
                       here == '-' ? "an entry of a list is among the keys of a map"
                                   : "this line is not indented like those it belongs to");
        if (reason.find("block sequence entries") != reason.npos)
            return add(Code::yaml_syntax, at_, "a list begins on a line of its own");
        constexpr std::size_t longest_key = 1024; // of the parser, and of YAML
        if (here == ':' && at_ - source_->offset(line_, 1) > longest_key)
            return add(Code::yaml_syntax, at_,
                       fmt::format("a key has at most {} characters; name parts of a long "
                                   "condition under 'let'",
                                   longest_key));
        if (reason.find("simple key") != reason.npos && text_.find(':') == std::string_view::npos)
            return add(Code::yaml_syntax,
                       source_->offset(line_, static_cast<std::uint32_t>(text_.size())),
                       "the colon after this key is missing");
        if (reason.find("mapping values") != reason.npos && line_ > 1 &&
            source_->line(line_ - 1).find(':') == std::string_view::npos)
            return add(Code::yaml_syntax,
                       source_->offset(line_ - 1,
                                       static_cast<std::uint32_t>(source_->line(line_ - 1).size())),
                       "the colon after this key is missing");
        return add(Code::yaml_syntax, at_, fmt::format("this is not YAML: {}", reason));
    }

private:
    std::size_t trimmed_size() const { return source_->text().find_last_not_of(" \n\r") + 1; }
    std::string_view value() const {
        const std::size_t colon = text_.find(": ");
        const std::string_view rest =
            colon == std::string_view::npos ? text_ : text_.substr(colon + 2);
        return rest.substr(std::min(rest.find_first_not_of(" -"), rest.size()));
    }
    bool begins_flow() const { return value().starts_with('{') || value().starts_with('['); }
    bool has_colon_inside() const {
        return text_.find(": ") != std::string_view::npos &&
               (value().find(": ") != std::string_view::npos ||
                value().find('?') != std::string_view::npos);
    }

    const SourceRef& source_;
    std::uint32_t line_;
    std::string_view text_;
    std::size_t at_;
};

} // namespace

void explain_syntax(const SourceRef& source, std::uint32_t at, const std::string& reason,
                    Diagnostics& diagnostics) {
    Explainer{source, at}.explain(reason, diagnostics);
}

} // namespace sme::yaml
