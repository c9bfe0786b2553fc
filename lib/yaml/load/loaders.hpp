// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/process/process.hpp"
#include "yaml/scope/context.hpp"
#include "yaml/scope/declarations.hpp"
#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// Adds the imports and declarations of a file to its scope. False if their errors would break
/// everything that follows.
bool load_names(const NamesSyntax& names, const std::string& whose, Context& context);

/// Turns a network into what the test `LoadOptions::test` runs: its parameters are given, and its
/// inputs, outputs, checks and length of the run replace those of the network or are added to them.
/// Call it before the names are loaded. False after an error was reported.
bool choose_test(FileSyntax& file, Context& context);

/// Returns true if the sequence of a test draws random values.
bool draws_random(const BodySyntax& body);
/// Adds the process that a test's sequence is. It takes the place of the sources of its targets.
void add_driver(const TestSyntax& test, FileSyntax& file);
/// A process of tests writes a bus that the network feeds: it takes the place of the input.
void replace_inputs(const std::vector<ProcessSyntax>& processes, std::vector<InputSyntax>& inputs);

/// Replaces inputs by those of `LoadOptions::inputs`.
void give_inputs(FileSyntax& file, Context& context);

/// Adds inputs, outputs, checks and the length of a run to a network; they replace those of the
/// same name.
void merge(const RunSyntax& run, const std::optional<ChecksSyntax>& checks, FileSyntax& into);

/// True for a file with "test: name", which adds tests and processes to a network.
bool is_test_file(const Node& root);
/// The folder in which the names of files are resolved: that of the network, which a file of tests
/// names. `path`: of the file.
std::string folder_of_network(const Node& root, const std::string& path);
/// Reads a file of tests and its network, as one network; `nullopt` after an error was reported.
std::optional<FileSyntax> load_test_file(const Node& root, const std::string& path,
                                         Context& context);

/// Takes the files contained in a network; false if imports would only report the same errors
/// again.
bool take_files(const Node& root, const FileSyntax& file, Context& context);

/// Lists the tests of a network in its design. Call it after its names are loaded.
void list_tests(const std::vector<TestSyntax>& tests, Context& context);

/// Loads a family of instances of a component.
Unit load_instance(const Shape& shape, const ProcessSyntax& body, Context& outer);

/// Loads a component by itself, with the default values of its parameters; its inputs are fed and
/// its outputs read from outside.
void load_component_alone(const FileSyntax& file, Context& context);

/// Loads the processes section: each entry becomes a family of processes with its program, and
/// private buses for its states.
void load_processes(const std::vector<ProcessSyntax>& section, Context& context);

/// Loads a process that the loader generates: `process` is its text, `name` its name in the network
/// and `shape` the shape of its family.
Unit load_made_process(const ProcessSyntax& process, const std::string& name, const Shape& shape,
                       Context& context);

/// Loads a component that has a step, as one process: `inside` is its scope, with its ports bound.
Unit load_component_process(const BodySyntax& body, const Location& where, Context& inside);

/// Members of a family of instances with the same component and the same parameters.
struct InstanceGroup {
    Shape shape;     // only these members
    const Word* use; // component name
    /// The indices of the first member, used to evaluate its parameters. Empty if no parameter uses
    /// an index.
    std::map<std::string, Integer> indices{};
};

/// Returns the groups of a family, in the order of their first members; a single instance is one
/// group. `nullopt` after an error was reported.
std::vector<InstanceGroup> instance_groups(const Shape& shape, const ProcessSyntax& body,
                                           Context& outer);

/// Binds the ports that a component declares to buses of `outer` (or constants), as given by the
/// sections in and out of the instance's `body`: they become the first buses of the scope `inside`.
/// `members` is the shape of the family of instances. False after an error was reported.
bool bind_instance_ports(const ComponentFile& component, const ProcessSyntax& body,
                         const Shape& members, Context& inside, Context& outer);

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

/// Loads the second implementation of a process. `begin` is the index in the graph of the first,
/// which is loaded already. The second reads the same buses and writes its own.
Unit load_against(Context& context, const ProcessSyntax& first, const Shape& shape,
                  std::size_t begin);

/// Marks the names in parameter values of a second implementation as used, whether or not it is
/// loaded.
void use_names_of(const ProcessSyntax& second, Context& context);

/// Adds the names that checks read: the checks of a process see its lets and states directly.
void add_names(const ChecksSyntax& checks, std::set<std::string>& names);

/// Adds the members that a file observes in its processes, from outside: `count` in
/// "fifo.count <= 8". They are behind a dot in checks and in recordings.
void add_observed_members(const FileSyntax& file, std::set<std::string>& members);

} // namespace sme::yaml
