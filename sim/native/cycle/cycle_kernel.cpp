// SPDX-License-Identifier: Apache-2.0
#include "native/cycle/cycle_kernel.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "native/emit/emitter.hpp"

namespace sme::native {

CycleKernelWriter::CycleKernelWriter(std::string name, std::uint64_t wires_begin, Tables& tables,
                                     const KernelTeam& team)
    : team_{team}, program_{{"_d{}_", "read, write", "cycle", true}, wires_begin, tables} {
    plan_.name = std::move(name);
    program_.called_slots = team.common;
    program_.calls = !is_alone();
}

CycleKernelPlan CycleKernelWriter::plan() const {
    CycleKernelPlan result = plan_;
    result.data = program_.data.entries();
    result.models = models_.instances();
    return result;
}

void CycleKernelWriter::add(const Subject& subject, const PartPlan& plan,
                            const ScheduledStep& step) {
    program_.add(subject, plan, step, stop());
    if (!are_single(subject, step))
        add_waiting_writes(subject, step);
    // passes remove unneeded statements later
    fit_ = fit_ && program_.routine.body.size() <= 4 * max_statements;
}

void CycleKernelWriter::add(const ModelGroup& group, const ScheduledStep& step,
                            std::uint32_t number) {
    models_.add(group, step, number, stop());
    fit_ = fit_ && program_.routine.body.size() <= 4 * max_statements;
}

/// Memory writes of called kernels wait in buffers of this function, so that a cycle that stops has
/// made no writes.
void CycleKernelWriter::add_waiting_writes(const Subject& subject, const ScheduledStep& step) {
    const auto& writes = subject.program.parts[step.part].memory_writes;
    for (std::size_t n = 0; n < writes.size(); ++n) {
        const std::string waiting =
            fmt::format("{} + k * {} + {}", program_.data.name(step.family, {Datum::Kind::waiting}),
                        writes.size(), n);
        program_.add_effect(
            fmt::format("for (u64 k = {}; k < {}; ++k) {}", step.range.first,
                        step.range.first + step.range.count,
                        program_.commit(subject, step.family, writes[n], waiting, "k")),
            {}, true);
    }
}

void CycleKernelWriter::add(const interpret::ResultsGroup& group, const ProcessFamily& family,
                            std::uint32_t number) {
    const std::vector<interpret::ResultsGroup::Guarded> guarded = group.guarded();
    const PartCode made = program_.add_observer({family, group}, number, stop());
    for (std::size_t k = 0; k < guarded.size(); ++k) {
        const std::string guard = fmt::format("((struct guard *){})[{}]",
                                              program_.data.name(number, {Datum::Kind::guards}), k);
        const Id result = made.results[guarded[k].result];
        if (!guarded[k].dated)
            stop_if(fmt::format("(($0 != 0) != {0}.wanted) & {0}.active", guard), {result});
        if (guarded[k].counted)
            program_.add_effect(fmt::format("{}.held += $0 != 0;", guard), {result}, true);
        if (guarded[k].dated)
            program_.add_effect(fmt::format("if ($0 != 0) {}.last = cycle + 1;", guard), {result},
                                true);
    }
    program_.add(made.writes);
    plan_.observers.push_back({number, plan_.guards});
    plan_.guards += guarded.size();
}

/// The pointers to data, as parameters: the compiler must know which of them do not alias.
std::string CycleKernelWriter::parameters(bool with_types) const {
    std::string result;
    for (std::size_t k = 0; k < program_.data.entries().size(); ++k)
        result += with_types ? fmt::format(", u8 *{}const _d{}_",
                                           program_.data.is_alone(k) ? "restrict " : "", k)
                             : fmt::format(", b->data[{}]", k);
    return result;
}

/// An expression that meets the other threads; true if any of them, including this one, leaves.
std::string CycleKernelWriter::meet(const std::string& leaves) {
    return fmt::format("meet((const struct meeting *){}, ++_meeting_, {})",
                       program_.data.name(0, {Datum::Kind::meeting}), leaves);
}

/// Adds the end of a cycle, after everything that may stop it.
void CycleKernelWriter::add_edges() {
    if (is_alone())
        return models_.add_edges({});
    if (!team_.has_edges || team_.may_stop)
        program_.add_effect("if (" + meet("0") + ") break;");
    if (models_.has_edges())
        models_.add_edges([this](const std::string& said) { return meet(said); });
    else if (team_.has_edges)
        program_.add_effect("if (" + meet("0") + ") break;");
}

std::optional<std::string> CycleKernelWriter::text() {
    if (!fit_)
        return {};
    for (const Fed& fed : feeds_)
        feed_registers(fed.copy, fed.number);
    add_edges();
    Routine& routine = program_.routine;
    forward_wires(routine, program_.wires_begin());
    models_.set_fixed_inputs_once(inputs_);
    const Variables slots =
        slots_to_variables(routine, program_.wires_begin(), program_.called_slots, inputs_);
    const Variables memories = memories_to_variables(routine, program_.called_memories);
    share_values(routine, program_.wires_begin());
    remove_dead_code(routine);
    if (!slots.is_fit || !memories.is_fit || routine.body.size() > max_statements)
        return {};
    sink_lasting_effects(routine);
    selects_to_branches(routine);
    Emitter emitter{routine, Arithmetic{4}};
    std::string result =
        fmt::format("static u64 _{}(const struct block *b{})\n{{\n", plan_.name, parameters(true));
    result += "    const u64 cycles = b->count;\n    u64 cycle = b->cycle, done = 0;\n";
    if (program_.calls)
        result += "    const u8 *read = b->read;\n    u8 *write = b->write;\n";
    result += slots.before + memories.before + before_ + models_.before();
    const std::string meeting =
        is_alone() ? std::string{}
                   : "(const struct meeting *)" + program_.data.name(0, {Datum::Kind::meeting});
    if (!is_alone())
        result += fmt::format("    const struct meeting *const _m_ = {};\n    u64 _meeting_ = "
                              "_m_->lines[_m_->thread * 16] / 2, _stops_ = 0;\n",
                              meeting);
    result += "    for (; done < cycles; ++done, ++cycle) {\n" + emitter.block(routine.body, 8);
    result += counters_;
    if (program_.calls)
        result += "        const u8 *const before = read;\n        read = write;\n        write = "
                  "(u8 *)before;\n";
    result += "    }\n";
    if (!is_alone())
        result += "    if (_stops_)\n        leave(_m_, _meeting_ + 1);\n";
    result += "    u8 *const last = done % 2 ? b->write : (u8 *)b->read;\n    (void)last;\n";
    result += slots.after + memories.after + after_ + models_.after() + "    return done;\n}\n\n";
    return result + fmt::format("u64 {0}(const struct block *b)\n{{\n    return _{0}(b{1});\n}}\n",
                                plan_.name, parameters(false));
}

} // namespace sme::native
