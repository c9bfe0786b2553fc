// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// The files that a loaded network imports, as they will stand in one file: libraries as they are,
/// and a component once for each set of values that its numbers and files have in some instance,
/// and those of what is in it. Types stay parameters.
class PrintedFiles {
public:
    PrintedFiles(const FileSyntax& file, Context& network);

    struct File {
        std::string name;
        const FileSyntax* syntax;
        Context* scope; // of the library, or of the first such instance
    };
    /// In the order in which they are first imported.
    const std::vector<File>& all() const { return files_; }
    /// The name of the component that an instance is, by its scope.
    const std::string& component_of(const Context& inside) const;
    const File& component_named(const std::string& name) const {
        return files_[place_of_.at(name)];
    }
    const std::string& library(const ImportedFile& file) const { return libraries_.at(&file); }

private:
    using Kind = std::size_t; // of a component: its file with certain values

    Kind kind_of(Context& inside);
    void name_all(const FileSyntax& file, Context& context);
    std::string fresh(const std::string& base);

    std::map<std::string, Kind> kinds_; // by all that tells them apart
    std::map<const Context*, Kind> kind_of_;
    std::map<Kind, std::string> names_;
    std::map<const ImportedFile*, std::string> libraries_;
    std::set<std::string> taken_;
    std::map<std::string, int> last_of_;          // the last number behind a name
    std::map<std::string, std::size_t> place_of_; // of a component in `files_`, by name
    std::vector<File> files_;
};

/// The instances of components in a scope, in the order of its text.
std::vector<Context*> instances_in(const FileSyntax& file, Context& context);

} // namespace sme::yaml
