// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"
#include "export/export.hpp"
#include "expr/process/hierarchy.hpp"
#include "network/graph.hpp"

namespace sme::cli {

/// Finds the parameters of a network that can stay parameters in Verilog, each with a note on its
/// range: the values for which the exported text is the same. Loads and exports the network again
/// for each value it tries. Returns no parameters for a network with Verilog modules, which each
/// load would read again.
hdl::KeptParameters parameters_to_keep(const Options& options, const expr::ModuleView& network,
                                       const Graph& graph, const hdl::Exported& written);

} // namespace sme::cli
