// SPDX-License-Identifier: Apache-2.0
//
// checks: one observer that evaluates them all.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/parser.hpp"
#include "yaml/observe/check_operands.hpp"
#include "yaml/observe/observer_scope.hpp"
#include "yaml/read/keys.hpp"
#include "yaml/read/statements.hpp"

namespace sme::yaml {

namespace {

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

class ChecksLoader {
public:
    explicit ChecksLoader(Loading& loading)
        : loading_{loading}, diagnostics_{loading.diagnostics}, ports_{loading.design.graph,
                                                                       builder_, observer_} {}

    void run() {
        builder_.loops().from = loading_.options.loops_from;
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
                scope.remember();
                add(*pending.section, context, scope,
                    graph.processes[*pending.process->family].instance_name(k));
            } else {
                ObserverScope scope{context, instance, ports_};
                scope.remember();
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
            const auto text = expr::parse_property(value.text, diagnostics_);
            if (!check || !text || !elaborate(*text, *check, context, scope))
                continue;
            check->text = fmt::format("{}: {}", key.text.text, on_one_line(value.text.text));
            check->owner = owner;
            check->where = value.where;
            std::vector<expr::NodeId> nodes{check->condition};
            if (check->sequence)
                nodes.push_back(check->sequence.then);
            check->reads_wire = ports_.reads_wire(nodes);
            set_->checks.push_back(std::move(*check));
            for (const expr::NodeId node : nodes)
                results_.push_back({node});
        }
    }

    bool elaborate(const expr::PropertyText& text, expr::Check& check, Context& context,
                   ObserverScope& scope) {
        const auto condition = scope.elaborator().condition(*text.first, "a check");
        if (!condition)
            return false;
        check.condition = *condition;
        CheckOperands operands{ports_.builder(), scope};
        operands.add(*text.first);
        if (text.then) {
            const auto then = scope.elaborator().condition(*text.then, "what follows 'then'");
            if (!then || !read_window(text, check.sequence, context, scope))
                return false;
            check.sequence.then = *then;
            operands.add(*text.then);
        }
        check.operands = operands.take();
        return true;
    }

    /// When b must hold after a.
    bool read_window(const expr::PropertyText& text, expr::Sequence& sequence, Context& context,
                     ObserverScope& scope) {
        const auto read = [&](const expr::Ast& ast) -> std::optional<std::uint64_t> {
            const auto given = scope.elaborator().constant(ast, "a number of cycles");
            if (!given)
                return std::nullopt;
            if (*given >= 1 && *given <= Integer{expr::History::most_cycles})
                return static_cast<std::uint64_t>(*given);
            diagnostics_.add(*given < 1 ? Code::bad_check : Code::too_large, ast.where,
                             fmt::format("what follows 'then' comes 1 to {} cycles later, but this "
                                         "is {}",
                                         expr::History::most_cycles, to_string(*given)));
            return std::nullopt;
        };
        const auto last = read(*text.to);
        const auto first = text.from ? read(*text.from) : std::optional<std::uint64_t>{1};
        if (!first || !last)
            return false;
        if (*first > *last)
            diagnostics_.add(Code::bad_check, text.from->where,
                             fmt::format("'in {} to {}' ends before it begins", *first, *last));
        sequence.first = *first;
        sequence.last = *last;
        return *first <= *last &&
               context.take_memory(Integer{*last / 8 + 32}, "checks", text.to->where);
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

} // namespace sme::yaml
