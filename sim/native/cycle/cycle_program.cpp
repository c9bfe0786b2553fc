// SPDX-License-Identifier: Apache-2.0
#include "native/cycle/cycle_program.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "native/ir/routine.hpp"

namespace sme::native {

namespace {

/// The most instances of one step that become straight code.
constexpr std::uint64_t max_singles = 16;

/// Calls visit for each run of a range.
template <class Visit>
void for_each_instance_run(const InstanceRuns& runs, Range range, Visit visit) {
    const std::uint64_t end = range.first + range.count;
    for (std::size_t k = runs.at(range.first); k < runs.runs.size() && runs.runs[k].first < end;
         ++k) {
        const std::uint64_t first = std::max(runs.runs[k].first, range.first);
        visit(runs.runs[k], Range{first, std::min(runs.runs[k].end, end) - first});
    }
}

} // namespace

std::string FamilyData::name(std::uint32_t family, const Datum& wanted, const Words& words) {
    const Entry whole{family, wanted};
    const auto [found, fresh] = numbers_.try_emplace(whole, entries_.size());
    if (fresh) {
        entries_.push_back(whole);
        words_.push_back(words);
    }
    return fmt::format(fmt::runtime(pattern_), found->second);
}

bool FamilyData::is_alone(std::size_t entry) const {
    for (std::size_t k = 0; k < words_.size(); ++k)
        if (k != entry && words_[k].meet(words_[entry]))
            return false;
    return true;
}

/// One instance at constant addresses.
class CycleProgram::Instance final : public Addressing {
public:
    Instance(CycleProgram& program, const Subject& subject, std::uint32_t family, unsigned part,
             std::uint64_t position)
        : program_{program}, subject_{subject}, family_{family}, position_{position},
          writes_{subject.program.parts[part].memory_writes.size()} {}

    Slot slot(std::uint32_t port, std::uint32_t offset, bool write) override {
        const std::uint64_t at =
            static_cast<std::uint64_t>(subject_.places.ports[port].at(position_)) + offset;
        return {fmt::format("{} + {}", write ? "write" : arena(at), at), at};
    }

    std::string arena(std::uint64_t at) override {
        return at >= program_.wires_begin_ ? "write" : "read";
    }

    Memory memory(std::uint32_t number) override {
        const std::string base =
            program_.data.name(family_, {Datum::Kind::memory, number}, subject_.words(number));
        const Words words = subject_.words(number, position_);
        const auto first = words.begin - subject_.words(number).begin;
        return {first == 0 ? base : fmt::format("{} + {}", base, first), words};
    }

    std::string table(std::uint32_t number) override {
        const expr::Table& table = subject_.program.tables[number];
        if (table.values.size() <= Tables::max_values)
            return program_.tables_.name(table);
        return fmt::format("((const u64 *){})",
                           program_.data.name(family_, {Datum::Kind::table, number}));
    }

    std::string instance() override { return fmt::format("{}ul", source()); }
    std::string place() override {
        const auto& kept = subject_.program.kept;
        return fmt::format("{}ul", kept.empty() ? source() : kept[source()]);
    }
    std::string cycle() override { return program_.style_.cycle; }
    std::string random_family() override {
        return fmt::format("*(const u64 *){}", program_.data.name(family_, {Datum::Kind::random}));
    }
    std::string pending(std::size_t number) override {
        if (!subject_.commits_later || program_.style_.whole_cycles)
            return {};
        return fmt::format("((struct pending *){})[{}]",
                           program_.data.name(family_, {Datum::Kind::pending}),
                           position_ * writes_ + number);
    }
    std::string counter(std::size_t number) override {
        return fmt::format("((u64 *){})[{}]", program_.data.name(family_, {Datum::Kind::counts}),
                           number);
    }
    std::string collected() override {
        return {}; // parts with loops that write memories are separate functions
    }

    std::uint64_t source() const {
        return static_cast<std::uint64_t>(subject_.places.order.at(position_));
    }

private:
    CycleProgram& program_;
    const Subject& subject_;
    std::uint32_t family_;
    std::uint64_t position_;
    std::size_t writes_;
};

Id CycleProgram::add_effect(std::string text, std::vector<Id> operands, bool lasts) {
    const Id result = routine.effect(std::move(text), std::move(operands));
    routine[result].lasts = lasts;
    routine.body.push_back(result);
    return result;
}

void CycleProgram::add(const Subject& subject, const PartPlan& plan, const ScheduledStep& step,
                       const std::string& stop) {
    if (are_single(subject, step))
        add_instances(subject, step, stop);
    else
        add_calls(subject, plan, step, stop);
}

void CycleProgram::add_instances(const Subject& subject, const ScheduledStep& step,
                                 const std::string& stop) {
    std::vector<PartCode> parts;
    for (std::uint64_t k = 0; k < step.range.count; ++k) {
        Instance instance{*this, subject, step.family, step.part, step.range.first + k};
        const PartCode& result = parts.emplace_back(
            PartLowering{routine, subject, step.part, instance, "if ($0) " + stop}.run());
        const std::vector<Id>& first = result.values.empty() ? result.stores : result.values;
        if (!first.empty())
            routine[first.front()].comment = subject.family.instance_name(instance.source());
        add(result.values);
    }
    for (const PartCode& part : parts) {
        add(part.stops);
        may_stop = may_stop || !part.stops.empty();
    }
    for (const PartCode& part : parts) {
        add(part.stores);
        add(part.writes);
    }
}

PartCode CycleProgram::add_observer(const Subject& subject, std::uint32_t family,
                                    const std::string& stop) {
    Instance instance{*this, subject, family, 0, 0};
    PartCode result = PartLowering{routine, subject, 0, instance, "if ($0) " + stop}.run();
    add(result.values);
    add(result.stops);
    may_stop = may_stop || !result.stops.empty();
    return result;
}

void CycleProgram::add_calls(const Subject& subject, const PartPlan& plan,
                             const ScheduledStep& step, const std::string& stop) {
    calls = true;
    may_stop = may_stop || plan.shape.may_stop;
    note_called(subject, plan, step);
    const bool is_random =
        std::any_of(subject.program.nodes.begin(), subject.program.nodes.end(),
                    [](const expr::Node& node) { return node.op == expr::Op::random; });
    const std::string random =
        is_random ? "*" + pointer("const u64 *", step, Datum::Kind::random, 0) : "0";
    for_each_instance_run(plan.runs, step.range, [&](const InstanceRun& instances, Range range) {
        const Id result = add_effect(
            fmt::format("{{ {} {} }}", call(subject, plan, step, instances, range, random), stop));
        routine[result].comment = subject.family.name;
    });
}

/// A datum of a called kernel, as a pointer.
std::string CycleProgram::pointer(const char* type, const ScheduledStep& step, Datum::Kind kind,
                                  std::uint32_t number) {
    return fmt::format("({}){}", type, data.name(step.family, {kind, number}));
}

/// The call of a kernel for a range of a run: "... if (kernel(&c))".
std::string CycleProgram::call(const Subject& subject, const PartPlan& plan,
                               const ScheduledStep& step, const InstanceRun& instances, Range range,
                               const std::string& random) {
    const PartPlan::Function& function = plan.functions[instances.pattern];
    const Pattern& pattern = plan.runs.patterns[instances.pattern];
    std::string at, own;
    for (std::size_t m = 0; m < instances.at.size(); ++m) {
        const std::int64_t moved =
            pattern.kind == Pattern::Kind::line
                ? static_cast<std::int64_t>(range.first - instances.first) * pattern.strides[m]
                : 0;
        at += fmt::format("{}{}l", m > 0 ? ", " : "", instances.at[m] + moved);
    }
    for (const Datum& wanted : function.data) {
        const bool is_memory = wanted.kind == Datum::Kind::memory;
        own += (own.empty() ? "" : ", ") +
               data.name(step.family, wanted, is_memory ? subject.words(wanted.number) : Words{});
    }
    const bool waits = (subject.commits_later && plan.shape.stepwise) || plan.shape.collects;
    const std::string callee = function.elsewhere
                                   ? "(" +
                                         pointer("u64 (*)(const struct block *)", step,
                                                 Datum::Kind::function, function.number) +
                                         ")"
                                   : function.name;
    return fmt::format(
        "const i64 at[] = {{{}}}; u8 *const own[] = {{{}}}; const struct block c = {{{}, {}, {}, "
        "{}ul, {}ul, at, {}, own, {}, {}{}}}; if ({}(&c))",
        at, own.empty() ? "0" : own, style_.arenas, style_.cycle, random, range.first, range.count,
        pattern.kind == Pattern::Kind::table
            ? pointer("const i64 *const *", step, Datum::Kind::places, step.part)
            : "0",
        waits ? pointer("struct pending *", step,
                        style_.whole_cycles ? Datum::Kind::waiting : Datum::Kind::pending, 0)
              : "0",
        plan.shape.stepwise ? pointer("u8 *", step, Datum::Kind::wrote, 0) : "0",
        plan.counts ? ", .counts = " + pointer("u64 *", step, Datum::Kind::counts, 0) : "", callee);
}

std::string CycleProgram::commit(const Subject& subject, std::uint32_t family,
                                 const expr::MemoryWrite& write, const std::string& waiting,
                                 const std::string& position) {
    const MemorySlots& memory = subject.places.memories[write.memory];
    return fmt::format(
        "{{ struct pending *const p = (struct pending *){}; if (p->word != ~0ul) {{ *({} *)({} + "
        "({} * {} + p->word) * {}ul + {}) = p->value; p->word = ~0ul; }} }}",
        waiting, slot_type(subject.program.nodes[write.value].type),
        data.name(family, {Datum::Kind::memory, write.memory}, subject.words(write.memory)),
        position, memory.words_each, memory.element->size(), write.offset);
}

void CycleProgram::note_called(const Subject& subject, const PartPlan& plan,
                               const ScheduledStep& step) {
    for (const std::uint32_t port : plan.runs.ports) {
        const std::uint64_t bytes = subject.places.slot_bytes[port];
        for_each_run(
            subject.places.ports[port], step.range.first, step.range.count,
            [&](const Segment& run) {
                const auto [least, most] = std::minmax({run.at(run.first), run.at(run.end() - 1)});
                called_slots.add(static_cast<std::uint64_t>(least),
                                 static_cast<std::uint64_t>(most) + bytes);
            });
    }
    const auto note = [&](std::uint32_t memory) {
        const Words words = subject.words(memory);
        if (std::find(called_memories.begin(), called_memories.end(), words) ==
            called_memories.end())
            called_memories.push_back(words);
    };
    const expr::PartProgram& part = subject.program.parts[step.part];
    expr::for_each_node(part, [&](expr::NodeId id) {
        if (const expr::Node& node = subject.program.nodes[id]; node.op == expr::Op::memory_read)
            note(node.b);
    });
    for (const expr::MemoryWrite& write : part.memory_writes)
        note(write.memory);
}

bool can_link(const Subject& subject, const ScheduledStep& step) {
    return step.part != subject.counting || subject.places.order.size() == 1;
}

bool are_single(const Subject& subject, const ScheduledStep& step) {
    const expr::PartProgram& part = subject.program.parts[step.part];
    if (!part.loops.empty())
        return false; // these are separate functions
    return step.range.count == 1 ||
           (step.range.count <= max_singles && step.range.count * part.nodes.size() <= 200);
}

std::size_t count_calls(const PartPlan& plan, const ScheduledStep& step) {
    std::size_t calls = 0;
    for_each_instance_run(plan.runs, step.range, [&](const InstanceRun&, Range) { ++calls; });
    return calls;
}

} // namespace sme::native
