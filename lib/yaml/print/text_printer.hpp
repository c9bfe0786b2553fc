// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "expr/syntax/parser.hpp"
#include "expr/syntax/print_line.hpp"
#include "yaml/print/document.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// The files that a loaded network imports, as printed in one file: libraries unchanged, and each
/// component once for each set of values of its numbers and files, and those of its inner
/// instances, over all instances. Types remain parameters.
class PrintedFiles {
public:
    PrintedFiles(const FileSyntax& file, Context& network);

    struct File {
        std::string name;
        const FileSyntax* syntax;
        Context* scope; // scope of the library, or of the first such instance
    };
    /// Returns the files in the order of their first import.
    const std::vector<File>& all() const { return files_; }
    /// Returns the name of an instance's component, by its scope.
    const std::string& component_of(const Context& inside) const;
    const File& component_named(const std::string& name) const {
        return files_[place_of_.at(name)];
    }
    const std::string& library(const ImportedFile& file) const { return libraries_.at(&file); }

private:
    using Kind = std::size_t; // a component file with certain values

    Kind kind_of(Context& inside);
    void name_all(const FileSyntax& file, Context& context);
    std::string fresh(const std::string& base);

    std::map<std::string, Kind> kinds_; // by all distinguishing values
    std::map<const Context*, Kind> kind_of_;
    std::map<Kind, std::string> names_;
    std::map<const ImportedFile*, std::string> libraries_;
    std::set<std::string> taken_;
    std::map<std::string, int> last_of_;          // last suffix of each name
    std::map<std::string, std::size_t> place_of_; // index of a component in `files_`, by name
    std::vector<File> files_;
};

/// Returns the instances of components in a scope, in source order.
std::vector<Context*> instances_in(const FileSyntax& file, Context& context);

/// Prints the texts of one scope: file names relative to the working directory, all else as parsed.
/// The texts of a scope loaded without errors are valid.
class TextPrinter {
public:
    explicit TextPrinter(Context& context) : context_{context} {}

    std::string expression(const expr::Text& text);
    Document value(const ValueSyntax& value);
    std::string declaration(const expr::Declaration& declaration);
    /// Returns the name of a data file or of a file parameter.
    std::string path(const std::string& written);

    std::string print(const expr::Ast& ast);
    std::string print_target(const expr::Ast& ast);
    std::string print(const expr::Guarded& guarded);
    std::string print(const expr::PropertyText& property);
    std::string print(const std::vector<expr::Pattern>& patterns);
    std::string print(const expr::FamilyName& name);
    std::string print(const expr::PrintText& line);

    /// Prints right-hand sides, lets and steps, as they appear below their key.
    Document rhs(const expr::Rhs& rhs);
    Document let(const std::vector<expr::LetText>& lets);
    Document step(const expr::Block& block);
    Document sequence(const SequenceItems& items);
    Document pipeline(const PipelineSyntax& pipeline);
    Document procedures(const std::vector<ProcedureSyntax>& all);

    Context& context() { return context_; }
    /// All printed names, except those of fields and ports.
    std::set<std::string> mentioned;

private:
    void mention(const expr::Ast& ast);
    expr::AstRef with_paths(const expr::AstRef& ast);
    template <class Arm> std::string arm_key(const Document& map, const Arm& arm);
    Document entries(const expr::Statement& statement);
    Document item(const SequenceItem& item);
    Document with_items(const SequenceItem& item);
    std::string call(const expr::Ast& written);

    Context& context_;
};

} // namespace sme::yaml
