// SPDX-License-Identifier: Apache-2.0
#include "yaml/pipelines/pipeline.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/process/process_scope.hpp"
#include "yaml/pipelines/balance.hpp"
#include "yaml/pipelines/faults.hpp"
#include "yaml/pipelines/stages.hpp"
#include "yaml/sequences/items.hpp"

namespace sme::yaml {

namespace {

using expr::Ast;
using expr::AstRef;
using expr::Block;
using expr::Statement;

/// Adds lines under a condition; null: always.
void add_under(Block& block, const AstRef& condition, Block inner, const Location& where) {
    if (inner.statements.empty())
        return;
    if (!condition) {
        std::move(inner.statements.begin(), inner.statements.end(),
                  std::back_inserter(block.statements));
        return;
    }
    Statement& choice = block.statements.emplace_back();
    choice.kind = Statement::Kind::choice;
    choice.where = where;
    choice.arms.push_back({condition, {}, where, std::move(inner)});
}

/// Returns the pipeline with the stages that it asks for; `nullopt` after an error was reported.
std::optional<PipelineSyntax> with_balance(const BodySyntax& body, const expr::ProcessView& text,
                                           Context& context, const std::set<std::string>& taken) {
    constexpr unsigned most = 64;
    const PipelineSyntax& written = *body.pipeline;
    if (!written.balance)
        return written;
    const std::size_t errors = context.diagnostics.errors();
    std::set<std::string> names = taken;
    PipelineStages stages{written, body, text, context, names}; // messages count the written ones
    stages.read();
    if (context.diagnostics.errors() != errors)
        return std::nullopt;
    const std::string item = stages.input() ? stages.input()->port->name : std::string{};
    Constants constants{context.scope, context.diagnostics};
    const std::optional<Integer> more =
        constants.elaborator().constant(*written.balance, "the number of stages");
    if (more && (*more < 0 || *more > most))
        context.diagnostics.add(Code::bad_range, written.balance->where,
                                fmt::format("a pipeline gets 0 to {} more stages, but this is {}",
                                            most, to_string(*more)));
    else if (more)
        return balanced(body, static_cast<unsigned>(*more), text, item, context, taken);
    return std::nullopt;
}

class PipelineBuilder {
public:
    PipelineBuilder(const BodySyntax& body, PipelineSyntax pipeline, const expr::ProcessView& text,
                    Context& context, std::set<std::string>& taken)
        : body_{body}, pipeline_{std::move(pipeline)}, view_{text}, context_{context},
          stages_{pipeline_, body, text, context, taken}, where_{pipeline_.where} {}

    std::optional<ProcessAddition> run() {
        Diagnostics& diagnostics = context_.diagnostics;
        const std::size_t errors = diagnostics.errors();
        stages_.read();
        check_targets();
        if (diagnostics.errors() != errors)
            return std::nullopt;
        types_.resize(stages_.carried().size());
        add_flow();
        for (std::size_t stage = 0; stage < stages_.count(); ++stage) {
            for (const expr::LetText& let : stages_.lets(stage)) {
                view_.lets.push_back(let);
                result_.lets.push_back(let);
            }
            add_states(stage);
            if (stage + 1 < stages_.count() && !add_registers(stage))
                return std::nullopt;
        }
        add_outputs();
        return diagnostics.errors() == errors ? std::optional{std::move(result_)} : std::nullopt;
    }

private:
    std::size_t last() const { return stages_.count() - 1; }

    /// Reports what the step writes as well.
    void check_targets() {
        if (!body_.step)
            return;
        const std::map<std::string, Location> stepped = targets_of(*body_.step);
        for (const PipelineSyntax::Stage& stage : pipeline_.stages)
            for (const PipelineSyntax::Line& line : stage.lines) {
                Block one;
                add_line(one, line.target, line.rhs, line.where);
                for (const auto& [name, where] : targets_of(one))
                    if (const auto found = stepped.find(name); found != stepped.end())
                        context_.diagnostics
                            .add(Code::two_writes, where,
                                 fmt::format("'{}' is written here and by the step; a target "
                                             "belongs to one of both",
                                             name))
                            .note(found->second, "the step writes it here");
            }
    }

    /// Adds what says which stages have items, and which of them move on.
    void add_flow() {
        if (!stages_.input())
            return;
        const AstRef in = name_tree(stages_.input()->port->name, where_);
        valid_.push_back(field_tree(in, "valid"));
        for (std::size_t stage = 1; stage < stages_.count(); ++stage) {
            const std::string name = stages_.fresh(fmt::format("stage.{}", stage));
            add_state(name, Type::boolean(), where_);
            valid_.push_back(name_tree(name, where_));
        }
        AstRef accepts = bool_tree(true, where_);
        if (stages_.output()->has_ready) {
            const AstRef ready =
                field_tree(name_tree(stages_.output()->port->name, where_), "ready");
            std::vector<AstRef> go(stages_.count()); // each stage takes an item
            go[last()] = ready;
            for (std::size_t stage = last(); stage > 0; --stage) {
                const bool own = stage == last() || pipeline_.collapses;
                if (own)
                    add_let(stages_.fresh(fmt::format("go.{}", stage)),
                            or_tree(not_tree(valid_[stage]), go[stage]), go[stage]);
                go[stage - 1] = go[stage];
            }
            accepts = go[0];
            // an item of a stage moves on if the next stage takes it
            for (std::size_t stage = 0; stage < last(); ++stage)
                moves_.push_back(go[stage + 1]);
            moves_.push_back(ready);
        }
        if (stages_.input()->has_ready)
            add_line(result_.block, field_tree(in, "ready"), accepts, where_);
    }

    void add_let(const std::string& name, AstRef value, AstRef& as_name) {
        expr::LetText let{name, value_of(std::move(value)), where_, {}, true};
        view_.lets.push_back(let);
        result_.lets.push_back(std::move(let));
        as_name = name_tree(name, where_);
    }

    void add_state(const std::string& name, const TypeRef& type, const Location& where) {
        result_.states.push_back({name, type, 0, where});
        expr::StateText& state = view_.states.emplace_back();
        state.name = name;
        state.type = type;
    }

    /// Returns the condition that an item is in the stage and moves on; null: always.
    AstRef passes(std::size_t stage) const {
        const AstRef valid = valid_.empty() ? nullptr : valid_[stage];
        return and_tree(valid, moves_.empty() ? nullptr : moves_[stage]);
    }

    void add_states(std::size_t stage) {
        Block lines;
        for (const PipelineSyntax::Line& line : stages_.states(stage))
            add_line(lines, line.target, line.rhs, line.where);
        add_under(result_.block, passes(stage), std::move(lines), where_);
    }

    /// Adds the registers after a stage; false after an error was reported.
    bool add_registers(std::size_t stage) {
        Block moved, all;
        std::vector<ProcessAddition::State> registers; // not seen in this stage
        for (std::size_t k = 0; k < stages_.carried().size(); ++k) {
            const PipelineStages::Carried& value = stages_.carried()[k];
            if (value.made > stage || value.last <= stage)
                continue;
            const bool is_own = value.made == stage;
            if (is_own)
                types_[k] = value.type ? value.type : type_of(value);
            if (!types_[k])
                return false;
            const std::size_t at = stage - value.made;
            add_line(moved, name_tree(value.registers[at], value.where),
                     is_own ? value.value : name_tree(value.registers[at - 1], value.where),
                     value.where);
            registers.push_back({value.registers[at], types_[k], 0, value.where});
        }
        for (const ProcessAddition::State& each : registers)
            add_state(each.name, each.type, each.where);
        if (!valid_.empty())
            add_line(all, valid_[stage + 1], valid_[stage], where_);
        add_under(all, valid_.empty() ? nullptr : valid_[stage], std::move(moved), where_);
        add_under(result_.block, moves_.empty() ? nullptr : moves_[stage], std::move(all), where_);
        return true;
    }

    /// Returns the type of a value that is carried; null after an error was reported.
    TypeRef type_of(const PipelineStages::Carried& value) {
        expr::Builder builder;
        expr::ProcessScope scope{view_, context_.scope, builder, context_.diagnostics};
        expr::Elaborator elaborator{builder, scope, context_.diagnostics};
        scope.set_elaborator(elaborator);
        const expr::BoundExpr bound = elaborator.bound_value(*value.value);
        if (!bound.ok())
            return nullptr;
        if (bound.form == expr::Form::typed && bound.type->kind() != TypeKind::array &&
            !bound.type->is_bundle())
            return bound.type;
        if (bound.is_exact() && bound.low >= 0) {
            unsigned width = 1;
            while (width < 63 && (bound.high >> width) != 0)
                ++width;
            if ((bound.high >> width) == 0)
                return Type::unsigned_integer(width);
        }
        context_.diagnostics.add(
            Code::bad_pipeline, value.where,
            fmt::format("a later stage reads '{}', but it is {}, for which there is no register; "
                        "give it a type",
                        value.name, elaborator.describe_type(bound)));
        return nullptr;
    }

    void add_outputs() {
        Block plain, data;
        bool any = false, guarded = false;
        FaultScope lets;
        for (const expr::LetText& let : view_.lets)
            lets[let.name] = &let.rhs;
        for (const PipelineSyntax::Line& line : stages_.outputs()) {
            const Ast& base = base_of(*line.target);
            if (!stages_.output() || base.text != stages_.output()->port->name) {
                add_line(plain, line.target, line.rhs, line.where);
                continue;
            }
            any = true;
            guarded = guarded || may_fault(line.rhs, lets);
            add_line(data,
                     &base == line.target.get() ? field_tree(line.target, "data") : line.target,
                     line.rhs, line.where);
        }
        add_under(result_.block, passes(last()), std::move(plain), where_);
        if (!stages_.output())
            return;
        const std::string& name = stages_.output()->port->name;
        if (!any)
            context_.diagnostics.add(Code::bad_pipeline, pipeline_.stages.back().where,
                                     fmt::format("the last stage writes '{}'", name));
        add_line(result_.block, field_tree(name_tree(name, where_), "valid"), valid_[last()],
                 where_);
        add_under(result_.block, guarded ? valid_[last()] : nullptr, std::move(data), where_);
    }

    const BodySyntax& body_;
    const PipelineSyntax pipeline_;
    expr::ProcessView view_; // and the pipeline's registers and lets
    Context& context_;
    PipelineStages stages_;
    const Location where_;
    ProcessAddition result_;
    std::vector<AstRef> valid_;  // each stage has an item; empty: always
    std::vector<AstRef> moves_;  // the item of each stage moves on; empty: always
    std::vector<TypeRef> types_; // of the values that are carried
};

} // namespace

std::optional<ProcessAddition> pipeline_of(const BodySyntax& body, const expr::ProcessView& text,
                                           Context& context, std::set<std::string>& taken) {
    std::optional<PipelineSyntax> pipeline = with_balance(body, text, context, taken);
    return pipeline ? PipelineBuilder{body, std::move(*pipeline), text, context, taken}.run()
                    : std::nullopt;
}

} // namespace sme::yaml
