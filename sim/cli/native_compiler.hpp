// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options.hpp"
#include "native/c_compiler.hpp"

namespace sme::cli {

/// The C compiler that $CC names, or cc, with the cache of the user; without one: no program.
native::CompilerSettings native_compiler();

/// Why nothing can be compiled; empty: it can.
std::string missing_compiler(const Options& options);

} // namespace sme::cli
