// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "network/graph.hpp"
#include "trace/vcd/header.hpp"
#include "trace/view/rows.hpp"

namespace sme::trace {

/// The rows of a viewer for the trace of a network: the clock, then groups that follow the name
/// hierarchy. Signals have their names from `declare`. Fields written by a reader are next to the
/// fields of the writer: "a.ready" is in the group of "a".
std::vector<Row> rows_of(const Graph& graph, const Traced& traced);

} // namespace sme::trace
