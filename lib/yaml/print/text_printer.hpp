// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "expr/syntax/parser.hpp"
#include "expr/syntax/print_line.hpp"
#include "yaml/print/document.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// The texts of one scope, read and printed again: names of files as they are written in a file of
/// the working folder, everything else as the parser understood it. What stands in a scope that was
/// loaded without an error can be read.
class TextPrinter {
public:
    explicit TextPrinter(Context& context) : context_{context} {}

    std::string expression(const expr::Text& text);
    Document value(const ValueSyntax& value);
    std::string declaration(const expr::Declaration& declaration);
    /// The name of a data file or of a file parameter.
    std::string path(const std::string& written);

    std::string print(const expr::Ast& ast);
    std::string print_target(const expr::Ast& ast);
    std::string print(const expr::Guarded& guarded);
    std::string print(const expr::PropertyText& property);
    std::string print(const std::vector<expr::Pattern>& patterns);
    std::string print(const expr::FamilyName& name);
    std::string print(const expr::PrintText& line);

    /// Right-hand sides, lets and steps, as they stand under their key.
    Document rhs(const expr::Rhs& rhs);
    Document let(const std::vector<expr::LetText>& lets);
    Document step(const expr::Block& block);

    Context& context() { return context_; }
    /// All names that were printed; those of fields and ports are not looked at.
    std::set<std::string> mentioned;

private:
    void mention(const expr::Ast& ast);
    expr::AstRef with_paths(const expr::AstRef& ast);
    template <class Arm> std::string arm_key(const Document& map, const Arm& arm);
    Document entries(const expr::Statement& statement);

    Context& context_;
};

} // namespace sme::yaml
