// SPDX-License-Identifier: Apache-2.0
#include "yaml/input_loader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "yaml/data_columns.hpp"
#include "yaml/keys.hpp"

namespace sme::yaml {

namespace {

/// The scalars that a row gives: of a stream all but 'valid', which is true for every row.
std::vector<Leaf> given_leaves(const BusFamily& bus, bool stream) {
    std::vector<Leaf> leaves = bus.type->leaves();
    if (stream)
        std::erase_if(leaves, [](const Leaf& leaf) { return leaf.path == ".valid"; });
    return leaves;
}

/// What a row gives: fields, with the element before them where there are several.
DataColumns columns_of(const BusFamily& bus, bool stream) {
    DataColumns columns;
    for (std::uint64_t element = 0; element < bus.count; ++element) {
        const std::string prefix =
            bus.shape.dimensions.empty() ? std::string{} : bus.shape.element_name("", element);
        for (const Leaf& scalar : bus.type->scalars())
            if (!stream || scalar.path != ".valid")
                columns.add(scalar, prefix, bus.name);
    }
    return columns;
}

/// Appends the slots of a row.
void put_row(const BusFamily& bus, const std::vector<Leaf>& given,
             const std::vector<std::uint64_t>& values, std::vector<std::byte>& slots) {
    const std::uint64_t* next = values.data();
    std::vector<std::uint64_t> all;
    for (std::uint64_t element = 0; element < bus.count; ++element) {
        all.clear();
        for (const Leaf& leaf : bus.type->leaves()) {
            const auto same = [&](const Leaf& each) { return each.offset == leaf.offset; };
            all.push_back(std::any_of(given.begin(), given.end(), same) ? *next++ : 1);
        }
        put_leaves(*bus.type, all.data(), slots);
    }
}

std::shared_ptr<InputRows> rows_of(DataFile& file, const BusFamily& bus, bool stream,
                                   const Location& where, Diagnostics& diagnostics) {
    const DataColumns columns = columns_of(bus, stream);
    if (!settle_header(file, columns)) {
        diagnostics.add(Code::data_shape, where,
                        fmt::format("'{}' has the columns '{}', but '{}' needs '{}'",
                                    file.source->path(), fmt::join(file.columns, ","), bus.name,
                                    fmt::join(columns.names, ",")));
        return nullptr;
    }
    const std::vector<Leaf> leaves = given_leaves(bus, stream);
    auto made = std::make_shared<InputRows>();
    made->row_bytes = bus.type->size() * bus.count;
    made->stream = stream;
    std::vector<std::uint64_t> values;
    for (std::size_t r = 0; r < file.row_count(); ++r) {
        const std::span<const DataValue> row = file.row(r);
        if (row.size() != columns.types.size()) {
            diagnostics.add(Code::data_shape, file.at(row[0]),
                            fmt::format("this row has {} values, but '{}' needs {}", row.size(),
                                        bus.name, columns.types.size()));
            return nullptr;
        }
        values.clear();
        for (std::size_t k = 0; k < row.size(); ++k)
            if (!add_leaves(file, row[k], *columns.types[k], values, diagnostics))
                return nullptr;
        ++made->rows;
        put_row(bus, leaves, values, made->values);
    }
    if (made->rows == 0) {
        diagnostics.add(Code::data_shape, where,
                        fmt::format("'{}' has no rows", file.source->path()));
        return nullptr;
    }
    return made;
}

/// Whether rows can be offered on a bundle: one that says when they are taken.
bool check_stream(const BusView& view, const Location& where, Diagnostics& diagnostics) {
    const auto has = [&](const char* name, bool back) {
        const int field = view.type->find_field(name);
        if (field < 0)
            return false;
        const Field& found = view.type->fields()[static_cast<std::size_t>(field)];
        return found.back == back && found.type->kind() == TypeKind::boolean;
    };
    if (view.shape.dimensions.empty() && has("valid", false) && has("ready", true))
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

/// The process that writes rows to a family of buses.
ProcessFamily feeder_of(const BusFamily& bus, const Location& where) {
    ProcessFamily feeder;
    feeder.name = "input " + bus.name;
    feeder.declared = where;
    feeder.helper = true;
    Part part;
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
    part.may_fault = false;
    feeder.parts.push_back(std::move(part));
    return feeder;
}

/// A second part that looks at the bundle's 'ready' once it has settled.
void add_ready(const BusView& view, ProcessFamily& feeder) {
    for (const BusView& back : view.backs)
        if (back.name == view.name + ".ready") {
            Port port;
            port.name = back.name;
            port.type = back.type;
            port.declared = feeder.declared;
            port.buses.append(static_cast<std::int64_t>(back.element(0, 0)));
            Part part;
            part.may_fault = false;
            part.shares_state = true; // which row is offered
            part.reads.push_back({static_cast<std::uint32_t>(feeder.ports.size())});
            feeder.ports.push_back(std::move(port));
            feeder.parts.push_back(std::move(part));
        }
}

bool read_at_end(const Node& node, AtEnd& at_end, Diagnostics& diagnostics) {
    static const std::map<std::string, AtEnd> words{{"halt", AtEnd::halt},
                                                    {"zero", AtEnd::zero},
                                                    {"hold", AtEnd::hold},
                                                    {"repeat", AtEnd::repeat}};
    const auto found = node.is_text() ? words.find(node.text.text) : words.end();
    if (found == words.end()) {
        diagnostics.add(Code::bad_option, node.where, "at_end is halt, zero, hold or repeat");
        return false;
    }
    at_end = found->second;
    return true;
}

void load_input(const Node& key, const Node& value, Context& context) {
    Diagnostics& diagnostics = context.diagnostics;
    const auto found = context.buses.find(key.text.text);
    if (context.broken.count(key.text.text))
        return; // reported where it is declared
    if (found == context.buses.end()) {
        std::vector<std::string> names;
        for (const auto& [name, view] : context.buses)
            names.push_back(name);
        diagnostics.add(Code::unknown_name, key.where,
                        fmt::format("there is no bus '{}' to feed{}", key.text.text,
                                    did_you_mean(key.text.text, names)));
        return;
    }
    const BusView& view = found->second;
    const Node* file = &value;
    AtEnd at_end = AtEnd::halt;
    if (value.is_map()) {
        check_keys(value, format::input, "an input", diagnostics);
        file = value.find("file");
        const Node* end = value.find("at_end");
        if (end && !read_at_end(*end, at_end, diagnostics))
            return;
    }
    if (!file || !file->is_text())
        return wrong_shape(value, "the name of a file, or {file: name, at_end: zero}", diagnostics);
    if (view.type->is_bundle() && !check_stream(view, key.where, diagnostics))
        return;
    Graph& graph = context.design.graph;
    BusFamily& bus = family_holding(graph, view.element(0, 0));
    if (bus.delay > 1 || bus.has_initial) {
        diagnostics.add(Code::bad_delay, key.where,
                        fmt::format("'{}' is fed from a file, whose row r is read in cycle r; it "
                                    "has neither a delay of its own nor an initial value",
                                    bus.name));
        return;
    }
    auto data = read_data(context.initials.path_of(file->text.text), file->where, diagnostics);
    if (!data || !context.spend(20 * data->values.size() + bus.count * 500, file->where))
        return;
    const auto rows = rows_of(*data, bus, view.type->is_bundle(), file->where, diagnostics);
    if (!rows)
        return;
    rows->at_end = at_end;
    context.design.ends_by_itself = context.design.ends_by_itself || at_end == AtEnd::halt;
    if (!bus.wire()) { // what readers see in cycle 0
        bus.initial.assign(rows->values.begin(),
                           rows->values.begin() + static_cast<std::ptrdiff_t>(rows->row_bytes));
        bus.has_initial = true;
    }
    ProcessFamily feeder = feeder_of(bus, key.where);
    feeder.file = file->text.text;
    if (view.type->is_bundle())
        add_ready(view, feeder);
    feeder.kind = context.kinds.input(rows);
    graph.processes.push_back(std::move(feeder));
}

} // namespace

void load_inputs(const Node& section, Context& context) {
    if (!is_map_or_empty(section, "a map of buses and files", context.diagnostics))
        return;
    for (const auto& [key, value] : section.entries)
        load_input(key, value, context);
}

} // namespace sme::yaml
