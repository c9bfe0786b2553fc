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

/// Where the names of files are looked up that stand in a text.
struct FilePlace {
    std::string folder;
    bool in_network = false; // in the network's own file: its section `files` comes first
};

/// A component file, parsed: `name` is what `component:` says.
struct ComponentFile {
    std::string name;
    FilePlace place;
    FileSyntax syntax;
    Location declared;
};

/// A file that another one imports: a component, or a library of types, constants and functions.
struct ImportedFile {
    std::string path; // or the name of an entry of `files`
    FilePlace place;
    FileSyntax syntax;   // of a library
    bool usable = false; // parsed without an error
    bool open = false;   // being loaded: an import of it now is a loop
    std::unique_ptr<ComponentFile> component;
    std::unique_ptr<Context> scope; // of a library
    ImportedFile();
    ~ImportedFile();
};

/// The files that a network imports, each read once: those that stand in its section `files`, and
/// those on the disk.
class Library {
public:
    /// `folder` is where "std/..." lies; empty: nowhere.
    Library(std::string folder, FileAccess* files, Diagnostics& diagnostics)
        : folder_{std::move(folder)}, access_{files}, diagnostics_{diagnostics} {}

    /// Takes the section `files` of a network in that folder; reports what is no file to import.
    void take_files(const Node& section, const std::string& folder);

    /// Reads and parses a file as it is named in a text at `beside`. Null when it cannot be read,
    /// which has been reported; broken files are reported once.
    ImportedFile* open(const std::string& written, const FilePlace& beside,
                       const Location& asked_at);

    /// Errors of form in components: they break what is inside, and no name of the file that
    /// imports them.
    std::size_t errors_in_components() const { return errors_in_components_; }

    /// Entries of `files` that nothing imported, with where they stand.
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
    Diagnostics& diagnostics_;
    std::map<std::string, Inner> inner_;                         // entries of `files`, by name
    std::map<std::string, std::unique_ptr<ImportedFile>> files_; // by path
};

/// The folder of a path, empty for the working folder.
std::string folder_of(const std::string& path);

/// A path as it is written in a file of a folder.
std::string path_beside(const std::string& written, const std::string& folder);

/// Notes that a network reads a file. False: it may not, which has been reported.
bool note_read(FileAccess* files, const std::string& path, const Location& asked_at,
               Diagnostics& diagnostics);

} // namespace sme::yaml
