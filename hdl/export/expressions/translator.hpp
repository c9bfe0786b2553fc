// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "export/expressions/site.hpp"
#include "expr/calls/builtins.hpp"
#include "expr/calls/functions.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/match.hpp"

namespace sme::hdl {

/// Writes expressions in Verilog.
///
/// What it is given was loaded without an error, so types are followed, not checked; what the
/// loader found to be never chosen may be anything, and becomes `Term::Kind::none` at worst.
class Translator {
public:
    explicit Translator(Site& site) : site_{site}, module_{site.module()} {}

    /// `wanted` is the type of its place, where that is known: a map of fields takes it.
    Term evaluate(const expr::Ast& ast, const TypeRef& wanted = {});
    /// With a type: arrays of constants and memories read out. Exact numbers stay.
    Term loaded(const Term& term);
    Term value(const expr::Ast& ast, const TypeRef& wanted = {}) {
        return loaded(evaluate(ast, wanted));
    }
    /// Made to have a type.
    Term fit(const Term& term, const TypeRef& type);
    Term value_as(const expr::Ast& ast, const TypeRef& type) { return fit(value(ast, type), type); }
    /// A right-hand side that always has a value, as one expression.
    Term value(const expr::Rhs& rhs);

    /// The text of a term where what stands around binds at `around`.
    std::string text(const Term& term, Level around = Level::conditional);
    /// As an unsigned number.
    std::string bits(const Term& term);

    /// Cuts.
    Term element(const Term& base, const std::vector<Term>& indices);
    Term field(const Term& base, const std::string& name);
    Term slice(const Term& base, std::uint64_t high, std::uint64_t low);
    /// The same bits as another type.
    Term reinterpreted(const Term& term, const TypeRef& type);

    /// What is known before the run, as the loader sees it.
    std::optional<bool> known_condition(const expr::Ast& ast);
    std::optional<Integer> known_number(const expr::Ast& ast);
    TypeRef type(const expr::Ast& ast);
    /// The type that an expression has; null when it is a number.
    TypeRef value_type(const expr::Ast& ast);
    /// Which arms of a match can be taken.
    std::vector<bool> possible_arms(const expr::Ast& subject, const Location& where,
                                    const std::vector<const std::vector<expr::Pattern>*>& arms);
    /// A pattern as a value of the subject's type; of bits with `?`, as a literal for casez.
    struct PatternText {
        std::string item; // "8'd3", "8'b1??0"; empty: never met
        std::string test; // as a condition on the subject
    };
    PatternText pattern(const expr::Pattern& pattern, const Term& subject);

    /// Names that hide nothing: indices of reducers and ranges.
    void bind(const std::string& name, Term term) { locals_[name] = std::move(term); }
    void unbind(const std::string& name) { locals_.erase(name); }
    /// Hides them from what is evaluated elsewhere meanwhile: a let.
    std::map<std::string, Term>& locals() { return locals_; }
    /// Indices, each with its first number and the one behind its last.
    using Ranges = std::vector<std::pair<std::string, std::pair<Integer, Integer>>>;
    /// Calls visit() for all values of the ranges, bound.
    void for_each(const Ranges& ranges, const std::function<void()>& visit);
    Ranges ranges(const std::vector<expr::RangeText>& texts);
    /// Whether there are so many values that they stay a loop.
    static bool is_long(const Ranges& ranges);
    /// Binds the indices to the variables of a loop, until it is closed: that gives what is set in
    /// each step before all else.
    std::vector<LoopRange> open_loop(const Ranges& ranges);
    std::string close_loop(const Ranges& ranges);
    /// "name[k < n]: rhs" as an array; without ranges the value itself.
    Term let_value(const expr::LetText& let);

    Term select(const Term& condition, const Term& yes, const Term& no, bool new_line = false);
    /// A term with a place: text is kept in a variable.
    Term placed(const Term& term, const std::string& hint = "part");
    Term negated(const Term& condition);

    Site& site() { return site_; }

private:
    class ConstantEvaluator;
    friend class ConstantEvaluator;

    Term name(const expr::Ast& ast);
    Term constant(const std::string& name, const expr::Value& value);
    Term number(const expr::Ast& ast);
    Term field_of(const expr::Ast& ast);
    Term indexed(const expr::Ast& ast);
    Term indexed_so_far(const expr::Ast& ast);
    Term unary(const expr::Ast& ast);
    Term binary(const expr::Ast& ast);
    Term logical(const expr::Ast& ast, const Term* left);
    Term conditional(const expr::Ast& ast, const TypeRef& wanted);

    Term typed_binary(expr::Operator op, const Term& a, const Term& b);
    Term exact_binary(expr::Operator op, const Term& a, const Term& b);
    Term exact_compare(expr::Operator op, const Term& a, const Term& b);
    Term any_binary(expr::Operator op, const Term& a, const Term& b);
    Term divided(const Term& a, const Term& b, bool remainder);
    Term shifted(const Term& a, const Term& b, bool left);
    std::string shift_count(const Term& count, std::uint64_t width);
    Term infix(const TypeRef& type, const Term& a, const char* op, const Term& b, Level level);
    void unify(Term& a, Term& b);

    Term array_element(const Term& base, const Term& index);
    Term memory_element(const Term& base, const std::vector<Term>& indices);
    Term port_element(const Term& base, const std::vector<Term>& indices);
    /// A number as an unsigned text of so many bits, modulo 2^width.
    std::string sized(const Term& index, std::uint64_t width);
    std::string flat_index(const std::vector<Term>& indices, const std::vector<std::int64_t>& lows,
                           const std::vector<std::uint64_t>& counts, unsigned width);

    Term resized(const Term& term, const TypeRef& type);
    Term literal_of(const Term& number, const TypeRef& type);

    Term call(const expr::Ast& ast);
    Term builtin(const expr::Ast& ast, const std::string& name);
    Term cast(const expr::Ast& ast, const TypeRef& type);
    Term construct(const expr::Ast& ast, const TypeRef& type);
    Term constructed(const expr::Ast* changed, std::span<const expr::AstRef> named,
                     const TypeRef& type);
    Term fields(const expr::Ast& ast, const TypeRef& wanted);
    Term concatenated(const std::vector<Term>& parts);
    using Terms = std::vector<Term>;
    using Simple = Term (*)(Translator&, const Terms& arguments);
    static const std::map<std::string, Simple, std::less<>> simple;
    Term extreme(const Terms& terms, bool largest);
    Term extreme(Term best, const Term& other, bool largest);
    Term reversed(const Term& x);
    Term absolute(const Term& term);
    Term rotated(const Term& term, const Term& by, bool left);
    Term population(const Term& term);
    Term reduced(const expr::Ast& ast, const std::string& name);
    Term folded(const expr::Ast& ast);
    Term shortened(const Term& term);
    Term array_of(const std::vector<Term>& terms);
    Term own_call(const expr::Function& function, const expr::Ast& ast);
    bool is_range(const expr::Ast& ast);
    Ranges ranges(const expr::Ast& ast, std::size_t count);
    Term reduced_in_loop(const expr::Ast& ast, const std::string& name);
    Term folded_in_loop(const expr::Ast& ast);
    Term after_loop(const Ranges& all, const std::vector<LoopRange>& loops, const std::string& own,
                    const Term& start, const Term& next, const Term& before);
    Term step_of(const Ranges& ranges);

    Term rhs_list(const expr::Rhs& rhs);
    Term rhs_match(const expr::Rhs& rhs);
    Term chain(const std::vector<std::pair<Term, Term>>& options, const Term& last);

    Site& site_;
    ModuleText& module_;
    std::map<std::string, Term> locals_;
};

} // namespace sme::hdl
