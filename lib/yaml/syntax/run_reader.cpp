// SPDX-License-Identifier: Apache-2.0
#include "yaml/syntax/readers.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "yaml/read/tree.hpp"

namespace sme::yaml {

namespace {

/// The kinds in the order of `format::check`.
constexpr std::array check_kinds{
    expr::Check::Kind::always, expr::Check::Kind::never, expr::Check::Kind::cover,
    expr::Check::Kind::at,     expr::Check::Kind::after, expr::Check::Kind::eventually,
};

void report_check_key(const Node& key, Diagnostics& diagnostics) {
    const std::string& text = key.text.text;
    std::vector<std::string> words;
    for (const Key& word : format::check) {
        words.emplace_back(word.name);
        if (word.argument && (text == word.name || "eventually" == text) &&
            word.name.starts_with(text)) {
            diagnostics.add(
                Code::bad_check, key.where,
                fmt::format("'{}' needs a cycle, as in '{} 8: a == b'", text, word.name));
            return;
        }
    }
    const std::string hint = did_you_mean(text.substr(0, text.find(' ')), words);
    diagnostics.add(Code::bad_check, key.where,
                    fmt::format("'{}' is no check{}", text.substr(0, 60),
                                hint.empty() ? "; write always, never, at n, after n, "
                                               "eventually by n, or cover"
                                             : hint));
}

/// Reads "always" or "at 8"; false after an error was reported.
bool read_check_key(const Node& key, CheckSyntax& check, Diagnostics& diagnostics) {
    const std::string& text = key.text.text;
    for (std::size_t k = 0; k < format::check.size(); ++k) {
        const Key& word = format::check[k];
        if (!text.starts_with(word.name))
            continue;
        check.word = word.name;
        check.kind = check_kinds.at(k);
        if (!word.argument && text.size() == word.name.size())
            return true;
        if (!word.argument || text.size() <= word.name.size() || text[word.name.size()] != ' ')
            continue;
        check.cycle = expr::parse_expression(tail(key.text, word.name.size()), diagnostics);
        return check.cycle != nullptr;
    }
    report_check_key(key, diagnostics);
    return false;
}

/// Returns a text on one line, for reports.
std::string on_one_line(const std::string& text) {
    std::string result;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\n' || c == '\t';
        if (!blank)
            result += c;
        else if (!result.empty() && result.back() != ' ')
            result += ' ';
    }
    while (!result.empty() && result.back() == ' ')
        result.pop_back();
    return result;
}

} // namespace

ChecksSyntax read_checks(const Node& section, Diagnostics& diagnostics) {
    ChecksSyntax result;
    result.where = section.where;
    if (!section.is_list())
        wrong_shape(section, "a list of checks, as in '- always: a == b'", diagnostics);
    for (const Node& item : section.items) {
        if (!item.is_map() || item.entries.size() != 1 || !item.entries[0].value.is_text()) {
            wrong_shape(item, "one check, as in '- always: a == b'", diagnostics);
            continue;
        }
        const auto& [key, value] = item.entries[0];
        CheckSyntax check;
        const bool known = read_check_key(key, check, diagnostics);
        auto property = expr::parse_property(value.text, diagnostics);
        if (!known || !property)
            continue;
        check.property = std::move(*property);
        check.text = fmt::format("{}: {}", key.text.text, on_one_line(value.text.text));
        check.key = key.where;
        check.where = value.where;
        const auto bins = std::exchange(check.property.bins, {});
        if (!bins.empty() && check.kind != expr::Check::Kind::cover) {
            diagnostics.add(Code::bad_check, value.where,
                            "'in [...]' counts values, which only 'cover' does; write a condition, "
                            "as in 'x >= 1 and x <= 9'");
            continue;
        }
        if (bins.empty())
            result.checks.push_back(std::move(check));
        else
            for (const expr::PropertyText::Bin& bin : bins) { // a check of its own
                result.checks.push_back(check);
                CheckSyntax& each = result.checks.back();
                each.property.first = bin.condition;
                each.text = fmt::format("{}: {}", key.text.text, on_one_line(bin.text));
                each.where = bin.where;
            }
    }
    return result;
}

namespace {

class RunReader {
public:
    explicit RunReader(Diagnostics& diagnostics) : diagnostics_{diagnostics} {}

    void read_run(const Node& section, RunSyntax& result) {
        if (!is_map_or_empty(section, "a map with cycles and trace", diagnostics_))
            return;
        check_keys(section, format::run, "run", diagnostics_);
        if (const Node* cycles = section.find("cycles")) {
            result.cycles = read_expression(*cycles, "a number", diagnostics_);
            result.cycles_where = cycles->where;
        }
        if (const Node* trace = section.find("trace"))
            result.trace = word(*trace, "the name of a file");
    }

    std::optional<InputSyntax> read_input(const Node& key, const Node& value) {
        InputSyntax result;
        result.key = key.text.text;
        result.bus = {key.text.text, key.where};
        if (key.text.text.find('[') != std::string::npos && !read_element(key, result))
            return std::nullopt;
        const Node* file = &value;
        if (value.is_map() && gives_values(value))
            return read_changes(value, result) ? std::optional{std::move(result)} : std::nullopt;
        if (value.is_map()) {
            check_keys(value, format::input, "an input", diagnostics_);
            if (!read_options(value, result))
                return std::nullopt;
            result.map = true;
            file = value.find("file");
        }
        if (!file || !file->is_text()) {
            wrong_shape(value, "the name of a file, {file: name, at_end: zero}, random, or open",
                        diagnostics_);
            return std::nullopt;
        }
        result.file = {file->text.text, file->where};
        result.random = !result.map && result.file.text == format::random_input;
        result.open = !result.map && result.file.text == format::open_input;
        return result;
    }

    /// Reads the short form of open inputs: [button, level].
    void read_open_inputs(const Node& list, RunSyntax& result) {
        for (const Node& item : list.items) {
            if (!is_name(item, "a bus", diagnostics_))
                continue;
            const auto same = [&](const InputSyntax& known) { return known.key == item.text.text; };
            if (std::any_of(result.inputs.begin(), result.inputs.end(), same)) {
                diagnostics_.add(Code::duplicate_name, item.where,
                                 fmt::format("'{}' is an input already", item.text.text));
                continue;
            }
            InputSyntax& input = result.inputs.emplace_back();
            input.key = item.text.text;
            input.bus = {item.text.text, item.where};
            input.open = true;
        }
    }

    /// True for "{0: 100, 30000: 250}": no key is a word of an input, and one has a number.
    static bool gives_values(const Node& value) {
        const auto is_known = [](const auto& entry) {
            return std::any_of(format::input.begin(), format::input.end(),
                               [&](const Key& known) { return known.name == entry.key.text.text; });
        };
        const auto has_digit = [](const auto& entry) {
            return entry.key.text.text.find_first_of("0123456789") != std::string::npos;
        };
        return std::none_of(value.entries.begin(), value.entries.end(), is_known) &&
               std::any_of(value.entries.begin(), value.entries.end(), has_digit);
    }

    bool read_changes(const Node& value, InputSyntax& result) {
        for (const auto& [key, node] : value.entries) {
            ChangeSyntax change;
            change.cycle = expr::parse_expression(key.text, diagnostics_);
            change.value = read_value(node, diagnostics_);
            if (!change.cycle || !change.value.ast)
                return false;
            result.changes.push_back(std::move(change));
        }
        return true;
    }

    /// Reads "bus[2]": one member of a family.
    bool read_element(const Node& key, InputSyntax& result) {
        using Kind = expr::Ast::Kind;
        result.element = expr::parse_expression(key.text, diagnostics_);
        if (!result.element)
            return false;
        if (result.element->kind != Kind::index ||
            result.element->operands[0]->kind != Kind::name) {
            diagnostics_.add(Code::bad_index, key.where,
                             "an input is a bus, or a member of a family, as in 'x[2]'");
            return false;
        }
        result.bus.text = result.element->operands[0]->text;
        return true;
    }

    std::optional<OutputSyntax> read_output(const Node& key, const Node& body) {
        if (!body.is_map()) {
            wrong_shape(body, "a map with record, when, expect and halt_after", diagnostics_);
            return std::nullopt;
        }
        const std::size_t errors = diagnostics_.errors();
        check_keys(body, format::output, "an output", diagnostics_);
        OutputSyntax result;
        result.key = key.text.text;
        result.path = {key.text.text, key.where};
        const Node* record = body.find("record");
        if (!record)
            diagnostics_.add(Code::missing_key, key.where,
                             "an output has a key 'record': the value of each row");
        else if (record->is_text()) {
            result.record = {
                expr::parse_expression(record->text, diagnostics_), record->where, true, {}};
            result.record_text = record->text.text;
        } else
            result.record = read_value(*record, diagnostics_);
        if (const Node* when = body.find("when"))
            result.when = read_expression(*when, "an expression", diagnostics_);
        if (const Node* domain = body.find("domain");
            domain && is_name(*domain, "a clock domain", diagnostics_))
            result.domain = Word{domain->text.text, domain->where};
        if (const Node* expect = body.find("expect"))
            result.expect = word(*expect, "the name of a file");
        if (const Node* rows = body.find("halt_after")) {
            result.halt_after = word(*rows, "a number, or the word 'expect'");
            if (result.halt_after && result.halt_after->text != format::expected_rows)
                result.rows = expr::parse_expression(rows->text, diagnostics_);
        }
        return diagnostics_.errors() == errors ? std::optional{std::move(result)} : std::nullopt;
    }

private:
    std::optional<Word> word(const Node& node, std::string_view wanted) {
        if (node.is_text())
            return Word{node.text.text, node.where};
        wrong_shape(node, wanted, diagnostics_);
        return std::nullopt;
    }

    bool read_options(const Node& value, InputSyntax& result) {
        for (const auto& [key, words, into] :
             {std::tuple{"at_end", format::at_end, &result.at_end},
              std::tuple{"edge", format::edge, &result.edge},
              std::tuple{"sample", format::sample, &result.sample},
              std::tuple{"unknown", format::unknown, &result.unknown}})
            if (const Node* node = value.find(key)) {
                if (!is_one_of(*node, key, words))
                    return false;
                *into = {node->text.text, node->where};
            }
        for (const auto& [key, into] :
             {std::pair{"signal", &result.signal}, std::pair{"clock", &result.clock}})
            if (const Node* node = value.find(key))
                if (*into = word(*node, "the name of a signal"); !*into)
                    return false;
        return true;
    }

    bool is_one_of(const Node& node, const char* key, std::span<const std::string_view> words) {
        if (node.is_text() && std::find(words.begin(), words.end(), node.text.text) != words.end())
            return true;
        const std::vector<std::string_view> most{words.begin(), words.end() - 1};
        diagnostics_.add(Code::bad_option, node.where,
                         fmt::format("{} is {} or {}", key, fmt::join(most, ", "), words.back()));
        return false;
    }

    Diagnostics& diagnostics_;
};

} // namespace

RunSyntax read_run_sections(const Node& root, Diagnostics& diagnostics) {
    RunReader reader{diagnostics};
    RunSyntax result;
    if (const Node* domains = root.find("domains"))
        result.domains = std::make_shared<Node>(*domains);
    if (const Node* clock = root.find("clock"))
        result.clock = {clock->text.text, clock->where};
    if (const Node* section = root.find("inputs"); section && section->is_list())
        reader.read_open_inputs(*section, result);
    else
        each_entry(root, "inputs", "a map of buses and files", diagnostics,
                   [&](const Node& key, const Node& value) {
                       if (auto input = reader.read_input(key, value))
                           result.inputs.push_back(std::move(*input));
                   });
    each_entry(root, "outputs", "a map of files", diagnostics,
               [&](const Node& key, const Node& value) {
                   if (auto output = reader.read_output(key, value))
                       result.outputs.push_back(std::move(*output));
               });
    if (const Node* section = root.find("assume"))
        result.assumptions = read_conditions(*section, diagnostics);
    if (const Node* section = root.find("run"))
        reader.read_run(*section, result);
    return result;
}

} // namespace sme::yaml
