// SPDX-License-Identifier: Apache-2.0
#include "yaml/scope/library.hpp"

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "expr/syntax/lexer.hpp"
#include "yaml/read/tree.hpp"
#include "yaml/scope/context.hpp"
#include "yaml/syntax/readers.hpp"

namespace sme::yaml {

ImportedFile::ImportedFile() = default;
ImportedFile::~ImportedFile() = default;

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string{} : path.substr(0, slash == 0 ? 1 : slash);
}

std::string path_beside(const std::string& written, const std::string& folder) {
    if (written.starts_with('/') || folder.empty())
        return written;
    return folder.ends_with('/') ? folder + written : folder + "/" + written;
}

bool note_read(FileAccess* files, const std::string& path, const Location& asked_at,
               Diagnostics& diagnostics) {
    if (!files)
        return true;
    if (files->note_read_by_network(path)) {
        const bool program = files->bounds_reading() && is_fst_file(path);
        if (program)
            diagnostics.add(Code::file_unreadable, asked_at,
                            fmt::format("GTKWave's fst2vcd reads FST files such as '{}', but "
                                        "--safe starts no program; write it as VCD elsewhere, and "
                                        "name that",
                                        path));
        return !program;
    }
    diagnostics.add(Code::outside_folder, asked_at,
                    fmt::format("with --safe a network reads only below its own folder and the "
                                "working folder, but this is '{0}'; give --allow '{0}' to let it",
                                path));
    return false;
}

namespace {

/// Returns "a/c" for "a/b/../c", so each file has one path.
std::string tidied(const std::string& path) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t slash = std::min(path.find('/', begin), path.size());
        const std::string part = path.substr(begin, slash - begin);
        begin = slash + 1;
        if (part == ".." && !parts.empty() && parts.back() != ".." && !parts.back().empty())
            parts.pop_back();
        else if (part != "." && (!part.empty() || parts.empty()))
            parts.push_back(part);
    }
    return fmt::format("{}", fmt::join(parts, "/"));
}

/// Reports files inside a file that is not a network.
bool check_no_files(const Node& root, Diagnostics& diagnostics) {
    for (const auto& [key, value] : root.entries)
        if (key.text.text == "files") {
            diagnostics.add(Code::unknown_key, key.where,
                            "only a network has 'files'; write these beside those of the network");
            return false;
        }
    return true;
}

} // namespace

/// Reads an imported file according to its kind; reports a file that cannot be imported.
void Library::read_import(ImportedFile& file, const Node& root) {
    const Node* component = root.find("component");
    if (const Node* network = root.find("network")) {
        diagnostics_.add(Code::bad_import, network->where,
                         fmt::format("'{}' is a network; only components and files of types, "
                                     "constants and functions can be imported",
                                     file.path));
        return;
    }
    if (!check_no_files(root, diagnostics_))
        return;
    file.usable = true;
    if (!component) {
        file.syntax = read_library(root, diagnostics_);
        return;
    }
    file.usable = is_name(*component, "the name of a component", diagnostics_);
    file.component = std::make_unique<ComponentFile>();
    file.component->name = component->text.text;
    file.component->place = file.place;
    file.component->declared = component->where;
    if (!file.usable)
        return;
    const std::size_t errors = diagnostics_.errors();
    file.component->syntax = read_component(root, file.component->name, diagnostics_);
    errors_in_components_ += diagnostics_.errors() - errors;
}

void Library::take_files(const Node& section, const std::string& folder) {
    if (!is_map_or_empty(section, "a map of files", diagnostics_))
        return;
    for (const auto& [key, value] : section.entries) {
        Inner& result = inner_[key.text.text];
        result.declared = key.where;
        result.file.path = key.text.text;
        result.file.place = {folder, true};
        if (!value.is_map()) {
            wrong_shape(value, "a map of a file's sections", diagnostics_);
            continue;
        }
        read_import(result.file, value);
    }
}

std::vector<std::pair<std::string, Location>> Library::unused() const {
    std::vector<std::pair<std::string, Location>> found;
    for (const auto& [name, inner] : inner_)
        if (!inner.used)
            found.emplace_back(name, inner.declared);
    return found;
}

ImportedFile* Library::open(const std::string& written, const FilePlace& beside,
                            const Location& asked_at) {
    if (const auto inner = inner_.find(written); beside.in_network && inner != inner_.end()) {
        inner->second.used = true;
        return &inner->second.file;
    }
    const bool standard = written.starts_with("std/");
    if (standard && folder_.empty()) {
        diagnostics_.add(
            Code::file_unreadable, asked_at,
            fmt::format("there is no standard library here to take '{}' from", written));
        return nullptr;
    }
    const std::string path = tidied(path_beside(written, standard ? folder_ : beside.folder));
    const auto [known, fresh] = files_.try_emplace(path);
    if (!fresh)
        return known->second.get();
    if (!note_read(access_, path, asked_at, diagnostics_)) {
        files_.erase(known);
        return nullptr;
    }
    FileText text = read_file(path, size_ * Limits::file_bytes);
    if (!text.text) {
        files_.erase(known);
        diagnostics_.add(text.too_large ? Code::file_too_large : Code::file_unreadable, asked_at,
                         fmt::format("cannot read '{}': {}", path, text.problem));
        return nullptr;
    }
    if (!is_network_text(*text.text)) {
        files_.erase(known);
        diagnostics_.add(Code::bad_import, asked_at,
                         fmt::format("'{}' is neither a component nor a file of types, constants "
                                     "and functions: no line of it begins with 'component:', "
                                     "'types:' or another section",
                                     path));
        return nullptr;
    }
    known->second = std::make_unique<ImportedFile>();
    ImportedFile& file = *known->second;
    file.path = path;
    file.place.folder = folder_of(path);
    const Diagnostics::Within within{diagnostics_, asked_at, "it is imported here"};
    const std::size_t errors = diagnostics_.errors();
    auto root =
        parse_tree(std::make_shared<Source>(path, std::move(*text.text)), diagnostics_, size_);
    if (!root || diagnostics_.errors() != errors)
        return &file;
    if (!root->is_map()) {
        wrong_shape(*root, "a map of sections", diagnostics_);
        return &file;
    }
    read_import(file, *root);
    return &file;
}

} // namespace sme::yaml
