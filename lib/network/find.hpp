// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "network/graph.hpp"

namespace sme {

/// The value with a given name: a bus, or a part of its value.
struct NamedValue {
    std::uint64_t element = 0; // the bus: its element number in the graph
    TypeRef type;
    std::size_t offset = 0; // bytes from the start of the slot

    /// Returns whether the two share a byte.
    bool overlaps(const NamedValue& other) const {
        return element == other.element && offset < other.offset + other.type->size() &&
               other.offset < offset + type->size();
    }
};

/// Finds "total", "token[3]", "stage[1].fifo.level", their fields and array elements
/// ("total.value", "frame.data[2]"), and states of processes ("process.state"). `nullopt` if the
/// name does not exist.
std::optional<NamedValue> find_value(const Graph& graph, const std::string& name);

/// The same, but throws NetworkError, with similar names, if the name does not exist.
NamedValue value_named(const Graph& graph, const std::string& name);

} // namespace sme
