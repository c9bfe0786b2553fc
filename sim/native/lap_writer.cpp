// SPDX-License-Identifier: Apache-2.0
#include "native/lap_writer.hpp"

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
          family_{subject.family} {}

    std::string slot(std::uint32_t port, std::uint32_t offset, CType type, bool write) override {
        const std::uint64_t at = offset_of(port, offset);
        const std::string name = scalar_name(family_, port, offset);
        if (!write)
            return slots_.read(at, type, name);
        targets.push_back(slots_.write(at, type, name));
        return targets.back().lvalue;
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
    const ProcessFamily& family_;
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

void LapWriter::reach(const Subject& subject, const PartPlan& plan, const ScheduledStep& step) {
    if (are_single(subject, step))
        return;
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
    for (const Statement& statement : statements)
        body_.push_back(
            (statement.comment.empty() ? "" : "/* " + statement.comment + " */\n        ") +
            statement.line());
}

void LapWriter::stop_if(const std::string& condition) {
    body_.push_back(fmt::format("if ({}) break;", condition));
}

/// What lies in memory is written at once, as what is called may read it; the rest behind all
/// values.
void LapWriter::add_stores(std::vector<Statement>& stores,
                           const std::vector<LapSlots::Target>& targets) {
    for (std::size_t k = 0; k < stores.size(); ++k)
        if (targets[k].in_memory)
            body_.push_back(stores[k].line());
        else
            last_.push_back(
                {stores[k].line(), slots_.is_wire(targets[k].at) ? targets[k].at : no_wire});
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
            stop_if(rare.text);
        add_stores(text.stores, site.targets);
        for (const Statement& write : text.writes)
            last_.push_back({write.line(), no_wire});
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
        last_.push_back(
            {fmt::format(
                 "for (u64 k = {0}; k < {1}; ++k) {{ struct pending *const p = (struct pending "
                 "*){2} + k * {3} + {4}; if (p->word != ~0ul) {{ *({5} *)({6} + (k * {7} + "
                 "p->word) * {8}ul + {9}) = p->value; p->word = ~0ul; }} }}",
                 step.range.first, step.range.first + step.range.count,
                 data_.name(step.family, {Datum::Kind::waiting}), writes.size(), n,
                 Arithmetic::in_slot(subject.program.nodes[writes[n].value].type).name(),
                 data_.name(step.family, {Datum::Kind::memory, writes[n].memory}),
                 memory.words_each, stride, writes[n].offset),
             no_wire});
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
        stop_if(rare.text);
    for (std::size_t k = 0; k < watched.size(); ++k) {
        const std::string watch =
            fmt::format("((struct watch *){})[{}]", data_.name(number, {Datum::Kind::watches}), k);
        const std::string result = fmt::format("(({}) != 0)", roots[k].text);
        if (!watched[k].dated)
            stop_if(fmt::format("({0} != {1}.wanted) & {1}.active", result, watch));
        if (watched[k].counted)
            last_.push_back({fmt::format("{}.held += {};", watch, result), no_wire});
        if (watched[k].dated)
            last_.push_back({fmt::format("if {} {}.last = cycle + 1;", result, watch), no_wire});
    }
    for (const Statement& write : text.writes)
        last_.push_back({write.line(), no_wire});
    plan_.observers.push_back({number, plan_.watches});
    plan_.watches += watched.size();
}

std::string LapWriter::text() const {
    const bool in_arenas = calls_ || slots_.uses_memory();
    std::string made = fmt::format("u64 {}(const struct block *b)\n{{\n", plan_.name);
    for (std::size_t k = 0; k < data_.entries().size(); ++k)
        made += fmt::format("    u8 *const _d{0} = b->data[{0}];\n", k);
    made += "    const u64 cycles = b->count;\n    u64 cycle = b->cycle, done = 0;\n";
    if (in_arenas)
        made += "    const u8 *read = b->read;\n    u8 *write = b->write;\n";
    made += slots_.before() + before_;
    made += "    for (; done < cycles; ++done, ++cycle) {\n";
    for (const std::string& line : body_)
        made += "        " + line + "\n";
    for (const Last& last : last_)
        if (last.wire == no_wire || slots_.is_carried(last.wire))
            made += "        " + last.text + "\n";
    made += counters_;
    if (in_arenas)
        made += "        const u8 *const before = read;\n        read = write;\n        write = "
                "(u8 *)before;\n";
    made += "    }\n    u8 *const last = done % 2 ? b->write : (u8 *)b->read;\n    (void)last;\n";
    return made + slots_.after() + after_ + "    return done;\n}\n";
}

} // namespace sme::native
