// SPDX-License-Identifier: Apache-2.0
//
// checks: one observer evaluates all of them.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/observe/check_operands.hpp"
#include "yaml/observe/observer_scope.hpp"

namespace sme::yaml {

namespace {

/// Returns the cycle of a check that has one; `nullopt` after an error was reported.
std::optional<std::uint64_t> cycle_of(const CheckSyntax& check, Context& context) {
    if (!check.cycle)
        return 0;
    Constants constants{context.scope, context.diagnostics};
    const auto cycle = constants.elaborator().constant(*check.cycle, "the cycle of a check");
    if (!cycle)
        return std::nullopt;
    if (*cycle < 0 || *cycle > Integer{1} << 62) {
        context.diagnostics.add(
            Code::bad_check, check.key,
            fmt::format("a cycle is 0 to 2^62, but this is {}", to_string(*cycle)));
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(*cycle);
}

class ChecksLoader {
public:
    explicit ChecksLoader(Loading& loading)
        : loading_{loading}, diagnostics_{loading.diagnostics}, ports_{loading.design.graph,
                                                                       builder_, observer_} {}

    void run() {
        builder_.loops().from = loading_.options.loops_from;
        for (const PendingChecks& pending : loading_.checks)
            each_instance(pending);
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
    /// Adds the checks of a component or a process for each of its instances.
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

    void add(const ChecksSyntax& section, Context& context, ObserverScope& scope,
             const std::string& owner) {
        for (const CheckSyntax& written : section.checks) {
            const std::optional<std::uint64_t> cycle = cycle_of(written, context);
            expr::Check check;
            if (!cycle || !elaborate(written.property, check, context, scope))
                continue;
            check.kind = written.kind;
            check.cycle = *cycle;
            check.text = written.text;
            check.owner = owner;
            check.where = written.where;
            std::vector<expr::NodeId> nodes{check.condition};
            if (check.sequence)
                nodes.push_back(check.sequence.then);
            check.reads_wire = ports_.reads_wire(nodes);
            set_->checks.push_back(std::move(check));
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

    /// Reads when b must hold after a.
    bool read_window(const expr::PropertyText& text, expr::Sequence& sequence, Context& context,
                     ObserverScope& scope) {
        const auto read = [&](const expr::Ast& ast) -> std::optional<std::uint64_t> {
            const auto given = scope.elaborator().constant(ast, "a number of cycles");
            if (!given)
                return std::nullopt;
            if (*given >= 1 && *given <= Integer{expr::History::max_cycles})
                return static_cast<std::uint64_t>(*given);
            diagnostics_.add(*given < 1 ? Code::bad_check : Code::too_large, ast.where,
                             fmt::format("what follows 'then' comes 1 to {} cycles later, but this "
                                         "is {}",
                                         expr::History::max_cycles, to_string(*given)));
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
    if (loading.kinds.checks) // otherwise they need not even match the depths of channels
        ChecksLoader{loading}.run();
}

} // namespace sme::yaml
