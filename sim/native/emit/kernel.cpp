// SPDX-License-Identifier: Apache-2.0
#include "native/emit/kernel.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "native/emit/emitter.hpp"
#include "native/ir/part_lowering.hpp"

namespace sme::native {

namespace {

using Kind = Pattern::Kind;

constexpr std::uint64_t max_narrow = std::uint64_t{1} << 31; // instances

/// Addresses instances through the variables of a kernel: `b`, and `k`, the index in the block.
class KernelAddressing final : public Addressing {
public:
    KernelAddressing(const Subject& subject, unsigned part, std::uint64_t waiting,
                     const InstanceRuns& runs, const Pattern& pattern, bool aliases, bool compares,
                     Tables& tables)
        : subject_{subject}, part_{part}, waiting_{waiting}, runs_{runs}, pattern_{pattern},
          aliases_{aliases}, compares_{compares}, tables_{tables}, bases_(runs.ports.size()) {}

    Slot slot(std::uint32_t port, std::uint32_t offset, bool write) override {
        const std::size_t map = runs_.map_of(port);
        std::string& base = bases_[map][write ? 1 : 0];
        if (base.empty())
            base = fmt::format("_{}{}_{}", write ? "out" : "in", map,
                               c_name(subject_.family.ports[port].name));
        std::string at = base;
        if (pattern_.kind == Kind::line)
            at += fmt::format(" + (i64)k * {}l", pattern_.strides[map]);
        if (offset > 0)
            at += fmt::format(" + {}", offset);
        return {std::move(at), {}};
    }

    std::string arena(std::uint64_t) override { return "b->read"; }

    Memory memory(std::uint32_t number) override {
        const interpret::SlotMap& places = subject_.places;
        const MemorySlots& memory = places.memories[number];
        std::string base = datum({Datum::Kind::memory, number});
        if (number >= places.own_memories)
            return {std::move(base), {}};
        return {fmt::format("{} + {} * {}ul", base, position(),
                            memory.words_each * memory.element->size()),
                {}};
    }

    std::string table(std::uint32_t number) override {
        const expr::Table& table = subject_.program.tables[number];
        if (table.values.size() <= Tables::max_values)
            return tables_.name(table);
        return fmt::format("((const u64 *){})", datum({Datum::Kind::table, number}));
    }

    std::string instance() override {
        const std::size_t map = runs_.ports.size();
        switch (pattern_.kind) {
        case Kind::single: return fmt::format("(u64)b->at[{}]", map);
        case Kind::line:
            uses_instance_ = true;
            // narrow: GCC makes no vector code of long divisions
            if (const std::uint64_t count = subject_.places.order.size(); count <= max_narrow)
                return fmt::format("(_instance + (u32)k * {}u)",
                                   static_cast<std::uint32_t>(pattern_.strides[map]));
            return fmt::format("(u64)(_instance + (i64)k * {}l)", pattern_.strides[map]);
        default: return fmt::format("(u64)b->table[{}][b->first + k]", map);
        }
    }

    std::string place() override {
        if (subject_.program.kept.empty())
            return instance();
        return fmt::format("((const u64 *){})[{}]", datum({Datum::Kind::kept}), instance());
    }

    std::string cycle() override {
        uses_cycle_ = true;
        return "_cycle";
    }

    std::string random_family() override { return "b->random"; }

    std::string pending(std::size_t number) override {
        if (!subject_.commits_later)
            return {};
        return fmt::format("b->pending[{} * {}ul + {}]", position(), waiting_, number);
    }

    std::string compare(std::uint32_t port, std::uint32_t offset,
                        const std::string& type) override {
        if (!compares_)
            return {};
        const std::vector<PortUse>& writes = subject_.family.parts[part_].writes;
        const auto number = std::find_if(writes.begin(), writes.end(),
                                         [&](const PortUse& use) { return use.port == port; }) -
                            writes.begin();
        return fmt::format("_changed |= (u64)(*(const {} *)({}) != ({})$0) << {};", type,
                           slot(port, offset, false).pointer, type, number);
    }

    std::string wrote() override { return fmt::format("b->wrote[{}]", position()); }

    std::string counter(std::size_t number) override {
        if (pattern_.kind == Kind::single)
            return fmt::format("b->counts[{}]", number);
        counters_ = std::max(counters_, number + 1);
        return fmt::format("_count{}", number);
    }

    std::string collected() override {
        return fmt::format("(b->pending + {} * {}ul)", position(), waiting_);
    }

    /// The variables that the function declares for this purpose.
    std::string outside() const {
        std::string result;
        if (uses_instance_)
            result += fmt::format("    const {} _instance = b->at[{}];\n",
                                  subject_.places.order.size() <= max_narrow ? "u32" : "i64",
                                  runs_.ports.size());
        if (uses_cycle_)
            result += "    const u64 _cycle = b->cycle;\n";
        for (std::size_t d = 0; d < data_.size(); ++d)
            result += fmt::format("    u8 *const _data{0} = b->data[{0}];\n", d);
        for (std::size_t c = 0; c < counters_; ++c)
            result += fmt::format("    u64 _count{} = 0;\n", c);
        return result + (pattern_.kind == Kind::table ? "" : bases("    "));
    }
    /// What follows the loop.
    std::string end() const {
        std::string result;
        for (std::size_t c = 0; c < counters_; ++c)
            result += fmt::format("    b->counts[{0}] += _count{0};\n", c);
        return result;
    }
    std::string inside() const { return pattern_.kind == Kind::table ? bases("        ") : ""; }
    const std::vector<Datum>& data() const { return data_; }
    /// True if no instance reads what another one writes.
    bool is_independent() const { return pattern_.kind == Kind::line && !aliases_; }

private:
    std::string position() const {
        return pattern_.kind == Kind::single ? "b->first" : "(b->first + k)";
    }

    std::string datum(const Datum& wanted) {
        auto found = std::find(data_.begin(), data_.end(), wanted);
        if (found == data_.end())
            found = data_.insert(data_.end(), wanted);
        return fmt::format("_data{}", found - data_.begin());
    }

    std::string bases(const char* indent) const {
        std::string result;
        for (std::size_t map = 0; map < bases_.size(); ++map)
            for (const bool write : {false, true})
                if (!bases_[map][write ? 1 : 0].empty())
                    result += fmt::format("{}{}u8 *{}const {} = b->{} + {};\n", indent,
                                          write ? "" : "const ", aliases_ ? "" : "restrict ",
                                          bases_[map][write ? 1 : 0], write ? "write" : "read",
                                          pattern_.kind == Kind::table
                                              ? fmt::format("b->table[{}][b->first + k]", map)
                                              : fmt::format("b->at[{}]", map));
        return result;
    }

    const Subject& subject_;
    const unsigned part_;
    const std::uint64_t waiting_; // entries per instance
    const InstanceRuns& runs_;
    const Pattern& pattern_;
    const bool aliases_;
    const bool compares_;
    Tables& tables_;
    std::vector<std::array<std::string, 2>> bases_; // by map: read, written
    std::vector<Datum> data_;
    std::size_t counters_ = 0;
    bool uses_instance_ = false;
    bool uses_cycle_ = false;
};

/// A loop over the needed instances of the block.
std::string loop_over_some(Routine& routine, const Arithmetic& arithmetic,
                           const KernelAddressing& addressing) {
    Emitter emitter{routine, arithmetic};
    return fmt::format("u64 @(const struct block *b)\n{{\n    const u64 lanes = b->count;\n"
                       "    const u8 *const _needed = b->needed + b->first;\n"
                       "    u64 *const _changes = b->changes + b->first;\n{}"
                       "    for (u64 k = 0; k < lanes; ++k) {{\n"
                       "        if (!_needed[k]) {{\n"
                       "            if (k + 8 <= lanes && *(const u64 *)(_needed + k) == 0)\n"
                       "                k += 7;\n            continue;\n        }}\n"
                       "        u64 _changed = 0;\n{}{}        _changes[k] = _changed;\n    }}\n"
                       "    return 0;\n}}\n",
                       addressing.outside(), addressing.inside(), emitter.block(routine.body, 8));
}

/// A loop over the block.
std::string loop(Routine& routine, const Arithmetic& arithmetic, const PartShape& shape,
                 const KernelAddressing& addressing) {
    Emitter emitter{routine, arithmetic};
    const bool collects = shape.may_stop && !shape.stepwise;
    // the count is copied to a variable: the compiler might otherwise assume that stores change the
    // block, and would not vectorise the loop
    return fmt::format(
        "u64 @(const struct block *b)\n{{\n    const u64 lanes = b->count;\n{}{}{}    for "
        "(u64 k = 0; k < lanes; ++k) {{\n{}{}    }}\n{}    return {};\n}}\n",
        addressing.outside(), collects ? "    u8 rare = 0;\n" : "",
        addressing.is_independent() ? "#pragma GCC ivdep\n" : "", addressing.inside(),
        emitter.block(routine.body, 8), addressing.end(), collects ? "rare ? lanes : 0" : "0");
}

/// The most instances that one call of a kernel steps.
std::uint64_t longest_run(const InstanceRuns& runs, const Pattern& pattern) {
    const auto number = static_cast<std::uint32_t>(&pattern - runs.patterns.data());
    std::uint64_t longest = 0;
    for (const InstanceRun& run : runs.runs)
        if (run.pattern == number)
            longest = std::max(longest, run.end - run.first);
    return longest;
}

/// With this many instances, vectors of bytes pay: 64 instances each, and the rest one by one.
constexpr std::uint64_t narrow_run = 256;

/// True if loops of the part can become vector code.
bool is_plain(const expr::Program& program, const expr::PartProgram& part) {
    bool reads = false;
    expr::for_each_node(
        part, [&](expr::NodeId id) { reads = reads || expr::is_read(program.nodes[id].op); });
    return !reads;
}

} // namespace

PartShape shape_of(const expr::PartProgram& part) {
    PartShape shape;
    shape.stepwise = expr::writes_memories(part) || !part.memory_resets.empty();
    shape.loops = !part.loops.empty();
    shape.collects = std::any_of(part.loops.begin(), part.loops.end(),
                                 [](const auto& loop) { return !loop.memory_writes.empty(); });
    shape.may_stop = !part.faults.empty() || !part.halts.empty() || !part.memory_resets.empty() ||
                     !part.prints.empty();
    return shape;
}

bool may_skip(const Subject& subject, unsigned part, std::uint64_t least_operations) {
    const PartShape shape = shape_of(subject.program.parts[part]);
    const auto needs = subject.steady ? subject.steady->needs(part) : std::nullopt;
    return needs && !shape.collects &&
           needs->may_pay(subject.places.order.size(), least_operations) &&
           subject.family.parts[part].writes.size() <= SteadyGroup::max_outputs;
}

KernelText write_kernel(const Subject& subject, unsigned part, const InstanceRuns& runs,
                        const Pattern& pattern, bool aliases, bool some, Tables& tables) {
    const expr::PartProgram& program = subject.program.parts[part];
    const PartShape shape = shape_of(program);
    const bool single = pattern.kind == Kind::single;
    const bool narrow = shape.loops || (pattern.kind == Kind::line && !shape.stepwise &&
                                        is_plain(subject.program, program));
    const Arithmetic arithmetic{narrow && longest_run(runs, pattern) >= narrow_run ? 1U : 4U};
    KernelAddressing addressing{subject, part,    waiting_places(subject.program, program),
                                runs,    pattern, aliases || some,
                                some,    tables};
    const char* const stop = some             ? "if ($0) return lanes - k;"
                             : single         ? "if ($0) return 1;"
                             : shape.stepwise ? "if ($0) return lanes - k;"
                                              : "rare |= $0;";
    Routine routine;
    const PartCode result = PartLowering{routine, subject, part, addressing, stop}.run();
    for (const auto* const ids : {&result.values, &result.stops, &result.stores, &result.writes})
        routine.body.insert(routine.body.end(), ids->begin(), ids->end());
    if (some) {
        selects_to_branches(routine);
        return {loop_over_some(routine, Arithmetic{4}, addressing), addressing.data()};
    }
    if (single)
        return {split_function(routine, arithmetic,
                               {"@", "const struct block *b", "b", addressing.outside()}),
                addressing.data()};
    return {loop(routine, arithmetic, shape, addressing), addressing.data()};
}

} // namespace sme::native
