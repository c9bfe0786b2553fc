// SPDX-License-Identifier: Apache-2.0
//
// checks and outputs: observers of the network.
#include <array>

#include <fmt/format.h>

#include "expr/parser.hpp"
#include "yaml/data_columns.hpp"
#include "yaml/keys.hpp"
#include "yaml/observer_scope.hpp"
#include "yaml/statements.hpp"

namespace sme::yaml {

namespace {

ProcessFamily observer_named(const std::string& name, const Location& where) {
    ProcessFamily observer;
    observer.name = name;
    observer.observer = true;
    observer.declared = where;
    return observer;
}

/// The kinds in the order of `format::check`.
constexpr std::array check_kinds{
    expr::Check::Kind::always, expr::Check::Kind::never, expr::Check::Kind::cover,
    expr::Check::Kind::at,     expr::Check::Kind::after, expr::Check::Kind::eventually,
};

std::optional<expr::Check> read_check_key(const Node& key, Context& context) {
    const std::string& text = key.text.text;
    for (std::size_t k = 0; k < format::check.size(); ++k) {
        const Key& word = format::check[k];
        if (!text.starts_with(word.name))
            continue;
        expr::Check check;
        check.kind = check_kinds.at(k);
        if (!word.argument && text.size() == word.name.size())
            return check;
        if (!word.argument || text.size() <= word.name.size() || text[word.name.size()] != ' ')
            continue;
        const expr::AstRef ast =
            expr::parse_expression(tail(key.text, word.name.size()), context.diagnostics);
        Constants constants{context.scope, context.diagnostics};
        const auto cycle =
            ast ? constants.elaborator().constant(*ast, "the cycle of a check") : std::nullopt;
        if (!cycle)
            return std::nullopt;
        if (*cycle < 0 || *cycle > Integer{1} << 62) {
            context.diagnostics.add(
                Code::bad_check, key.where,
                fmt::format("a cycle is 0 to 2^62, but this is {}", to_string(*cycle)));
            return std::nullopt;
        }
        check.cycle = static_cast<std::uint64_t>(*cycle);
        return check;
    }
    std::vector<std::string> words;
    for (const Key& word : format::check) {
        words.emplace_back(word.name);
        if (word.argument && (text == word.name || "eventually" == text) &&
            word.name.starts_with(text)) {
            context.diagnostics.add(
                Code::bad_check, key.where,
                fmt::format("'{}' needs a cycle, as in '{} 8: a == b'", text, word.name));
            return std::nullopt;
        }
    }
    const std::string hint = did_you_mean(text.substr(0, text.find(' ')), words);
    context.diagnostics.add(Code::bad_check, key.where,
                            fmt::format("'{}' is no check{}", text.substr(0, 60),
                                        hint.empty() ? "; write always, never, at n, after n, "
                                                       "eventually by n, or cover"
                                                     : hint));
    return std::nullopt;
}

/// A text on one line, for reports.
std::string on_one_line(const std::string& text) {
    std::string made;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\n' || c == '\t';
        if (!blank)
            made += c;
        else if (!made.empty() && made.back() != ' ')
            made += ' ';
    }
    while (!made.empty() && made.back() == ' ')
        made.pop_back();
    return made;
}

} // namespace

namespace {

class ChecksLoader {
public:
    explicit ChecksLoader(Loading& loading)
        : loading_{loading}, diagnostics_{loading.diagnostics}, ports_{loading.design.graph,
                                                                       builder_, observer_} {}

    void run() {
        for (const PendingChecks& pending : loading_.checks) {
            if (!pending.section->is_list()) {
                wrong_shape(*pending.section, "a list of checks, as in '- always: a == b'",
                            diagnostics_);
                continue;
            }
            each_instance(pending);
        }
        if (diagnostics_.has_errors() || results_.empty())
            return;
        observer_.name = "checks";
        observer_.observer = true;
        finish_observer(ports_, results_, set_->program, observer_);
        loading_.design.checks = set_;
        observer_.kind = loading_.kinds.checks(set_);
        loading_.design.graph.processes.push_back(std::move(observer_));
    }

private:
    /// Checks of a component or a process count for each of its instances.
    void each_instance(const PendingChecks& pending) {
        Context& context = *pending.context;
        if (observer_.declared.source == nullptr)
            observer_.declared = pending.section->where;
        const Graph& graph = loading_.design.graph;
        const std::uint64_t scopes = context.around.count();
        const std::uint64_t total =
            pending.process ? graph.processes[*pending.process->family].count : scopes;
        for (std::uint64_t k = 0; k < total && !diagnostics_.has_errors(); ++k) {
            const std::uint64_t instance = k / (total / scopes);
            if (pending.process) {
                ObserverScope scope{context, instance, ports_, *pending.process, k};
                add(*pending.section, context, scope,
                    graph.processes[*pending.process->family].instance_name(k));
            } else {
                ObserverScope scope{context, instance, ports_};
                add(*pending.section, context, scope,
                    context.prefix.empty()
                        ? std::string{}
                        : context.in_graph({}).element_name(
                              context.prefix.substr(0, context.prefix.size() - 1), instance));
            }
        }
    }

    void add(const Node& section, Context& context, ObserverScope& scope,
             const std::string& owner) {
        for (const Node& item : section.items) {
            if (!item.is_map() || item.entries.size() != 1 || !item.entries[0].value.is_text()) {
                wrong_shape(item, "one check, as in '- always: a == b'", diagnostics_);
                continue;
            }
            const auto& [key, value] = item.entries[0];
            std::optional<expr::Check> check = read_check_key(key, context);
            const expr::AstRef ast = expr::parse_expression(value.text, diagnostics_);
            if (!check || !ast)
                continue;
            const auto condition = scope.elaborator().condition(*ast, "a check");
            if (!condition)
                continue;
            check->text = fmt::format("{}: {}", key.text.text, on_one_line(value.text.text));
            check->owner = owner;
            check->where = value.where;
            check->reads_wire = ports_.reads_wire({*condition});
            set_->checks.push_back(std::move(*check));
            results_.push_back({*condition});
        }
    }

    Loading& loading_;
    Diagnostics& diagnostics_;
    std::shared_ptr<expr::CheckSet> set_ = std::make_shared<expr::CheckSet>();
    ProcessFamily observer_;
    expr::Builder builder_;
    ObserverPorts ports_;
    std::vector<expr::Root> results_;
};

} // namespace

void load_checks(Loading& loading) {
    ChecksLoader{loading}.run();
}

namespace {

void read_expected(const Node& node, expr::Recording& recording, Context& context) {
    if (!node.is_text())
        return wrong_shape(node, "the name of a file", context.diagnostics);
    recording.has_expected = true;
    recording.expected_path = context.initials.path_of(node.text.text);
    auto file = read_data(recording.expected_path, node.where, context.diagnostics);
    if (!file)
        return;
    const DataColumns columns{recording.columns, recording.types};
    if (!settle_header(*file, columns) ||
        (!file->columns.empty() && file->columns != recording.columns)) {
        context.diagnostics.add(Code::data_shape, node.where,
                                fmt::format("'{}' has the columns '{}', but '{}' is recorded",
                                            recording.expected_path, fmt::join(file->columns, ","),
                                            fmt::join(recording.columns, ",")));
        return;
    }
    if (!context.spend(20 * file->values.size(), node.where))
        return;
    for (std::size_t r = 0; r < file->row_count(); ++r) {
        const std::span<const DataValue> row = file->row(r);
        std::vector<std::uint64_t>& made = recording.expected.emplace_back();
        if (row.size() != columns.types.size()) {
            context.diagnostics.add(Code::data_shape, file->at(row[0]),
                                    fmt::format("this row has {} values, but a recorded row has {}",
                                                row.size(), columns.types.size()));
            return;
        }
        for (std::size_t k = 0; k < row.size(); ++k)
            if (!add_leaves(*file, row[k], *columns.types[k], made, context.diagnostics))
                return;
    }
}

void load_output(const Node& key, const Node& body, Context& context) {
    if (!body.is_map())
        return wrong_shape(body, "a map with record, when and expect", context.diagnostics);
    check_keys(body, format::output, "an output", context.diagnostics);
    const Node* record = body.find("record");
    const Node* when = body.find("when");
    const Node* expect = body.find("expect");
    if (!record) {
        context.diagnostics.add(Code::missing_key, key.where,
                                "an output has a key 'record': the value of each row");
        return;
    }
    if (!record->is_text() || (when && !when->is_text()))
        return wrong_shape(record->is_text() ? *when : *record, "an expression",
                           context.diagnostics);
    auto recording = std::make_shared<expr::Recording>();
    recording->path = context.initials.path_of(key.text.text);
    recording->where = key.where;
    ProcessFamily observer = observer_named(fmt::format("output {}", key.text.text), key.where);
    observer.file = key.text.text;
    expr::Builder builder;
    ObserverPorts ports{context.design.graph, builder, observer};
    ObserverScope scope{context, 0, ports};
    expr::Elaborator& elaborator = scope.elaborator();
    const expr::AstRef value_ast = expr::parse_expression(record->text, context.diagnostics);
    const expr::AstRef when_ast =
        when ? expr::parse_expression(when->text, context.diagnostics) : nullptr;
    if (!value_ast || (when && !when_ast))
        return;
    expr::Value value = elaborator.loaded(elaborator.evaluate(*value_ast), record->where);
    if (value.kind == expr::Value::Kind::long_number)
        value = elaborator.fail(Code::needs_type, record->where,
                                "the type of what is recorded is not known; write it, as in "
                                "u256(...)");
    if (value.is_exact()) {
        const Integer low = value.low, high = value.high;
        const auto type = expr::scalar_between(low, high);
        if (type)
            value = elaborator.fit(std::move(value),
                                   type->is_signed ? Type::signed_integer(type->width_bits)
                                                   : Type::unsigned_integer(type->width_bits),
                                   record->where, "what is recorded");
    }
    const auto condition = when ? elaborator.condition(*when_ast, "'when'") : builder.boolean(true);
    if (!value.ok() || value.kind != expr::Value::Kind::typed || !condition)
        return;
    std::vector<expr::Root> results;
    std::vector<expr::NodeId> nodes = value.leaves;
    DataColumns columns;
    for (const Leaf& scalar : value.type->scalars())
        columns.add(scalar, "", "value");
    recording->type = value.type;
    recording->columns = std::move(columns.names);
    recording->types = std::move(columns.types);
    for (const expr::NodeId leaf : value.leaves)
        results.push_back({leaf, *condition});
    results.push_back({*condition});
    nodes.push_back(*condition);
    recording->reads_wire = ports.reads_wire(nodes);
    if (expect)
        read_expected(*expect, *recording, context);
    if (context.diagnostics.has_errors())
        return;
    finish_observer(ports, results, recording->program, observer);
    observer.kind = context.kinds.recording(recording);
    context.design.recordings.push_back(std::move(recording));
    context.design.graph.processes.push_back(std::move(observer));
}

} // namespace

void load_outputs(const Node& section, Context& context) {
    if (!is_map_or_empty(section, "a map of files", context.diagnostics))
        return;
    for (const auto& [key, value] : section.entries)
        load_output(key, value, context);
}

} // namespace sme::yaml
