// SPDX-License-Identifier: Apache-2.0
//
// 1. From the inside out, every instance gets the number of its kind. 2. From the network on, in
//    source order, kinds and libraries get names.
#include "yaml/print/printed_files.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

std::vector<Context*> instances_in(const FileSyntax& file, Context& context) {
    std::vector<Context*> found;
    const auto add = [&](const ProcessSyntax& process) {
        if (!process.use)
            return;
        const Unit& unit = context.members.at(process.name.name);
        for (const Unit& group : unit.groups)
            found.push_back(group.inside.get());
        if (unit.groups.empty())
            found.push_back(unit.inside.get());
    };
    for (const ProcessSyntax& process : file.processes) {
        add(process);
        if (process.against)
            add(*process.against);
    }
    return found;
}

PrintedFiles::PrintedFiles(const FileSyntax& file, Context& network) {
    for (Context* inside : instances_in(file, network))
        kind_of(*inside);
    name_all(file, network);
}

const std::string& PrintedFiles::component_of(const Context& inside) const {
    return names_.at(kind_of_.at(&inside));
}

PrintedFiles::Kind PrintedFiles::kind_of(Context& inside) {
    const FileSyntax& file = inside.component->syntax;
    std::string told = fmt::format("{}", static_cast<const void*>(inside.component));
    for (const ParameterSyntax& parameter : file.names.parameters) {
        const std::string& name = parameter.name.text;
        if (const std::string* path = inside.scope.find_file(name))
            told += fmt::format(" {}={}", path->size(), *path);
        else if (const expr::Value* number = inside.scope.find(name))
            told += fmt::format(" {}", to_string(number->low));
    }
    for (Context* each : instances_in(file, inside))
        told += fmt::format(" {}", kind_of(*each));
    const Kind kind = kinds_.try_emplace(std::move(told), kinds_.size()).first->second;
    kind_of_[&inside] = kind;
    return kind;
}

/// Returns "fifo", then "fifo_2" and so on.
std::string PrintedFiles::fresh(const std::string& base) {
    std::string name = base;
    for (int& last = last_of_[base]; !taken_.insert(name).second;)
        name = fmt::format("{}_{}", base, ++last + 1);
    return name;
}

namespace {

/// Returns "stream" for "std/stream.yaml" or "stream".
std::string stem_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::string file = slash == path.npos ? path : path.substr(slash + 1);
    const std::size_t dot = file.find('.');
    return dot == file.npos || dot == 0 ? file : file.substr(0, dot);
}

} // namespace

void PrintedFiles::name_all(const FileSyntax& file, Context& context) {
    const std::vector<Context*> instances = instances_in(file, context);
    const std::size_t first = files_.size();
    for (const ImportedFile* other : context.imports) {
        if (!other->component && libraries_.count(other) == 0) {
            const std::string& name = libraries_[other] = fresh(stem_of(other->path));
            files_.push_back({name, &other->syntax, other->scope.get()});
        }
        for (Context* inside : instances)
            if (inside->component == other->component.get() && other->component &&
                names_.count(kind_of_.at(inside)) == 0) {
                const std::string& name = names_[kind_of_.at(inside)] =
                    fresh(other->component->name);
                place_of_[name] = files_.size();
                files_.push_back({name, &other->component->syntax, inside});
            }
    }
    for (std::size_t k = first, end = files_.size(); k < end; ++k) {
        const File inner = files_[k];
        name_all(*inner.syntax, *inner.scope);
    }
}

} // namespace sme::yaml
