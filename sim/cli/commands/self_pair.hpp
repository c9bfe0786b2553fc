// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/loading.hpp"
#include "export/export.hpp"

namespace sme::cli {

/// Adds a network's own Verilog to it, as a second implementation of all its processes, or of the
/// component, instance or process `top`. What was written is kept in a folder beside the built
/// modules. False when something was reported.
bool add_self(const hdl::Exported& exported, const std::string& top, yaml::Design& design,
              verilator::Modules& modules, Diagnostics& diagnostics);

} // namespace sme::cli
