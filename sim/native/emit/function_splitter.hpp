// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "native/emit/emitter.hpp"

namespace sme::native {

/// A C function: `u64 name(parameter)`, which begins with `opening`. It returns 0, or what a
/// statement of its body returns.
struct FunctionFrame {
    std::string name;
    std::string parameter; // "const struct block *b"
    std::string argument;  // "b"
    std::string opening;
};

/// Statements of one function.
inline constexpr std::size_t max_function_statements = 400;

/// Writes a routine as a function. A long one becomes several of a few hundred statements each, as
/// compilers take much more than twice the time for twice the function; the last one has the name.
/// Values that one of them needs of another go through a struct.
std::string split_function(Routine& routine, const Arithmetic& arithmetic,
                           const FunctionFrame& frame);

} // namespace sme::native
