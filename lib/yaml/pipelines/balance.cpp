// SPDX-License-Identifier: Apache-2.0
#include "yaml/pipelines/balance.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "expr/process/process_scope.hpp"
#include "yaml/sequences/graph.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

namespace {

using expr::Ast;
using expr::AstRef;
using Stage = PipelineSyntax::Stage;
using Line = PipelineSyntax::Line;

/// Finds the widths of expressions of a pipeline, whatever their stage.
class Widths {
public:
    Widths(const PipelineSyntax& pipeline, const expr::ProcessView& text, Context& context)
        : trial_{context.scope.fuel()}, view_{text}, scope_{view_with(pipeline), context.scope,
                                                            builder_, trial_.diagnostics},
          elaborator_{builder_, scope_, trial_.diagnostics} {
        scope_.set_elaborator(elaborator_);
    }

    unsigned of(const AstRef& tree) {
        const expr::BoundExpr value = elaborator_.bound_value(*as_written_(tree));
        if (value.ok() && value.form == expr::Form::typed && value.type->is_scalar())
            return static_cast<unsigned>(value.type->width_bits());
        return 1; // a number, or no scalar
    }

    /// Adds a value that replaces a part of an expression.
    void add(const std::string& name, const AstRef& tree) { parts_[name] = as_written_(tree); }

private:
    const expr::ProcessView& view_with(const PipelineSyntax& pipeline) {
        for (const Stage& stage : pipeline.stages)
            for (const Line& line : stage.lines)
                if (line.target->kind == Ast::Kind::name)
                    view_.lets.push_back({line.target->text, line.rhs, line.where, {}, true});
        return view_;
    }

    std::map<std::string, AstRef> parts_;
    const Rewriter as_written_{[this](const AstRef& tree) -> AstRef {
        const auto found = tree->kind == Ast::Kind::name ? parts_.find(tree->text) : parts_.end();
        return found == parts_.end() ? nullptr : found->second;
    }};
    expr::Trial trial_;
    expr::ProcessView view_;
    expr::Builder builder_;
    expr::ProcessScope scope_;
    expr::Elaborator elaborator_;
};

/// Calls visit(tree) for each expression of a right-hand side.
template <class Visit> void for_each_tree(const expr::Rhs& rhs, const Visit& visit) {
    const Rewriter visitor{[&](const AstRef& tree) -> AstRef {
        visit(tree);
        return tree; // not its parts
    }};
    visitor(rhs);
}

class Balancer {
public:
    Balancer(const PipelineSyntax& pipeline, const expr::ProcessView& text, Context& context,
             const std::set<std::string>& taken)
        : result_{pipeline}, declared_{taken}, taken_{taken}, widths_{pipeline, text, context} {
        for (const expr::PortText& port : text.inputs) {
            const Type& type = port.bundle ? *port.bundle : *port.type;
            const bool is_item =
                type.kind() == TypeKind::structure && type.find_field("valid") >= 0;
            (is_item ? items_ : inputs_).insert(port.name);
        }
        for (const expr::StateText& state : text.states)
            states_.insert(state.name);
    }

    PipelineSyntax run(unsigned more) {
        for (; more > 0; --more) {
            std::size_t longest = 0;
            unsigned length = 0;
            for (std::size_t k = 0; k < result_.stages.size(); ++k)
                if (const unsigned own = length_of(result_.stages[k]); own > length) {
                    length = own;
                    longest = k;
                }
            divide(longest);
        }
        return std::move(result_);
    }

private:
    /// How long an operator takes, in about a quarter of a look-up table.
    unsigned delay(const AstRef& tree) {
        const auto found = delays_.find(tree);
        return found != delays_.end() ? found->second : delays_[tree] = new_delay(tree);
    }

    unsigned new_delay(const AstRef& of) {
        using expr::Operator;
        const Ast& tree = *of;
        const auto width = [&](std::size_t k) { return widths_.of(tree.operands[k]); };
        switch (tree.kind) {
        case Ast::Kind::unary: return tree.op == Operator::negate ? 8 + width(0) : 2;
        case Ast::Kind::conditional: return 4;
        case Ast::Kind::index: return 6;
        case Ast::Kind::call: {
            const std::string& name = tree.operands[0]->text;
            const bool converts = name.size() > 1 && (name[0] == 'u' || name[0] == 'i') &&
                                  name.find_first_not_of("0123456789", 1) == name.npos;
            return converts ? 0 : 8 + widths_.of(of);
        }
        case Ast::Kind::binary: break;
        default: return 0;
        }
        const unsigned widest = std::max(width(0), width(1));
        switch (tree.op) {
        case Operator::multiply: return 16 + 2 * widest;
        case Operator::divide:
        case Operator::remainder: return widest * (8 + widest);
        case Operator::shift_left:
        case Operator::shift_right:
            return tree.operands[1]->kind == Ast::Kind::number
                       ? 0
                       : 4 * static_cast<unsigned>(std::bit_width(widest));
        case Operator::bit_and:
        case Operator::bit_or:
        case Operator::bit_xor:
        case Operator::logical_and:
        case Operator::logical_or: return 4;
        default: return 8 + widest; // a chain of carries
        }
    }

    /// The values of a stage, by their names.
    using Lines = std::map<std::string, const Line*>;
    static Lines lines_of(const Stage& stage) {
        Lines result;
        for (const Line& line : stage.lines)
            if (line.target->kind == Ast::Kind::name)
                result[line.target->text] = &line;
        return result;
    }

    /// Finds when values are there, from the beginning of the cycle.
    struct Arrivals {
        Lines lines;
        std::map<const Ast*, unsigned> of_tree = {};
        std::map<std::string, unsigned> of_line = {};
    };

    unsigned arrival(const AstRef& tree, Arrivals& known) {
        if (tree->kind == Ast::Kind::name) {
            const auto line = known.lines.find(tree->text);
            return line == known.lines.end() ? 0 : arrival(*line->second, known);
        }
        if (const auto found = known.of_tree.find(tree.get()); found != known.of_tree.end())
            return found->second;
        unsigned last = 0;
        for (const AstRef& operand : tree->operands)
            if (operand)
                last = std::max(last, arrival(operand, known));
        return known.of_tree[tree.get()] = last + delay(tree);
    }

    unsigned arrival(const Line& line, Arrivals& known) {
        const std::string name =
            line.target->kind == Ast::Kind::name ? line.target->text : std::string{};
        if (const auto found = known.of_line.find(name); found != known.of_line.end())
            return found->second;
        if (!name.empty())
            known.of_line[name] = 0; // in case it needs itself
        unsigned last = 0;
        for_each_tree(line.rhs,
                      [&](const AstRef& tree) { last = std::max(last, arrival(tree, known)); });
        if (line.rhs.kind != expr::Rhs::Kind::expression || line.rhs.when)
            last += 4;
        return name.empty() ? last : known.of_line[name] = last;
    }

    unsigned length_of(const Stage& stage) {
        Arrivals known{lines_of(stage)};
        unsigned length = 0;
        for (const Line& line : stage.lines)
            length = std::max(length, arrival(line, known));
        return length;
    }

    /// Returns true if a tree reads one of the names.
    static bool reads(const AstRef& tree, const std::set<std::string>& names) {
        const bool is_call = tree->kind == Ast::Kind::call; // a function is no value
        return (tree->kind == Ast::Kind::name && names.count(tree->text) > 0) ||
               std::any_of(tree->operands.begin() + (is_call ? 1 : 0), tree->operands.end(),
                           [&](const AstRef& operand) { return operand && reads(operand, names); });
    }
    bool reads_state(const Line& line) const {
        bool found = false;
        for_each_tree(line.rhs, [&](const AstRef& tree) { found = found || reads(tree, states_); });
        return found;
    }
    static bool has_range(const AstRef& tree) {
        return std::any_of(tree->operands.begin(), tree->operands.end(), [](const AstRef& operand) {
            return operand && operand->kind == Ast::Kind::range;
        });
    }

    struct Halves {
        Stage first, second;
        std::vector<std::string> names; // of new values
        unsigned length = 0;
    };

    void divide(std::size_t number) {
        const Stage stage = result_.stages[number];
        Arrivals known{lines_of(stage)};
        std::set<unsigned> times;
        for (const Line& line : stage.lines)
            times.insert(arrival(line, known));
        for (const auto& [tree, time] : known.of_tree)
            times.insert(time);
        std::optional<Halves> best;
        for (const unsigned time : times) {
            Halves halves = halves_at(stage, time);
            halves.length = std::max(length_of(halves.first), length_of(halves.second));
            if (!best || halves.length < best->length)
                best = std::move(halves);
        }
        taken_.insert(best->names.begin(), best->names.end());
        result_.stages[number] = std::move(best->second);
        result_.stages.insert(result_.stages.begin() + static_cast<std::ptrdiff_t>(number),
                              std::move(best->first));
    }

    /// Divides a stage: the first half has the values that are there at this time.
    Halves halves_at(const Stage& stage, unsigned time) {
        Halves result;
        result.first.where = result.second.where = stage.where;
        Arrivals known{lines_of(stage)};
        std::set<std::string> taken = taken_;
        std::map<std::string, AstRef> inputs; // that were read in the first half
        for (const Line& line : stage.lines) {
            const bool is_value = line.target->kind == Ast::Kind::name &&
                                  known.lines.count(line.target->text) > 0 && is_let(line);
            if (is_value && arrival(line, known) <= time && !reads_state(line)) {
                result.first.lines.push_back(line);
                continue;
            }
            const auto early = [&](const AstRef& tree) -> AstRef {
                const Ast* base = line.target.get();
                while (base->kind != Ast::Kind::name)
                    base = base->operands[0].get();
                const std::string name =
                    SequenceGraph::fresh(fmt::format("{}.part", base->text), taken);
                expr::Rhs rhs;
                rhs.where = tree->where;
                rhs.value = tree;
                AstRef as_name = name_tree(name, tree->where);
                result.first.lines.push_back({as_name, std::move(rhs), tree->where});
                result.names.push_back(name);
                widths_.add(name, tree);
                return as_name;
            };
            const Rewriter rewriter{[&](const AstRef& tree) -> AstRef {
                if (tree->kind == Ast::Kind::name) {
                    if (inputs_.count(tree->text) == 0)
                        return nullptr;
                    AstRef& value = inputs[tree->text];
                    return value ? value : value = early(tree);
                }
                if (tree->kind == Ast::Kind::field && reads(tree, items_))
                    return tree; // it is carried as it is
                const unsigned own = arrival(tree, known);
                const bool fixed = reads(tree, states_);
                if (own > 0 && own <= time && !fixed && tree->kind != Ast::Kind::named)
                    return early(tree);
                if (has_range(tree)) // its index has a meaning inside alone
                    return reads(tree, inputs_) && !fixed ? early(tree) : tree;
                return nullptr;
            }};
            Line late = line;
            late.rhs = rewriter(line.rhs);
            result.second.lines.push_back(std::move(late));
        }
        return result;
    }

    bool is_let(const Line& line) const { return declared_.count(line.target->text) == 0; }

    PipelineSyntax result_;
    const std::set<std::string>& declared_; // ports and states
    std::set<std::string> taken_;           // and parts
    Widths widths_;
    std::set<std::string> items_, inputs_, states_;
    std::map<AstRef, unsigned> delays_; // also of trees that are no longer used
};

} // namespace

PipelineSyntax balanced(const PipelineSyntax& pipeline, unsigned more,
                        const expr::ProcessView& text, Context& context,
                        const std::set<std::string>& taken) {
    return Balancer{pipeline, text, context, taken}.run(more);
}

} // namespace sme::yaml
