// SPDX-License-Identifier: Apache-2.0
//
// A network file from top to bottom. Sections may stand in any order in the file; they are loaded
// in the order in which they need each other.

#include <fmt/format.h>

#include "base/files.hpp"
#include "expr/parser.hpp"
#include "yaml/declarations.hpp"
#include "yaml/design.hpp"
#include "yaml/enumeration.hpp"
#include "yaml/function_loader.hpp"
#include "yaml/input_loader.hpp"
#include "yaml/keys.hpp"
#include "yaml/observer_scope.hpp"
#include "yaml/process_loader.hpp"

namespace sme::yaml {

namespace {

void load_run(const Node& section, Context& context) {
    if (!is_map_or_empty(section, "a map with cycles and trace", context.diagnostics))
        return;
    check_keys(section, format::run, "run", context.diagnostics);
    if (const Node* cycles = section.find("cycles")) {
        if (!cycles->is_text())
            return wrong_shape(*cycles, "a number", context.diagnostics);
        const expr::AstRef ast = expr::parse_expression(cycles->text, context.diagnostics);
        Constants constants{context.scope, context.diagnostics};
        const auto count =
            ast ? constants.elaborator().constant(*ast, "the number of cycles") : std::nullopt;
        if (count && (*count < 1 || *count > Integer{1} << 62))
            context.diagnostics.add(
                Code::bad_cycles, cycles->where,
                fmt::format("a run has 1 to 2^62 cycles, but this is {}", to_string(*count)));
        else if (count)
            context.design.cycles = static_cast<std::uint64_t>(*count);
    }
    if (const Node* trace = section.find("trace")) {
        if (!trace->is_text())
            return wrong_shape(*trace, "the name of a file", context.diagnostics);
        context.design.trace = context.initials.path_of(trace->text.text);
    }
}

void load_sections(const Node& root, Context& context) {
    const auto section = [&](const char* name, auto load) {
        if (const Node* node = root.find(name))
            load(*node, context);
    };
    section("functions", [](const Node& node, Context& own) {
        load_functions(node, own.scope, own.diagnostics);
    });
    section("parameters", load_parameters);
    if (!root.find("parameters") && !context.options.parameters.empty())
        load_parameters(Node{}, context);
    section("types", load_types);
    if (context.diagnostics.has_errors()) // most of what follows would fail for that reason alone
        return;
    section("constants", load_constants);
    section("requires", load_requires);
    section("clock", load_clock);
    section("buses", load_buses);
    section("processes", load_processes);
    section("inputs", load_inputs);
    check_initial_members(context);
    if (!context.diagnostics.has_errors()) {
        section("outputs", load_outputs);
        section("checks", load_checks);
    }
    section("run", load_run);
    if (context.diagnostics.has_errors())
        return;
    for (const auto& [name, where] : context.scope.unused())
        context.diagnostics.add(Code::unused, where, fmt::format("'{}' is never used", name));
}

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string{} : path.substr(0, slash == 0 ? 1 : slash);
}

} // namespace

std::optional<Design> load(const SourceRef& source, const LoadOptions& options, const Kinds& kinds,
                           Diagnostics& diagnostics) {
    const std::optional<Node> root = parse_tree(source, diagnostics);
    if (!root || diagnostics.has_errors())
        return std::nullopt;
    if (!root->is_map()) {
        wrong_shape(*root, "a map that begins with 'network: name'", diagnostics);
        return std::nullopt;
    }
    check_keys(*root, format::network, "a network", diagnostics);
    Context context{options, kinds, folder_of(source->path()), diagnostics};
    const Node* name = root->find("network");
    if (!name)
        diagnostics.add(Code::missing_key, root->where, "the file does not say 'network: name'");
    else if (is_name(*name, "the name of a network", diagnostics)) {
        context.design.graph.name = name->text.text;
        context.design.graph.declared = name->where;
    }
    load_sections(*root, context);
    if (diagnostics.has_errors())
        return std::nullopt;
    return std::move(context.design);
}

std::optional<Design> load(const std::string& path, const LoadOptions& options, const Kinds& kinds,
                           Diagnostics& diagnostics) {
    FileText file = read_file(path, Limits::file_bytes);
    if (!file.text) {
        diagnostics.add(file.too_large ? Code::file_too_large : Code::file_unreadable, {},
                        fmt::format("cannot read '{}': {}", path, file.problem));
        return std::nullopt;
    }
    return load(std::make_shared<Source>(path, std::move(*file.text)), options, kinds, diagnostics);
}

} // namespace sme::yaml
