// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/diagnostic.hpp"
#include "yaml/tree.hpp"

namespace sme::yaml {

struct Context;

/// A component file, parsed: `name` is what `component:` says.
struct ComponentFile {
    std::string name;
    std::string path;
    Node root;
    Location declared;
};

/// A file that another one imports: a component, or a library of types, constants and functions.
struct ImportedFile {
    std::string path;
    Node root;
    bool usable = false; // parsed without an error
    bool open = false;   // being loaded: an import of it now is a loop
    std::unique_ptr<ComponentFile> component;
    std::unique_ptr<Context> scope; // of a library
    ImportedFile();
    ~ImportedFile();
};

/// The files that a network imports, each read once.
class Library {
public:
    /// `folder` is where "std/..." lies; empty: nowhere.
    Library(std::string folder, Diagnostics& diagnostics)
        : folder_{std::move(folder)}, diagnostics_{diagnostics} {}

    /// Reads and parses a file as it is named in a file of the folder `beside`. Null when it cannot
    /// be read, which has been reported; broken files are reported once.
    ImportedFile* open(const std::string& written, const std::string& beside,
                       const Location& asked_at);

private:
    std::string folder_;
    Diagnostics& diagnostics_;
    std::map<std::string, std::unique_ptr<ImportedFile>> files_; // by path
};

/// The folder of a path, empty for the working folder.
std::string folder_of(const std::string& path);

/// A path as it is written in a file of a folder.
std::string path_beside(const std::string& written, const std::string& folder);

} // namespace sme::yaml
