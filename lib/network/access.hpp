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

/// For parts that add processes of their own kind to a network written in C++.
class NetworkAccess {
public:
    static Graph& graph(Network& network);
    /// Families that such parts added, by a text of theirs: their places in `Graph::processes`.
    static std::map<std::string, std::uint32_t>& families(Network& network);
    /// Adds an instance to such a family, with a bus for each of its ports; its place in it. Throws
    /// NetworkError for a bus of another network.
    static std::uint64_t add_instance(Network& network, std::uint32_t family, const Name& name,
                                      const std::vector<std::uint64_t>& buses);
    /// The bus that always reads as these bytes of a C++ type: one for all that are the same.
    static std::uint64_t add_constant(Network& network, const Name& name, std::type_index key,
                                      TypeRef type, std::vector<std::byte> value);
};

/// Where the call stands that gave the name.
Location location_of(const Name& name);

} // namespace sme
