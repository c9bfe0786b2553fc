// SPDX-License-Identifier: Apache-2.0
//
// A file of tests adds processes, buses and tests to a network, which need not know of it. Both
// become one network before anything is loaded.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "yaml/load/loaders.hpp"
#include "yaml/read/tree.hpp"
#include "yaml/syntax/readers.hpp"

namespace sme::yaml {

namespace {

template <class Entry> void append(std::vector<Entry>& to, std::vector<Entry>&& from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
}

/// Makes the names of files in a file of tests relative to the folder of its network.
void move_files(const std::string& from, const std::string& to, FileSyntax& tests) {
    namespace fs = std::filesystem;
    const auto whole = [](const std::string& folder) {
        return (fs::current_path() / folder).lexically_normal();
    };
    const fs::path between = whole(from).lexically_relative(whole(to));
    const auto move = [&](std::string& name) {
        if (!name.starts_with("std/"))
            name = (between / name).lexically_normal().string();
    };
    for (Word& import : tests.names.imports)
        move(import.text);
    for (ParameterSyntax& parameter : tests.names.parameters)
        if (parameter.kind == ParameterSyntax::Kind::file)
            move(parameter.path);
    const auto move_run = [&](RunSyntax& run) {
        for (InputSyntax& input : run.inputs)
            if (!input.file.text.empty() && !input.random && !input.open)
                move(input.file.text);
        for (OutputSyntax& output : run.outputs) {
            move(output.path.text);
            if (output.expect)
                move(output.expect->text);
        }
        if (run.trace)
            move(run.trace->text);
    };
    move_run(tests.run);
    for (TestSyntax& test : tests.tests)
        move_run(test.run);
}

/// The bus that an output is bound to; empty if it is something else.
std::string bus_of(const BindingSyntax& binding) {
    const expr::Ast* ast = binding.value.ast.get();
    while (ast && ast->kind == expr::Ast::Kind::index && !ast->operands.empty())
        ast = ast->operands[0].get();
    return ast && ast->kind == expr::Ast::Kind::name ? ast->text : std::string{};
}

} // namespace

void replace_inputs(const std::vector<ProcessSyntax>& processes, std::vector<InputSyntax>& inputs) {
    for (const ProcessSyntax& process : processes)
        if (process.out)
            for (const BindingSyntax& binding : process.out->ports)
                std::erase_if(inputs, [&](const InputSyntax& input) {
                    return input.bus.text == bus_of(binding);
                });
}

namespace {

/// Leaves out what a network says about its own run.
void leave_out_run(FileSyntax& network) {
    using Kind = expr::Check::Kind;
    network.run.outputs.clear();
    network.run.cycles = nullptr;
    network.run.trace.reset();
    if (network.body.checks)
        std::erase_if(network.body.checks->checks, [](const CheckSyntax& check) {
            return check.kind != Kind::always && check.kind != Kind::never;
        });
}

FileSyntax joined(FileSyntax network, FileSyntax tests) {
    leave_out_run(network);
    replace_inputs(tests.processes, network.run.inputs);
    NamesSyntax& names = network.names;
    append(names.imports, std::move(tests.names.imports));
    append(names.parameters, std::move(tests.names.parameters));
    append(names.conditions, std::move(tests.names.conditions));
    append(names.types, std::move(tests.names.types));
    append(names.constants, std::move(tests.names.constants));
    append(names.functions, std::move(tests.names.functions));
    append(network.buses, std::move(tests.buses));
    append(network.channels, std::move(tests.channels));
    append(network.processes, std::move(tests.processes));
    merge(tests.run, tests.body.checks, network);
    network.tests = std::move(tests.tests);
    return network;
}

/// "tests/../design.yaml" is "design.yaml".
std::string network_beside(const std::string& written, const std::string& path) {
    return std::filesystem::path{path_beside(written, folder_of(path))}.lexically_normal().string();
}

} // namespace

bool is_test_file(const Node& root) {
    return root.find("test") && !root.find("network") && !root.find("component");
}

std::string folder_of_network(const Node& root, const std::string& path) {
    const Node* const network = root.find("of");
    return is_test_file(root) && network && network->is_text()
               ? folder_of(network_beside(network->text.text, path))
               : folder_of(path);
}

std::optional<FileSyntax> load_test_file(const Node& root, const std::string& path,
                                         Context& context) {
    Diagnostics& diagnostics = context.diagnostics;
    FileSyntax tests = read_test_file(root, diagnostics);
    const Node* const of = root.find("of");
    if (!of || !of->is_text()) {
        diagnostics.add(Code::missing_key, root.where,
                        "tests name their network: 'of: design.yaml'");
        return std::nullopt;
    }
    const std::string own = folder_of(path), design = network_beside(of->text.text, path);
    if (!note_read(context.loading.options.files, design, of->where, diagnostics))
        return std::nullopt;
    FileText text = read_file(design, context.loading.options.size * Limits::file_bytes);
    if (!text.text) {
        diagnostics.add(Code::file_unreadable, of->where,
                        fmt::format("cannot read '{}': {}", design, text.problem));
        return std::nullopt;
    }
    std::optional<Node> network =
        parse_tree(std::make_shared<Source>(design, std::move(*text.text)), diagnostics,
                   context.loading.options.size);
    if (!network || diagnostics.has_errors())
        return std::nullopt;
    if (!network->is_map() || !network->find("network")) {
        diagnostics.add(
            Code::wrong_shape, of->where,
            fmt::format("'{}' is not a network: it does not say 'network: name'", design));
        return std::nullopt;
    }
    if (folder_of(design) != own) {
        move_files(own, folder_of(design), tests);
        for (const ProcessSyntax& process : tests.processes)
            if (process.verilog)
                diagnostics.add(
                    Code::bad_option, process.where,
                    "Verilog of tests belongs in the folder of their network; move this "
                    "file there");
    }
    FileSyntax file = read_network(*network, diagnostics);
    if (!take_files(*network, file, context) || tests.incomplete || diagnostics.has_errors())
        return std::nullopt;
    return joined(std::move(file), std::move(tests));
}

} // namespace sme::yaml
