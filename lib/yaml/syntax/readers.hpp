// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/diagnostic.hpp"
#include "expr/syntax/step.hpp"
#include "yaml/read/format.hpp"
#include "yaml/read/tree.hpp"
#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

// Each function reads a file whose root is a map, and reports errors of form.

FileSyntax read_network(const Node& root, Diagnostics& diagnostics);
/// A file with "test: name" and "of: network": what is added to that network.
FileSyntax read_test_file(const Node& root, Diagnostics& diagnostics);
/// The keys of such a file.
std::vector<Key> test_file_keys();
/// `name` is the name of the component.
FileSyntax read_component(const Node& root, const std::string& name, Diagnostics& diagnostics);
FileSyntax read_library(const Node& root, Diagnostics& diagnostics);

/// Reads the section types.
std::vector<NamedTypeSyntax> read_types(const Node& section, Diagnostics& diagnostics);

/// Reads the sections common to a network, a component and a library: import, parameters, requires,
/// types, constants, functions.
NamesSyntax read_names(const Node& root, Diagnostics& diagnostics);

/// Reads a list of conditions.
std::vector<RequirementSyntax> read_conditions(const Node& section, Diagnostics& diagnostics);

/// Reads the section processes.
std::vector<ProcessSyntax> read_processes(const Node& section, Diagnostics& diagnostics);

/// Reads state, let, reset, step and checks of a process or a component.
BodySyntax read_body(const Node& body, Diagnostics& diagnostics);

/// Parses the text after the name of a declaration.
using ReadDeclaration = std::optional<expr::Declaration> (*)(const expr::Text& text,
                                                             Diagnostics& diagnostics);

/// Reads buses, channels or ports; `wanted` describes the text after a name, "a type". Skips an
/// entry without a name.
std::vector<DeclarationSyntax> read_declarations(const Node& section, std::string_view what,
                                                 std::string_view wanted, Diagnostics& diagnostics,
                                                 ReadDeclaration read = expr::parse_declaration);

/// Reads the section checks.
ChecksSyntax read_checks(const Node& section, Diagnostics& diagnostics);

/// Reads the sections that only a network has: clock, inputs, outputs and run. A test has some of
/// them.
RunSyntax read_run_sections(const Node& root, Diagnostics& diagnostics);

/// Reads the section tests of a network.
std::vector<TestSyntax> read_tests(const Node& root, Diagnostics& diagnostics);

/// Reads a map of parameter values.
std::vector<GivenSyntax> read_given(const Node& section, Diagnostics& diagnostics);
/// Reads a parameter value, which is a text. One that is not an expression may be a file name: the
/// parameter decides.
GivenSyntax read_given(const Node& key, const Node& value);

/// Reads an expression, which is a text; `wanted` is "a condition". Null after an error was
/// reported.
expr::AstRef read_expression(const Node& node, std::string_view wanted, Diagnostics& diagnostics);

/// Reads a value known before the run: a text, a map of a struct's fields or a list of an array's
/// elements, nested to any depth. Its tree is null after an error was reported.
ValueSyntax read_value(const Node& node, Diagnostics& diagnostics);

/// Returns the text from byte `begin` on, such as the text after the word of a key.
expr::Text tail(const expr::Text& text, std::size_t begin);

/// A key "if c", "elif c", "else" or "match e".
struct ArmKey {
    enum class Kind : std::uint8_t { none, on_if, on_elif, on_else, on_match };
    Kind kind = Kind::none;
    expr::Text condition; // condition, or subject of the match
};

ArmKey arm_key(const Node& key);

/// Reads the condition of an arm; null for else. False if it is broken or has no preceding if.
bool read_condition(const Node& key, const ArmKey& arm, bool has_if, expr::AstRef& condition,
                    Diagnostics& diagnostics);

/// Reads the arms of a match, and calls `visit` for each.
using VisitArm = std::function<void(std::vector<expr::Pattern> patterns, const Location& where,
                                    const Node& value)>;
void read_arms(const Node& arms, Diagnostics& diagnostics, const VisitArm& visit);

/// Reads a right-hand side: a text, a list, a map of fields, or if/elif/else.
expr::Rhs read_rhs(const Node& node, Diagnostics& diagnostics);

/// Reads one entry of a `let`: "name" or "name[k < n]", and its right-hand side.
std::optional<expr::LetText> read_let(const Node& key, const Node& value, Diagnostics& diagnostics);

/// Reads a step: a map, or a list of maps.
expr::Block read_step(const Node& node, Diagnostics& diagnostics);

/// Reads a sequence: a list of items.
SequenceItems read_sequence(const Node& node, Diagnostics& diagnostics);
/// Reads the section procedures, beside a sequence.
std::vector<ProcedureSyntax> read_procedures(const Node& body, Diagnostics& diagnostics);

} // namespace sme::yaml
