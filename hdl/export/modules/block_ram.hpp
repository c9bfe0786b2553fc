// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "export/modules/process_site.hpp"

namespace sme::hdl {

/// A sentence for each memory that is worth a block RAM and cannot be one, since wires or registers
/// use a word in the cycle of its address. `wires` and `clocked` are what the module of the process
/// assigns.
std::vector<std::string> block_ram_hints(const std::string& process,
                                         const std::vector<Variable>& variables,
                                         const ProcessFamily& family, const rtl::Items& wires,
                                         const rtl::Items& clocked);

} // namespace sme::hdl
