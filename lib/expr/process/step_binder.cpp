// SPDX-License-Identifier: Apache-2.0
#include "expr/process/step_binder.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/process/operands.hpp"
#include "expr/process/word_by_word.hpp"
#include "expr/syntax/print_line.hpp"
#include "expr/typing/match.hpp"
#include "expr/typing/ranges.hpp"
#include "expr/typing/rhs_value.hpp"

namespace sme::expr {

StepBinder::StepBinder(const ProcessView& text, Elaborator& elaborator)
    : text_{text}, e_{elaborator}, b_{elaborator.builder()} {
    for (const PortText& port : text.outputs)
        outputs_[port.name] = &port;
    for (const StateText& state : text.states)
        states_[state.name] = &state;
}

BoundBlock StepBinder::bind(const Block& block) {
    BoundBlock result;
    const auto add = [&](bool has_arms) {
        for (const Statement& each : block.statements)
            if ((each.kind == Statement::Kind::choice || each.kind == Statement::Kind::match) ==
                    has_arms &&
                !statement(each, result.emplace_back()))
                result.pop_back();
    };
    add(false);
    add(true);
    return result;
}

/// Binds a statement; false if it has an error.
bool StepBinder::statement(const Statement& statement, BoundStatement& bound) {
    bound.kind = statement.kind;
    bound.where = statement.where;
    switch (statement.kind) {
    case Statement::Kind::assign: assign(statement, bound); return true;
    case Statement::Kind::choice: choice(statement, bound); return true;
    case Statement::Kind::match: return match(statement, bound);
    case Statement::Kind::assertion: return assertion(statement, bound);
    case Statement::Kind::halt: {
        static const std::string name = "halt";
        return offer(statement.rhs, {name, {}, Type::boolean()}, bound.effect);
    }
    case Statement::Kind::print: break;
    }
    return print(statement, bound);
}

/// Binds a condition; without one, it always holds.
bool StepBinder::condition(const AstRef& ast, const char* what, BoundCondition& bound) {
    if (!ast)
        return true;
    BoundExpr found = e_.bound_truth(*ast, what);
    if (!found.ok())
        return false;
    const auto known = e_.known(found);
    bound = {e_.operand(std::move(found)), known ? std::optional{*known != 0} : std::nullopt,
             ast->where};
    return true;
}

void StepBinder::choice(const Statement& statement, BoundStatement& bound) {
    for (const Statement::Arm& arm : statement.arms) {
        BoundStatement::Arm result;
        result.where = arm.where;
        if (!condition(arm.condition, "a condition", result.condition) ||
            result.condition.never_holds())
            continue;
        result.block = bind(arm.block);
        const bool last = result.condition.always_holds();
        bound.arms.push_back(std::move(result));
        if (last)
            break;
    }
}

bool StepBinder::match(const Statement& statement, BoundStatement& bound) {
    std::vector<ArmText> texts;
    for (const Statement::Arm& arm : statement.arms)
        texts.push_back({&arm.patterns, arm.where});
    if (!statement.subject || texts.empty())
        return false; // already reported
    bound.match = bound_match(*statement.subject, statement.where, texts, e_);
    if (!bound.match)
        return false;
    for (std::size_t k = 0; k < statement.arms.size(); ++k) {
        BoundStatement::Arm& arm = bound.arms.emplace_back();
        arm.where = statement.arms[k].where;
        arm.possible = bound.match->is_possible(k);
        if (arm.possible)
            arm.block = bind(statement.arms[k].block);
    }
    return true;
}

bool StepBinder::assertion(const Statement& statement, BoundStatement& bound) {
    const Rhs& rhs = statement.rhs;
    if (rhs.kind != Rhs::Kind::expression || !rhs.value) {
        e_.fail(Code::wrong_shape, statement.where, "an assert is one condition");
        return false;
    }
    BoundExpr asserted = e_.bound_truth(*rhs.value, "an assert");
    const bool fine = when(rhs, bound.effect.when) && asserted.ok();
    bound.effect.value = e_.operand(std::move(asserted));
    if (!fine)
        return false;
    Operands operands{b_, e_.scope(), [&](const std::string& name) {
                          const auto& all = text_.shape.dimensions;
                          return std::any_of(all.begin(), all.end(),
                                             [&](const auto& each) { return each.index == name; });
                      }};
    operands.add(*rhs.value);
    bound.operands = operands.take();
    bound.effect.where = rhs.value->where;
    return true;
}

namespace {

/// Adds the name of the cycle number, unless another declaration has it.
class WithCycle {
public:
    explicit WithCycle(Elaborator& elaborator) : e_{elaborator}, bound_{!e_.is_known("cycle")} {
        if (bound_) {
            BoundExpr cycle = BoundExpr::of(Type::unsigned_integer(64));
            cycle.what = std::make_shared<const CycleRef>();
            e_.bind("cycle", std::move(cycle));
        }
    }
    ~WithCycle() {
        if (bound_)
            e_.unbind("cycle");
    }
    WithCycle(const WithCycle&) = delete;
    WithCycle& operator=(const WithCycle&) = delete;

private:
    Elaborator& e_;
    bool bound_;
};

} // namespace

bool StepBinder::print(const Statement& statement, BoundStatement& bound) {
    const WithCycle with_cycle{e_};
    bool fine = when(statement.rhs, bound.effect.when);
    bound.line.where = statement.where;
    for (const PrintPiece& piece : statement.pieces) {
        if (!piece.value) {
            bound.line.pieces.push_back({piece.text, nullptr, {}});
            continue;
        }
        const Location& where = piece.value->where;
        BoundExpr value = e_.bound_value(*piece.value);
        if (value.is_exact()) // printing needs a width
            value = e_.fitted(value,
                              value.low < 0 ? Type::signed_integer(64) : Type::unsigned_integer(64),
                              where, "a printed number");
        fine = fine && value.ok();
        if (!value.ok())
            continue;
        if (value.form != Form::typed) {
            e_.fail(Code::needs_type, where, "only a value with a type can be printed");
            fine = false;
            continue;
        }
        if (const std::string problem = style_problem(piece.style, *value.type); !problem.empty()) {
            e_.fail(Code::print_syntax, where, problem);
            fine = false;
        }
        bound.line.pieces.push_back({{}, value.type, piece.style});
        bound.printed.push_back(e_.operand(std::move(value)));
    }
    return fine;
}

// Assignments.

void StepBinder::assign(const Statement& statement, BoundStatement& bound) {
    if (!statement.target)
        return;
    const std::vector<RangeText> texts = ranges_in(*statement.target);
    if (texts.empty()) {
        std::optional<Statement> words = word_by_word(statement);
        if (!words) {
            assign_one(statement, bound);
            return;
        }
        auto& kept = e_.bindings() ? e_.bindings()->rewritten : rewritten_;
        assign(*kept.emplace_back(std::make_shared<const Statement>(std::move(*words))), bound);
        return;
    }
    const bool may_loop = b_.loops().from > 0 && is_memory(*statement.target);
    const std::optional<Unrolled> ranges =
        may_loop ? Unrolled::of(texts, e_, Integer{1} << 62) : Unrolled::of(texts, e_);
    if (!ranges)
        return;
    if (may_loop && LoopFrame::is_wanted(e_, static_cast<Integer>(ranges->total())) &&
        assign_in_loop(statement, ranges->indices(), bound))
        return;
    ranges->for_each(e_, [&] { return assign_one(statement, bound); });
}

bool StepBinder::assign_one(const Statement& statement, BoundStatement& bound) {
    std::optional<BoundTarget> target = this->target(*statement.target);
    return target && assign_to(std::move(*target), statement, bound);
}

bool StepBinder::assign_to(BoundTarget target, const Statement& statement, BoundStatement& bound) {
    BoundLine line;
    if (!offer(statement.rhs, {target.name, target.declared, target.type}, line.rhs))
        return false;
    line.target = std::move(target);
    bound.lines.push_back(std::move(line));
    return true;
}

/// Writes words in a loop; false if the line must be unrolled: a word that it writes does not
/// depend on the step.
bool StepBinder::assign_in_loop(const Statement& statement, const std::vector<LoopIndex>& indices,
                                BoundStatement& bound) {
    LoopFrame frame{e_, indices, statement.where};
    if (!frame.ok())
        return true;
    std::optional<BoundTarget> target = this->target(*statement.target);
    if (!target)
        return true; // already reported
    std::uint64_t loops = 0;
    for (const BoundSelect& index : target->indices)
        loops |= index.index->loops;
    if (loops == 0) {
        if (frame.loop()->count <= Elaborator::max_leaves)
            return false;
        refuse_words(e_, statement.where, target->state->name);
        return true;
    }
    bound.indices = indices;
    bound.loop = frame.loop();
    if (assign_to(std::move(*target), statement, bound))
        frame.charge(true, LoopFrame::writing_weight);
    return true;
}

namespace {

/// Returns true if a constant array has exactly these dimensions.
bool has_dimensions(const Type& array, const std::vector<std::uint64_t>& dimensions) {
    const Type* type = &array;
    for (const std::uint64_t dimension : dimensions) {
        if (type->kind() != TypeKind::array || type->count() != dimension)
            return false;
        type = type->element().get();
    }
    return type->kind() != TypeKind::array;
}

} // namespace

/// Rewrites a line that assigns words; `nullopt` for other lines and for few words.
std::optional<Statement> StepBinder::word_by_word(const Statement& statement) {
    const Ast& base = WordByWord::base_of(*statement.target);
    if (!is_memory(base))
        return std::nullopt;
    const WordByWord words{statement, *states_.at(base.text)};
    if (!LoopFrame::is_wanted(e_, words.words()))
        return std::nullopt;
    return words.statement([&](const Ast& name, const std::vector<std::uint64_t>& dimensions) {
        const BoundExpr value = e_.bound(name);
        return (value.form == Form::memory && value.memory()->dimensions == dimensions) ||
               (value.form == Form::constants &&
                has_dimensions(*value.constants()->type, dimensions));
    });
}

void refuse_words(Elaborator& elaborator, const Location& where, const std::string& memory) {
    Builder::Loops& loops = elaborator.builder().loops();
    loops.failed = true;
    elaborator.fail(Code::too_large, where,
                    fmt::format("'{}' is written over ranges that may meet, and {} steps and more "
                                "are a loop; write one range, with the choice in its right-hand "
                                "side",
                                memory, loops.from));
}

bool StepBinder::is_memory(const Ast& target) const {
    const auto state = states_.find(WordByWord::base_of(target).text);
    return state != states_.end() && state->second->is_memory;
}

// Right-hand sides.

namespace {

TypeRef field_type(const Type& type, const std::string& name) {
    const int field = type.find_field(name);
    return field < 0 ? nullptr : type.fields()[static_cast<std::size_t>(field)].type;
}

} // namespace

/// Reports "y <= a" as the value of y: '<=' is an assignment in other languages.
bool StepBinder::is_foreign_assignment(const Ast& value, const Wanted& wanted) {
    if (value.kind != Ast::Kind::binary || value.op != Operator::less_equal ||
        wanted.type->kind() == TypeKind::boolean || value.operands[0]->kind != Ast::Kind::name ||
        value.operands[0]->text != wanted.what)
        return false;
    e_.fail(Code::type_mismatch, value.where,
            fmt::format("'<=' compares here, and this line assigns '{0}' already; write only the "
                        "part after '{0} <='",
                        wanted.what));
    return true;
}

/// Binds a right-hand side; false after an error.
bool StepBinder::offer(const Rhs& rhs, const Wanted& wanted, BoundRhs& bound, bool conditional) {
    const auto own_when = [&] { return !conditional || when(rhs, bound.when); };
    bound.kind = rhs.kind;
    switch (rhs.kind) {
    case Rhs::Kind::expression: {
        if (!rhs.value || is_foreign_assignment(*rhs.value, wanted))
            return false;
        if (rhs.value->kind == Ast::Kind::fields) {
            bound.kind = Rhs::Kind::fields;
            const bool fine = fields(fields_of(*rhs.value), wanted, bound);
            return own_when() && fine;
        }
        BoundExpr value =
            e_.bound_as(*rhs.value, wanted.type, fmt::format("'{}'", wanted.what), wanted.declared);
        const bool fine = own_when() && value.ok();
        bound.value = e_.operand(std::move(value));
        return fine;
    }
    case Rhs::Kind::first: return first(rhs, wanted, bound);
    case Rhs::Kind::choice: return choice(rhs, wanted, bound);
    case Rhs::Kind::match: return match(rhs, wanted, bound);
    case Rhs::Kind::fields: break;
    }
    return fields(rhs, wanted, bound);
}

/// A list: its first entry that has a value counts.
bool StepBinder::first(const Rhs& rhs, const Wanted& wanted, BoundRhs& bound) {
    bound.entries.resize(rhs.list.size());
    for (std::size_t k = rhs.list.size(); k-- > 0;) {
        BoundRhs::Entry& entry = bound.entries[k];
        entry.where = rhs.list[k].where;
        const bool fine = when(rhs.list[k], entry.condition);
        if (!offer(rhs.list[k], wanted, entry.rhs, false) || !fine)
            return false;
    }
    return true;
}

bool StepBinder::choice(const Rhs& rhs, const Wanted& wanted, BoundRhs& bound) {
    bound.entries.resize(rhs.arms.size());
    for (std::size_t k = rhs.arms.size(); k-- > 0;) {
        BoundRhs::Entry& entry = bound.entries[k];
        entry.where = rhs.arms[k].where;
        const bool fine = offer(rhs.arms[k].rhs, wanted, entry.rhs);
        if (!condition(rhs.arms[k].condition, "a condition", entry.condition) || !fine)
            return false;
    }
    return true;
}

bool StepBinder::match(const Rhs& rhs, const Wanted& wanted, BoundRhs& bound) {
    bound.match = match_of(rhs, e_);
    if (!bound.match)
        return false;
    bound.value = bound.match->subject;
    for (std::size_t k = 0; k < rhs.arms.size(); ++k) {
        BoundRhs::Entry& entry = bound.entries.emplace_back();
        entry.where = rhs.arms[k].where;
        entry.possible = bound.match->is_possible(k);
        if (entry.possible && !offer(rhs.arms[k].rhs, wanted, entry.rhs))
            return false;
    }
    return true;
}

bool StepBinder::fields(const Rhs& rhs, const Wanted& wanted, BoundRhs& bound) {
    if (!rhs.fields.empty() && wanted.type->kind() != TypeKind::structure) {
        e_.fail(Code::type_mismatch, rhs.where,
                fmt::format("'{}' is {}, which has no fields", wanted.what, wanted.type->name()));
        return false;
    }
    for (const auto& [name, where, field] : rhs.fields) {
        const TypeRef type = field_type(*wanted.type, name);
        if (!type) {
            e_.fail(Code::unknown_field, where, e_.no_field(*wanted.type, name));
            return false;
        }
        BoundRhs::Entry& entry = bound.entries.emplace_back();
        entry.field = name;
        const std::string what = fmt::format("{}.{}", wanted.what, name);
        if (!offer(field, {what, wanted.declared, type}, entry.rhs))
            return false;
    }
    return true;
}

} // namespace sme::expr
