// SPDX-License-Identifier: Apache-2.0
//
// A step of a row either is done whole or has changed nothing but its outputs: all values of all
// its instances come first, then whether one of them is rare (the row ends there, and says how many
// steps are left), then stores and memory writes.
#include "native/cycle/row_writer.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::native {

namespace {

/// Statements of one step that become straight code, and calls of kernels for one.
constexpr std::size_t most_in_step = 4000;
constexpr std::size_t most_calls = 64;
constexpr std::uint64_t most_commits = 64;

} // namespace

/// What one instance puts on a wire is a variable for those behind.
class RowWriter::RowSite final : public SingleSite {
public:
    RowSite(RowWriter& row, const Subject& subject, const ScheduledStep& step,
            std::uint64_t position)
        : SingleSite{row.data_, row.tables_, subject, step, position}, row_{row} {}

    std::string slot(std::uint32_t port, std::uint32_t offset, CType type, bool write) override {
        const std::uint64_t at = offset_of(port, offset);
        const bool through_write = write || at >= row_.wires_begin_;
        return fmt::format("*({}{} *)({} + {})", write ? "" : "const ", type.name(),
                           through_write ? "write" : "read", at);
    }
    std::string known(std::uint32_t port, std::uint32_t offset) override {
        const auto found = row_.wires_.find(offset_of(port, offset));
        return found == row_.wires_.end() ? "" : found->second;
    }
    void stored(std::uint32_t port, std::uint32_t offset, const std::string& variable) override {
        if (const std::uint64_t at = offset_of(port, offset); at >= row_.wires_begin_)
            made.emplace_back(at, variable);
    }

    std::vector<std::pair<std::uint64_t, std::string>> made; // wires

private:
    RowWriter& row_;
};

std::size_t RowWriter::size(const Subject& subject, const PartPlan* plan,
                            const ScheduledStep& step) {
    if (!plan) { // commits
        std::size_t writes = 0;
        for (const expr::PartProgram& part : subject.program.parts)
            writes += waiting_places(subject.program, part);
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
    const bool fits = !plan->shape.may_stop || !plan->shape.stepwise;
    const std::size_t calls = count_calls(*plan, step);
    return fits && calls <= most_calls ? calls + 1 : 0;
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
    const ScheduledStep step{family, 0, {0, 1}, nullptr};
    RowSite site{*this, subject, step, 0};
    PartText text = PartWriter{subject, 0, Arithmetic{4}, site, names_}.run();
    for (Statement& value : text.values)
        add_statement(std::move(value));
    for (Statement& rare : text.rare) {
        rare.text = fmt::format("if ({}) {}", rare.text, stop());
        add_statement(std::move(rare));
    }
    const std::string results = data_.name(family, {Datum::Kind::results});
    for (std::size_t k = 0; k < text.results.size(); ++k) {
        Statement& result = text.results[k];
        result.text = fmt::format("((u64 *){})[{}] = {};", results, k, result.text);
        add_statement(std::move(result));
    }
    for (Statement& write : text.writes)
        add_statement(std::move(write));
    ++plan_.end;
}

void RowWriter::add_calls(const Subject& subject, const PartPlan& plan, const ScheduledStep& step) {
    for (Statement& call :
         calls_of(subject, plan, step, {"b->read, b->write, b->cycle", stop()}, data_))
        add_statement(std::move(call));
}

void RowWriter::add_commit(const Subject& subject, std::uint32_t family) {
    const interpret::Places& places = subject.places;
    const expr::Program& program = subject.program;
    std::string waiting;
    for (const expr::PartProgram& part : program.parts)
        for (std::uint64_t k = 0; k < places.order.size(); ++k)
            for (const WaitingWrite& waiting : waiting_writes(program, part))
                for (std::uint64_t n = 0; n < waiting.count; ++n) {
                    const expr::MemoryWrite& write = *waiting.write;
                    const MemorySlots& memory = places.memories[write.memory];
                    const std::size_t stride = memory.element->size();
                    Statement made;
                    made.comment = subject.family.name + ": memories";
                    made.text = fmt::format(
                        "{{ struct pending *const p = (struct pending *){} + {}; if (p->word != "
                        "~0ul) {{ *({} *)({} + p->word * {}ul + {}) = p->value; p->word = ~0ul; }} "
                        "}}",
                        data_.name(family, {Datum::Kind::pending}),
                        k * waiting_places(program, part) + waiting.first + n,
                        Arithmetic::in_slot(program.nodes[write.value].type).name(),
                        data_.name(family, {Datum::Kind::memory, write.memory}), stride,
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
