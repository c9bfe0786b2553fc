// SPDX-License-Identifier: Apache-2.0
//
// sum(k < n, e) and similar reducers, unrolled: more than three terms as a balanced tree. So are
// min(a, b) and max(a, b).
#include <algorithm>

#include "export/expressions/translator.hpp"
#include "export/rtl/verilog.hpp"

namespace sme::hdl {

using expr::Operator;
using expr::Typed;

Term Translator::array_of(const Terms& terms, const TypeRef& type) {
    const TypeRef& element = type->element();
    Terms parts;
    for (std::size_t k = terms.size(); k-- > 0;) // element 0 rightmost
        parts.push_back(fit(terms[k], element));
    return Term::of(type, side_by_side(parts));
}

static Term over_lines(Term term) {
    if (term.expr && term.expr->kind == rtl::Expr::Kind::binary)
        term.expr = rtl::over_lines(term.expr);
    return term;
}

Term Translator::balanced(Terms terms, const Joins& join) {
    constexpr std::size_t readable = 3; // as a chain
    const bool is_tree = terms.size() > readable;
    while (terms.size() > readable) {
        Terms joined;
        for (std::size_t k = 0; k + 1 < terms.size(); k += 2)
            joined.push_back(shortened(over_lines(join(terms[k], terms[k + 1]))));
        if (terms.size() % 2 != 0)
            joined.push_back(terms.back());
        terms = std::move(joined);
    }
    Term made = terms[0];
    for (std::size_t k = 1; k < terms.size(); ++k)
        made = shortened(is_tree ? over_lines(join(made, terms[k])) : join(made, terms[k]));
    return made;
}

/// Moves a text that grows long into a variable.
Term Translator::shortened(const Term& term) {
    constexpr std::size_t most = 2000; // characters
    return term.is_typed() && term.expr && rtl::verilog(term.expr).size() > most
               ? placed(term, "some")
               : term;
}

Term Translator::reduced(const Typed& typed, const Terms& terms) {
    const std::string& name = typed.ast->operands[0]->text;
    if (name == "any" || name == "all") {
        if (terms.empty())
            return Term::truth(name == "all");
        const bool is_all = name == "all";
        return balanced(terms, [&](const Term& a, const Term& b) {
            return infix(Type::boolean(), a, is_all ? "&&" : "||", b,
                         is_all ? Level::logical_and : Level::logical_or);
        });
    }
    if (name == "count")
        return population(array_of(terms, Type::array(Type::boolean(), terms.size())));
    if (name != "first")
        return combined(name, terms, typed.value);
    std::vector<std::pair<Term, Term>> options;
    for (const Term& term : terms)
        options.emplace_back(term, Term::number_of(static_cast<Integer>(options.size())));
    return chain(options, Term::number_of(static_cast<Integer>(terms.size())), typed.value);
}

/// Combines terms into one value; exact numbers in a type that holds them and the result.
Term Translator::combined(const std::string& name, const Terms& terms, const expr::Value& value) {
    Integer low = value.low, high = value.high;
    for (const Term& term : terms) {
        low = std::min(low, term.low);
        high = std::max(high, term.high);
    }
    const TypeRef type = value.is_exact() ? type_between(low, high) : value.type;
    Terms fitted;
    for (const Term& term : terms)
        fitted.push_back(fit(term, type));
    const Term made = balanced(std::move(fitted), [&](const Term& a, const Term& b) {
        return name == "sum"   ? typed_binary(Operator::add, a, b)
               : name == "xor" ? typed_binary(Operator::bit_xor, a, b)
                               : extreme(a, b, name == "max");
    });
    return value.is_exact() ? Term::between(made, value.low, value.high) : made;
}

/// Writes fold(k < n, acc = start, e): each step in a variable of its own.
Term Translator::folded(const Typed& typed) {
    const expr::Ast& start = *typed.ast->operands[typed.ast->operands.size() - 2];
    Term carried = value(*typed.operands[0]);
    const TypeRef type = carried.is_typed() ? carried.type : nullptr;
    for (std::size_t k = 1; k < typed.operands.size(); ++k) {
        if (carried.is_typed() && carried.level() != Level::primary)
            carried = placed(carried, start.text);
        locals_[start.text] = carried;
        if (moves_)
            moving_.insert(start.text);
        const Term next = value(*typed.operands[k]);
        carried = type ? fit(next, type) : next;
    }
    locals_.erase(start.text);
    moving_.erase(start.text);
    return carried;
}

} // namespace sme::hdl
