// SPDX-License-Identifier: Apache-2.0
//
// 1. From the inside out, every instance gets the number of its kind; 2. from the network on, in
// the order of the text, kinds and libraries get names.
#include "yaml/print/printed_files.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "expr/parser.hpp"
#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

std::vector<Context*> instances_in(const Node& root, Context& context) {
    std::vector<Context*> found;
    Diagnostics none;
    const auto add = [&](const std::string& name) {
        const Unit& unit = context.members.at(name);
        for (const Unit& group : unit.groups)
            found.push_back(group.inside.get());
        if (unit.groups.empty())
            found.push_back(unit.inside.get());
    };
    if (const Node* processes = root.find("processes"))
        for (const auto& [key, value] : processes->entries) {
            const auto name = expr::parse_family_name(key.text, none);
            const Node* const against = value.find("against");
            if (value.find("use"))
                add(name->name);
            if (against && against->find("use"))
                add(name->name + ".against");
        }
    return found;
}

PrintedFiles::PrintedFiles(const Node& root, Context& network) {
    for (Context* inside : instances_in(root, network))
        kind_of(*inside);
    name_all(root, network);
}

const std::string& PrintedFiles::component_of(const Context& inside) const {
    return names_.at(kind_of_.at(&inside));
}

PrintedFiles::Kind PrintedFiles::kind_of(Context& inside) {
    const Node& root = inside.component->root;
    std::string told = fmt::format("{}", static_cast<const void*>(inside.component));
    if (const Node* parameters = root.find("parameters"))
        for (const auto& [key, value] : parameters->entries) {
            const std::string& name = key.text.text;
            if (const std::string* file = inside.scope.find_file(name))
                told += fmt::format(" {}={}", file->size(), *file);
            else if (const expr::Value* number = inside.scope.find(name))
                told += fmt::format(" {}", to_string(number->low));
        }
    for (Context* each : instances_in(root, inside))
        told += fmt::format(" {}", kind_of(*each));
    const Kind kind = kinds_.try_emplace(std::move(told), kinds_.size()).first->second;
    kind_of_[&inside] = kind;
    return kind;
}

/// "fifo", then "fifo_2" and so on.
std::string PrintedFiles::fresh(const std::string& base) {
    std::string name = base;
    for (int& last = last_of_[base]; !taken_.insert(name).second;)
        name = fmt::format("{}_{}", base, ++last + 1);
    return name;
}

namespace {

/// "stream" of "std/stream.yaml"; of itself, too.
std::string stem_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::string file = slash == path.npos ? path : path.substr(slash + 1);
    const std::size_t dot = file.find('.');
    return dot == file.npos || dot == 0 ? file : file.substr(0, dot);
}

} // namespace

void PrintedFiles::name_all(const Node& root, Context& context) {
    const std::vector<Context*> instances = instances_in(root, context);
    const std::size_t first = files_.size();
    for (const ImportedFile* file : context.imports) {
        if (!file->component && libraries_.count(file) == 0) {
            const std::string& name = libraries_[file] = fresh(stem_of(file->path));
            files_.push_back({name, &file->root, file->scope.get()});
        }
        for (Context* inside : instances)
            if (inside->component == file->component.get() && file->component &&
                names_.count(kind_of_.at(inside)) == 0) {
                const std::string& name = names_[kind_of_.at(inside)] =
                    fresh(file->component->name);
                place_of_[name] = files_.size();
                files_.push_back({name, &file->component->root, inside});
            }
    }
    for (std::size_t k = first, end = files_.size(); k < end; ++k) {
        const File file = files_[k];
        name_all(*file.root, *file.scope);
    }
}

} // namespace sme::yaml
