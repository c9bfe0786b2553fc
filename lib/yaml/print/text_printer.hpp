// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "expr/syntax/parser.hpp"
#include "expr/syntax/print_line.hpp"
#include "yaml/print/document.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

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

    Context& context() { return context_; }
    /// All printed names, except those of fields and ports.
    std::set<std::string> mentioned;

private:
    void mention(const expr::Ast& ast);
    expr::AstRef with_paths(const expr::AstRef& ast);
    template <class Arm> std::string arm_key(const Document& map, const Arm& arm);
    Document entries(const expr::Statement& statement);

    Context& context_;
};

} // namespace sme::yaml
