// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "yaml/scope/context.hpp"
#include "yaml/scope/network_scope.hpp"
#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// Returns true if the value of a parameter is an unquoted text: not a file parameter, and not an
/// expression of known (or similar) names.
bool is_text_parameter(const Node& value, Context& context);

/// Returns a parameter of a module as written in Verilog. `nullopt` after an error was reported.
std::optional<std::string> verilog_parameter(const Node& value, Context& context);

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

/// Makes the enumeration of an entry of types, and declares the names of its members. Null after an
/// error was reported.
TypeRef make_enumeration(const NamedTypeSyntax& written, Context& context);

/// Reports buses and states that would start at 0 although 0 is not a member of their type.
void check_initial_members(Context& context);

} // namespace sme::yaml
