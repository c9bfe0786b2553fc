// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "native/toolchain/c_compiler.hpp"

namespace sme::session {

/// The C compiler that $CC names, or cc, with the cache of the user; without one: no program.
native::CompilerSettings system_compiler();

/// Why there is no such compiler; empty: there is one.
std::string missing_compiler();

} // namespace sme::session
