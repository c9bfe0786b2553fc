// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "export/modules/process_site.hpp"

namespace sme::hdl {

/// Returns a sentence for each memory that is worth a block RAM but cannot be one, because wires or
/// registers use a word in the cycle of its address. `wires` and `clocked` are the assignments of
/// the process's module.
std::vector<std::string> block_ram_hints(const std::string& process,
                                         const std::vector<Variable>& variables,
                                         const ProcessFamily& family, const rtl::Items& wires,
                                         const rtl::Items& clocked);

} // namespace sme::hdl
