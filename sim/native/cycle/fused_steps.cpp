// SPDX-License-Identifier: Apache-2.0
#include "native/cycle/fused_steps.hpp"

#include <fmt/format.h>

#include "native/emit/emitter.hpp"

namespace sme::native {

namespace {

/// Limits for one step that becomes straight code: statements, kernel calls, and writes at the end
/// of a cycle.
constexpr std::size_t max_in_step = 4000;
constexpr std::size_t max_calls = 64;
constexpr std::uint64_t max_commits = 64;

} // namespace

FusedStepsWriter::FusedStepsWriter(std::string name, std::uint32_t first, std::uint64_t wires_begin,
                                   Tables& tables)
    : program_{{"data[{}]", "b->read, b->write", "b->cycle", false}, wires_begin, tables},
      guarded_{name} {
    plan_.first = plan_.end = first;
    plan_.name = std::move(name);
}

std::size_t FusedStepsWriter::size(const Subject& subject, const PartPlan* plan,
                                   const ScheduledStep& step) {
    if (!plan) { // commits
        std::size_t writes = 0;
        for (const expr::PartProgram& part : subject.program.parts)
            writes += waiting_places(subject.program, part);
        const std::uint64_t all = writes * subject.places.order.size();
        return all <= max_commits ? all + 1 : 0;
    }
    if (!can_link(subject, step))
        return 0;
    if (are_single(subject, step)) {
        const expr::PartProgram& part = subject.program.parts[step.part];
        const std::size_t all =
            step.range.count * (part.nodes.size() + part.stores.size() + part.faults.size());
        return all <= max_in_step ? all + 1 : 0;
    }
    const bool fits = !plan->shape.may_stop || !plan->shape.stepwise;
    const std::size_t calls = count_calls(*plan, step);
    return fits && calls <= max_calls ? calls + 1 : 0;
}

/// The statement that leaves the function before the next step. Guarded steps run last, so with
/// them the engine repeats all steps.
std::string FusedStepsWriter::stop() const {
    return fmt::format("return guarded ? 1 : {};", steps() + 1);
}

/// True if a step can be repeated in a cycle: it changes no memory and no counter.
bool repeats(const Subject& subject, const PartPlan* plan) {
    return plan && !plan->counts && (!plan->shape.stepwise || subject.commits_later);
}

bool FusedStepsWriter::accepts(const Subject& subject, const PartPlan* plan) const {
    return guarded_.empty() || repeats(subject, plan);
}

void FusedStepsWriter::add(const Subject& subject, const PartPlan& plan,
                           const ScheduledStep& step) {
    repeats_ = repeats_ && repeats(subject, &plan);
    if (!repeats_ || !guarded_.add(program_, subject, plan, step))
        program_.add(subject, plan, step, stop());
    ++plan_.end;
}

void FusedStepsWriter::add_results(const Subject& subject, std::uint32_t family) {
    const PartCode result = program_.add_observer(subject, family, stop());
    const std::string results = program_.data.name(family, {Datum::Kind::results});
    for (std::size_t k = 0; k < result.results.size(); ++k)
        program_.add_effect(fmt::format("((u64 *){})[{}] = (u64)$0;", results, k),
                            {result.results[k]});
    program_.add(result.writes);
    ++plan_.end;
}

void FusedStepsWriter::add_commit(const Subject& subject, std::uint32_t family) {
    for (const expr::PartProgram& part : subject.program.parts) {
        const std::uint64_t places = waiting_places(subject.program, part);
        for (std::uint64_t k = 0; k < subject.places.order.size(); ++k)
            for (const WaitingWrite& waiting : waiting_writes(subject.program, part))
                for (std::uint64_t n = 0; n < waiting.count; ++n) {
                    const std::string pending =
                        fmt::format("{} + {}", program_.data.name(family, {Datum::Kind::pending}),
                                    k * places + waiting.first + n);
                    const Id result = program_.add_effect(program_.commit(
                        subject, family, *waiting.write, pending, std::to_string(k)));
                    program_.routine[result].comment = subject.family.name + ": memories";
                }
    }
    repeats_ = false;
    plan_.commits.push_back(family);
    ++plan_.end;
}

FusedPlan FusedStepsWriter::plan() const {
    FusedPlan result = plan_;
    result.data = program_.data.entries();
    result.held = guarded_.words();
    return result;
}

std::string FusedStepsWriter::text() {
    guarded_.finish(program_);
    forward_wires(program_.routine, program_.wires_begin());
    remove_dead_code(program_.routine);
    // the function reads registers and never writes them; it reads wires where it writes them
    return guarded_.functions() +
           split_function(program_.routine, Arithmetic{4},
                          {plan_.name, "const struct block *b", "b",
                           fmt::format("    enum {{ guarded = {} }};\n"
                                       "    const u8 *restrict const read = b->read;\n"
                                       "    u8 *const write = b->write;\n"
                                       "    u8 *const *const data = b->data;\n{}"
                                       "    (void)read, (void)write, (void)data;\n",
                                       guarded_.empty() ? 0 : 1, guarded_.declarations())});
}

} // namespace sme::native
