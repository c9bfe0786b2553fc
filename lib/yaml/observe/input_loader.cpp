// SPDX-License-Identifier: Apache-2.0
#include "yaml/observe/observer_scope.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/data/input_row.hpp"
#include "yaml/data/vcd_rows.hpp"
#include "yaml/read/format.hpp"
#include "yaml/scope/domains.hpp"

namespace sme::yaml {

namespace {

std::shared_ptr<InputRows> rows_of(DataFile& file, const InputRow& shape, const Location& where,
                                   Diagnostics& diagnostics) {
    const BusFamily& bus = shape.bus();
    const DataColumns columns = shape.columns();
    const std::string needs = fmt::format("'{}' needs", shape.name());
    if (!settle_header(file, columns, needs, diagnostics))
        return nullptr;
    auto result = std::make_shared<InputRows>();
    result->row_bytes = bus.type->size() * bus.count;
    result->stream = shape.stream();
    std::vector<std::uint64_t> values;
    for (std::size_t r = 0; r < file.row_count(); ++r) {
        values.clear();
        if (!add_row(file, r, columns, needs, values, diagnostics))
            return nullptr;
        ++result->rows;
        shape.put(values, result->values);
    }
    if (result->rows == 0) {
        diagnostics.add(Code::data_shape, where,
                        fmt::format("'{}' has no rows", file.source->path()));
        return nullptr;
    }
    return result;
}

/// Returns true if rows can be offered on a bundle: it must report when a row is taken.
bool check_stream(const BusView& view, bool single, const Location& where,
                  Diagnostics& diagnostics) {
    const auto has = [&](const char* name, bool back) {
        const int field = view.type->find_field(name);
        if (field < 0)
            return false;
        const Field& found = view.type->fields()[static_cast<std::size_t>(field)];
        return found.back == back && found.type->kind() == TypeKind::boolean;
    };
    if (single && has("valid", false) && has("ready", true))
        return true;
    diagnostics.add(Code::bad_bundle, where,
                    fmt::format("'{}' is {}; rows are offered on a single bus with 'valid: bool' "
                                "and 'back ready: bool'",
                                view.name, view.type->name()));
    return false;
}

BusFamily& family_holding(Graph& graph, std::uint64_t element) {
    const auto place = &graph.family_of(element) - graph.buses.data();
    return graph.buses[static_cast<std::size_t>(place)];
}

void add_outputs(const BusFamily& bus, const Location& where, ProcessFamily& feeder) {
    Part& part = feeder.parts.front();
    for (std::uint64_t k = 0; k < bus.count; ++k) {
        Port port;
        port.name = bus.shape.element_name(bus.name, k);
        port.output = true;
        port.type = bus.type;
        port.declared = where;
        port.buses.append(static_cast<std::int64_t>(bus.first + k));
        part.writes.push_back({static_cast<std::uint32_t>(feeder.ports.size())});
        feeder.ports.push_back(std::move(port));
    }
}

/// Returns the process that writes rows to a family of buses.
ProcessFamily feeder_of(const BusFamily& bus, const Location& where) {
    ProcessFamily feeder;
    feeder.name = "input " + bus.name;
    feeder.declared = where;
    feeder.helper = feeder.input = true;
    feeder.parts.emplace_back().may_fault = false;
    add_outputs(bus, where, feeder);
    return feeder;
}

/// Adds a second part that reads the bundle's 'ready' after it has settled.
void add_ready(const BusView& view, std::uint64_t place, ProcessFamily& feeder) {
    for (const BusView& back : view.reverse_fields)
        if (back.field == "ready") {
            Port port;
            port.name = back.name;
            port.type = back.type;
            port.declared = feeder.declared;
            port.buses.append(static_cast<std::int64_t>(back.element(0, place)));
            Part part;
            part.may_fault = false;
            part.shares_state = true; // both need the number of the offered row
            part.reads.push_back({static_cast<std::uint32_t>(feeder.ports.size())});
            feeder.ports.push_back(std::move(port));
            feeder.parts.push_back(std::move(part));
        }
}

/// Sets an enumeration to the position of a word in its list.
template <class Enumeration>
void take_word(const std::optional<Word>& word, std::span<const std::string_view> words,
               Enumeration& into) {
    if (word)
        into = static_cast<Enumeration>(std::find(words.begin(), words.end(), word->text) -
                                        words.begin());
}

/// Reads the rows of a file of any kind.
std::shared_ptr<InputRows> read_rows(const InputSyntax& asked, const InputRow& row,
                                     const ClockDomain* domain, Context& context) {
    const Location& where = asked.file.where;
    const auto found = context.initials.path_to_read(asked.file.text, where);
    if (!found)
        return nullptr;
    const std::string& path = *found;
    const std::uint64_t count = row.bus().count;
    if (path.ends_with(".vcd") || path.ends_with(".fst")) {
        VcdInput vcd;
        vcd.path = path;
        vcd.where = where;
        vcd.signal = asked.signal;
        vcd.clock = asked.clock;
        vcd.domain = domain;
        take_word(asked.edge, format::edge, vcd.edge);
        take_word(asked.sample, format::sample, vcd.sample);
        take_word(asked.unknown, format::unknown, vcd.unknown);
        auto rows = rows_of_vcd(vcd, row, context.diagnostics);
        if (rows && !rows->clock_taken.empty())
            context.design.notes.push_back(fmt::format(
                "'{}' marks no clock: '{}' is taken for '{}'; write clock: to name another", path,
                rows->clock_taken, row.name()));
        return rows && context.spend(rows->rows * row.scalars().size() + count * 500, where)
                   ? rows
                   : nullptr;
    }
    for (const auto* word :
         {&asked.signal, &asked.clock, &asked.edge, &asked.sample, &asked.unknown})
        if (*word) {
            context.diagnostics.add(Code::bad_option, (*word)->where,
                                    fmt::format("'signal', 'clock', 'edge', 'sample' and "
                                                "'unknown' are for files that end in .vcd or .fst, "
                                                "but this is '{}'",
                                                path));
            return nullptr;
        }
    auto data = read_data(path, where, context.diagnostics);
    if (!data || !context.spend(20 * data->values.size() + count * 500, where))
        return nullptr;
    return rows_of(*data, row, where, context.diagnostics);
}

/// Returns the rows of an input whose values are given from some cycles on.
std::shared_ptr<InputRows> rows_of_changes(const InputSyntax& asked, const InputRow& row,
                                           Context& context) {
    const BusFamily& bus = row.bus();
    if (row.stream()) {
        context.diagnostics.add(Code::bad_bundle, asked.bus.where,
                                fmt::format("'{}' is a stream, whose rows come from a file: each "
                                            "waits until it is taken",
                                            row.name()));
        return nullptr;
    }
    auto result = std::make_shared<InputRows>();
    const std::size_t each = bus.type->size();
    result->row_bytes = each * bus.count;
    for (const ChangeSyntax& change : asked.changes) {
        Constants constants{context.scope, context.diagnostics};
        const auto cycle = constants.elaborator().constant(*change.cycle, "a cycle");
        const auto values = context.initials.slots(*change.value.ast, bus.type, bus.shape,
                                                   fmt::format("'{}'", row.name()));
        if (!cycle || !values)
            return nullptr;
        const Integer least = result->rows == 0 ? 0 : Integer{result->starts.back()} + 1;
        if (*cycle < least || *cycle > Integer{1} << 62) {
            context.diagnostics.add(
                Code::bad_check, change.cycle->where,
                fmt::format("the cycles of an input ascend, from 0 to 2^62; this is {}, but must "
                            "be at least {}",
                            to_string(*cycle), to_string(least)));
            return nullptr;
        }
        if (result->rows == 0 && *cycle > 0) { // zero until then
            result->starts.push_back(0);
            result->values.resize(result->row_bytes);
            ++result->rows;
        }
        result->starts.push_back(static_cast<std::uint64_t>(*cycle));
        ++result->rows;
        for (std::uint64_t k = 0; k < (values->size() == each ? bus.count : 1); ++k)
            result->values.insert(result->values.end(), values->begin(), values->end());
    }
    return result;
}

/// Returns the position of the member that an input names; `nullopt` after an error was reported.
std::optional<std::uint64_t> place_of_member(const InputSyntax& asked, const BusView& view,
                                             Context& context) {
    const expr::Ast& element = *asked.element;
    const std::size_t indices = element.operands.size() - 1;
    const std::vector<Shape::Dimension>& dimensions = view.shape.dimensions;
    if (indices != dimensions.size()) {
        context.diagnostics.add(Code::bad_index, asked.bus.where,
                                fmt::format("'{}' has {} dimension{}, but this has {} ind{}",
                                            view.name, dimensions.size(),
                                            dimensions.size() == 1 ? "" : "s", indices,
                                            indices == 1 ? "ex" : "ices"));
        return std::nullopt;
    }
    std::uint64_t place = 0;
    for (std::size_t d = 0; d < indices; ++d) {
        const expr::Ast& written = *element.operands[d + 1];
        Constants constants{context.scope, context.diagnostics};
        const auto index = constants.elaborator().constant(written, "an index");
        if (!index)
            return std::nullopt;
        const Integer at = *index - dimensions[d].low;
        if (at < 0 || at >= static_cast<Integer>(dimensions[d].count)) {
            context.diagnostics.add(
                Code::bad_index, written.where,
                fmt::format("'{}' has the members {} to {}, but this is {}", view.name,
                            dimensions[d].low,
                            dimensions[d].low + static_cast<std::int64_t>(dimensions[d].count) - 1,
                            to_string(*index)));
            return std::nullopt;
        }
        place = place * dimensions[d].count + static_cast<std::uint64_t>(at);
    }
    return place;
}

/// Returns a member of a family as a separate bus.
BusFamily member_of(const BusFamily& bus, std::uint64_t element) {
    BusFamily one = bus;
    one.name = bus.element_name(element);
    one.shape = {};
    one.initial.clear();
    one.first = element;
    one.count = 1;
    return one;
}

/// Sets the values that readers see in cycle 0.
void begin_with(const InputRows& rows, const BusFamily& fed, BusFamily& bus) {
    const auto end = rows.values.begin() + static_cast<std::ptrdiff_t>(rows.row_bytes);
    const std::size_t all = bus.count * bus.type->size();
    if (rows.row_bytes == all) {
        bus.initial.assign(rows.values.begin(), end);
        bus.has_initial = true;
        return;
    }
    bus.initial.resize(all); // zero for members written by other processes
    std::copy(rows.values.begin(), end,
              bus.initial.begin() +
                  static_cast<std::ptrdiff_t>((fed.first - bus.first) * bus.type->size()));
}

/// Adds a bus to the random inputs of the domain that reads it.
void add_random(const BusFamily& fed, const BusView& view, std::uint64_t place,
                const Location& where, Context& context) {
    Design& design = context.design;
    Graph& graph = design.graph;
    const std::uint32_t domain = domain_of_readers(graph, fed.first);
    std::vector<RandomInputs>& all = design.random_inputs;
    auto same = std::find_if(all.begin(), all.end(),
                             [&](const RandomInputs& each) { return each.domain == domain; });
    if (same == all.end()) {
        same = all.insert(all.end(), {graph.processes.size(), domain});
        graph.processes.push_back(feeder_of(fed, where));
    } else {
        ProcessFamily& feeder = graph.processes[same->family];
        feeder.name += ", " + fed.name;
        add_outputs(fed, where, feeder);
    }
    const int valid = view.type->find_field("valid");
    for (const BusView& back : view.reverse_fields)
        if (back.field == "ready" && valid >= 0)
            for (std::uint64_t k = 0; k < fed.count; ++k)
                same->streams.push_back(
                    {fed.first + k, view.type->fields()[static_cast<std::size_t>(valid)].offset,
                     back.element(0, place + k), static_cast<bool>(fed.channel)});
    design.has_random = true;
}

/// Adds the process that feeds a bus, or the member `fed` of its family, with given rows.
void add_rows(const InputSyntax& asked, const BusFamily& fed, const BusView& view,
              std::uint64_t place, BusFamily& bus, Context& context) {
    Graph& graph = context.design.graph;
    const Location& where = asked.bus.where;
    const std::uint32_t domain = domain_of_readers(graph, fed.first);
    const std::string& called = fed.channel ? graph.channels[fed.channel.channel].name : fed.name;
    const InputRow row{fed, called, view.type->is_bundle()};
    const ClockDomain* const clock =
        domain < graph.domains.size() ? &graph.domains[domain] : nullptr;
    const bool changes = !asked.changes.empty();
    const auto rows =
        changes ? rows_of_changes(asked, row, context) : read_rows(asked, row, clock, context);
    if (!rows)
        return;
    // the last row of a stream is still in transit when it is taken
    rows->at_end = rows->stream ? AtEnd::zero : changes ? AtEnd::hold : AtEnd::halt;
    take_word(asked.at_end, format::at_end, rows->at_end);
    context.design.ends_by_itself = context.design.ends_by_itself || rows->at_end == AtEnd::halt;
    if (!bus.wire())
        begin_with(*rows, fed, bus);
    rows->rate = steps_in(domain, context);
    ProcessFamily feeder = feeder_of(fed, where);
    for (Port& port : feeder.ports)
        port.domain = domain;
    feeder.file = asked.file.text;
    if (view.type->is_bundle())
        add_ready(view, place, feeder);
    feeder.kind = context.kinds.input(rows);
    graph.processes.push_back(std::move(feeder));
}

/// Adds the process that writes zero, or offers nothing, on an open input.
void add_idle(const BusFamily& bus, const Location& where, Context& context) {
    auto rows = std::make_shared<InputRows>();
    rows->row_bytes = bus.type->size() * bus.count;
    rows->values.resize(rows->row_bytes);
    rows->rows = 1;
    rows->at_end = AtEnd::hold;
    Graph& graph = context.design.graph;
    const std::uint32_t domain = domain_of_readers(graph, bus.first);
    rows->rate = steps_in(domain, context);
    ProcessFamily feeder = feeder_of(bus, where);
    for (Port& port : feeder.ports)
        port.domain = domain;
    feeder.kind = context.kinds.input(std::move(rows));
    graph.processes.push_back(std::move(feeder));
}

/// Leaves a bus to be fed from outside the network.
void open(const InputSyntax& asked, BusFamily& bus, Context& context) {
    const Location& where = asked.bus.where;
    if (asked.element || context.loading.options.untimed) {
        context.diagnostics.add(
            asked.element ? Code::bad_index : Code::bad_option, where,
            asked.element
                ? fmt::format("all members of a family are open, or none; write '{}: open'",
                              asked.bus.text)
                : "open inputs have a value in each cycle of a clock; a run without one takes "
                  "messages from a file");
        return;
    }
    bus.open = true;
    context.design.open_inputs.push_back({asked.key, where});
    if (!context.loading.options.sets_open_inputs)
        return add_idle(bus, where, context);
    bus.input = true;
    if (!bus.wire())
        bus.unwritten = Unwritten::hold;
}

void load_input(const InputSyntax& asked, Context& context) {
    const auto& [name, where] = asked.bus;
    Diagnostics& diagnostics = context.diagnostics;
    const auto found = context.buses.find(name);
    if (context.broken.count(name))
        return; // already reported at the declaration
    if (found == context.buses.end()) {
        std::vector<std::string> names;
        for (const auto& [each, view] : context.buses)
            names.push_back(each);
        diagnostics.add(
            Code::unknown_name, where,
            fmt::format("there is no bus '{}' to feed{}", name, did_you_mean(name, names)));
        return;
    }
    if (asked.driven || context.loading.options.drives(name))
        return; // by the caller
    const BusView& view = found->second;
    const bool single = view.shape.dimensions.empty() || asked.element;
    if (asked.random && context.loading.options.untimed) {
        diagnostics.add(Code::bad_option, asked.file.where,
                        "random inputs change in each cycle of a clock; a run without one takes "
                        "messages from a file");
        return;
    }
    if (view.type->is_bundle() && !asked.random && !asked.open &&
        !check_stream(view, single, where, diagnostics))
        return;
    const std::optional<std::uint64_t> place =
        asked.element ? place_of_member(asked, view, context) : 0;
    if (!place)
        return;
    Graph& graph = context.design.graph;
    BusFamily& bus = family_holding(graph, view.element(0, *place));
    if (bus.delay > 1 || bus.has_initial) {
        diagnostics.add(Code::bad_delay, where,
                        fmt::format("'{}' is an input, whose row r is read in cycle r; it has "
                                    "neither a delay of its own nor an initial value",
                                    bus.name));
        return;
    }
    if (asked.element && bus.unwritten == Unwritten::error && !bus.wire()) {
        diagnostics.add(Code::bad_delay, where,
                        fmt::format("'{}' says 'error', so all of its members are fed from one "
                                    "file, or none",
                                    bus.name));
        return;
    }
    if (asked.open)
        return open(asked, bus, context);
    const BusFamily fed = asked.element ? member_of(bus, view.element(0, *place)) : bus;
    if (asked.random) {
        add_random(fed, view, *place, where, context);
        return;
    }
    add_rows(asked, fed, view, *place, bus, context);
}

} // namespace

void load_inputs(const std::vector<InputSyntax>& section, Context& context) {
    for (const InputSyntax& input : section)
        load_input(input, context);
}

} // namespace sme::yaml
