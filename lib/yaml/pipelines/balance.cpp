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

#include "expr/typing/builtins.hpp"
#include "yaml/pipelines/faults.hpp"
#include "yaml/pipelines/widths.hpp"
#include "yaml/sequences/graph.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

namespace {

using expr::Ast;
using expr::AstRef;
using Stage = PipelineSyntax::Stage;
using Line = PipelineSyntax::Line;

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
    Balancer(const PipelineSyntax& pipeline, const BodySyntax& body, const expr::ProcessView& text,
             const std::string& item, Context& context, const std::set<std::string>& taken)
        : result_{pipeline}, body_{body}, declared_{taken}, taken_{taken}, widths_{pipeline, text,
                                                                                   context} {
        for (const expr::PortText& port : text.inputs)
            (port.name == item ? items_ : inputs_).insert(port.name);
        for (const expr::StateText& state : text.states)
            states_.insert(state.name);
        for (std::size_t k = 0; k < body.lets.size(); ++k) // each may read the others
            for (const expr::LetText& let : body.lets)
                for (std::set<std::string>* const names : {&states_, &inputs_})
                    if (reads(let.rhs, *names))
                        names->insert(let.name);
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
        case Ast::Kind::call: return is_conversion(tree) ? 0 : 8 + widths_.of(of);
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
    static bool reads(const expr::Rhs& rhs, const std::set<std::string>& names) {
        bool found = false;
        for_each_tree(rhs, [&](const AstRef& tree) { found = found || reads(tree, names); });
        return found;
    }
    /// Returns true if a name has a meaning inside the tree alone: the index of a loop or a target.
    static bool has_range(const AstRef& tree) {
        if (tree->kind == Ast::Kind::call && tree->operands.size() > 2 &&
            tree->operands[1]->kind == Ast::Kind::binary) {
            const auto& all = expr::builtins();
            return std::any_of(all.begin(), all.end(), [&](const expr::Builtin& each) {
                return each.reduce && each.name == tree->operands[0]->text;
            });
        }
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
        std::optional<Halves> best;
        for (const unsigned time : times_of(stage)) {
            Halves halves = Division{*this, stage, time}.run();
            halves.length = std::max(length_of(halves.first), length_of(halves.second));
            if (!best || halves.length < best->length)
                best = std::move(halves);
        }
        taken_.insert(best->names.begin(), best->names.end());
        result_.stages[number] = std::move(best->second);
        result_.stages.insert(result_.stages.begin() + static_cast<std::ptrdiff_t>(number),
                              std::move(best->first));
    }

    /// Returns times at which a stage may be divided: all, or some of many.
    std::vector<unsigned> times_of(const Stage& stage) {
        constexpr std::size_t most = 40;
        Arrivals known{lines_of(stage)};
        std::set<unsigned> times{0};
        for (const Line& line : stage.lines)
            times.insert(arrival(line, known));
        for (const auto& [tree, time] : known.of_tree)
            times.insert(time);
        const std::vector<unsigned> all{times.begin(), times.end()};
        std::vector<unsigned> result;
        const std::size_t step = (all.size() + most - 1) / most;
        for (std::size_t k = all.size(); k > 0; k -= std::min(k, step)) // with the last one
            result.insert(result.begin(), all[k - 1]);
        return result;
    }

    /// Divides a stage: the first half has the values that are there at a time.
    class Division {
    public:
        Division(Balancer& all, const Stage& stage, unsigned time)
            : b_{all}, stage_{stage}, time_{time}, known_{lines_of(stage)}, taken_{all.taken_},
              late_{all.states_}, faults_{faults_of(stage)} {}

        Halves run() {
            result_.first.where = result_.second.where = stage_.where;
            find_late();
            for (const Line& line : stage_.lines)
                if (b_.is_let(line) && late_.count(line.target->text) == 0)
                    result_.first.lines.push_back(line);
                else
                    result_.second.lines.push_back(divided(line));
            return std::move(result_);
        }

    private:
        /// Finds the values that can only be made in the second half.
        void find_late() {
            for (bool again = true; std::exchange(again, false);)
                for (const Line& line : stage_.lines)
                    if (b_.is_let(line) && late_.count(line.target->text) == 0 &&
                        (b_.arrival(line, known_) > time_ || reads(line.rhs, late_) ||
                         may_fault(line.rhs, faults_))) {
                        late_.insert(line.target->text);
                        again = true;
                    }
        }

        Line divided(const Line& line) {
            Line result = line;
            if (line.target->kind == Ast::Kind::index && has_range(line.target))
                return result; // its index has a meaning inside alone
            base_ = base_of(*line.target).text;
            const bool always =
                line.rhs.kind == expr::Rhs::Kind::expression && !line.rhs.when && !b_.is_let(line);
            const Rewriter rewriter{[&](const AstRef& tree) { return part(tree, always); }};
            result.rhs = rewriter(line.rhs);
            return result;
        }

        /// Returns a part of an expression as the second half sees it. `always`: it is needed in
        /// any case, so that its faults may come early.
        AstRef part(const AstRef& tree, bool always) {
            if (tree->kind == Ast::Kind::name) {
                if (b_.inputs_.count(tree->text) == 0 || late_.count(tree->text) > 0)
                    return tree;
                AstRef& value = inputs_[tree->text];
                return value ? value : value = early(tree);
            }
            if (tree->kind == Ast::Kind::field && reads(tree, b_.items_))
                return tree; // it is carried as it is
            const unsigned time = b_.arrival(tree, known_);
            const bool free = !reads(tree, late_) && (always || !may_fault(tree, faults_)) &&
                              tree->kind != Ast::Kind::named;
            const bool is_long = time > 0 && time <= time_;
            const bool ranges = has_range(tree); // its index has a meaning inside alone
            if (free && (is_long || (ranges && reads(tree, b_.inputs_))) &&
                b_.widths_.has_register(tree))
                return early(tree);
            return ranges ? tree : with_parts(tree, always);
        }

        AstRef with_parts(const AstRef& tree, bool always) {
            const bool is_choice =
                tree->kind == Ast::Kind::conditional ||
                (tree->kind == Ast::Kind::binary &&
                 expr::row_of(tree->op).kind == expr::OperatorRow::Kind::logical);
            const auto copy = std::make_shared<Ast>(*tree);
            for (std::size_t k = tree->kind == Ast::Kind::call ? 1 : 0; k < copy->operands.size();
                 ++k)
                if (copy->operands[k])
                    copy->operands[k] = part(copy->operands[k], always && (k == 0 || !is_choice));
            return copy;
        }

        /// Makes a value of the first half.
        AstRef early(const AstRef& tree) {
            const std::string name = SequenceGraph::fresh(fmt::format("{}.part", base_), taken_);
            expr::Rhs rhs;
            rhs.where = tree->where;
            rhs.value = tree;
            AstRef as_name = name_tree(name, tree->where);
            result_.first.lines.push_back({as_name, std::move(rhs), tree->where});
            result_.names.push_back(name);
            b_.widths_.add(name, tree);
            return as_name;
        }

        FaultScope faults_of(const Stage& stage) const {
            FaultScope result;
            for (const Line& line : stage.lines)
                if (b_.is_let(line))
                    result[line.target->text] = &line.rhs;
            for (const expr::LetText& let : b_.body_.lets)
                result[let.name] = &let.rhs;
            return result;
        }

        Balancer& b_;
        const Stage& stage_;
        const unsigned time_;
        Arrivals known_;
        std::set<std::string> taken_;
        std::set<std::string> late_; // states, and values that need the second half
        const FaultScope faults_;
        std::map<std::string, AstRef> inputs_; // read in the first half
        std::string base_;
        Halves result_;
    };

    bool is_let(const Line& line) const { return declared_.count(line.target->text) == 0; }

    PipelineSyntax result_;
    const BodySyntax& body_;
    const std::set<std::string>& declared_; // ports and states
    std::set<std::string> taken_;           // and parts
    Widths widths_;
    std::set<std::string> items_, inputs_, states_;
    std::map<AstRef, unsigned> delays_; // also of trees that are no longer used
};

} // namespace

PipelineSyntax balanced(const BodySyntax& body, unsigned more, const expr::ProcessView& text,
                        const std::string& item, Context& context,
                        const std::set<std::string>& taken) {
    return Balancer{*body.pipeline, body, text, item, context, taken}.run(more);
}

} // namespace sme::yaml
