// SPDX-License-Identifier: Apache-2.0
//
// Loads a network file. The sections may have any order in the file; they are loaded in order of
// their dependencies.

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "yaml/channels/expansion.hpp"
#include "yaml/design.hpp"
#include "yaml/load/clock_signals.hpp"
#include "yaml/load/loaders.hpp"
#include "yaml/observe/observer_scope.hpp"
#include "yaml/read/tree.hpp"
#include "yaml/scope/declarations.hpp"
#include "yaml/scope/domains.hpp"
#include "yaml/syntax/readers.hpp"

namespace sme::yaml {

namespace {

void load_run(const RunSyntax& run, Context& context) {
    if (run.cycles) {
        Constants constants{context.scope, context.diagnostics};
        const auto count = constants.elaborator().constant(*run.cycles, "the number of cycles");
        if (count && (*count < 1 || *count > Integer{1} << 62))
            context.diagnostics.add(
                Code::bad_cycles, run.cycles_where,
                fmt::format("a run has 1 to 2^62 cycles, but this is {}", to_string(*count)));
        else if (count)
            context.design.cycles = static_cast<std::uint64_t>(*count);
    }
    if (run.trace) {
        context.design.trace = written_path(run.trace->text, context);
        context.design.trace_where = run.trace->where;
    }
}

void load_sections(const FileSyntax& written, Context& context) {
    Diagnostics& diagnostics = context.diagnostics;
    for (const auto& [name, value] : context.loading.options.parameters) {
        const expr::Text text = option_text(name, value);
        context.given.insert({name, {text, nullptr, text.all(), &context}});
    }
    if (!load_names(written.names, "the network", context))
        return;
    list_tests(written.tests, context);
    const FileSyntax& file = expanded(written, context);
    add_observed_members(written, context.loading.observed);
    if (file.body.checks) // before the checks of processes
        context.loading.checks.push_back({&context, &*file.body.checks, nullptr});
    if (file.run.clock)
        load_clock(*file.run.clock, context);
    if (file.run.domains)
        load_domains(*file.run.domains, context);
    load_buses(file.buses, context);
    load_processes(file.processes, context);
    load_inputs(file.run.inputs, context);
    check_initial_members(context);
    settle_delays(context);
    if (!context.loading.options.untimed)
        add_clock_signals(context);
    if (!diagnostics.has_errors()) {
        if (context.loading.options.checks) {
            load_outputs(file.run.outputs, context);
            load_checks(context.loading);
        }
        load_probes(context);
        check_assumptions(file.run.assumptions, context);
        load_actors_done(context);
        load_actor_network(context);
    }
    load_run(file.run, context);
    if (diagnostics.has_errors())
        return;
    for (const auto& [name, where] : context.scope.unused())
        diagnostics.add(Code::unused, where, fmt::format("'{}' is never used", name));
    for (const auto& [name, where] : context.loading.library.unused())
        diagnostics.add(Code::unused, where, fmt::format("file '{}' is never imported", name));
}

/// Loads a component or a library by itself; false if it is neither. `file` keeps a component.
bool load_part(const Node& root, std::optional<FileSyntax>& file, Context& context) {
    const Node* component = root.find("component");
    const bool library = !component && !root.find("buses") && !root.find("processes") &&
                         (root.find("types") || root.find("constants") || root.find("functions"));
    if (root.find("network") || (!component && !library))
        return false;
    Graph& graph = context.design.graph;
    for (const auto& [name, value] : context.loading.options.parameters) {
        const expr::Text text = option_text(name, value);
        context.given.insert({name, {text, nullptr, text.all(), &context}});
    }
    graph.declared = root.where;
    if (library) {
        context.design.library = true;
        load_names(read_library(root, context.diagnostics).names, "a library", context);
    } else if (is_name(*component, "the name of a component", context.diagnostics)) {
        graph.name = component->text.text;
        graph.declared = component->where;
        file = read_component(root, graph.name, context.diagnostics);
        load_component_alone(*file, context);
    }
    return true;
}

/// Reports a file that is not a network; distinguishes it from a network without its first line.
bool check_is_network(const Node& root, Diagnostics& diagnostics) {
    if (const Node* component = root.find("component"); component && !root.find("network")) {
        diagnostics.add(Code::missing_key, component->where,
                        "this is a component; write a network that imports it and has a process "
                        "with 'use'");
        return false;
    }
    return true;
}

} // namespace

bool take_files(const Node& root, const FileSyntax& file, Context& context) {
    const std::size_t errors = context.loading.errors();
    if (const Node* files = root.find("files"))
        context.loading.library.take_files(*files, context.initials.place().folder);
    return !file.incomplete && context.loading.errors() == errors;
}

std::optional<Design> load(const SourceRef& source, const LoadOptions& options,
                           const GroupFactories& kinds, Diagnostics& diagnostics) {
    std::vector<Location> unquoted;
    struct Session {
        Session(const LoadOptions& how, const GroupFactories& who, Diagnostics& into)
            : loading{how, who, into} {}
        std::optional<Node> root;
        Loading loading;
        std::optional<Context> context;
        std::optional<FileSyntax> file;
    };
    const auto session = std::make_shared<Session>(options, kinds, diagnostics);
    if (options.leftovers)
        options.leftovers->push_back(session);
    std::optional<Node>& root = session->root;
    root = parse_tree(source, diagnostics, options.size, &unquoted);
    if (!root || diagnostics.has_errors())
        return std::nullopt;
    if (!root->is_map()) {
        wrong_shape(*root, "a map that begins with 'network: name'", diagnostics);
        return std::nullopt;
    }
    Loading& loading = session->loading;
    if (options.parts && !unquoted.empty())
        loading.design.notes.push_back(fmt::format(
            "{}: editors and other programs that read YAML need quotes around this text{}: "
            "key: \"text\"",
            describe(unquoted.front()),
            unquoted.size() == 1 ? "" : fmt::format(" and around {} more", unquoted.size() - 1)));
    const FilePlace place{folder_of_network(*root, source->path()), true};
    Context& context = session->context.emplace(loading, place);
    std::optional<FileSyntax>& file = session->file;
    const auto limited = [&](auto&& loads) { // observers are lowered while they are loaded
        try {
            return loads();
        } catch (const expr::TooLarge& problem) {
            diagnostics.add(Code::too_large, problem.where, problem.message);
            return true;
        }
    };
    if (options.parts && !is_test_file(*root) &&
        limited([&] { return load_part(*root, file, context); })) {
        if (file && options.look && !diagnostics.has_errors())
            options.look({*file, context}, loading.design.graph);
        return diagnostics.has_errors() ? std::nullopt
                                        : std::optional<Design>{std::move(loading.design)};
    }
    if (!check_is_network(*root, diagnostics))
        return std::nullopt;
    const bool tests = is_test_file(*root);
    const Node* name = root->find(tests ? "test" : "network");
    if (name &&
        is_name(*name, tests ? "the name of tests" : "the name of a network", diagnostics)) {
        loading.design.graph.name = name->text.text;
        loading.design.graph.declared = name->where;
    }
    file =
        tests ? load_test_file(*root, source->path(), context) : read_network(*root, diagnostics);
    const bool imports = file && (tests || take_files(*root, *file, context));
    if (!options.leftovers)
        root.reset(); // all of it has been read
    if (imports && choose_test(*file, context))
        limited([&] {
            give_inputs(*file, context);
            load_sections(*file, context);
            return true;
        });
    if (diagnostics.has_errors())
        return std::nullopt;
    if (options.look)
        options.look({*file, context}, loading.design.graph);
    return std::move(loading.design);
}

std::optional<Design> load(const std::string& path, const LoadOptions& options,
                           const GroupFactories& kinds, Diagnostics& diagnostics) {
    if (options.text)
        return load(std::make_shared<Source>(path, *options.text), options, kinds, diagnostics);
    FileText file = read_file(path, options.size * Limits::file_bytes);
    if (!file.text) {
        diagnostics.add(file.too_large ? Code::file_too_large : Code::file_unreadable, {},
                        fmt::format("cannot read '{}': {}", path, file.problem));
        return std::nullopt;
    }
    if (options.files)
        options.files->note_read(path);
    return load(std::make_shared<Source>(path, std::move(*file.text)), options, kinds, diagnostics);
}

} // namespace sme::yaml
