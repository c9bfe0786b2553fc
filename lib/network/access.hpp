// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <typeindex>
#include <vector>

#include "network/graph.hpp"

namespace sme {

/// For parts that add their own kinds of processes to a network described in C++.
class NetworkAccess {
public:
    static Graph& graph(Network& network);
    /// Returns the families that such parts added: their positions in `Graph::processes`, by a text
    /// that the part chooses.
    static std::map<std::string, std::uint32_t>& families(Network& network);
    /// Adds an instance to such a family, with a bus for each of its ports, and returns its
    /// position in the family. Throws NetworkError for a bus of another network.
    static std::uint64_t add_instance(Network& network, std::uint32_t family, const Name& name,
                                      const std::vector<std::uint64_t>& buses);
    /// Returns the bus that always reads as these bytes of a C++ type; equal constants share one
    /// bus.
    static std::uint64_t add_constant(Network& network, const Name& name, std::type_index key,
                                      TypeRef type, std::vector<std::byte> value);
};

/// Returns the location of the call that passed the name.
Location location_of(const Name& name);

} // namespace sme
