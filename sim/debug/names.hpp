// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "network/graph.hpp"

namespace sme::debug {

/// An instance of a family of processes.
struct ProcessPlace {
    std::uint32_t family;
    std::uint64_t instance;
    bool operator==(const ProcessPlace&) const = default;
};

/// "accumulator", "stage[1].fifo"; spaces do not count. Nothing when there is no such process.
std::optional<ProcessPlace> find_process(const Graph& graph, const std::string& written);

/// What a process is called by people; of what feeds an input or records an output, with its file.
std::string shown_name(const Graph& graph, const ProcessPlace& place);

/// Which processes have an output (or an input) that is this bus, at most `most`. Observers are
/// readers, too.
std::vector<ProcessPlace> users_of(const Graph& graph, std::uint64_t element, bool output,
                                   std::size_t most);

/// A memory of a process, or a part of one of its words.
struct MemoryPlace {
    ProcessPlace process;
    std::size_t memory;
    bool whole;         // all of its words, and no more is known
    std::size_t offset; // in the words of the instance
    TypeRef type;
};

/// "core.regs", "core.regs[3]", "core.regs[3].value".
std::optional<MemoryPlace> find_memory(const Graph& graph, const std::string& written);

/// All bus elements, or all states, whose names match a pattern, as `trace::Selection` has them; at
/// most `most`.
std::vector<std::uint64_t> elements_fitting(const Graph& graph, const std::string& pattern,
                                            bool states, std::size_t most);

/// Names that begin like this: of buses, states, memories and processes. At most `most`.
std::vector<std::string> names_beginning(const Graph& graph, const std::string& begin,
                                         std::size_t most);

} // namespace sme::debug
