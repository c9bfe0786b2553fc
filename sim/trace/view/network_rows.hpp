// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "network/graph.hpp"
#include "trace/vcd/header.hpp"
#include "trace/view/rows.hpp"

namespace sme::trace {

/// What a viewer shows of the trace of a network: the clock, then groups as in the hierarchy of
/// names. The signals are called what `declare` calls them. The fields that a reader writes
/// stand beside those of the writer: "a.ready" in the group of "a".
std::vector<Row> rows_of(const Graph& graph, const Traced& traced);

} // namespace sme::trace
