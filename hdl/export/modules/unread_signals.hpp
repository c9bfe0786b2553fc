// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "export/rtl/module.hpp"

namespace sme::hdl {

/// Removes wires and constants that are not read from a module. Unread bits of ports, registers and
/// other wires go to a wire called `unused`, which tells lint that this is intended.
void remove_unread(rtl::Module& module);

} // namespace sme::hdl
