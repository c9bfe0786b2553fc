// SPDX-License-Identifier: Apache-2.0
//
// The parts of a lap that only copy: delays, inputs, buses without a writer.
#include <fmt/format.h>

#include "native/cycle/lap_writer.hpp"
#include "network/build.hpp"

namespace sme::native {

namespace {

/// More scalars than this are not moved one by one.
constexpr std::size_t most_scalars = 512;

std::string load(CType type, const std::string& base, const std::string& offset) {
    return fmt::format("*(const {} *)({} + {})", type.name(), base, offset);
}

bool can_move(const Moves& moves, std::uint64_t elements) {
    const bool has_rows = !moves.rows || moves.rows->rows > 0;
    return has_rows && elements * LapSlots::scalars_of(*moves.bus).size() <= most_scalars;
}

} // namespace

void LapWriter::add(const Moves& moves, const ScheduledStep& step, std::uint32_t number) {
    const bool all = moves.kind == Moves::Kind::feed || moves.kind == Moves::Kind::offer;
    const Range range = all ? Range{0, moves.to.size()} : step.range;
    if (!can_move(moves, range.count)) {
        fit_ = false;
        return;
    }
    switch (moves.kind) {
    case Moves::Kind::hold: return hold(moves, range);
    case Moves::Kind::clear: return clear(moves, range);
    case Moves::Kind::delay: return delay(moves, range, number);
    case Moves::Kind::feed: return feed(moves, number);
    case Moves::Kind::offer: return step.part == 0 ? offer(moves, number) : take(moves, number);
    }
}

/// Puts a value, a name or a literal, into one scalar of a slot.
void LapWriter::move(const Moves& moves, std::uint64_t to, const std::string& value,
                     const LapSlots::Scalar& scalar) {
    const LapSlots::Target target =
        slots_.write(to, scalar.type, c_name(moves.bus->name + scalar.path));
    const std::string text = fmt::format("{} = {};", target.lvalue, value);
    if (target.in_memory)
        add_body(text);
    else
        add_last(Statement{{}, {}, text, {}}, slots_.is_wire(to) ? to : no_wire);
    slots_.put_on_wire(to, value);
}

void LapWriter::clear(const Moves& moves, Range range) {
    for (std::uint64_t k = range.first; k < range.first + range.count; ++k)
        for (const LapSlots::Scalar& scalar : LapSlots::scalars_of(*moves.bus))
            move(moves, static_cast<std::uint64_t>(moves.to.at(k)) + scalar.offset, "0", scalar);
}

/// A variable holds by itself, and so does a wire.
void LapWriter::hold(const Moves& moves, Range range) {
    for (std::uint64_t k = range.first; k < range.first + range.count; ++k)
        for (const LapSlots::Scalar& scalar : LapSlots::scalars_of(*moves.bus)) {
            const std::uint64_t at = static_cast<std::uint64_t>(moves.to.at(k)) + scalar.offset;
            if (slots_.in_memory(at) && !slots_.is_wire(at))
                move(moves, at, slots_.read(at, scalar.type, {}), scalar);
        }
}

/// A variable that counts modulo `count` cycles.
std::string LapWriter::counter(const std::string& name, std::uint64_t first, std::uint64_t count) {
    before_ += fmt::format("    u64 {} = (b->cycle + {}ul) % {}ul;\n", name, first, count);
    counters_ += fmt::format("        if (++{0} == {1}ul) {0} = 0;\n", name, count);
    return name;
}

void LapWriter::delay(const Moves& moves, Range range, std::uint32_t number) {
    const std::size_t bytes = slot_size(*moves.bus);
    const std::string ring =
        moves.stages == 0 ? std::string{}
                          : fmt::format("{} + {} * {}ul", data_.name(number, {Datum::Kind::moved}),
                                        counter(fmt::format("_stage{}_", number), 0, moves.stages),
                                        moves.from.size() * bytes);
    for (std::uint64_t k = range.first; k < range.first + range.count; ++k)
        for (const LapSlots::Scalar& scalar : LapSlots::scalars_of(*moves.bus)) {
            const std::string wanted = c_name(moves.bus->name + scalar.path);
            const std::string in = names_.unique(wanted), out = names_.unique(wanted);
            const std::string type = scalar.type.name();
            add_body(fmt::format(
                "const {} {} = {};", type, in,
                slots_.read(static_cast<std::uint64_t>(moves.from.at(k)) + scalar.offset,
                            scalar.type, wanted)));
            const std::string place = std::to_string(k * bytes + scalar.offset);
            if (moves.stages > 0) {
                add_body(
                    fmt::format("const {} {} = {};", type, out, load(scalar.type, ring, place)));
                add_last(fmt::format("*({} *)({} + {}) = {};", type, ring, place, in));
            }
            move(moves, static_cast<std::uint64_t>(moves.to.at(k)) + scalar.offset,
                 moves.stages > 0 ? out : in, scalar);
        }
}

/// The row that readers see so many cycles ahead of this one.
LapWriter::Shown LapWriter::shown(const Moves& moves, std::uint32_t number, std::uint64_t ahead) {
    const std::uint64_t rows = moves.rows->rows;
    const std::string cycle = ahead == 0 ? "cycle" : "(cycle + 1)";
    switch (moves.rows->at_end) {
    case AtEnd::halt: return {cycle, {}}; // the lap ends before there is none
    case AtEnd::hold:
        return {fmt::format("({0} < {1}ul ? {0} : {2}ul)", cycle, rows, rows - 1), {}};
    case AtEnd::repeat: return {counter(fmt::format("_row{}_", number), ahead, rows), {}};
    case AtEnd::zero: break;
    }
    return {cycle, fmt::format("{} < {}ul", cycle, rows)};
}

/// Calls visit(offset, scalar, value) for each scalar of a row.
template <class Visit>
void LapWriter::for_each_fed(const Moves& moves, std::uint32_t number, const Shown& shown,
                             Visit visit) {
    const std::string begin =
        fmt::format("{} + {} * {}ul", data_.name(number, {Datum::Kind::moved}), shown.row,
                    moves.rows->row_bytes);
    const std::size_t bytes = moves.bus->type->size();
    for (std::uint64_t k = 0; k < moves.to.size(); ++k)
        for (const LapSlots::Scalar& scalar : LapSlots::scalars_of(*moves.bus)) {
            std::string value = scalar.is_mark ? "1"
                                               : load(scalar.type, begin,
                                                      std::to_string(k * bytes + scalar.offset));
            if (!shown.valid.empty())
                value = fmt::format("({} ? {} : 0)", shown.valid, value);
            visit(static_cast<std::uint64_t>(moves.to.at(k)) + scalar.offset, scalar, value);
        }
}

/// A register that is fed shows the row of its cycle: nothing is put into it but behind the last.
void LapWriter::look(const Moves& moves, std::uint32_t number) {
    if (moves.kind != Moves::Kind::feed || moves.bus->wire() || !can_move(moves, moves.to.size()))
        return;
    for (std::uint64_t k = 0; k < moves.to.size(); ++k)
        if (slots_.in_memory(static_cast<std::uint64_t>(moves.to.at(k))))
            return;
    fed_.insert(number);
    if (moves.rows->at_end == AtEnd::halt)
        before_ += fmt::format("    if (cycle >= {}ul) return 0;\n", moves.rows->rows);
    for_each_fed(moves, number, shown(moves, number, 0),
                 [&](std::uint64_t at, const LapSlots::Scalar& scalar, const std::string& value) {
                     slots_.stand_for(at, value);
                     after_ += fmt::format("    *({} *)(last + {}) = {};\n", scalar.type.name(), at,
                                           value);
                 });
}

void LapWriter::feed(const Moves& moves, std::uint32_t number) {
    if (moves.rows->at_end == AtEnd::halt)
        stop_if(fmt::format("cycle + 1 >= {}ul", moves.rows->rows));
    if (fed_.contains(number))
        return;
    for_each_fed(moves, number, shown(moves, number, moves.bus->wire() ? 0 : 1),
                 [&](std::uint64_t at, const LapSlots::Scalar& scalar, const std::string& value) {
                     const std::string name = names_.unique(c_name(moves.bus->name + scalar.path));
                     add_body(fmt::format("const {} {} = {};", scalar.type.name(), name, value));
                     move(moves, at, name, scalar);
                 });
}

void LapWriter::offer(const Moves& moves, std::uint32_t number) {
    const std::string base = data_.name(number, {Datum::Kind::moved});
    const std::string counts = data_.name(number, {Datum::Kind::next});
    const std::string next = fmt::format("_next{}_", number);
    offered_[moves.next] = next;
    before_ += fmt::format("    u64 {} = *(const u64 *){};\n", next, counts);
    after_ += fmt::format("    *(u64 *){} = {};\n", counts, next);
    for (const LapSlots::Scalar& scalar : LapSlots::scalars_of(*moves.bus)) {
        if (scalar.is_mark)
            continue; // the feeder does not write them either
        const std::string name = names_.unique(c_name(moves.bus->name + scalar.path));
        add_body(fmt::format(
            "const {} {} = {} < {}ul ? {} : 0;", scalar.type.name(), name, next, moves.rows->rows,
            load(scalar.type, fmt::format("{} + {} * {}ul", base, next, moves.rows->row_bytes),
                 std::to_string(scalar.offset))));
        move(moves, static_cast<std::uint64_t>(moves.to.at(0)) + scalar.offset, name, scalar);
    }
}

/// A row that was taken makes room for the next.
void LapWriter::take(const Moves& moves, std::uint32_t number) {
    const auto found = offered_.find(moves.next);
    if (found == offered_.end()) {
        fit_ = false;
        return;
    }
    const std::string& next = found->second;
    const std::uint64_t rows = moves.rows->rows;
    const auto at = static_cast<std::uint64_t>(moves.from.at(0));
    std::string ready = slots_.known(at);
    if (ready.empty())
        ready = slots_.read(at, {1, false}, c_name(moves.bus->name) + "_ready");
    const std::string taken = fmt::format("_taken{}_", number);
    add_body(fmt::format("const u8 {} = {} < {}ul && {} != 0;", taken, next, rows, ready), {ready});
    if (moves.rows->at_end == AtEnd::halt)
        stop_if(fmt::format("{} && {} == {}ul", taken, next, rows - 1));
    std::string past = fmt::format("{} + 1", next);
    if (moves.rows->at_end == AtEnd::hold)
        past = fmt::format("({0} + 1 == {1}ul ? {0} : {0} + 1)", next, rows);
    else if (moves.rows->at_end == AtEnd::repeat)
        past = fmt::format("({0} + 1 == {1}ul ? 0 : {0} + 1)", next, rows);
    add_last(fmt::format("if ({}) {} = {};", taken, next, past));
}

} // namespace sme::native
