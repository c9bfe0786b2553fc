// SPDX-License-Identifier: Apache-2.0
#include "native/cycle/guarded_steps.hpp"

#include <utility>

#include <fmt/format.h>

#include "native/emit/emitter.hpp"
#include "native/passes/passes.hpp"

namespace sme::native {

namespace {

constexpr unsigned max_depth = 6;       // of a condition
constexpr std::size_t least_worth = 24; // statements of a function of its own
constexpr std::size_t usually_idle = 8; // one of so many conditions holds

bool is_choice(const Routine& routine, Id id) {
    return routine[id].kind == Node::Kind::operation && routine[id].op == expr::Op::select;
}

} // namespace

/// The condition of all effects of the body from `first` on; no_id if one of them has another, or
/// is no store into a register that keeps its value.
Id GuardedSteps::condition_of(const Routine& routine, std::size_t first,
                              std::uint64_t wires_begin) {
    Id condition = no_id;
    for (std::size_t k = first; k < routine.body.size(); ++k) {
        const Node& store = routine[routine.body[k]];
        if (store.is_value())
            continue;
        const bool is_register = store.kind == Node::Kind::effect && !store.lasts &&
                                 store.place.space == Place::Space::slot &&
                                 store.place.at < wires_begin && store.operands.size() == 1;
        if (!is_register || !is_choice(routine, store.operands[0]))
            return no_id;
        const std::vector<Id>& choice = routine[store.operands[0]].operands;
        const Node& kept = routine[choice[2]];
        if (kept.kind != Node::Kind::load || kept.place.space != Place::Space::slot ||
            kept.place.at != store.place.at || (condition != no_id && condition != choice[0]))
            return no_id;
        condition = choice[0];
    }
    return condition;
}

/// A condition as text that is equal for equal values; empty if it is too long, or depends on more
/// than slots.
std::string GuardedSteps::text_of(const Routine& routine, Id id, unsigned depth) {
    const Node& node = routine[id];
    switch (node.kind) {
    case Node::Kind::constant: return fmt::format("{}", node.immediate);
    case Node::Kind::load: return node.place.space == Place::Space::slot ? node.text : "";
    case Node::Kind::operation: {
        std::string result = fmt::format("({} u{}{}", static_cast<unsigned>(node.op),
                                         node.type.width_bits, node.type.is_signed ? "s" : "");
        for (const Id operand : node.operands) {
            const std::string text = depth == 0 ? "" : text_of(routine, operand, depth - 1);
            if (text.empty())
                return {};
            result += " " + text;
        }
        return result + ")";
    }
    default: return {};
    }
}

bool GuardedSteps::add(CycleProgram& program, const Subject& subject, const PartPlan& plan,
                       const ScheduledStep& step) {
    if (step.range.count != 1 || !are_single(subject, step) || plan.shape.may_stop ||
        plan.shape.stepwise || plan.shape.loops)
        return false;
    Routine trial;
    std::swap(program.routine, trial);
    program.add(subject, plan, step, {});
    std::swap(program.routine, trial);
    const Id condition = condition_of(trial, 0, program.wires_begin());
    const std::string text =
        condition == no_id ? std::string{} : text_of(trial, condition, max_depth);
    if (text.empty())
        return false;
    Group& group = groups_[text];
    group.steps.push_back({subject, &plan, step});
    const std::size_t first = group.routine.body.size();
    std::swap(program.routine, group.routine);
    program.add(subject, plan, step, {});
    std::swap(program.routine, group.routine);
    for (std::size_t k = first; k < group.routine.body.size(); ++k)
        if (Node& store = group.routine[group.routine.body[k]]; !store.is_value()) {
            store.operands[0] = group.routine[store.operands[0]].operands[1];
            group.copies += fmt::format("    *({0} *)(write + {1}) = *(const {0} *)(read + {1});\n",
                                        slot_type(store.type), store.place.at);
        }
    remove_dead_code(group.routine);
    return true;
}

std::size_t GuardedSteps::statements() const {
    std::size_t sum = 0;
    for (const auto& [text, group] : groups_)
        sum += group.routine.body.size() / usually_idle + 1;
    return sum;
}

void GuardedSteps::finish(CycleProgram& program) {
    for (auto& [text, group] : groups_)
        if (group.routine.body.size() < least_worth)
            for (const Step& step : group.steps)
                program.add(step.subject, *step.plan, step.step, {});
    for (auto& [text, group] : groups_)
        if (group.routine.body.size() >= least_worth)
            call(program, group);
    if (words_ > 0)
        program.add_effect("held[0] = b->cycle + 1;");
}

/// The first word is the number of the next cycle, if the functions were called in the last one.
/// For each group follows whether the arenas differ.
void GuardedSteps::call(CycleProgram& program, Group& group) {
    if (words_ == 0) {
        data_ = program.data.name(0, {Datum::Kind::held});
        words_ = 1;
    }
    const std::string run = fmt::format("{}_if_{}", name_, words_),
                      keep = fmt::format("{}_else_{}", name_, words_);
    const char* const opening = "    const u8 *restrict const read = b->read;\n"
                                "    u8 *const write = b->write;\n"
                                "    u8 *const *const data = b->data;\n"
                                "    (void)read, (void)write, (void)data;\n";
    forward_wires(group.routine, program.wires_begin());
    functions_ +=
        split_function(group.routine, Arithmetic{4}, {run, "const struct block *b", "b", opening});
    functions_ += fmt::format("static __attribute__((noinline)) void {}(const struct block *b)\n"
                              "{{\n{}{}}}\n",
                              keep, opening, group.copies);
    // the condition, without the values that it decides about
    Routine& routine = program.routine;
    const std::size_t first = routine.body.size();
    const Step& step = group.steps.front();
    program.add(step.subject, *step.plan, step.step, {});
    const Id condition = condition_of(routine, first, program.wires_begin());
    std::vector<Id> kept;
    for (std::size_t k = 0; k < routine.body.size(); ++k)
        if (k < first || routine[routine.body[k]].is_value())
            kept.push_back(routine.body[k]);
    routine.set_body(std::move(kept));
    program.add_effect(fmt::format("if ($0) {{ {1}(b); held[{0}] = 1; }} else if (held[{0}] | "
                                   "again) {{ {2}(b); held[{0}] = 0; }}",
                                   words_, run, keep),
                       {condition});
    ++words_;
}

std::string GuardedSteps::declarations() const {
    if (words_ == 0)
        return {};
    return fmt::format("    u64 *const held = (u64 *){};\n"
                       "    const u64 again = (held[0] != b->cycle) | b->fresh;\n"
                       "    (void)held, (void)again;\n",
                       data_);
}

} // namespace sme::native
