// SPDX-License-Identifier: Apache-2.0
//
// A step of a row either is done whole or has changed nothing but its outputs: all values of all
// its instances come first, then whether one of them is rare (the row ends there, and says how many
// steps are left), then stores and memory writes.
#include "native/row_writer.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::native {

namespace {

/// Instances of one step that become straight code, and statements of them.
constexpr std::uint64_t most_singles = 16;
constexpr std::size_t most_in_step = 4000;
/// Calls of kernels for one step.
constexpr std::size_t most_calls = 64;
constexpr std::uint64_t most_commits = 64;

bool are_single(const Subject& subject, const ScheduledStep& step) {
    const expr::PartProgram& part = subject.program.parts[step.part];
    return step.range.count == 1 ||
           (step.range.count <= most_singles && step.range.count * part.nodes.size() <= 200);
}

/// The pieces of a range.
template <class Visit> void for_each_piece(const Pieces& pieces, Range range, Visit visit) {
    const std::uint64_t end = range.first + range.count;
    for (std::size_t k = pieces.at(range.first);
         k < pieces.pieces.size() && pieces.pieces[k].first < end; ++k) {
        const std::uint64_t first = std::max(pieces.pieces[k].first, range.first);
        visit(pieces.pieces[k], Range{first, std::min(pieces.pieces[k].end, end) - first});
    }
}

} // namespace

/// One instance at constant places.
class RowWriter::RowSite final : public Site {
public:
    RowSite(RowWriter& row, const Subject& subject, const ScheduledStep& step,
            std::uint64_t position)
        : row_{row}, subject_{subject}, family_{step.family}, position_{position},
          writes_{subject.program.parts[step.part].memory_writes.size()} {}

    std::string slot(std::uint32_t port, std::uint32_t offset, CType type, bool write) override {
        const std::uint64_t at = place(port, offset);
        const bool through_write = write || at >= row_.wires_begin_;
        return fmt::format("*({}{} *)({} + {})", write ? "" : "const ", type.name(),
                           through_write ? "write" : "read", at);
    }
    std::string memory(std::uint32_t number) override {
        const interpret::Places& places = subject_.places;
        const MemorySlots& memory = places.memories[number];
        const std::string base = row_.datum(family_, {Datum::Kind::memory, number});
        const std::uint64_t first = number < places.own_memories
                                        ? position_ * memory.words_each * memory.element->size()
                                        : 0;
        return first == 0 ? base : fmt::format("{} + {}", base, first);
    }
    std::string table(std::uint32_t number, CType type) override {
        const expr::Table& table = subject_.program.tables[number];
        if (table.values.size() <= Tables::most_values)
            return row_.tables_.name(table, type);
        return fmt::format("((const u64 *){})", row_.datum(family_, {Datum::Kind::table, number}));
    }
    std::string instance() override { return fmt::format("{}ul", source()); }
    std::string place() override {
        const auto& kept = subject_.program.kept;
        return fmt::format("{}ul", kept.empty() ? source() : kept[source()]);
    }
    std::string random_family() override {
        return fmt::format("*(const u64 *){}", row_.datum(family_, {Datum::Kind::random}));
    }
    std::string pending(std::size_t number) override {
        if (!subject_.commits_later)
            return {};
        return fmt::format("((struct pending *){})[{}]",
                           row_.datum(family_, {Datum::Kind::pending}),
                           position_ * writes_ + number);
    }
    std::string known(std::uint32_t port, std::uint32_t offset) override {
        const auto found = row_.wires_.find(place(port, offset));
        return found == row_.wires_.end() ? "" : found->second;
    }
    void stored(std::uint32_t port, std::uint32_t offset, const std::string& variable) override {
        if (const std::uint64_t at = place(port, offset); at >= row_.wires_begin_)
            made.emplace_back(at, variable);
    }

    std::vector<std::pair<std::uint64_t, std::string>> made; // wires

private:
    std::uint64_t place(std::uint32_t port, std::uint32_t offset) const {
        return static_cast<std::uint64_t>(subject_.places.ports[port].at(position_)) + offset;
    }
    std::uint64_t source() const {
        return static_cast<std::uint64_t>(subject_.places.order.at(position_));
    }

    RowWriter& row_;
    const Subject& subject_;
    std::uint32_t family_;
    std::uint64_t position_;
    std::size_t writes_;
};

std::size_t RowWriter::size(const Subject& subject, const PartPlan* plan,
                            const ScheduledStep& step) {
    if (!plan) { // commits
        std::size_t writes = 0;
        for (const expr::PartProgram& part : subject.program.parts)
            writes += part.memory_writes.size();
        const std::uint64_t all = writes * subject.places.order.size();
        return all <= most_commits ? all + 1 : 0;
    }
    if (!plan->written)
        return 0;
    if (are_single(subject, step)) {
        const expr::PartProgram& part = subject.program.parts[step.part];
        const std::size_t all =
            step.range.count * (part.nodes.size() + part.stores.size() + part.faults.size());
        return all <= most_in_step ? all + 1 : 0;
    }
    std::size_t calls = 0;
    const bool fits = !plan->shape.may_stop || !plan->shape.stepwise;
    for_each_piece(plan->pieces, step.range, [&](const Piece&, Range) { ++calls; });
    return fits && calls <= most_calls ? calls + 1 : 0;
}

std::string RowWriter::datum(std::uint32_t family, const Datum& wanted) {
    const RowPlan::FamilyDatum whole{family, wanted};
    auto found = std::find(plan_.data.begin(), plan_.data.end(), whole);
    if (found == plan_.data.end())
        found = plan_.data.insert(plan_.data.end(), whole);
    return fmt::format("data[{}]", found - plan_.data.begin());
}

/// Leaves the row before this step: how many of its steps are done.
std::string RowWriter::stop() const {
    return fmt::format("return {};", steps() + 1);
}

void RowWriter::add_statement(Statement statement) {
    ++statements_;
    straight_.add(std::move(statement));
}

void RowWriter::add(const Subject& subject, const PartPlan& plan, const ScheduledStep& step) {
    if (are_single(subject, step))
        add_singles(subject, step);
    else
        add_calls(subject, plan, step);
    ++plan_.end;
}

void RowWriter::add_singles(const Subject& subject, const ScheduledStep& step) {
    const Arithmetic arithmetic{4};
    std::vector<PartText> texts;
    std::vector<std::pair<std::uint64_t, std::string>> wires;
    for (std::uint64_t k = 0; k < step.range.count; ++k) {
        const std::uint64_t position = step.range.first + k;
        RowSite site{*this, subject, step, position};
        PartText text = PartWriter{subject, step.part, arithmetic, site, names_}.run();
        const std::string name = subject.family.instance_name(
            static_cast<std::uint64_t>(subject.places.order.at(position)));
        for (auto* const statements : {&text.values, &text.stores})
            if (!statements->empty()) {
                statements->front().comment = name;
                break;
            }
        texts.push_back(std::move(text));
        wires.insert(wires.end(), site.made.begin(), site.made.end());
    }
    for (PartText& text : texts)
        for (Statement& value : text.values)
            add_statement(std::move(value));
    for (PartText& text : texts)
        for (Statement& rare : text.rare) {
            rare.text = fmt::format("if ({}) {}", rare.text, stop());
            add_statement(std::move(rare));
        }
    for (PartText& text : texts)
        for (auto* const statements : {&text.stores, &text.writes})
            for (Statement& statement : *statements)
                add_statement(std::move(statement));
    for (auto& [offset, variable] : wires)
        wires_[offset] = std::move(variable);
}

void RowWriter::add_results(const Subject& subject, std::uint32_t family) {
    const ScheduledStep step{family, 0, {0, 1}};
    RowSite site{*this, subject, step, 0};
    PartText text = PartWriter{subject, 0, Arithmetic{4}, site, names_}.run();
    for (Statement& value : text.values)
        add_statement(std::move(value));
    for (Statement& rare : text.rare) {
        rare.text = fmt::format("if ({}) {}", rare.text, stop());
        add_statement(std::move(rare));
    }
    const std::string results = datum(family, {Datum::Kind::results});
    for (std::size_t k = 0; k < text.results.size(); ++k) {
        Statement& result = text.results[k];
        result.text = fmt::format("((u64 *){})[{}] = {};", results, k, result.text);
        add_statement(std::move(result));
    }
    for (Statement& write : text.writes)
        add_statement(std::move(write));
    ++plan_.end;
}

/// A block for each piece.
void RowWriter::add_calls(const Subject& subject, const PartPlan& plan, const ScheduledStep& step) {
    for_each_piece(plan.pieces, step.range, [&](const Piece& piece, Range range) {
        const PartPlan::Function& function = plan.functions[piece.pattern];
        const Pattern& pattern = plan.pieces.patterns[piece.pattern];
        std::string at, data;
        for (std::size_t m = 0; m < piece.at.size(); ++m) {
            const std::int64_t moved =
                pattern.kind == Pattern::Kind::line
                    ? static_cast<std::int64_t>(range.first - piece.first) * pattern.strides[m]
                    : 0;
            at += fmt::format("{}{}l", m > 0 ? ", " : "", piece.at[m] + moved);
        }
        for (const Datum& wanted : function.data)
            data += (data.empty() ? "" : ", ") + datum(step.family, wanted);
        const bool random =
            std::any_of(subject.program.nodes.begin(), subject.program.nodes.end(),
                        [](const expr::Node& node) { return node.op == expr::Op::random; });
        const bool waits = subject.commits_later && plan.shape.stepwise;
        Statement made;
        made.comment = subject.family.name;
        made.text = fmt::format(
            "{{ const i64 at[] = {{{}}}; u8 *const own[] = {{{}}}; const struct block c = "
            "{{b->read, b->write, b->cycle, {}, {}ul, {}ul, at, {}, own, {}}}; if ({}(&c)) {} }}",
            at, data.empty() ? "0" : data,
            random ? "*(const u64 *)" + datum(step.family, {Datum::Kind::random}) : "0",
            range.first, range.count,
            pattern.kind == Pattern::Kind::table
                ? "(const i64 *const *)" + datum(step.family, {Datum::Kind::places, step.part})
                : "0",
            waits ? "(struct pending *)" + datum(step.family, {Datum::Kind::pending}) : "0",
            function.name, stop());
        add_statement(std::move(made));
    });
}

void RowWriter::add_commit(const Subject& subject, std::uint32_t family) {
    const interpret::Places& places = subject.places;
    const expr::Program& program = subject.program;
    std::string waiting;
    for (const expr::PartProgram& part : program.parts)
        for (std::uint64_t k = 0; k < places.order.size(); ++k)
            for (std::size_t n = 0; n < part.memory_writes.size(); ++n) {
                const expr::MemoryWrite& write = part.memory_writes[n];
                const MemorySlots& memory = places.memories[write.memory];
                const std::size_t stride = memory.element->size();
                Statement made;
                made.comment = subject.family.name + ": memories";
                made.text = fmt::format(
                    "{{ struct pending *const p = (struct pending *){} + {}; if (p->word != ~0ul) "
                    "{{ *({} *)({} + p->word * {}ul + {}) = p->value; p->word = ~0ul; }} }}",
                    datum(family, {Datum::Kind::pending}), k * part.memory_writes.size() + n,
                    Arithmetic::in_slot(program.nodes[write.value].type).name(),
                    datum(family, {Datum::Kind::memory, write.memory}), stride,
                    k * memory.words_each * stride + write.offset);
                add_statement(std::move(made));
            }
    plan_.commits.push_back(family);
    ++plan_.end;
}

std::string RowWriter::text() {
    return straight_.text();
}

} // namespace sme::native
