// SPDX-License-Identifier: Apache-2.0
#include "yaml/pipelines/stages.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/sequences/graph.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;

namespace {

const expr::PortText* find_port(const std::vector<expr::PortText>& ports, const std::string& name) {
    const auto found = std::find_if(ports.begin(), ports.end(),
                                    [&](const auto& port) { return port.name == name; });
    return found == ports.end() ? nullptr : &*found;
}

/// Returns the field that a type passes in a direction, or null.
TypeRef field_of(const Type& type, const char* name, bool back) {
    const int at = type.kind() == TypeKind::structure ? type.find_field(name) : -1;
    if (at < 0 || type.fields()[static_cast<std::size_t>(at)].back != back)
        return nullptr;
    return type.fields()[static_cast<std::size_t>(at)].type;
}

} // namespace

PipelineStages::PipelineStages(const PipelineSyntax& pipeline, const BodySyntax& body,
                               const expr::ProcessView& text, Context& context,
                               std::set<std::string>& taken)
    : pipeline_{pipeline}, body_{body}, text_{text}, context_{context},
      diagnostics_{context.diagnostics}, taken_{taken}, lets_(pipeline_.stages.size()),
      states_(pipeline_.stages.size()) {
    for (auto& each : sorted_)
        each.resize(pipeline_.stages.size());
}

void PipelineStages::read() {
    const std::size_t errors = diagnostics_.errors();
    find_ends();
    for (std::size_t stage = 0; stage < count(); ++stage)
        for (const Line& line : pipeline_.stages[stage].lines)
            sort_line(line, stage);
    check_lets();
    if (diagnostics_.errors() != errors)
        return;
    if (input_)
        carried_.push_back({input_->port->name,
                            0,
                            0,
                            field_tree(name_tree(input_->port->name, pipeline_.where), "data"),
                            pipeline_.where,
                            input_->data,
                            {}});
    for (std::size_t stage = 0; stage < count(); ++stage)
        for (const Line& line : sorted_[0][stage])
            carried_.push_back(
                {line.target->text, stage, stage, line.target, line.where, nullptr, {}});
    for (std::size_t stage = 0; stage < count(); ++stage) {
        for (const Line& line : sorted_[0][stage])
            lets_[stage].push_back(
                {line.target->text, rewritten(line, stage).rhs, line.where, {}, false});
        for (const Line& line : sorted_[1][stage])
            states_[stage].push_back(rewritten(line, stage));
    }
    for (const Line& line : sorted_[2].back())
        outputs_.push_back(rewritten(line, count() - 1));
}

std::string PipelineStages::fresh(const std::string& name) {
    return SequenceGraph::fresh(name, taken_);
}

std::optional<PipelineEnd> PipelineStages::end_of(const std::vector<expr::PortText>& ports,
                                                  bool output) {
    std::optional<PipelineEnd> result;
    for (const expr::PortText& port : ports) {
        const Type& type = port.bundle ? *port.bundle : *port.type;
        const TypeRef data = field_of(type, "data", false);
        if (!data || !field_of(type, "valid", false) || !port.reverse_of.empty())
            continue;
        if (result || port.shape.dimensions.size() > 0)
            diagnostics_.add(Code::bad_pipeline, pipeline_.where,
                             fmt::format("a pipeline has one Valid or stream {}, but this process "
                                         "also has '{}'; join or divide them in another process",
                                         output ? "out" : "in", port.name));
        result = PipelineEnd{&port, data, field_of(type, "ready", true) != nullptr};
    }
    return result;
}

void PipelineStages::find_ends() {
    input_ = end_of(text_.inputs, false);
    output_ = end_of(text_.outputs, true);
    const auto fail = [&](const Location& where, std::string message) {
        diagnostics_.add(Code::bad_pipeline, where, std::move(message));
    };
    if (input_.has_value() != output_.has_value())
        fail(pipeline_.where,
             input_ ? fmt::format("what '{}' brings leaves a pipeline by a Valid or a stream, but "
                                  "no output is one",
                                  input_->port->name)
                    : fmt::format("'{}' is valid when an item arrives, but no input is a Valid or "
                                  "a stream",
                                  output_->port->name));
    else if (input_ && output_->has_ready && !input_->has_ready)
        fail(pipeline_.where, fmt::format("'{}' can stall the pipeline, but '{}' cannot wait; make "
                                          "it a stream",
                                          output_->port->name, input_->port->name));
    if (pipeline_.stall.known() && !(output_ && output_->has_ready))
        fail(pipeline_.stall, "nothing can stall this pipeline; a stream that it writes can");
}

/// Finds what a line writes.
void PipelineStages::sort_line(const Line& line, std::size_t stage) {
    const auto fail = [&](std::string message) {
        diagnostics_.add(Code::bad_pipeline, line.where, std::move(message));
    };
    const Ast& base = base_of(*line.target);
    if (base.kind != Ast::Kind::name) {
        diagnostics_.add(Code::bad_target, line.where,
                         "a stage has names of values, states and outputs, but this is none");
        return;
    }
    const std::string& name = base.text;
    if (std::any_of(text_.states.begin(), text_.states.end(),
                    [&](const auto& state) { return state.name == name; })) {
        const auto [found, is_new] = written_.emplace(name, std::pair{stage, line.where});
        if (!is_new && found->second.first != stage)
            diagnostics_
                .add(Code::bad_pipeline, line.where,
                     fmt::format("stages {} and {} write '{}'; a state belongs to one stage",
                                 found->second.first + 1, stage + 1, name))
                .note(found->second.second, "the other stage writes it here");
        sorted_[1][stage].push_back(line);
    } else if (find_port(text_.outputs, name)) {
        if (stage + 1 != count())
            fail(fmt::format("the last stage writes outputs, but this is stage {} of {}", stage + 1,
                             count()));
        sorted_[2][stage].push_back(line);
    } else if (&base != line.target.get())
        fail(fmt::format("'{}' is no state or output here; a value of a stage has a name alone",
                         name));
    else if (context_.scope.check_hiding(name, line.where, diagnostics_)) {
        if (!taken_.insert(name).second)
            diagnostics_.add(Code::duplicate_name, line.where,
                             fmt::format("'{}' is already a name in this process", name));
        made_[name] = stage;
        sorted_[0][stage].push_back(line);
    }
}

/// Reports lets that would read the values of different items.
void PipelineStages::check_lets() {
    for (const expr::LetText& let : body_.lets) {
        const Rewriter search{[&](const AstRef& tree) -> AstRef {
            if (tree->kind == Ast::Kind::name &&
                (made_.count(tree->text) > 0 || (input_ && tree->text == input_->port->name)))
                diagnostics_.add(Code::bad_pipeline, tree->where,
                                 fmt::format("the let '{}' reads '{}', which belongs to an item; "
                                             "make it a value of a stage",
                                             let.name, tree->text));
            return nullptr;
        }};
        search(let.rhs);
    }
}

/// Returns a line that reads registers where its stage sees them.
PipelineStages::Line PipelineStages::rewritten(const Line& line, std::size_t stage) {
    const Rewriter rewriter{[&](const AstRef& tree) { return seen(tree, stage); }};
    Line result = line;
    result.rhs = rewriter(line.rhs);
    if (line.target->kind != Ast::Kind::name) { // its indices
        const auto copy = std::make_shared<Ast>(*line.target);
        for (std::size_t k = 1; k < copy->operands.size(); ++k)
            copy->operands[k] = rewriter(copy->operands[k]);
        result.target = copy;
    }
    return result;
}

/// Returns what replaces a part of an expression in a stage, or null.
AstRef PipelineStages::seen(const AstRef& tree, std::size_t stage) {
    const auto is_input = [&](const AstRef& name) {
        return input_ && name->kind == Ast::Kind::name && name->text == input_->port->name;
    };
    if (tree->kind == Ast::Kind::field && is_input(tree->operands[0])) {
        if (stage > 0 && tree->text == "data")
            return carry(carried_.front(), stage, tree->where);
        return tree->text == "valid" ? bool_tree(true, tree->where) : tree; // of its item
    }
    if (tree->kind == Ast::Kind::call && tree->operands[0]->kind == Ast::Kind::name) {
        const Rewriter rewriter{[&](const AstRef& part) { return seen(part, stage); }};
        const auto call = std::make_shared<Ast>(*tree);
        for (std::size_t k = 1; k < call->operands.size(); ++k) // a function is no value
            call->operands[k] = rewriter(call->operands[k]);
        return call;
    }
    if (tree->kind != Ast::Kind::name)
        return nullptr;
    if (is_input(tree)) {
        diagnostics_.add(Code::bad_pipeline, tree->where,
                         fmt::format("a stage reads '{}.data'", tree->text));
        return tree;
    }
    check_state(tree->text, stage, tree->where);
    const auto found = made_.find(tree->text);
    if (found == made_.end() || found->second == stage)
        return nullptr;
    if (found->second > stage) {
        diagnostics_.add(Code::bad_pipeline, tree->where,
                         fmt::format("stage {} reads '{}', which stage {} makes", stage + 1,
                                     tree->text, found->second + 1));
        return tree;
    }
    const auto value = std::find_if(carried_.begin() + (input_ ? 1 : 0), carried_.end(),
                                    [&](const Carried& each) { return each.name == tree->text; });
    return carry(*value, stage, tree->where);
}

/// Returns the register of a value in a stage after its own.
AstRef PipelineStages::carry(Carried& value, std::size_t stage, const Location& where) {
    for (; value.last < stage; ++value.last)
        value.registers.push_back(fresh(fmt::format("{}.{}", value.name, value.last + 1)));
    return name_tree(value.registers[stage - value.made - 1], where);
}

/// Reports a state that another stage than its own reads, perhaps by a let.
void PipelineStages::check_state(const std::string& name, std::size_t stage,
                                 const Location& where) {
    if (const auto found = written_.find(name);
        found != written_.end() && found->second.first != stage) {
        diagnostics_
            .add(
                Code::bad_pipeline, where,
                fmt::format("stage {} reads the state '{}', which stage {} writes for other items; "
                            "read it there, and carry its value",
                            stage + 1, name, found->second.first + 1))
            .note(found->second.second, "it is written here");
        return;
    }
    for (const expr::LetText& let : body_.lets)
        if (let.name == name && reported_.insert(fmt::format("{} {}", name, stage)).second) {
            const Rewriter inside{[&](const AstRef& tree) -> AstRef {
                if (tree->kind == Ast::Kind::name)
                    check_state(tree->text, stage, where);
                return nullptr;
            }};
            inside(let.rhs);
        }
}

} // namespace sme::yaml
