// SPDX-License-Identifier: Apache-2.0
#include "native/cycle/lap_writer.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace sme::native {

/// One instance, whose registers are variables of the function.
class LapWriter::LapSite final : public SingleSite {
public:
    LapSite(LapWriter& lap, const Subject& subject, const ScheduledStep& step,
            std::uint64_t position)
        : SingleSite{lap.data_, lap.tables_, subject, step, position}, slots_{lap.slots_},
          memories_{lap.memories_}, subject_{subject}, family_{subject.family}, position_{
                                                                                    position} {}

    std::string slot(std::uint32_t port, std::uint32_t offset, CType type, bool write) override {
        const std::uint64_t at = offset_of(port, offset);
        const std::string name = scalar_name(family_, port, offset);
        if (!write)
            return slots_.read(at, type, name);
        targets.push_back(slots_.write(at, type, name));
        return targets.back().lvalue;
    }
    std::string memory_scalar(std::uint32_t number, std::size_t offset, CType type,
                              bool write) override {
        const LapMemories::Words words = LapMemories::words_of(subject_, number, position_);
        return memories_.has_variables(words)
                   ? memories_.variable(words, offset, type, memory(number), write)
                   : std::string{};
    }
    std::string cycle() override { return "cycle"; }
    std::string pending(std::size_t) override { return {}; } // all of them are written last
    std::string known(std::uint32_t port, std::uint32_t offset) override {
        return slots_.known(offset_of(port, offset));
    }
    void stored(std::uint32_t port, std::uint32_t offset, const std::string& variable) override {
        wires.emplace_back(offset_of(port, offset), variable);
    }

    std::vector<LapSlots::Target> targets; // of stores, in their order
    std::vector<std::pair<std::uint64_t, std::string>> wires;

private:
    LapSlots& slots_;
    LapMemories& memories_;
    const Subject& subject_;
    const ProcessFamily& family_;
    std::uint64_t position_;
};

namespace {

/// Takes out the values that nothing of all this uses.
void keep_needed(PartText& text, const std::vector<Statement>& roots) {
    std::set<std::string> needed;
    const auto need = [&](const std::vector<Statement>& statements) {
        for (const Statement& statement : statements)
            needed.insert(statement.uses.begin(), statement.uses.end());
    };
    need(roots);
    need(text.rare);
    need(text.writes);
    std::vector<Statement> kept;
    for (auto value = text.values.rbegin(); value != text.values.rend(); ++value)
        if (needed.contains(value->name)) {
            needed.insert(value->uses.begin(), value->uses.end());
            kept.push_back(std::move(*value));
        }
    std::reverse(kept.begin(), kept.end());
    text.values = std::move(kept);
}

} // namespace

/// Where the memories of a family lie, all instances together.
void LapWriter::note(const Subject& subject, std::uint32_t family) {
    const interpret::Places& places = subject.places;
    for (std::uint32_t k = 0; k < places.memories.size(); ++k) {
        const LapMemories::Words one = LapMemories::words_of(subject, k, 0);
        ranges_[{family, k}] = {one.begin,
                                one.bytes * (k < places.own_memories ? places.order.size() : 1)};
    }
}

void LapWriter::look(const interpret::ResultsGroup& group, const ProcessFamily& family,
                     std::uint32_t number) {
    const Subject subject{family, group};
    memories_.look(subject, group.program().parts[0], 0);
    note(subject, number);
}

void LapWriter::look(const Subject& subject, const PartPlan& plan, const ScheduledStep& step) {
    const expr::PartProgram& part = subject.program.parts[step.part];
    note(subject, step.family);
    if (are_single(subject, step)) {
        for (std::uint64_t k = 0; k < step.range.count; ++k)
            memories_.look(subject, part, step.range.first + k);
        return;
    }
    memories_.look(subject, part);
    for (const std::uint32_t port : plan.pieces.ports) {
        const std::uint64_t bytes = subject.places.slot_bytes[port];
        for_each_run(
            subject.places.ports[port], step.range.first, step.range.count,
            [&](const Segment& run) {
                const auto [least, most] = std::minmax({run.at(run.first), run.at(run.end() - 1)});
                slots_.reach(static_cast<std::uint64_t>(least),
                             static_cast<std::uint64_t>(most) + bytes);
            });
    }
}

void LapWriter::add(const Subject& subject, const PartPlan& plan, const ScheduledStep& step) {
    if (body_.size() > most_statements)
        return;
    if (are_single(subject, step))
        add_singles(subject, step);
    else
        add_calls(subject, plan, step);
}

void LapWriter::add_body(std::vector<Statement>& statements) {
    std::move(statements.begin(), statements.end(), std::back_inserter(body_));
}

void LapWriter::stop_if(const std::string& condition, std::vector<std::string> uses) {
    add_body(fmt::format("if ({}) break;", condition), std::move(uses));
}

/// What lies in memory is written at once, as what is called may read it; the rest behind all
/// values.
void LapWriter::add_stores(std::vector<Statement>& stores,
                           const std::vector<LapSlots::Target>& targets) {
    for (std::size_t k = 0; k < stores.size(); ++k)
        if (targets[k].in_memory)
            body_.push_back(std::move(stores[k]));
        else
            add_last(std::move(stores[k]), slots_.is_wire(targets[k].at) ? targets[k].at : no_wire);
}

void LapWriter::add_singles(const Subject& subject, const ScheduledStep& step) {
    std::vector<std::pair<std::uint64_t, std::string>> wires;
    for (std::uint64_t k = 0; k < step.range.count; ++k) {
        const std::uint64_t position = step.range.first + k;
        LapSite site{*this, subject, step, position};
        PartText text = PartWriter{subject, step.part, Arithmetic{4}, site, names_}.run();
        if (!text.values.empty())
            text.values.front().comment = subject.family.instance_name(
                static_cast<std::uint64_t>(subject.places.order.at(position)));
        add_body(text.values);
        for (const Statement& rare : text.rare)
            stop_if(rare.text, rare.uses);
        add_stores(text.stores, site.targets);
        for (const Statement& write : text.writes)
            add_last(write);
        wires.insert(wires.end(), site.wires.begin(), site.wires.end());
    }
    for (const auto& [at, variable] : wires)
        slots_.put_on_wire(at, variable);
}

/// Memory writes wait in places of the lap's own, so that a cycle that stops has made none.
void LapWriter::add_calls(const Subject& subject, const PartPlan& plan, const ScheduledStep& step) {
    calls_ = true;
    std::vector<Statement> calls = calls_of(
        subject, plan, step, {"read, write, cycle", "break;", Datum::Kind::waiting}, data_);
    add_body(calls);
    const auto& writes = subject.program.parts[step.part].memory_writes;
    for (std::size_t n = 0; n < writes.size(); ++n) {
        const MemorySlots& memory = subject.places.memories[writes[n].memory];
        const std::size_t stride = memory.element->size();
        add_last(fmt::format(
            "for (u64 k = {0}; k < {1}; ++k) {{ struct pending *const p = (struct pending "
            "*){2} + k * {3} + {4}; if (p->word != ~0ul) {{ *({5} *)({6} + (k * {7} + "
            "p->word) * {8}ul + {9}) = p->value; p->word = ~0ul; }} }}",
            step.range.first, step.range.first + step.range.count,
            data_.name(step.family, {Datum::Kind::waiting}), writes.size(), n,
            Arithmetic::in_slot(subject.program.nodes[writes[n].value].type).name(),
            data_.name(step.family, {Datum::Kind::memory, writes[n].memory}), memory.words_each,
            stride, writes[n].offset));
    }
}

void LapWriter::add(const interpret::ResultsGroup& group, const ProcessFamily& family,
                    std::uint32_t number) {
    const std::vector<interpret::ResultsGroup::Watched> watched = group.watched();
    const Subject subject{family, group};
    const ScheduledStep step{number, 0, {0, 1}, nullptr};
    LapSite site{*this, subject, step, 0};
    PartText text = PartWriter{subject, 0, Arithmetic{4}, site, names_}.run();
    std::vector<Statement> roots;
    for (const auto& one : watched)
        roots.push_back(text.results[one.result]);
    keep_needed(text, roots);
    add_body(text.values);
    for (const Statement& rare : text.rare)
        stop_if(rare.text, rare.uses);
    for (std::size_t k = 0; k < watched.size(); ++k) {
        const std::string watch =
            fmt::format("((struct watch *){})[{}]", data_.name(number, {Datum::Kind::watches}), k);
        const std::string result = fmt::format("(({}) != 0)", roots[k].text);
        if (!watched[k].dated)
            stop_if(fmt::format("({0} != {1}.wanted) & {1}.active", result, watch), roots[k].uses);
        if (watched[k].counted)
            add_last(fmt::format("{}.held += {};", watch, result), roots[k].uses);
        if (watched[k].dated)
            add_last(fmt::format("if {} {}.last = cycle + 1;", result, watch), roots[k].uses);
    }
    for (const Statement& write : text.writes)
        add_last(write);
    plan_.observers.push_back({number, plan_.watches});
    plan_.watches += watched.size();
}

/// Whether no other pointer of the function reaches what this one points to.
bool LapWriter::is_alone(const FamilyData::Entry& entry) const {
    if (entry.datum.kind != Datum::Kind::memory)
        return true;
    const LapMemories::Words& own = ranges_.at({entry.family, entry.datum.number});
    return std::none_of(data_.entries().begin(), data_.entries().end(),
                        [&](const FamilyData::Entry& other) {
                            if (other.datum.kind != Datum::Kind::memory || other == entry)
                                return false;
                            return own.meet(ranges_.at({other.family, other.datum.number}));
                        });
}

/// Pointers to data. A compiler must know which of them never meet.
std::string LapWriter::parameters(bool with_types) const {
    std::string made;
    for (std::size_t k = 0; k < data_.entries().size(); ++k) {
        const char* const restricted = is_alone(data_.entries()[k]) ? "restrict " : "";
        made += with_types ? fmt::format(", u8 *{}const _d{}_", restricted, k)
                           : fmt::format(", b->data[{}]", k);
    }
    return made;
}

std::string LapWriter::text() const {
    const bool in_arenas = calls_ || slots_.uses_memory();
    std::string made =
        fmt::format("static u64 _{}(const struct block *b{})\n{{\n", plan_.name, parameters(true));
    made += "    const u64 cycles = b->count;\n    u64 cycle = b->cycle, done = 0;\n";
    if (in_arenas)
        made += "    const u8 *read = b->read;\n    u8 *write = b->write;\n";
    made += slots_.before() + memories_.before() + before_;
    made += "    for (; done < cycles; ++done, ++cycle) {\n";
    std::vector<Statement> all = body_;
    for (const auto& [statement, wire] : last_)
        if (wire == no_wire || slots_.is_carried(wire))
            all.push_back(statement);
    made += SelectToBranch{std::move(all), {}}.text(8) + counters_;
    if (in_arenas)
        made += "        const u8 *const before = read;\n        read = write;\n        write = "
                "(u8 *)before;\n";
    made += "    }\n    u8 *const last = done % 2 ? b->write : (u8 *)b->read;\n    (void)last;\n";
    made += slots_.after() + memories_.after() + after_ + "    return done;\n}\n\n";
    return made + fmt::format("u64 {0}(const struct block *b)\n{{\n    return _{0}(b{1});\n}}\n",
                              plan_.name, parameters(false));
}

} // namespace sme::native
