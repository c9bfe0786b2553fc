// SPDX-License-Identifier: Apache-2.0
#include "native/emit/single_site.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::native {

namespace {

/// Instances of one step that become straight code.
constexpr std::uint64_t most_singles = 16;

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

std::string FamilyData::name(std::uint32_t family, const Datum& wanted) {
    const Entry whole{family, wanted};
    const auto [found, fresh] = numbers_.try_emplace(whole, entries_.size());
    if (fresh)
        entries_.push_back(whole);
    return fmt::format(fmt::runtime(pattern_), found->second);
}

std::string SingleSite::memory(std::uint32_t number) {
    const interpret::Places& places = subject_.places;
    const MemorySlots& memory = places.memories[number];
    const std::string base = data_.name(family_, {Datum::Kind::memory, number});
    const std::uint64_t first =
        number < places.own_memories ? position_ * memory.words_each * memory.element->size() : 0;
    return first == 0 ? base : fmt::format("{} + {}", base, first);
}

std::string SingleSite::table(std::uint32_t number, CType type) {
    const expr::Table& table = subject_.program.tables[number];
    if (table.values.size() <= Tables::most_values)
        return tables_.name(table, type);
    return fmt::format("((const u64 *){})", data_.name(family_, {Datum::Kind::table, number}));
}

std::string SingleSite::instance() {
    return fmt::format("{}ul", source());
}

std::string SingleSite::place() {
    const auto& kept = subject_.program.kept;
    return fmt::format("{}ul", kept.empty() ? source() : kept[source()]);
}

std::string SingleSite::random_family() {
    return fmt::format("*(const u64 *){}", data_.name(family_, {Datum::Kind::random}));
}

std::string SingleSite::pending(std::size_t number) {
    if (!subject_.commits_later)
        return {};
    return fmt::format("((struct pending *){})[{}]", data_.name(family_, {Datum::Kind::pending}),
                       position_ * writes_ + number);
}

std::string SingleSite::collected() {
    return {}; // parts with loops that write memories are functions of their own
}

bool are_single(const Subject& subject, const ScheduledStep& step) {
    const expr::PartProgram& part = subject.program.parts[step.part];
    if (!part.loops.empty())
        return false; // functions of their own
    return step.range.count == 1 ||
           (step.range.count <= most_singles && step.range.count * part.nodes.size() <= 200);
}

std::size_t count_calls(const PartPlan& plan, const ScheduledStep& step) {
    std::size_t calls = 0;
    for_each_piece(plan.pieces, step.range, [&](const Piece&, Range) { ++calls; });
    return calls;
}

std::vector<Statement> calls_of(const Subject& subject, const PartPlan& plan,
                                const ScheduledStep& step, const CallStyle& style,
                                FamilyData& data) {
    std::vector<Statement> made;
    const bool random =
        std::any_of(subject.program.nodes.begin(), subject.program.nodes.end(),
                    [](const expr::Node& node) { return node.op == expr::Op::random; });
    const bool waits = (subject.commits_later && plan.shape.stepwise) || plan.shape.collects;
    const auto pointer = [&](const char* type, bool is, Datum::Kind kind, std::uint32_t number) {
        return is ? fmt::format("({}){}", type, data.name(step.family, {kind, number}))
                  : std::string{"0"};
    };
    for_each_piece(plan.pieces, step.range, [&](const Piece& piece, Range range) {
        const PartPlan::Function& function = plan.functions[piece.pattern];
        const Pattern& pattern = plan.pieces.patterns[piece.pattern];
        std::string at, own;
        for (std::size_t m = 0; m < piece.at.size(); ++m) {
            const std::int64_t moved =
                pattern.kind == Pattern::Kind::line
                    ? static_cast<std::int64_t>(range.first - piece.first) * pattern.strides[m]
                    : 0;
            at += fmt::format("{}{}l", m > 0 ? ", " : "", piece.at[m] + moved);
        }
        for (const Datum& wanted : function.data)
            own += (own.empty() ? "" : ", ") + data.name(step.family, wanted);
        Statement& call = made.emplace_back();
        call.comment = subject.family.name;
        const std::string callee =
            function.elsewhere
                ? fmt::format("((u64 (*)(const struct block *)){})",
                              data.name(step.family, {Datum::Kind::function, function.number}))
                : function.name;
        call.text = fmt::format(
            "{{ const i64 at[] = {{{}}}; u8 *const own[] = {{{}}}; const struct block c = "
            "{{{}, {}, {}ul, {}ul, at, {}, own, {}}}; if ({}(&c)) {} }}",
            at, own.empty() ? "0" : own, style.arenas_and_cycle,
            random ? "*" + pointer("const u64 *", true, Datum::Kind::random, 0) : "0", range.first,
            range.count,
            pointer("const i64 *const *", pattern.kind == Pattern::Kind::table, Datum::Kind::places,
                    step.part),
            pointer("struct pending *", waits, style.pending, 0), callee, style.stop);
    });
    return made;
}

} // namespace sme::native
