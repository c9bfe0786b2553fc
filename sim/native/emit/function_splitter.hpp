// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "native/emit/emitter.hpp"

namespace sme::native {

/// A C function `u64 name(parameter)` that begins with `opening`. It returns 0, or the value that a
/// statement of its body returns.
struct FunctionFrame {
    std::string name;
    std::string parameter; // "const struct block *b"
    std::string argument;  // "b"
    std::string opening;
};

/// The maximum number of statements of one function.
inline constexpr std::size_t max_function_statements = 400;

/// Writes a routine as a function. A long routine becomes several functions of a few hundred
/// statements each, since the time of a compiler grows faster than the length of a function; the
/// last one has the given name. Values used across functions pass through a struct.
std::string split_function(Routine& routine, const Arithmetic& arithmetic,
                           const FunctionFrame& frame);

} // namespace sme::native
