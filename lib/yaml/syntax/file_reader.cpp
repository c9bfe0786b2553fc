// SPDX-License-Identifier: Apache-2.0
#include "yaml/syntax/readers.hpp"

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/read/tree.hpp"

namespace sme::yaml {

namespace {

void read_insides(const Node& root, FileSyntax& file, Diagnostics& diagnostics) {
    const auto note = [&](const Node& section, const std::vector<DeclarationSyntax>& read) {
        const bool all = section.is_map() ? read.size() == section.entries.size()
                                          : section.kind == Node::Kind::null;
        file.incomplete = file.incomplete || !all; // else each use of a name is an error, too
    };
    if (const Node* section = root.find("buses")) {
        file.buses = read_declarations(*section, "a map of buses", "a type", diagnostics);
        note(*section, file.buses);
    }
    if (const Node* section = root.find("channels")) {
        file.channels = read_declarations(*section, "a map of channels", "'[depth n] type'",
                                          diagnostics, expr::parse_channel);
        note(*section, file.channels);
    }
    if (const Node* section = root.find("processes")) {
        file.has_processes = true;
        file.processes = read_processes(*section, diagnostics);
    }
    if (const Node* section = root.find("checks"))
        file.body.checks = read_checks(*section, diagnostics);
}

/// Returns the port "x.closed" next to the port x of a channel: the sender is done.
DeclarationSyntax closing_port(const DeclarationSyntax& port) {
    DeclarationSyntax result{port.name, expr::Declaration{}};
    result.name.name += ".closed";
    result.closes = port.name.name;
    auto type = std::make_shared<expr::Ast>();
    type->kind = expr::Ast::Kind::name;
    type->where = port.declaration->where;
    type->text = "bool";
    result.declaration->where = port.declaration->where;
    result.declaration->type = std::move(type);
    result.declaration->wire = false; // it may be late
    result.declaration->generated = true;
    return result;
}

std::vector<DeclarationSyntax> read_ports(const Node* section, Diagnostics& diagnostics) {
    if (!section)
        return {};
    auto result = read_declarations(*section, "a map of ports", "'[wire] type'", diagnostics,
                                    expr::parse_port);
    std::vector<DeclarationSyntax> more;
    for (DeclarationSyntax& port : result) {
        const auto& found = port.declaration;
        if (found && (found->delay || found->hold || found->error || found->initial ||
                      (found->channel && found->wire))) {
            diagnostics.add(Code::expression_syntax, found->where,
                            "a port is written '[wire] type' or 'channel type'; what it is bound "
                            "to says the rest");
            port.declaration.reset();
        } else if (found && found->channel)
            more.push_back(closing_port(port));
    }
    for (DeclarationSyntax& port : more)
        result.push_back(std::move(port));
    return result;
}

std::vector<Word> read_domain_names(const Node& section, Diagnostics& diagnostics) {
    std::vector<Word> result;
    if (section.is_list() && section.items.empty())
        diagnostics.add(Code::wrong_shape, section.where,
                        "this list is empty; name the clock domains, as in [write, read], or leave "
                        "'domains' out");
    else if (!section.is_list())
        wrong_shape(section, "a list of names, as in [write, read]", diagnostics);
    for (const Node& item : section.items) {
        if (!is_name(item, "a clock domain", diagnostics))
            continue;
        for (const Word& other : result)
            if (other.text == item.text.text)
                diagnostics.add(Code::duplicate_name, item.where,
                                fmt::format("the domain '{}' is declared twice", other.text));
        result.push_back({item.text.text, item.where});
    }
    return result;
}

/// The sections of a network.
void read_sections(const Node& root, FileSyntax& file, Diagnostics& diagnostics) {
    file.names = read_names(root, diagnostics);
    read_insides(root, file, diagnostics);
    file.run = read_run_sections(root, diagnostics);
    file.tests = read_tests(root, diagnostics);
}

} // namespace

FileSyntax read_network(const Node& root, Diagnostics& diagnostics) {
    FileSyntax result;
    result.incomplete =
        !check_keys(root, format::network, "a network", diagnostics) || !root.find("network");
    if (!root.find("network"))
        diagnostics.add(Code::missing_key, root.where, "the file does not say 'network: name'");
    read_sections(root, result, diagnostics);
    return result;
}

FileSyntax read_test_file(const Node& root, Diagnostics& diagnostics) {
    FileSyntax result;
    result.incomplete = !check_keys(root, test_file_keys(), "a file of tests", diagnostics);
    read_sections(root, result, diagnostics);
    return result;
}

std::vector<Key> test_file_keys() {
    std::vector<Key> keys{Key{"test", "the name of these tests"},
                          Key{"of", "the network that they test: design.yaml"}};
    for (Key& key : keys)
        key.required = true;
    for (const Key& key : format::network)
        if (key.name != "network" && key.name != "clock" && key.name != "domains" &&
            key.name != "assume" && key.name != "files")
            keys.push_back(key);
    return keys;
}

FileSyntax read_component(const Node& root, const std::string& name, Diagnostics& diagnostics) {
    const std::size_t errors = diagnostics.errors();
    FileSyntax result;
    check_keys(root, format::component, fmt::format("component '{}'", name), diagnostics);
    result.names = read_names(root, diagnostics);
    if (const Node* section = root.find("domains"))
        result.domains = read_domain_names(*section, diagnostics);
    result.in = read_ports(root.find("in"), diagnostics);
    result.out = read_ports(root.find("out"), diagnostics);
    if (root.find("step") || root.find("sequence") || root.find("pipeline")) {
        if (result.domains.size() > 1)
            diagnostics.add(Code::bad_domain, result.domains[1].where,
                            "a component with a step is one process, which has one clock domain");
        for (const char* section : {"buses", "channels", "processes"})
            if (const Node* other = root.find(section))
                diagnostics.add(Code::unknown_key, other->where,
                                fmt::format("a component with a step is one process, so it has no "
                                            "{}",
                                            section));
        result.body = read_body(root, diagnostics);
    } else {
        read_insides(root, result, diagnostics);
        if (const Node* crosses = root.find("crosses"))
            diagnostics.add(Code::unknown_key, crosses->where,
                            "'crosses' belongs to the process that reads the input, not at a "
                            "component with processes");
        if (!root.find("processes"))
            diagnostics.add(Code::missing_key, root.where,
                            "a component has a step, a sequence, a pipeline or processes");
    }
    result.broken = diagnostics.errors() != errors;
    return result;
}

FileSyntax read_library(const Node& root, Diagnostics& diagnostics) {
    FileSyntax result;
    check_keys(root, format::library, "a file without network or component", diagnostics);
    result.names = read_names(root, diagnostics);
    return result;
}

} // namespace sme::yaml
