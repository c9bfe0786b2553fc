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

/// An instance of a family of processes.
struct ProcessPlace {
    std::uint32_t family;
    std::uint64_t instance;
    bool operator==(const ProcessPlace&) const = default;
};

/// A memory of a process, or a part of one of its words.
struct MemoryPlace {
    ProcessPlace process;
    std::size_t memory;
    bool whole;         // all of its words; the other members are unused
    std::size_t offset; // offset in the words of the instance
    TypeRef type;
};

/// Finds "total", "token[3]", "stage[1].fifo.level", their fields and array elements
/// ("total.value", "frame.data[2]"), and states of processes ("process.state"). `nullopt` if the
/// name does not exist.
std::optional<NamedValue> find_value(const Graph& graph, const std::string& name);

/// Finds "accumulator" or "stage[1].fifo". `nullopt` if there is no such process.
std::optional<ProcessPlace> find_process(const Graph& graph, const std::string& name);

/// Finds "core.regs", "core.regs[3]" or "core.regs[3].value".
std::optional<MemoryPlace> find_memory(const Graph& graph, const std::string& name);

/// As `find_value`, but throws NetworkError, with similar names, if the name does not exist.
NamedValue value_named(const Graph& graph, const std::string& name);

} // namespace sme
