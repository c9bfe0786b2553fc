// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expr/process/observe.hpp"
#include "network/find.hpp"
#include "network/graph.hpp"
#include "sme/internal/group.hpp"

namespace sme::debug {

/// The value of an expression in the last cycle.
struct ProbeValue {
    TypeRef type;
    std::vector<std::byte> slot; // laid out as on a bus of the type; empty without a value
    std::string problem;         // why there is no value

    bool is_true() const { return slot.size() == 1 && slot[0] != std::byte{0}; }
};

/// Creates the observer that evaluates a probe into `value`, which must outlive it.
std::shared_ptr<const GroupFactory> probe_factory(std::shared_ptr<const expr::Probe> probe,
                                                  ProbeValue& value);

/// The name of a process for users; for an input or recorded output, includes its file.
std::string shown_name(const Graph& graph, const ProcessPlace& place);

/// The processes that have this bus as an output (or an input), at most `most`. Observers count as
/// readers.
std::vector<ProcessPlace> users_of(const Graph& graph, std::uint64_t element, bool output,
                                   std::size_t most);

/// All bus elements, or all states, that a pattern of a `trace::Selection` matches; at most `most`.
std::vector<std::uint64_t> elements_fitting(const Graph& graph, const std::string& pattern,
                                            bool states, std::size_t most);

/// Names with this prefix, of buses, states, memories and processes; at most `most`.
std::vector<std::string> names_beginning(const Graph& graph, const std::string& begin,
                                         std::size_t most);

} // namespace sme::debug
