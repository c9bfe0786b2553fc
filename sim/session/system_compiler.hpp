// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "native/toolchain/c_compiler.hpp"

namespace sme::session {

/// The C compiler that $CC names, or cc, with the user's cache; `compiler` is empty without one.
native::CompilerSettings system_compiler();

/// Why there is no such compiler; empty when there is one.
std::string missing_compiler();

} // namespace sme::session
