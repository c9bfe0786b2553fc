// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

/// Brings what a file imports and declares by name into its scope. False when what follows would
/// fail for their errors alone.
bool load_names(const NamesSyntax& names, const std::string& whose, Context& context);

/// A family of instances of a component.
Unit load_instance(const Shape& shape, const ProcessSyntax& body, Context& outer);

/// Loads a component by itself, with the default values of its parameters: its inputs are fed from
/// outside, and its outputs are read there.
void load_component_alone(const FileSyntax& file, Context& context);

} // namespace sme::yaml
