// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/loading.hpp"
#include "export/export.hpp"

namespace sme::cli {

/// Adds a network's own exported Verilog to it, as a second implementation of all its processes, or
/// of the component, instance or process `top`. Keeps the exported files in a folder beside the
/// built modules. Returns false after reporting an error.
bool add_self(const hdl::Exported& exported, const std::string& top, yaml::Design& design,
              verilator::Modules& modules, Diagnostics& diagnostics);

} // namespace sme::cli
