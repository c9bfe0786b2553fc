// SPDX-License-Identifier: Apache-2.0
//
// The steps of a cycle kernel that only copy: delays, inputs, buses without a writer.
#include <fmt/format.h>

#include "native/cycle/cycle_kernel.hpp"
#include "native/ir/routine.hpp"
#include "network/build.hpp"

namespace sme::native {

namespace {

/// A step with more scalars than this is not copied scalar by scalar.
constexpr std::size_t max_scalars = 512;

/// An expression that reads a scalar at an offset from a pointer.
std::string at(expr::Scalar type, const std::string& base, std::uint64_t offset) {
    return fmt::format("*(const {} *)({} + {})", slot_type(type), base, offset);
}

/// The copied memory, as a Place for passes: it is outside the slots and memories.
Place elsewhere() {
    return {.space = Place::Space::other};
}

/// The number of the row that readers see `ahead` cycles after this one.
std::string row_number(const InputRows& rows, std::uint64_t ahead) {
    const auto& [every, offset] = rows.rate;
    if (rows.rate.is_every_cycle())
        return ahead == 0 ? "cycle" : fmt::format("(cycle + {}ul)", ahead);
    return fmt::format("((cycle + {}ul) / {}ul)", ahead + every - 1 - offset, every);
}

} // namespace

std::vector<CycleKernelWriter::Scalar> CycleKernelWriter::scalars_of(const BusFamily& bus) {
    std::vector<Scalar> result;
    for (const Leaf& leaf : bus.type->leaves())
        result.push_back(
            {leaf.offset, expr::Scalar::of(*leaf.type), c_name(bus.name + leaf.path), false});
    const std::size_t leaves = result.size();
    for (std::uint32_t k = 0; bus.has_marks() && k < leaves; ++k)
        result.push_back({static_cast<std::uint32_t>(bus.type->size()) + k,
                          {1, false},
                          result[k].name + "_mark",
                          true});
    return result;
}

bool CycleKernelWriter::can_move(const CopyPlan& copy, std::uint64_t elements) {
    const bool has_rows = !copy.rows || (copy.rows->rows > 0 && copy.rows->starts.empty());
    return has_rows && elements * scalars_of(*copy.bus).size() <= max_scalars;
}

void CycleKernelWriter::add(const CopyPlan& copy, const ScheduledStep& step, std::uint32_t number) {
    const bool all = copy.kind == CopyPlan::Kind::feed || copy.kind == CopyPlan::Kind::offer;
    const Range range = all ? Range{0, copy.to.size()} : step.range;
    fit_ = fit_ && can_move(copy, range.count);
    if (!fit_)
        return;
    switch (copy.kind) {
    case CopyPlan::Kind::clear: return clear(copy, range);
    case CopyPlan::Kind::delay: return delay(copy, range, number);
    case CopyPlan::Kind::feed: return feed(copy, number);
    case CopyPlan::Kind::offer: return step.part == 0 ? offer(copy, number) : take(copy, number);
    }
}

Id CycleKernelWriter::read_slot(std::uint64_t offset, const Scalar& scalar) {
    const bool is_wire = offset >= program_.wires_begin();
    return add_value(
        program_.routine.load(scalar.type, at(scalar.type, is_wire ? "write" : "read", offset), {},
                              {.space = Place::Space::slot, .at = offset}, scalar.name));
}

void CycleKernelWriter::write_slot(std::uint64_t offset, const Scalar& scalar, Id value) {
    const Id result = program_.routine.effect(
        fmt::format("*({} *)(write + {}) = $0;", slot_type(scalar.type), offset), {value},
        {.space = Place::Space::slot, .at = offset});
    program_.routine[result].type = scalar.type;
    program_.routine[result].name = scalar.name;
    program_.routine.body.push_back(result);
}

/// Calls visit(element, offset, scalar) for each scalar in the slots of a range.
template <class Visit>
void CycleKernelWriter::for_each_scalar(const BusFamily& bus, const Segments& slots, Range range,
                                        Visit visit) {
    const std::vector<Scalar> scalars = scalars_of(bus);
    for (std::uint64_t k = range.first; k < range.first + range.count; ++k)
        for (const Scalar& scalar : scalars)
            visit(k, static_cast<std::uint64_t>(slots.at(k)) + scalar.offset, scalar);
}

void CycleKernelWriter::clear(const CopyPlan& copy, Range range) {
    for_each_scalar(*copy.bus, copy.to, range,
                    [&](std::uint64_t, std::uint64_t offset, const Scalar& scalar) {
                        write_slot(offset, scalar, program_.routine.constant(scalar.type, 0));
                    });
}

/// Declares a variable that counts modulo `count` cycles.
std::string CycleKernelWriter::counter(const std::string& name, std::uint64_t first,
                                       std::uint64_t count) {
    before_ += fmt::format("    u64 {} = (b->cycle + {}ul) % {}ul;\n", name, first, count);
    counters_ += fmt::format("        if (++{0} == {1}ul) {0} = 0;\n", name, count);
    return name;
}

void CycleKernelWriter::delay(const CopyPlan& copy, Range range, std::uint32_t number) {
    const std::size_t bytes = slot_size(*copy.bus);
    const std::string ring =
        copy.stages == 0
            ? std::string{}
            : fmt::format("{} + {} * {}ul", program_.data.name(number, {Datum::Kind::moved}),
                          counter(fmt::format("_stage{}_", number), 0, copy.stages),
                          copy.from.size() * bytes);
    for_each_scalar(
        *copy.bus, copy.to, range,
        [&](std::uint64_t k, std::uint64_t offset, const Scalar& scalar) {
            const Id in =
                read_slot(static_cast<std::uint64_t>(copy.from.at(k)) + scalar.offset, scalar);
            Id out = in;
            if (copy.stages > 0) {
                const std::uint64_t place = k * bytes + scalar.offset;
                out = add_value(program_.routine.load(scalar.type, at(scalar.type, ring, place), {},
                                                      elsewhere(), scalar.name));
                program_.add_effect(
                    fmt::format("*({} *)({} + {}) = $0;", slot_type(scalar.type), ring, place),
                    {in}, true);
            }
            write_slot(offset, scalar, out);
        });
}

/// The row that readers see `ahead` cycles after this one.
CycleKernelWriter::Shown CycleKernelWriter::shown(const CopyPlan& copy, std::uint32_t number,
                                                  std::uint64_t ahead) {
    const std::uint64_t rows = copy.rows->rows;
    const std::string row = row_number(*copy.rows, ahead);
    switch (copy.rows->at_end) {
    case AtEnd::halt: return {row, {}}; // the function ends before the rows do
    case AtEnd::hold: return {fmt::format("({0} < {1}ul ? {0} : {2}ul)", row, rows, rows - 1), {}};
    case AtEnd::repeat:
        return {copy.rows->rate.is_every_cycle()
                    ? counter(fmt::format("_row{}_", number), ahead, rows)
                    : fmt::format("({} % {}ul)", row, rows),
                {}};
    case AtEnd::zero: break;
    }
    return {row, fmt::format("{} < {}ul", row, rows)};
}

/// Calls visit(offset, scalar, value) for each scalar of a row.
template <class Visit>
void CycleKernelWriter::for_each_fed(const CopyPlan& copy, std::uint32_t number, const Shown& shown,
                                     Visit visit) {
    const std::string begin =
        fmt::format("{} + {} * {}ul", program_.data.name(number, {Datum::Kind::moved}), shown.row,
                    copy.rows->row_bytes);
    const std::size_t bytes = copy.bus->type->size();
    for_each_scalar(*copy.bus, copy.to, {0, copy.to.size()},
                    [&](std::uint64_t k, std::uint64_t offset, const Scalar& scalar) {
                        std::string value = scalar.is_mark
                                                ? "1"
                                                : at(scalar.type, begin, k * bytes + scalar.offset);
                        if (!shown.valid.empty())
                            value = fmt::format("({} ? {} : 0)", shown.valid, value);
                        visit(offset, scalar, value);
                    });
}

void CycleKernelWriter::feed(const CopyPlan& copy, std::uint32_t number) {
    if (!copy.bus->wire()) {
        feeds_.push_back({copy, number});
        program_.may_stop = program_.may_stop || copy.rows->at_end == AtEnd::halt;
        return;
    }
    if (copy.rows->at_end == AtEnd::halt)
        stop_if(fmt::format("{} >= {}ul", row_number(*copy.rows, 1), copy.rows->rows));
    write_row(copy, number, 0);
}

/// Writes the row that readers see `ahead` cycles from now into the slots.
void CycleKernelWriter::write_row(const CopyPlan& copy, std::uint32_t number, std::uint64_t ahead) {
    for_each_fed(copy, number, shown(copy, number, ahead),
                 [&](std::uint64_t offset, const Scalar& scalar, const std::string& value) {
                     write_slot(offset, scalar,
                                add_value(program_.routine.load(scalar.type, value, {}, elsewhere(),
                                                                scalar.name)));
                 });
}

/// Readers of a fed register use the row of their cycle directly; its slot is written only after
/// the last cycle, unless called kernels read it.
void CycleKernelWriter::feed_registers(const CopyPlan& copy, std::uint32_t number) {
    const bool halts = copy.rows->at_end == AtEnd::halt;
    if (halts)
        stop_if(fmt::format("{} >= {}ul", row_number(*copy.rows, 1), copy.rows->rows));
    for (std::uint64_t k = 0; k < copy.to.size(); ++k)
        if (program_.called_slots.contains(static_cast<std::uint64_t>(copy.to.at(k))))
            return write_row(copy, number, 1);
    if (halts)
        before_ += fmt::format("    if ({} >= {}ul) return 0;\n", row_number(*copy.rows, 0),
                               copy.rows->rows);
    for_each_fed(copy, number, shown(copy, number, 0),
                 [&](std::uint64_t offset, const Scalar& scalar, const std::string& value) {
                     inputs_[offset] = value;
                     after_ += fmt::format("    *({} *)(last + {}) = {};\n", slot_type(scalar.type),
                                           offset, value);
                 });
}

void CycleKernelWriter::offer(const CopyPlan& copy, std::uint32_t number) {
    const std::string base = program_.data.name(number, {Datum::Kind::moved});
    const std::string counts = program_.data.name(number, {Datum::Kind::next});
    const std::string next = fmt::format("_next{}_", number);
    offered_[copy.next] = next;
    before_ += fmt::format("    u64 {} = *(const u64 *){};\n", next, counts);
    after_ += fmt::format("    *(u64 *){} = {};\n", counts, next);
    const std::string row = fmt::format("{} + {} * {}ul", base, next, copy.rows->row_bytes);
    for_each_scalar(
        *copy.bus, copy.to, {0, 1}, [&](std::uint64_t, std::uint64_t offset, const Scalar& scalar) {
            if (scalar.is_mark)
                return; // the feeder does not write them either
            const std::string value = fmt::format("{} < {}ul ? {} : 0", next, copy.rows->rows,
                                                  at(scalar.type, row, scalar.offset));
            write_slot(
                offset, scalar,
                add_value(program_.routine.load(scalar.type, value, {}, elsewhere(), scalar.name)));
        });
}

/// Advances to the next row when the current one was accepted.
void CycleKernelWriter::take(const CopyPlan& copy, std::uint32_t number) {
    const auto found = offered_.find(copy.next);
    if (found == offered_.end()) {
        fit_ = false;
        return;
    }
    const std::string& next = found->second;
    const std::uint64_t rows = copy.rows->rows;
    const Id ready = read_slot(static_cast<std::uint64_t>(copy.from.at(0)),
                               {0, {1, false}, c_name(copy.bus->name) + "_ready", false});
    const auto& [every, offset] = copy.rows->rate;
    const std::string at_edge =
        every == 1 ? std::string{} : fmt::format("cycle % {}ul == {}ul && ", every, offset);
    const Id taken = add_value(program_.routine.load(
        {1, false}, fmt::format("{} < {}ul && {}$0 != 0", next, rows, at_edge), {ready},
        elsewhere(), fmt::format("_taken{}_", number)));
    if (copy.rows->at_end == AtEnd::halt)
        stop_if(fmt::format("$0 && {} == {}ul", next, rows - 1), {taken});
    std::string past = fmt::format("{} + 1", next);
    if (copy.rows->at_end == AtEnd::hold)
        past = fmt::format("({0} + 1 == {1}ul ? {0} : {0} + 1)", next, rows);
    else if (copy.rows->at_end == AtEnd::repeat)
        past = fmt::format("({0} + 1 == {1}ul ? 0 : {0} + 1)", next, rows);
    program_.add_effect(fmt::format("if ($0) {} = {};", next, past), {taken}, true);
}

} // namespace sme::native
