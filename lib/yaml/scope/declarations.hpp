// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "yaml/scope/context.hpp"
#include "yaml/scope/network_scope.hpp"
#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// Adds the functions of a file to a scope, their home. Their bodies are elaborated at each call.
void load_functions(const std::vector<FunctionSyntax>& section, NetworkScope& scope,
                    Diagnostics& diagnostics);

/// Reads the ranges of a family; `nullopt` after an error was reported.
std::optional<Shape> read_shape(const expr::FamilyName& name, Context& context);

/// `whose` is "the network" or "component 'fifo'".
void load_parameters(const std::vector<ParameterSyntax>& section, const std::string& whose,
                     Context& context);
void load_requires(const std::vector<RequirementSyntax>& section, Context& context);
void load_types(const std::vector<NamedTypeSyntax>& section, Context& context);
void load_constants(const std::vector<ConstantSyntax>& section, Context& context);
void load_clock(const Word& clock, Context& context);
void load_buses(const std::vector<DeclarationSyntax>& section, Context& context);
/// Returns `bytes` repeated this many times.
std::vector<std::byte> repeated(std::vector<std::byte> bytes, std::uint64_t times);
/// Returns the value of a parameter from --set as a text.
expr::Text option_text(const std::string& name, const std::string& value);

} // namespace sme::yaml
