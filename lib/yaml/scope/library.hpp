// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/file_access.hpp"
#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

struct Context;

/// The context in which file names in a text are resolved.
struct FilePlace {
    std::string folder;
    bool in_network = false; // in the network's own file: its section `files` has precedence
};

/// A parsed component file: `name` is its `component:` line.
struct ComponentFile {
    std::string name;
    FilePlace place;
    FileSyntax syntax;
    Location declared;
};

/// An imported file: a component, or a library of types, constants and functions.
struct ImportedFile {
    std::string path; // or the name of an entry of `files`
    FilePlace place;
    FileSyntax syntax;   // for a library
    bool usable = false; // parsed without an error
    bool open = false;   // being loaded: importing it now is a cycle
    std::unique_ptr<ComponentFile> component;
    std::unique_ptr<Context> scope; // for a library
    ImportedFile();
    ~ImportedFile();
};

/// The files that a network imports, each read once: those in its section `files`, and those on
/// disk.
class Library {
public:
    /// `folder` is the directory of "std/..."; empty if unavailable. `size`: LoadOptions::size.
    Library(std::string folder, FileAccess* files, std::uint64_t size, Diagnostics& diagnostics)
        : folder_{std::move(folder)}, access_{files}, size_{size}, diagnostics_{diagnostics} {}

    /// Takes the section `files` of a network in that directory; reports files that cannot be
    /// imported.
    void take_files(const Node& section, const std::string& folder);

    /// Reads and parses a file named in a text at `beside`. Null if unreadable, which has been
    /// reported; broken files are reported once.
    ImportedFile* open(const std::string& written, const FilePlace& beside,
                       const Location& asked_at);

    /// Returns the number of errors of form in components: they break the component's inside, but
    /// no name of the importing file.
    std::size_t errors_in_components() const { return errors_in_components_; }

    /// Returns the entries of `files` that are never imported, with their locations.
    std::vector<std::pair<std::string, Location>> unused() const;

private:
    struct Inner {
        ImportedFile file;
        Location declared;
        bool used = false;
    };

    void read_import(ImportedFile& file, const Node& root);

    std::size_t errors_in_components_ = 0;
    std::string folder_;
    FileAccess* access_; // null: any file is read
    std::uint64_t size_;
    Diagnostics& diagnostics_;
    std::map<std::string, Inner> inner_;                         // entries of `files`, by name
    std::map<std::string, std::unique_ptr<ImportedFile>> files_; // by path
};

/// Returns the directory of a path; empty for the working directory.
std::string folder_of(const std::string& path);

/// Resolves a path written in a file of a directory.
std::string path_beside(const std::string& written, const std::string& folder);

/// Notifies `files` that the network reads a file. False if refused, which is reported.
bool note_read(FileAccess* files, const std::string& path, const Location& asked_at,
               Diagnostics& diagnostics);

} // namespace sme::yaml
