// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "export/export.hpp"
#include "network/graph.hpp"

namespace sme::hdl {

/// Bits of the written hardware: of a vector, or of one word of a memory.
struct HardwareBits {
    std::string signal; // in Verilog, below the top module: "total", "core[2].unit.sum"
    std::optional<std::uint64_t> word; // of a memory
    std::uint64_t low = 0;
    std::uint64_t width = 0;
    bool operator==(const HardwareBits&) const = default;
};

/// The names of a network's buses and states in its written hardware, in both directions.
class HardwareNames {
public:
    /// Both arguments must outlive it.
    HardwareNames(const Graph& graph, const Exported& exported);

    /// Returns the bits that carry a value of the network, such as "core[2].regs[3].field"; of a
    /// struct whose fields are separate vectors, several. Empty if it does not exist, or if the
    /// hardware omits it because nothing reads it.
    std::vector<HardwareBits> find(const std::string& path) const;

    /// Returns the scalar of the network that a bit carries. `nullopt` if it carries none.
    std::optional<std::string> path_of(const std::string& signal, std::uint64_t bit,
                                       std::optional<std::uint64_t> word = {}) const;

    /// Returns all vectors and memories as JSON; see hdl/export/README.md. `in_vhdl` translates
    /// their names; null: without VHDL names.
    std::string json(const std::function<std::string(const std::string&)>& in_vhdl = {}) const;

private:
    struct Carrier { // of an element of a bus
        const Watched* vector;
        const Watched::Part* part;
        std::uint64_t low;
    };
    void add(const Watched& watched);
    TypeRef type_of(const Watched::Part& part) const;
    std::string name_of(const Watched::Part& part) const;
    const Memory& memory_of(const WatchedMemory& memory) const {
        return graph_.processes[memory.process].memories[memory.memory];
    }
    std::string word_name(const WatchedMemory& memory, std::uint64_t word) const;

    const Graph& graph_;
    const Exported& exported_;
    std::multimap<std::uint64_t, Carrier> carriers_; // by element
    std::map<std::string, const Watched*> vectors_;  // by signal
};

} // namespace sme::hdl
