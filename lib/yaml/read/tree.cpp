// SPDX-License-Identifier: Apache-2.0
//
// Turns the parser's events into a tree, with limits and exact locations, and without YAML features
// that the language lacks.
#include "yaml/read/tree.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "base/codes.hpp"
#include "yaml/read/prescan.hpp"

namespace sme::yaml {

const Node* Node::find(const std::string& key) const {
    for (const auto& [name, value] : entries)
        if (name.text.text == key)
            return &value;
    return nullptr;
}

namespace {

/// Aborts parsing, after a diagnostic was added.
struct Refused {};

std::uint32_t byte_order_mark(const Source& source) {
    return source.text().starts_with("\xef\xbb\xbf") ? 3 : 0;
}

class TreeBuilder final : public YAML::EventHandler {
public:
    TreeBuilder(const SourceRef& source, const TextMask& mask, Diagnostics& diagnostics,
                std::uint64_t most, std::vector<Location>* unquoted)
        : source_{source}, mask_{mask}, diagnostics_{diagnostics}, most_{most}, unquoted_{
                                                                                    unquoted} {}

    Node take() { return std::move(root_); }
    bool has_root() const { return has_root_; }

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnAnchor(const YAML::Mark& mark, const std::string&) override { refuse_alias(mark); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse_alias(mark); }

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        if (anchor != 0)
            refuse_alias(mark);
        if (const std::string word = null_word(mark); !word.empty())
            return OnScalar(mark, "?", anchor, word);
        Node node;
        node.where = open_.empty() || !open_.back().has_key ? behind(mark) : open_.back().key.where;
        add(std::move(node));
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        check(mark, tag, anchor);
        Node node;
        node.kind = Node::Kind::text;
        node.text = aligned(mark, value);
        node.where = node.text.all();
        add(std::move(node));
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value style) override {
        open(mark, tag, anchor, Node::Kind::list, style);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value style) override {
        open(mark, tag, anchor, Node::Kind::map, style);
    }
    void OnMapEnd() override { close(); }

private:
    struct Open {
        Node node;
        bool has_key = false;
        Node key;
    };

    [[noreturn]] void refuse(Code code, const YAML::Mark& mark, std::string message) {
        diagnostics_.add(code, place(mark), std::move(message));
        throw Refused{};
    }

    [[noreturn]] void refuse_alias(const YAML::Mark& mark) {
        refuse(Code::yaml_alias, mark, std::string{alias_sentence});
    }

    void check(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
        if (anchor != 0)
            refuse_alias(mark);
        if (!tag.empty() && tag != "?" && tag != "!")
            refuse(Code::yaml_tag, mark, std::string{tag_sentence});
        if (tag == "!" && raw(mark) == '!')
            refuse(Code::yaml_tag, mark, std::string{tag_sentence});
        if (++count_ > most_)
            refuse(Code::yaml_too_many, mark,
                   fmt::format("the file holds more than {} YAML nodes", most_));
    }

    std::uint32_t offset(const YAML::Mark& mark) const {
        const auto size = static_cast<std::uint32_t>(source_->text().size());
        const auto skipped = byte_order_mark(*source_); // the parser does not count it
        return mark.pos < 0 ? 0 : std::min(static_cast<std::uint32_t>(mark.pos) + skipped, size);
    }
    char raw(const YAML::Mark& mark) const {
        const std::uint32_t at = offset(mark);
        return at < mask_.text().size() ? mask_.text()[at] : '\0';
    }
    Location place(const YAML::Mark& mark) const {
        Location where;
        where.source = source_;
        where.begin = offset(mark);
        where.end = where.begin + 1;
        return where;
    }

    /// Returns the location of the last text before a mark: for a missing value, the parser marks
    /// the text that follows.
    Location behind(const YAML::Mark& mark) const {
        Location where = place(mark);
        while (where.begin > 0 && is_blank(source_->text()[where.begin - 1]))
            --where.begin;
        where.begin -= where.begin > 0 ? 1 : 0;
        where.end = where.begin + 1;
        return where;
    }

    /// Returns the word at a mark that YAML takes for null, and the language for a text. Empty if a
    /// value is missing: the parser then marks the text that follows, which may be such a key.
    std::string null_word(const YAML::Mark& mark) const {
        const std::string_view text = mask_.text();
        const std::size_t begin = std::min<std::size_t>(offset(mark), text.size());
        const std::size_t end = std::min(text.find_first_of(" \t\r\n:,]}", begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        if (word != "~" && word != "null" && word != "Null" && word != "NULL")
            return {};
        const std::size_t next = text.find_first_not_of(" \t", end);
        const bool is_key = next < text.size() && text[next] == ':';
        const bool wants_key =
            !open_.empty() && open_.back().node.is_map() && !open_.back().has_key;
        return is_key && !wants_key ? std::string{} : std::string{word};
    }

    expr::Text aligned(const YAML::Mark& mark, const std::string& value) {
        Aligned result = align(source_, mask_.text(), offset(mark), value);
        const bool restored = mask_.restore(result.text);
        const char quote = raw(mark);
        if (quote == '"' || quote == '\'')
            check_quote(mark, result.end, quote);
        else if (restored && unquoted_ && quote != '|' && quote != '>' && !is_quoted(result.text))
            unquoted_->push_back(result.text.all());
        return std::move(result.text);
    }

    /// Returns true for the text of a print without a condition.
    static bool is_quoted(const expr::Text& text) {
        return text.text.starts_with('"') && closing_quote(text.text, 0) + 1 == text.text.size();
    }

    /// Reports a text without a closing quote, and adjacent quoted texts: yaml-cpp accepts both.
    void check_quote(const YAML::Mark& mark, std::size_t at, char quote) {
        const std::string_view text = source_->text();
        const bool closed = at < text.size() && text[at] == quote;
        const std::size_t next = closed ? text.find_first_not_of(" \t", at + 1) : at;
        const bool ends = next >= text.size() || text[next] == '\n' || text[next] == '\r' ||
                          text[next] == '#' || text[next] == ',' || text[next] == ']' ||
                          text[next] == '}' || text[next] == ':';
        if (!closed || !ends)
            refuse(Code::yaml_quote, mark,
                   closed ? "something follows the closing quote"
                          : "the closing quote is missing on this line");
    }

    void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
              Node::Kind kind, YAML::EmitterStyle::value style) {
        check(mark, tag, anchor);
        if (static_cast<int>(open_.size()) >= Limits::depth)
            refuse(Code::yaml_too_deep, mark,
                   fmt::format("lists and maps are nested more than {} deep", Limits::depth));
        Open result;
        result.node.kind = kind;
        result.node.where = place(mark);
        result.node.flow = style == YAML::EmitterStyle::Flow;
        open_.push_back(std::move(result));
    }

    void close() {
        Node done = std::move(open_.back().node);
        open_.pop_back();
        if (done.is_map())
            check_keys(done);
        add(std::move(done));
    }

    void add(Node node) {
        if (open_.empty()) {
            root_ = std::move(node);
            has_root_ = true;
            return;
        }
        Open& parent = open_.back();
        if (parent.node.is_list())
            parent.node.items.push_back(std::move(node));
        else if (!parent.has_key) {
            parent.key = std::move(node);
            parent.has_key = true;
        } else {
            parent.node.entries.push_back({std::move(parent.key), std::move(node)});
            parent.has_key = false;
        }
    }

    static bool is_balanced(const std::string& text) {
        int depth = 0;
        for (const char c : text) {
            depth += c == '(' || c == '[' || c == '{'   ? 1
                     : c == ')' || c == ']' || c == '}' ? -1
                                                        : 0;
            if (depth < 0)
                return false;
        }
        return depth == 0;
    }

    /// Returns what to write instead of a second key with this text: in steps and checks, where
    /// lines such as asserts may have equal keys.
    static std::string instead_of_second(const std::string& key) {
        constexpr std::array lines{"assert", "print",      "halt",  "if", "match", "always",
                                   "never",  "eventually", "cover", "at", "after"};
        const std::string word = key.substr(0, key.find(' '));
        if (std::find(lines.begin(), lines.end(), word) == lines.end())
            return {};
        const char* const joined = word == "assert" ? "join the conditions with 'and', or "
                                   : word == "halt" ? "join the conditions with 'or', or "
                                                    : "";
        return fmt::format("; {}write a list, with '- {}: ...' for each", joined, key);
    }

    void check_keys(const Node& map) {
        std::map<std::string, Location> seen;
        for (const auto& [key, value] : map.entries) {
            if (!key.is_text()) {
                diagnostics_.add(Code::wrong_shape, key.where, "a key is a text");
                throw Refused{};
            }
            if (!is_balanced(key.text.text) ||
                (value.is_text() && map.flow && !is_balanced(value.text.text))) {
                diagnostics_.add(Code::yaml_flow, key.where, std::string{flow_sentence});
                throw Refused{};
            }
            const auto [first, fresh] = seen.try_emplace(key.text.text, key.where);
            if (!fresh)
                diagnostics_
                    .add(Code::duplicate_key, key.where,
                         fmt::format("'{}' appears twice in this map{}", key.text.text,
                                     instead_of_second(key.text.text)))
                    .note(first->second, "it appears here, too");
        }
    }

    SourceRef source_;
    const TextMask& mask_;
    Diagnostics& diagnostics_;
    std::vector<Open> open_;
    Node root_;
    bool has_root_ = false;
    std::size_t count_ = 0;
    const std::uint64_t most_; // nodes
    std::vector<Location>* const unquoted_;
};

} // namespace

std::optional<Node> parse_tree(const SourceRef& source, Diagnostics& diagnostics,
                               std::uint64_t size, std::vector<Location>* unquoted) {
    const TextMask mask{*source};
    if (!prescan(source, mask.text(), diagnostics))
        return std::nullopt;
    TreeBuilder builder{source, mask, diagnostics, size * Limits::nodes, unquoted};
    std::istringstream stream{std::string{mask.text()}};
    try {
        YAML::Parser parser{stream};
        parser.HandleNextDocument(builder);
    } catch (const Refused&) {
        return std::nullopt;
    } catch (const YAML::Exception& error) {
        const auto line = static_cast<std::uint32_t>(std::max(error.mark.line, 0));
        const auto column = static_cast<std::uint32_t>(std::max(error.mark.column, 0));
        explain_syntax(source, line + 1, column + 1 + (line == 0 ? byte_order_mark(*source) : 0),
                       error.msg, diagnostics);
        return std::nullopt;
    }
    if (!builder.has_root()) {
        Location where;
        where.source = source;
        diagnostics.add(Code::missing_key, where,
                        "the file is empty; a network begins with 'network: name'");
        return std::nullopt;
    }
    return builder.take();
}

} // namespace sme::yaml
