// SPDX-License-Identifier: Apache-2.0
//
// Reads the items of a sequence.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/syntax/parser.hpp"
#include "yaml/syntax/readers.hpp"
#include "yaml/syntax/sequence.hpp"

namespace sme::yaml {

namespace {

using Kind = SequenceItem::Kind;

/// The words that make an item; a map with one of them as its first key is no map of targets.
struct ItemWord {
    std::string_view word;
    Kind kind;
};
constexpr std::array item_words{
    ItemWord{"wait", Kind::wait},       ItemWord{"pause", Kind::pause},
    ItemWord{"send", Kind::send},       ItemWord{"receive", Kind::receive},
    ItemWord{"while", Kind::loop},      ItemWord{"repeat", Kind::repeat},
    ItemWord{"for", Kind::repeat},      ItemWord{"stop", Kind::stop},
    ItemWord{"restart", Kind::restart}, ItemWord{"break", Kind::leave},
    ItemWord{"continue", Kind::go_on},  ItemWord{"set", Kind::targets},
    ItemWord{"expect", Kind::targets},  ItemWord{"parallel", Kind::all},
    ItemWord{"call", Kind::call},       ItemWord{"inline", Kind::call},
    ItemWord{"return", Kind::back},
};

const ItemWord* item_word(std::string_view word) {
    const auto found = std::find_if(item_words.begin(), item_words.end(),
                                    [&](const ItemWord& each) { return each.word == word; });
    return found == item_words.end() ? nullptr : &*found;
}

bool is_bare(Kind kind) {
    return kind == Kind::stop || kind == Kind::restart || kind == Kind::leave ||
           kind == Kind::go_on || kind == Kind::back;
}

/// Returns "assert: condition" as a line of a step.
expr::Statement expectation(expr::AstRef condition, const Location& where) {
    expr::Statement line;
    line.kind = expr::Statement::Kind::assertion;
    line.where = where;
    line.rhs.where = where;
    line.rhs.value = std::move(condition);
    return line;
}

class SequenceReader {
public:
    explicit SequenceReader(Diagnostics& diagnostics) : diagnostics_{diagnostics} {}

    SequenceItems read(const Node& node) {
        SequenceItems items;
        if (!node.is_list()) {
            wrong_shape(node, "a list of items", diagnostics_);
            return items;
        }
        if (node.items.empty())
            diagnostics_.add(
                Code::bad_sequence, node.where,
                "a list of items has at least one; 'pause: 1' does nothing for a cycle");
        for (const Node& item : node.items)
            if (std::optional<SequenceItem> one = read_item(item))
                items.push_back(std::move(*one));
        return items;
    }

private:
    std::optional<SequenceItem> read_item(const Node& node) {
        SequenceItem item;
        item.where = node.where;
        if (node.is_text()) {
            const ItemWord* const word = item_word(node.text.text);
            if (!word || !is_bare(word->kind)) {
                wrong_shape(node,
                            "an item, {target: value} or one that begins with a word such as wait,",
                            diagnostics_);
                return std::nullopt;
            }
            item.kind = word->kind;
            return item;
        }
        if (!node.is_map() || node.entries.empty()) {
            wrong_shape(node,
                        "an item, {target: value} or one that begins with a word such as wait,",
                        diagnostics_);
            return std::nullopt;
        }
        const Node& key = node.entries[0].key;
        if (const ArmKey arm = arm_key(key); arm.kind != ArmKey::Kind::none)
            return read_choice(node, arm);
        const std::string& text = key.text.text;
        const std::size_t space = text.find_first_of(" (");
        const ItemWord* const word = item_word(text.substr(0, space));
        if (!word)
            return read_targets(node);
        item.kind = word->kind;
        item.where = key.where;
        return read_worded(node, *word, space, std::move(item));
    }

    std::optional<SequenceItem> read_targets(const Node& node) {
        for (const auto& [key, value] : node.entries)
            if (const std::string& text = key.text.text;
                is_item_word(text) && text != "name" && text != "expect") {
                diagnostics_.add(Code::wrong_shape, key.where,
                                 fmt::format("'{}' does not follow targets; the word of an item "
                                             "comes first, and each item begins with '-'",
                                             text));
                return std::nullopt;
            }
        SequenceItem item;
        item.where = node.entries[0].key.where;
        Node targets = node;
        take(targets, "name", [&](const Node::Entry& name) {
            if (is_name(name.value, "an item", diagnostics_))
                item.name = name.value.text.text;
        });
        std::optional<Node::Entry> expected;
        take(targets, "expect", [&](const Node::Entry& entry) { expected = entry; });
        item.targets = read_step(targets, diagnostics_);
        if (expected)
            add_expectation(*expected, item);
        return item;
    }

    std::optional<SequenceItem> read_worded(const Node& node, const ItemWord& word,
                                            std::size_t space, SequenceItem item) {
        const std::size_t errors = diagnostics_.errors();
        const auto& [key, value] = node.entries[0];
        item.is_for = word.word == "for";
        const bool takes_argument = item.kind == Kind::loop || item.is_for;
        if ((space != std::string::npos) != takes_argument) {
            diagnostics_.add(
                Code::expression_syntax, key.where,
                takes_argument ? fmt::format("'{0}' has its {1} in the key, as in '{0} {2}:'",
                                             word.word, item.is_for ? "range" : "condition",
                                             item.is_for ? "k < 4" : "busy")
                               : fmt::format("'{0}' is followed by ':', as in '{0}: ...'; a target "
                                             "of this name is written 'set: {{{0}: ...}}'",
                                             word.word));
            return std::nullopt;
        }
        if (is_bare(item.kind))
            wrong_shape(node,
                        fmt::format("the word '{0}' alone (a target of this name is written 'set: "
                                    "{{{0}: ...}}')",
                                    word.word),
                        diagnostics_);
        else if (word.word == "expect")
            add_expectation(node.entries[0], item);
        else if (item.kind == Kind::targets)
            item.targets = read_step(value, diagnostics_);
        else if (item.kind == Kind::all)
            read_branches(value, item);
        else if (item.kind == Kind::call)
            read_call(word.word, value, item);
        else if (item.kind == Kind::send || item.kind == Kind::receive)
            read_ends(value, item);
        else if (item.is_for)
            read_range(key, space, item);
        else if (item.kind == Kind::loop)
            item.condition = expr::parse_expression(tail(key.text, space), diagnostics_);
        else
            item.condition = read_expression(
                value, item.kind == Kind::wait ? "a condition" : "a number", diagnostics_);
        if (takes_argument)
            item.body = body(value);
        read_rest(node, item);
        if (item.kind == Kind::repeat && !item.body && diagnostics_.errors() == errors)
            diagnostics_.add(Code::missing_key, key.where,
                             "'repeat' has its items under 'do', as in 'repeat: 4' and 'do: "
                             "[...]'");
        return diagnostics_.errors() == errors ? std::optional{std::move(item)} : std::nullopt;
    }

    /// Reads the keys after the first.
    void read_rest(const Node& node, SequenceItem& item) {
        const bool repeats = item.kind == Kind::repeat && !item.is_for;
        const bool bounded =
            item.kind == Kind::wait || item.kind == Kind::send || item.kind == Kind::receive;
        const bool lasts = bounded || item.kind == Kind::pause;
        for (std::size_t k = 1; k < node.entries.size(); ++k) {
            const auto& [key, value] = node.entries[k];
            const std::string& text = key.text.text;
            if (text == "name") {
                if (is_name(value, "an item", diagnostics_))
                    item.name = value.text.text;
            } else if (text == "then" && lasts) {
                expr::Block block = read_step(value, diagnostics_);
                std::move(item.targets.statements.begin(), item.targets.statements.end(),
                          std::back_inserter(block.statements));
                item.targets = std::move(block);
            } else if (text == "expect" && (lasts || item.kind == Kind::targets))
                add_expectation(node.entries[k], item);
            else if (text == "set" && lasts)
                item.lasting = read_step(value, diagnostics_);
            else if (text == "within" && bounded)
                item.within = read_expression(value, "a number of cycles", diagnostics_);
            else if (text == "else" && item.within)
                item.late = body(value);
            else if (text == "do" && repeats)
                item.body = body(value);
            else if (text == "index" && repeats) {
                if (is_name(value, "an index", diagnostics_))
                    item.index = value.text.text;
                item.index_where = value.where;
            } else
                diagnostics_.add(
                    Code::unknown_key, key.where,
                    text == "else" && bounded
                        ? "'else' follows 'within', as in 'within: 100' and 'else: [restart]'"
                        : fmt::format("'{}' does not belong to this item; the next item begins "
                                      "with '-'",
                                      text));
        }
    }

    std::shared_ptr<const SequenceItems> body(const Node& node) {
        return std::make_shared<const SequenceItems>(read(node));
    }

    /// Adds a condition that must hold in the cycle in which the item ends.
    void add_expectation(const Node::Entry& entry, SequenceItem& item) {
        if (expr::AstRef condition = read_expression(entry.value, "a condition", diagnostics_))
            item.targets.statements.push_back(expectation(std::move(condition), entry.value.where));
    }

    /// Reads the sequences of "parallel".
    void read_branches(const Node& list, SequenceItem& item) {
        if (!list.is_list() || list.items.size() < 2)
            return wrong_shape(list, "a list of two or more sequences, [[item, ...], [item, ...]],",
                               diagnostics_);
        for (const Node& branch : list.items)
            item.arms.push_back({nullptr, {}, branch.where, read(branch)});
    }

    /// Reads "name(argument, ...)" or "name".
    void read_call(std::string_view word, const Node& value, SequenceItem& item) {
        item.is_inline = word == "inline";
        item.condition =
            read_expression(value, "a procedure, 'name(argument, ...)',", diagnostics_);
        const expr::Ast* const call = item.condition.get();
        if (!call || call->kind == expr::Ast::Kind::name)
            return;
        if (call->kind != expr::Ast::Kind::call || call->operands[0]->kind != expr::Ast::Kind::name)
            wrong_shape(value, "a procedure, 'name(argument, ...)',", diagnostics_);
    }

    /// Reads "{port: value}" of a send, or "{target: port}" of a receive.
    void read_ends(const Node& map, SequenceItem& item) {
        if (map.is_map() && map.entries.empty())
            diagnostics_.add(Code::wrong_shape, map.where, "this names no port");
        if (!map.is_map())
            return wrong_shape(map,
                               item.kind == Kind::send ? "a map of ports and values"
                                                       : "a map of targets and ports",
                               diagnostics_);
        for (const auto& [key, value] : map.entries) {
            SequenceItem::End end;
            end.where = key.where;
            if (item.kind == Kind::send) {
                end.port = expr::parse_target(key.text, diagnostics_);
                end.value = read_rhs(value, diagnostics_);
            } else {
                end.target = expr::parse_target(key.text, diagnostics_);
                end.port = read_expression(value, "a port", diagnostics_);
            }
            item.ports.push_back(std::move(end));
        }
    }

    /// Reads "k < n" after "for".
    void read_range(const Node& key, std::size_t space, SequenceItem& item) {
        const expr::AstRef range = expr::parse_expression(tail(key.text, space), diagnostics_);
        if (!range)
            return;
        if (range->kind != expr::Ast::Kind::binary || range->op != expr::Operator::less ||
            range->operands[0]->kind != expr::Ast::Kind::name) {
            diagnostics_.add(Code::bad_range, key.where, "a loop is written 'for k < 4: [...]'");
            return;
        }
        item.index = range->operands[0]->text;
        item.index_where = range->operands[0]->where;
        item.condition = range->operands[1];
    }

    std::optional<SequenceItem> read_choice(const Node& node, const ArmKey& first) {
        SequenceItem item;
        item.where = node.entries[0].key.where;
        const std::size_t errors = diagnostics_.errors();
        if (first.kind == ArmKey::Kind::on_match) {
            item.kind = Kind::match;
            item.condition = expr::parse_expression(first.condition, diagnostics_);
            for (std::size_t k = 1; k < node.entries.size(); ++k)
                diagnostics_.add(Code::else_without_if, node.entries[k].key.where,
                                 "nothing is allowed beside a match; indent the arms below it");
            read_arms(
                node.entries[0].value, diagnostics_,
                [&](std::vector<expr::Pattern> patterns, const Location& where, const Node& value) {
                    item.arms.push_back({nullptr, std::move(patterns), where, read(value)});
                });
        } else {
            item.kind = Kind::choice;
            for (const auto& [key, value] : node.entries) {
                const ArmKey arm = arm_key(key);
                expr::AstRef condition;
                const bool is_open = !item.arms.empty() && item.arms.back().condition;
                if (arm.kind == ArmKey::Kind::none || arm.kind == ArmKey::Kind::on_match ||
                    (arm.kind == ArmKey::Kind::on_if && !item.arms.empty())) {
                    diagnostics_.add(Code::else_without_if, key.where,
                                     "an item is one 'if', any number of 'elif' and at most one "
                                     "'else'; write the next item behind '-'");
                    return std::nullopt;
                }
                if (read_condition(key, arm, is_open, condition, diagnostics_))
                    item.arms.push_back({std::move(condition), {}, key.where, read(value)});
            }
        }
        return diagnostics_.errors() == errors ? std::optional{std::move(item)} : std::nullopt;
    }

    /// Removes a key beside targets, and calls read(entry).
    template <class Read> static void take(Node& map, std::string_view key, const Read& read) {
        const auto found =
            std::find_if(map.entries.begin(), map.entries.end(),
                         [&](const Node::Entry& entry) { return entry.key.text.text == key; });
        if (found == map.entries.end() || map.entries.size() == 1)
            return;
        read(*found);
        map.entries.erase(found);
    }

    Diagnostics& diagnostics_;
};

} // namespace

std::string_view word_of(Kind kind) {
    const auto found = std::find_if(item_words.begin(), item_words.end(),
                                    [&](const ItemWord& each) { return each.kind == kind; });
    return found == item_words.end() || kind == Kind::targets ? std::string_view{} : found->word;
}

bool is_item_word(std::string_view key) {
    return key == "name" || key == "else" || item_word(key.substr(0, key.find_first_of(" (")));
}

SequenceItems read_sequence(const Node& node, Diagnostics& diagnostics) {
    return SequenceReader{diagnostics}.read(node);
}

std::vector<ProcedureSyntax> read_procedures(const Node& body, Diagnostics& diagnostics) {
    std::vector<ProcedureSyntax> result;
    each_entry(body, "procedures", "a map of procedures", diagnostics,
               [&](const Node& key, const Node& value) {
                   if (!is_name(key, "a procedure", diagnostics))
                       return;
                   ProcedureSyntax made;
                   made.name = key.text.text;
                   made.where = key.where;
                   const Node* const items = value.is_map() ? value.find("sequence") : &value;
                   if (value.is_map()) {
                       check_keys(value, format::procedure,
                                  fmt::format("procedure '{}'", made.name), diagnostics);
                       each_entry(value, "in", "a map of parameters, {name: type},", diagnostics,
                                  [&](const Node& name, const Node& type) {
                                      if (is_name(name, "a parameter", diagnostics))
                                          made.parameters.push_back(
                                              {name.text.text, name.where,
                                               read_expression(type, "a type", diagnostics)});
                                  });
                   }
                   if (items)
                       made.items = read_sequence(*items, diagnostics);
                   else
                       diagnostics.add(Code::missing_key, key.where,
                                       fmt::format("procedure '{}' has no sequence", made.name));
                   result.push_back(std::move(made));
               });
    return result;
}

} // namespace sme::yaml
