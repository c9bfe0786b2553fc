// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

/// Adds the imports and declarations of a file to its scope. False if their errors would break
/// everything that follows.
bool load_names(const NamesSyntax& names, const std::string& whose, Context& context);

/// Loads a family of instances of a component.
Unit load_instance(const Shape& shape, const ProcessSyntax& body, Context& outer);

/// Loads a component by itself, with the default values of its parameters; its inputs are fed and
/// its outputs read from outside.
void load_component_alone(const FileSyntax& file, Context& context);

} // namespace sme::yaml
