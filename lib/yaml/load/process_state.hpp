// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "expr/process/process.hpp"
#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

/// Returns how many dimensions of an array state number its words: those in the brackets of its
/// declaration, as in `Colour[4096]`, if the element type is small enough for a word.
std::size_t word_dimensions(const expr::Ast& type_text, const Type& type);

/// Gives an array state its memory in the family, of words with `dimensions` indices.
/// `state.declared` is its location.
void add_memory(expr::StateText& state, TypeRef type, std::size_t dimensions,
                std::vector<std::byte> initial, Context& context, ProcessFamily& family);

/// Gives any other state a private bus for its value, written and read only by the process.
void add_slot(expr::StateText& state, const TypeRef& type, std::vector<std::byte> initial,
              Context& context, ProcessFamily& family);

} // namespace sme::yaml
