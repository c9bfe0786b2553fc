// SPDX-License-Identifier: Apache-2.0
//
// Turns the parser's events into a tree, with limits and exact locations, and without YAML features
// that the language lacks.
#include "yaml/read/tree.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <new>

#include <fmt/format.h>
#include <yaml.h>

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

/// The bytes at which characters begin, since the parser counts characters.
class ByteOffsets {
public:
    explicit ByteOffsets(std::string_view text) : size_{text.size()} {
        const bool has_mark = text.starts_with("\xef\xbb\xbf"); // which it skips
        for (std::size_t at = has_mark ? 3 : 0, number = 0; at < text.size(); ++number) {
            const std::size_t length = utf8_size(text[at]);
            at += length;
            if (length > 1)
                long_.push_back({number + 1, at - number - 1});
        }
        first_ = has_mark ? 3 : 0;
    }

    std::uint32_t at(const yaml_mark_t& mark) const {
        const auto behind =
            std::upper_bound(long_.begin(), long_.end(), mark.index,
                             [](std::size_t index, const Long& each) { return index < each.from; });
        const std::size_t more = behind == long_.begin() ? first_ : std::prev(behind)->more;
        return static_cast<std::uint32_t>(std::min(mark.index + more, size_));
    }

private:
    struct Long {
        std::size_t from; // number of the character after it
        std::size_t more; // how many more bytes than characters come before that
    };
    std::size_t size_;
    std::size_t first_ = 0;
    std::vector<Long> long_; // the characters of several bytes
};

class TreeBuilder {
public:
    TreeBuilder(const SourceRef& source, const TextMask& mask, Diagnostics& diagnostics,
                std::uint64_t most, std::vector<Location>* unquoted)
        : source_{source}, mask_{mask}, diagnostics_{diagnostics}, most_{most}, unquoted_{
                                                                                    unquoted} {}

    Node take() { return std::move(root_); }
    bool has_root() const { return has_root_; }

    void take(const yaml_event_t& event) {
        const yaml_mark_t& mark = event.start_mark;
        switch (event.type) {
        case YAML_ALIAS_EVENT: refuse_alias(mark);
        case YAML_SCALAR_EVENT: return scalar(event);
        case YAML_SEQUENCE_START_EVENT: {
            const auto& data = event.data.sequence_start;
            return open(mark, data.tag, data.anchor, Node::Kind::list,
                        data.style == YAML_FLOW_SEQUENCE_STYLE);
        }
        case YAML_MAPPING_START_EVENT: {
            const auto& data = event.data.mapping_start;
            return open(mark, data.tag, data.anchor, Node::Kind::map,
                        data.style == YAML_FLOW_MAPPING_STYLE);
        }
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT: return close();
        default: return;
        }
    }

    std::uint32_t offset(const yaml_mark_t& mark) const { return offsets_.at(mark); }

private:
    struct Open {
        Node node;
        bool has_key = false;
        Node key;
    };

    [[noreturn]] void refuse(Code code, const yaml_mark_t& mark, std::string message) {
        diagnostics_.add(code, place(mark), std::move(message));
        throw Refused{};
    }

    [[noreturn]] void refuse_alias(const yaml_mark_t& mark) {
        refuse(Code::yaml_alias, mark, std::string{alias_sentence});
    }

    void check(const yaml_mark_t& mark, const yaml_char_t* tag, const yaml_char_t* anchor) {
        if (anchor)
            refuse_alias(mark);
        if (tag)
            refuse(Code::yaml_tag, mark, std::string{tag_sentence});
        if (++count_ > most_)
            refuse(Code::yaml_too_many, mark,
                   fmt::format("the file holds more than {} YAML nodes", most_));
    }

    void scalar(const yaml_event_t& event) {
        const auto& data = event.data.scalar;
        const yaml_mark_t& mark = event.start_mark;
        check(mark, data.tag, data.anchor);
        Node node;
        if (data.length == 0 && data.style == YAML_PLAIN_SCALAR_STYLE)
            node.where =
                open_.empty() || !open_.back().has_key ? behind(mark) : open_.back().key.where;
        else {
            node.kind = Node::Kind::text;
            node.text = aligned(event, {reinterpret_cast<const char*>(data.value), data.length});
            node.where = node.text.all();
        }
        add(std::move(node));
    }

    char raw(const yaml_mark_t& mark) const {
        const std::uint32_t at = offset(mark);
        return at < mask_.text().size() ? mask_.text()[at] : '\0';
    }
    Location place(const yaml_mark_t& mark) const {
        Location where;
        where.source = source_;
        where.begin = offset(mark);
        where.end = where.begin + 1;
        return where;
    }

    /// Returns the location of the last text before a mark: for a missing value, the parser marks
    /// the text that follows.
    Location behind(const yaml_mark_t& mark) const {
        Location where = place(mark);
        while (where.begin > 0 && is_blank(source_->text()[where.begin - 1]))
            --where.begin;
        where.begin -= where.begin > 0 ? 1 : 0;
        where.end = where.begin + 1;
        return where;
    }

    expr::Text aligned(const yaml_event_t& event, const std::string& value) {
        const yaml_mark_t& mark = event.start_mark;
        Aligned result = align(source_, mask_.text(), offset(mark), value);
        const bool restored = mask_.restore(result.text);
        const char quote = raw(mark);
        if (quote == '"' || quote == '\'')
            check_quote(event);
        else if (restored && unquoted_ && quote != '|' && quote != '>' && !is_quoted(result.text))
            unquoted_->push_back(result.text.all());
        return std::move(result.text);
    }

    /// Returns true for the text of a print without a condition.
    static bool is_quoted(const expr::Text& text) {
        return text.text.starts_with('"') && closing_quote(text.text, 0) + 1 == text.text.size();
    }

    /// Reports what follows a closing quote on its line.
    void check_quote(const yaml_event_t& event) {
        const std::string_view text = source_->text();
        const std::size_t next = text.find_first_not_of(" \t", offset(event.end_mark));
        if (next < text.size() && std::string_view{"\n\r#,]}:"}.find(text[next]) == text.npos)
            refuse(Code::yaml_quote, event.start_mark, "something follows the closing quote");
    }

    void open(const yaml_mark_t& mark, const yaml_char_t* tag, const yaml_char_t* anchor,
              Node::Kind kind, bool flow) {
        check(mark, tag, anchor);
        if (static_cast<int>(open_.size()) >= Limits::depth)
            refuse(Code::yaml_too_deep, mark,
                   fmt::format("lists and maps are nested more than {} deep", Limits::depth));
        Open result;
        result.node.kind = kind;
        result.node.where = place(mark);
        result.node.flow = flow;
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
    const ByteOffsets offsets_{mask_.text()};
    Diagnostics& diagnostics_;
    std::vector<Open> open_;
    Node root_;
    bool has_root_ = false;
    std::size_t count_ = 0;
    const std::uint64_t most_; // nodes
    std::vector<Location>* const unquoted_;
};

/// The events of a text.
class Parser {
public:
    explicit Parser(std::string_view text) {
        if (yaml_parser_initialize(&parser_) == 0)
            throw std::bad_alloc{};
        yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                     text.size());
    }
    ~Parser() {
        yaml_event_delete(&event_);
        yaml_parser_delete(&parser_);
    }
    Parser(const Parser&) = delete;
    Parser& operator=(const Parser&) = delete;

    /// Returns the next event, until the next call; null after an error.
    const yaml_event_t* next() {
        yaml_event_delete(&event_);
        return yaml_parser_parse(&parser_, &event_) != 0 ? &event_ : nullptr;
    }

    struct Problem {
        yaml_mark_t mark;
        std::string text;
    };
    std::optional<Problem> problem() const {
        if (parser_.error == YAML_NO_ERROR)
            return std::nullopt;
        const std::string context = parser_.context ? parser_.context : "";
        const bool begins_there = context.find("quoted scalar") != std::string::npos ||
                                  context.find("simple key") != std::string::npos;
        return Problem{begins_there ? parser_.context_mark : parser_.problem_mark,
                       fmt::format("{}{}{}", parser_.problem, context.empty() ? "" : " ", context)};
    }

private:
    yaml_parser_t parser_{};
    yaml_event_t event_{};
};

} // namespace

std::optional<Node> parse_tree(const SourceRef& source, Diagnostics& diagnostics,
                               std::uint64_t size, std::vector<Location>* unquoted) {
    const TextMask mask{*source};
    if (!prescan(source, mask.text(), diagnostics))
        return std::nullopt;
    TreeBuilder builder{source, mask, diagnostics, size * Limits::nodes, unquoted};
    Parser parser{mask.text()};
    try {
        while (const yaml_event_t* const event = parser.next()) {
            if (event->type == YAML_DOCUMENT_END_EVENT || event->type == YAML_STREAM_END_EVENT)
                break;
            builder.take(*event);
        }
    } catch (const Refused&) {
        return std::nullopt;
    }
    if (const auto problem = parser.problem()) {
        explain_syntax(source, builder.offset(problem->mark), problem->text, diagnostics);
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
