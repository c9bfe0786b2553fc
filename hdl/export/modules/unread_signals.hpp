// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "export/rtl/module.hpp"

namespace sme::hdl {

/// Takes the wires and constants that nothing reads out of a module. Bits of ports, of registers
/// and of other wires that nothing reads end in a wire called `unused`, by which lint knows that
/// this is meant.
void remove_unread(rtl::Module& module);

} // namespace sme::hdl
