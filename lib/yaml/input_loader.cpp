// SPDX-License-Identifier: Apache-2.0
#include "yaml/input_loader.hpp"

#include <fmt/format.h>

#include "yaml/data_file.hpp"
#include "yaml/keys.hpp"

namespace sme::yaml {

namespace {

/// The header that a file for a family of buses may have: field names, with the element before
/// them where there are several.
std::vector<std::string> columns_of(const BusFamily& bus) {
    std::vector<std::string> columns;
    for (std::uint64_t element = 0; element < bus.count; ++element) {
        const std::string prefix =
            bus.shape.dimensions.empty() ? std::string{} : bus.shape.element_name("", element);
        for (const Leaf& leaf : bus.type->leaves()) {
            std::string name = prefix + leaf.path;
            if (name.starts_with('.'))
                name.erase(0, 1);
            columns.push_back(name.empty() ? bus.name : name);
        }
    }
    return columns;
}

std::shared_ptr<InputRows> rows_of(const DataFile& file, const BusFamily& bus,
                                   const Location& where, Diagnostics& diagnostics) {
    const std::vector<std::string> columns = columns_of(bus);
    const bool single = columns.size() == 1;
    if (!file.columns.empty() && !single && file.columns != columns) {
        diagnostics.add(Code::data_shape, where,
                        fmt::format("'{}' has the columns '{}', but '{}' needs '{}'",
                                    file.source->path(), fmt::join(file.columns, ","), bus.name,
                                    fmt::join(columns, ",")));
        return nullptr;
    }
    const std::vector<Leaf> leaves = bus.type->leaves();
    auto made = std::make_shared<InputRows>();
    made->row_bytes = bus.type->size() * bus.count;
    std::vector<std::uint64_t> values(columns.size());
    for (std::size_t r = 0; r < file.row_count(); ++r) {
        const std::span<const DataValue> row = file.row(r);
        if (row.size() != columns.size()) {
            diagnostics.add(Code::data_shape, file.at(row[0]),
                            fmt::format("this row has {} values, but '{}' needs {}", row.size(),
                                        bus.name, columns.size()));
            return nullptr;
        }
        for (std::size_t k = 0; k < row.size(); ++k) {
            const Type& type = *leaves[k % leaves.size()].type;
            const auto width = static_cast<unsigned>(type.width_bits());
            if (row[k].value < smallest(width, type.is_signed()) ||
                row[k].value > largest(width, type.is_signed())) {
                diagnostics.add(Code::data_range, file.at(row[k]),
                                fmt::format("{} does not fit {} ({} to {})",
                                            to_string(row[k].value), type.name(),
                                            to_string(smallest(width, type.is_signed())),
                                            to_string(largest(width, type.is_signed()))));
                return nullptr;
            }
            values[k] = static_cast<std::uint64_t>(row[k].value);
        }
        ++made->rows;
        for (std::uint64_t element = 0; element < bus.count; ++element)
            put_leaves(*bus.type, values.data() + element * leaves.size(), made->values);
    }
    if (made->rows == 0) {
        diagnostics.add(Code::data_shape, where,
                        fmt::format("'{}' has no rows", file.source->path()));
        return nullptr;
    }
    return made;
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
    if (context.broken_buses.count(key.text.text))
        return; // reported where it is declared
    if (found == context.buses.end()) {
        std::vector<std::string> names;
        for (const auto& [name, place] : context.buses)
            names.push_back(name);
        diagnostics.add(Code::unknown_name, key.where,
                        fmt::format("there is no bus '{}' to feed{}", key.text.text,
                                    did_you_mean(key.text.text, names)));
        return;
    }
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
    BusFamily& bus = context.design.graph.buses[found->second];
    if (bus.delay > 1 || bus.has_initial) {
        diagnostics.add(Code::bad_delay, key.where,
                        fmt::format("'{}' is fed from a file, whose row r is read in cycle r; it "
                                    "has neither a delay of its own nor an initial value",
                                    bus.name));
        return;
    }
    const auto data =
        read_data(context.initials.path_of(file->text.text), file->where, diagnostics);
    if (!data)
        return;
    if (!context.spend(20 * data->values.size() + bus.count * 500, file->where))
        return;
    const auto rows = rows_of(*data, bus, file->where, diagnostics);
    if (!rows)
        return;
    rows->at_end = at_end;
    context.design.ends_by_itself = context.design.ends_by_itself || at_end == AtEnd::halt;
    if (!bus.wire()) { // what readers see in cycle 0
        bus.initial.assign(rows->values.begin(),
                           rows->values.begin() + static_cast<std::ptrdiff_t>(rows->row_bytes));
        bus.has_initial = true;
    }
    ProcessFamily feeder;
    feeder.name = "input " + bus.name;
    feeder.file = file->text.text;
    feeder.declared = key.where;
    Part part;
    for (std::uint64_t k = 0; k < bus.count; ++k) {
        Port port;
        port.name = bus.shape.element_name(bus.name, k);
        port.output = true;
        port.type = bus.type;
        port.declared = key.where;
        port.buses.append(static_cast<std::int64_t>(bus.first + k));
        part.writes.push_back({static_cast<std::uint32_t>(feeder.ports.size())});
        feeder.ports.push_back(std::move(port));
    }
    feeder.parts.push_back(std::move(part));
    feeder.kind = context.kinds.input(rows);
    feeder.helper = true;
    context.design.graph.processes.push_back(std::move(feeder));
}

} // namespace

void load_inputs(const Node& section, Context& context) {
    if (!is_map_or_empty(section, "a map of buses and files", context.diagnostics))
        return;
    for (const auto& [key, value] : section.entries)
        load_input(key, value, context);
}

} // namespace sme::yaml
