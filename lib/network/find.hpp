// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "network/graph.hpp"

namespace sme {

/// The value that a name stands for: on a bus, or a part of what travels on it.
struct NamedValue {
    std::uint64_t element = 0; // the bus: its number in the graph
    TypeRef type;
    std::size_t offset = 0; // bytes from the begin of the slot

    /// Whether the two share a byte.
    bool overlaps(const NamedValue& other) const {
        return element == other.element && offset < other.offset + other.type->size() &&
               other.offset < offset + type->size();
    }
};

/// Finds "total", "token[3]", "stage[1].fifo.level", and fields and array elements of these:
/// "total.value", "frame.data[2]"; states of processes as "process.state". Nothing when nothing has
/// that name.
std::optional<NamedValue> find_value(const Graph& graph, const std::string& name);

/// The same, but throws NetworkError, with near names, when nothing has that name.
NamedValue value_named(const Graph& graph, const std::string& name);

} // namespace sme
