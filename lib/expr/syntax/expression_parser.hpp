// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "expr/syntax/ast.hpp"
#include "expr/syntax/lexer.hpp"
#include "expr/syntax/step.hpp"

namespace sme::expr {

/// Aborts parsing, after a diagnostic was added.
struct Broken {};

/// A recursive descent parser for expressions, with precedence climbing for binary operators.
class ExpressionParser {
public:
    ExpressionParser(const Text& text, Diagnostics& diagnostics)
        : text_{text}, diagnostics_{diagnostics}, tokens_{tokenize(text, diagnostics)} {}

    AstRef expression();
    void expect_end();

protected:
    /// The maximum depth of a tree; trees are walked recursively.
    static constexpr int deepest = 200;
    /// The maximum length of a chain of operators of equal strength, which adds no depth.
    static constexpr std::size_t max_terms = 2000;
    /// The strength of comparisons; operators that bind tighter may be their operands.
    static constexpr int comparison = comparison_strength;

    /// Counts nesting; limits the depth of recursion for any input.
    class Deeper {
    public:
        explicit Deeper(ExpressionParser& parser) : parser_{parser} {
            if (++parser_.depth_ > 4 * deepest)
                parser_.too_deep();
        }
        ~Deeper() { --parser_.depth_; }
        Deeper(const Deeper&) = delete;
        Deeper& operator=(const Deeper&) = delete;

    private:
        ExpressionParser& parser_;
    };

    const Token& next() const { return tokens_[at_]; }
    bool at(std::string_view word) const;
    bool accept(std::string_view word);
    void expect(std::string_view word);
    Location here() const;
    Location from(std::size_t first_token) const;
    [[noreturn]] void fail(std::string_view wanted);
    [[noreturn]] void too_deep();
    [[noreturn]] void too_many_terms();
    std::string_view name(std::string_view wanted);
    AstRef make(Ast::Kind kind, std::size_t first_token, std::vector<AstRef> operands,
                std::string_view word = {}, Operator op = Operator::add, int depth = 0);

    AstRef conditional();
    AstRef binary(int weakest);
    AstRef negation();
    AstRef unary();
    AstRef postfix();
    AstRef brackets(std::size_t first, AstRef base);
    AstRef index();
    AstRef expression_or_range(RangeText& found);
    AstRef call(std::size_t first, AstRef callee);
    AstRef drawn_by_rule(std::size_t first, const Ast& plain);
    AstRef argument();
    AstRef primary();
    AstRef fields();
    /// The bins of a value that begins at a token: "in [3, 4..9, 10..]".
    std::vector<PropertyText::Bin> bins(std::size_t begin, const AstRef& value);
    /// All pairs of two lists of bins.
    std::vector<PropertyText::Bin> crossed(const std::vector<PropertyText::Bin>& one,
                                           const std::vector<PropertyText::Bin>& other);
    /// The text from a token up to the next one.
    std::string written(std::size_t first) const;
    /// Parses an expression, a list, file(...), or a map whose fields may be any of these.
    AstRef initial();
    AstRef file();
    AstRef number();

    const Text& text_;
    Diagnostics& diagnostics_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    bool takes_ranges_ = false; // in brackets: a target
    bool takes_lists_ = false;  // as fields: an initial value

private:
    int depth_ = 0;
    int chain_ = 0;
};

} // namespace sme::expr
