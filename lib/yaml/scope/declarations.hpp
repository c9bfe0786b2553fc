// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// The ranges of a family; nothing when something was reported. `most` is how many members it may
/// have.
std::optional<Shape> read_shape(const expr::FamilyName& name, Context& context);

/// A type from a text or a map of fields; null when something was reported.
TypeRef read_type(const Node& node, const std::string& name, Context& context);

/// What stands under the name of a parameter: "16", "type = u8" or "file = name".
struct ParameterText {
    enum class Kind : std::uint8_t { number, type, file };
    Kind kind = Kind::number;
    expr::Text value; // behind the '='
};
ParameterText parameter_text(const expr::Text& text);

/// `whose` is "the network" or "component 'fifo'"; without a section no parameter may be given.
void load_parameters(const Node* section, const std::string& whose, Context& context);
void load_requires(const Node& section, Context& context);
void load_types(const Node& section, Context& context);
void load_constants(const Node& section, Context& context);
void load_clock(const Node& section, Context& context);
void load_buses(const std::vector<DeclarationSyntax>& section, Context& context);
/// Bytes, so many times one after another.
std::vector<std::byte> repeated(std::vector<std::byte> bytes, std::uint64_t times);
/// A parameter's value as given by --set, as a text of its own.
expr::Text option_text(const std::string& name, const std::string& value);

} // namespace sme::yaml
