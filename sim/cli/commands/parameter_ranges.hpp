// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options.hpp"
#include "export/export.hpp"
#include "expr/process/hierarchy.hpp"

namespace sme::cli {

/// Which parameters of a network can stay parameters in Verilog, with a note from which value to
/// which: those for which the network is the same text with any of these values. Loads and writes
/// the network again for each value that is tried. A network with Verilog modules keeps none, for
/// they would be read each time.
hdl::KeptParameters parameters_to_keep(const Options& options, const expr::ModuleView& network,
                                       const Graph& graph, const hdl::Exported& written);

} // namespace sme::cli
