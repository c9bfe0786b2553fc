// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "network/graph.hpp"

namespace sme::systemc {

/// A bus of a network, or a part of what travels on it.
struct Place {
    std::uint64_t element = 0; // the bus
    TypeRef type;
    std::size_t offset = 0; // from the begin of the slot

    /// Whether the two share a byte.
    bool overlaps(const Place& other) const {
        return element == other.element && offset < other.offset + other.type->size() &&
               other.offset < offset + type->size();
    }
};

/// Finds "total", "total.value", "token[3]" or "block.bytes[2]"; nothing when there is none.
std::optional<Place> find_place(const Graph& graph, const std::string& path);

} // namespace sme::systemc
