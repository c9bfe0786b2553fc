// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/calls/builtins.hpp"
#include "expr/process/observe.hpp"
#include "expr/syntax/printer.hpp"
#include "yaml/observe/observer_scope.hpp"

namespace sme::yaml {

/// Collects the named operands of an expression in a check: "total.value", "core.regs[0]", "past(x,
/// 2)". Leaves out constants and the operands of reducers.
class CheckOperands {
public:
    CheckOperands(expr::Builder& builder, ObserverScope& scope)
        : builder_{builder}, scope_{scope} {}

    /// Adds an expression that has been elaborated without errors.
    void add(const expr::Ast& ast);
    std::vector<expr::Operand> take() { return std::move(found_); }

private:
    static constexpr std::size_t max_operands = 12;
    static constexpr std::size_t max_leaves = 64; // limit for one operand

    void add_call(const expr::Ast& ast);
    void add_conditional(const expr::Ast& ast);
    void add_logical(const expr::Ast& ast);
    void keep(const expr::Ast& ast);
    std::optional<bool> known(const expr::Ast& condition);
    expr::Value value_of(const expr::Ast& ast);

    expr::Builder& builder_;
    ObserverScope& scope_;
    std::vector<expr::Operand> found_;
};

using expr::Ast;
using expr::Operator;
using expr::Value;

Value CheckOperands::value_of(const Ast& ast) {
    Diagnostics quiet; // errors have been reported
    const bool reported = scope_.fuel().reported;
    expr::Elaborator probe{builder_, scope_, quiet};
    const Value value = probe.evaluate(ast);
    scope_.fuel().reported = reported; // or the limit would be exceeded in silence
    return quiet.has_errors() ? Value{} : value;
}

std::optional<bool> CheckOperands::known(const Ast& condition) {
    const Value value = value_of(condition);
    if (!value.is_bool())
        return std::nullopt;
    const auto constant = builder_.constant_value(value.leaves[0]);
    return constant ? std::optional{*constant != 0} : std::nullopt;
}

void CheckOperands::add(const Ast& ast) {
    if (found_.size() >= max_operands)
        return;
    switch (ast.kind) {
    case Ast::Kind::name:
    case Ast::Kind::field: return keep(ast);
    case Ast::Kind::index:
    case Ast::Kind::slice:
        keep(ast);
        for (std::size_t k = 1; k < ast.operands.size(); ++k)
            add(*ast.operands[k]);
        return;
    case Ast::Kind::call: return add_call(ast);
    case Ast::Kind::conditional: return add_conditional(ast);
    case Ast::Kind::binary: return add_logical(ast);
    case Ast::Kind::unary:
    case Ast::Kind::named: return add(*ast.operands[0]);
    default: return;
    }
}

/// Adds the operands of a call. Reducers bind their own names; `stable`, `rose` and `fell` also add
/// the previous value.
void CheckOperands::add_call(const Ast& ast) {
    const std::string& name = ast.operands[0]->text;
    const bool range = ast.operands.size() > 2 && ast.operands[1]->kind == Ast::Kind::binary &&
                       ast.operands[1]->op == Operator::less &&
                       ast.operands[1]->operands[0]->kind == Ast::Kind::name;
    if (name == "past")
        return keep(ast);
    const expr::Builtin* const builtin = expr::find_builtin(name);
    if (builtin && range)
        return;
    for (std::size_t k = 1; k < ast.operands.size(); ++k)
        add(*ast.operands[k]);
    if (!builtin || builtin->place != expr::Builtin::Place::checks)
        return;
    Ast before = ast;
    auto callee = std::make_shared<Ast>(*ast.operands[0]);
    callee->text = "past";
    before.operands[0] = std::move(callee);
    keep(before);
}

void CheckOperands::add_conditional(const Ast& ast) {
    for (std::size_t k = 0; k + 1 < ast.operands.size(); k += 2) {
        const std::optional<bool> holds = known(*ast.operands[k]);
        if (!holds)
            add(*ast.operands[k]);
        if (holds != false)
            add(*ast.operands[k + 1]);
        if (holds == true)
            return;
    }
    add(*ast.operands.back());
}

/// Adds the operands of a logical operator; skips the right one if the left one is a constant that
/// decides.
void CheckOperands::add_logical(const Ast& ast) {
    const bool stops_at_false = ast.op == Operator::logical_and || ast.op == Operator::implies;
    if (stops_at_false || ast.op == Operator::logical_or)
        if (const auto holds = known(*ast.operands[0]); holds && *holds != stops_at_false)
            return;
    add(*ast.operands[0]);
    add(*ast.operands[1]);
}

void CheckOperands::keep(const Ast& ast) {
    if (ast.kind == Ast::Kind::name && scope_.is_index(ast.text))
        return; // the name of the process says it
    Value value = value_of(ast);
    if (value.is_exact() && !value.is_constant() && value.node != expr::no_node)
        value = Value::of(Type::unsigned_integer(64), {builder_.convert({64, false}, value.node)});
    if (value.kind != Value::Kind::typed || value.leaves.size() > max_leaves ||
        found_.size() >= max_operands)
        return;
    const bool constant =
        std::all_of(value.leaves.begin(), value.leaves.end(),
                    [&](expr::NodeId leaf) { return builder_.constant_value(leaf).has_value(); });
    const auto same = [&](const expr::Operand& other) {
        return other.leaves == value.leaves && *other.type == *value.type;
    };
    if (!constant && std::none_of(found_.begin(), found_.end(), same))
        found_.push_back({expr::print(ast), value.type, value.leaves});
}

// checks: one observer evaluates all of them.

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
        Diagnostics quiet;
        const std::size_t before = builder_.size();
        ObserverScope scope{context, instances, ports_, process, position, quiet};
        const auto condition = scope.elaborator().condition(*written.property.first, "a check");
        if (!condition || !scope.is_foldable() || quiet.has_errors() || may_fault(before))
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
        expr::Loop loop{count, step, {{verdict, builder_.boolean(!never), next}}, {}};
        expr::Loop search{
            count, step, {{first, none, builder_.select(is_first, position, first)}}, {}};
        expr::Loop sum{
            count,
            step,
            {{failures, builder_.constant(word, 0),
              builder_.operation(expr::Op::add, word, failures, builder_.convert(word, fails))}},
            {}};
        expr::Check check;
        check.failures = builder_.loop_result(builder_.loop(std::move(sum)), 0);
        check.condition = builder_.loop_result(builder_.loop(std::move(loop)), 0);
        check.first = builder_.loop_result(builder_.loop(std::move(search)), 0);
        ObserverScope shown{context, instances, ports_, process, check.first, quiet};
        CheckOperands operands{builder_, shown};
        operands.add(*written.property.first);
        check.operands = operands.take();
        check.kind = written.kind;
        check.cycle = *cycle;
        check.text = written.text;
        check.owner = family;
        check.instances = shape;
        check.where = written.where;
        add(std::move(check));
        return true;
    }

    /// Returns true if a node from this one on may fault.
    bool may_fault(std::size_t first) const {
        for (auto id = static_cast<expr::NodeId>(first); id < builder_.size(); ++id)
            if (builder_.node(id).op == expr::Op::checked)
                return true;
        return false;
    }

    void add(const CheckSyntax& written, Context& context, ObserverScope& scope,
             const std::string& owner) {
        const std::optional<std::uint64_t> cycle = cycle_of(written, context);
        expr::Check check;
        if (!cycle || !elaborate(written.property, check, context, scope))
            return;
        check.kind = written.kind;
        check.cycle = *cycle;
        check.text = written.text;
        check.owner = owner;
        check.where = written.where;
        add(std::move(check));
    }

    void add(expr::Check check) {
        std::vector<expr::NodeId> nodes{check.condition};
        if (check.sequence)
            nodes.push_back(check.sequence.then);
        check.reads_wire = ports_.reads_wire(nodes);
        set_->checks.push_back(std::move(check));
        for (const expr::NodeId node : nodes)
            results_.push_back({node});
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
