// SPDX-License-Identifier: Apache-2.0
//
// Loads checks: one observer evaluates all of them.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/process/operands.hpp"
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
    /// Adds the checks of a component or a process, for all its instances at once or for each.
    void each_instance(const PendingChecks& pending) {
        Context& context = *pending.context;
        const Unit* const process = pending.process;
        if (observer_.declared.source == nullptr)
            observer_.declared = pending.section->where;
        const Graph& graph = loading_.design.graph;
        const std::uint64_t scopes = context.around.count();
        const std::uint64_t total = process ? graph.processes[*process->family].count : scopes;
        std::string family; // and its shape: the owners
        Shape shape;
        if (process) {
            family = graph.processes[*process->family].name;
            shape = graph.processes[*process->family].shape;
        } else if (!context.prefix.empty()) {
            family = context.prefix.substr(0, context.prefix.size() - 1);
            shape = context.in_graph({});
        }
        std::vector<const CheckSyntax*> single; // checked in each instance
        for (const CheckSyntax& written : pending.section->checks)
            if (total < ObserverPorts::folded_from || !is_simple(written) ||
                !add_folded(written, context, process, family, shape, total / scopes))
                single.push_back(&written);
        for (std::uint64_t k = 0; k < total && !single.empty() && !diagnostics_.has_errors(); ++k) {
            const std::uint64_t instance = k / (total / scopes);
            ObserverScope scope = process ? ObserverScope{context, instance, ports_, *process, k}
                                          : ObserverScope{context, instance, ports_};
            scope.remember();
            for (const CheckSyntax* const written : single)
                add(*written, context, scope, shape.element_name(family, k));
        }
    }

    /// Returns true if the verdict of all instances follows from the condition of all of them.
    static bool is_simple(const CheckSyntax& check) {
        using Kind = expr::Check::Kind;
        return !check.property.then && check.kind != Kind::eventually && check.kind != Kind::cover;
    }

    /// Adds a check for all instances at once; false if that is not possible.
    bool add_folded(const CheckSyntax& written, Context& context, const Unit* process,
                    const std::string& family, const Shape& shape, std::uint64_t in_each_scope) {
        const std::optional<std::uint64_t> cycle = cycle_of(written, context);
        if (!cycle)
            return true; // reported
        Segments instances;
        for (std::uint64_t a = 0; a < context.around.count() && in_each_scope > 1; ++a)
            instances.append(in_each_scope, static_cast<std::int64_t>(a), 0);
        if (in_each_scope == 1)
            instances = Segments::identity(shape.count());
        const bool never = written.kind == expr::Check::Kind::never;
        const std::uint64_t count = shape.count();
        const expr::Scalar word{64, false}, boolean{1, false};
        const expr::NodeId step = builder_.step(count, builder_.loops().open);
        const expr::NodeId position = builder_.convert(word, step);
        expr::Trial trial{context.scope.fuel()};
        ObserverScope scope{context, instances, ports_, process, position, trial.diagnostics};
        const auto condition = scope.elaborator().condition(*written.property.first, "a check");
        if (!condition || !scope.is_foldable() || trial.diagnostics.has_errors() ||
            builder_.may_fault(*condition)) // so may all loops in it, as far as the builder knows
            return false;
        // all hold (never: any holds), the first instance that fails, and how many do
        const expr::NodeId verdict = builder_.carried(boolean), first = builder_.carried(word),
                           failures = builder_.carried(word);
        const expr::NodeId fails = never ? *condition : builder_.logical_not(*condition);
        const expr::NodeId next =
            never ? builder_.any_of(verdict, *condition) : builder_.all_of(verdict, *condition);
        const expr::NodeId none = builder_.constant(word, count);
        const expr::NodeId is_first =
            builder_.all_of(builder_.operation(expr::Op::equal, boolean, first, none), fails);
        // a part computes only those of the three that it needs
        const expr::NodeId loop = builder_.loop(
            {count,
             step,
             {{verdict, builder_.boolean(!never), next},
              {first, none, builder_.select(is_first, position, first)},
              {failures, builder_.constant(word, 0),
               builder_.operation(expr::Op::add, word, failures, builder_.convert(word, fails))}},
             {}});
        expr::Check check;
        check.condition = builder_.loop_result(loop, 0);
        check.first = builder_.loop_result(loop, 1);
        check.failures = builder_.loop_result(loop, 2);
        ObserverScope shown{context, instances, ports_, process, check.first, trial.diagnostics};
        expr::Operands operands = operands_in(shown);
        operands.add(*written.property.first);
        check.operands = expr::lowered(operands.take(), shown.elaborator().lowering());
        check.instances = shape;
        add(std::move(check), written, *cycle, family);
        return true;
    }

    void add(const CheckSyntax& written, Context& context, ObserverScope& scope,
             const std::string& owner) {
        const std::optional<std::uint64_t> cycle = cycle_of(written, context);
        expr::Check check;
        if (!cycle || !elaborate(written.property, check, context, scope))
            return;
        add(std::move(check), written, *cycle, owner);
    }

    void add(expr::Check check, const CheckSyntax& written, std::uint64_t cycle,
             const std::string& owner) {
        check.kind = written.kind;
        check.cycle = cycle;
        check.text = written.text;
        check.owner = owner;
        check.where = written.where;
        std::vector<expr::NodeId> nodes{check.condition};
        if (check.temporal)
            nodes.push_back(check.temporal.then);
        check.reads_wire = ports_.reads_wire(nodes);
        check.faults = faults_of(nodes);
        set_->checks.push_back(std::move(check));
        for (const expr::NodeId node : nodes)
            results_.push_back({node});
    }

    /// Returns whether the evaluation of a check faults, including the values that `past` stores
    /// for it.
    expr::NodeId faults_of(const std::vector<expr::NodeId>& nodes) {
        std::vector<expr::Root> roots;
        for (const expr::NodeId node : nodes)
            roots.push_back({node});
        const auto may_fault = [&](expr::NodeId node) { return builder_.may_fault(node); };
        const std::vector<expr::MemoryWrite>& stored = ports_.writes();
        const bool any_stored = std::any_of(stored.begin(), stored.end(),
                                            [&](const auto& w) { return may_fault(w.value); });
        if (!any_stored && std::none_of(nodes.begin(), nodes.end(), may_fault))
            return expr::no_node;
        std::set<std::uint32_t> memories;
        for (std::size_t known = 0; any_stored && known < roots.size();) {
            known = roots.size();
            for (const expr::NodeId id : expr::reachable(builder_, roots))
                if (const expr::Node node = builder_.node(id);
                    node.op == expr::Op::memory_read && memories.insert(node.b).second)
                    for (const expr::MemoryWrite& write : stored)
                        if (write.memory == node.b)
                            roots.push_back({write.value});
        }
        expr::PartProgram part;
        expr::finish_part(builder_, roots, ports_.fields(), part);
        std::vector<expr::NodeId> faults;
        for (const expr::FaultCheck& each : part.faults)
            faults.push_back(builder_.all_of(each.bad, each.selected));
        return faults.empty() ? expr::no_node : builder_.any_of(faults);
    }

    expr::Operands operands_in(ObserverScope& scope) {
        return {builder_, scope, [&](const std::string& name) { return scope.is_index(name); }};
    }

    bool elaborate(const expr::PropertyText& text, expr::Check& check, Context& context,
                   ObserverScope& scope) {
        const auto condition = scope.elaborator().condition(*text.first, "a check");
        if (!condition)
            return false;
        check.condition = *condition;
        expr::Operands operands = operands_in(scope);
        operands.add(*text.first);
        if (text.then) {
            const auto then = scope.elaborator().condition(*text.then, "what follows 'then'");
            if (!then || !read_window(text, check.temporal, context, scope))
                return false;
            check.temporal.then = *then;
            operands.add(*text.then);
        }
        check.operands = expr::lowered(operands.take(), scope.elaborator().lowering());
        return true;
    }

    /// Reads when b must hold after a.
    bool read_window(const expr::PropertyText& text, expr::Temporal& temporal, Context& context,
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
        temporal.first = *first;
        temporal.last = *last;
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
