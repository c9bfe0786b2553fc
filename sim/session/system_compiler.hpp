// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "native/toolchain/c_compiler.hpp"

namespace sme::session {

/// The C compiler in $CC, or cc, with the user's cache; `compiler` is empty if it does not exist.
native::CompilerSettings system_compiler();

/// Why there is no C compiler; empty if there is one.
std::string missing_compiler();

} // namespace sme::session
