// SPDX-License-Identifier: Apache-2.0
//
// sum(k < n, e) and its kin: written out, term by term.
#include <algorithm>

#include <fmt/format.h>

#include "export/expressions/translator.hpp"

namespace sme::hdl {

using expr::Ast;
using expr::Operator;

bool Translator::is_range(const Ast& ast) {
    if (ast.kind != Ast::Kind::binary || ast.op != Operator::less ||
        ast.operands[0]->kind != Ast::Kind::name)
        return false;
    const std::string& name = ast.operands[0]->text;
    return !locals_.count(name) && !site_.find(name) && !site_.home().find(name);
}

Translator::Ranges Translator::ranges(const Ast& ast, std::size_t count) {
    Ranges made;
    for (std::size_t k = 1; k <= count; ++k)
        made.push_back({ast.operands[k]->operands[0]->text,
                        {0, known_number(*ast.operands[k]->operands[1]).value_or(0)}});
    return made;
}

Translator::Ranges Translator::ranges(const std::vector<expr::RangeText>& texts) {
    Ranges made;
    for (const expr::RangeText& text : texts) {
        const Integer low = text.low ? known_number(*text.low).value_or(0) : 0;
        made.push_back({text.index, {low, known_number(*text.end).value_or(0)}});
    }
    return made;
}

void Translator::for_each(const Ranges& ranges, const std::function<void()>& visit) {
    Integer total = 1;
    for (const auto& [name, range] : ranges)
        total *= std::max(Integer{0}, range.second - range.first);
    for (Integer step = 0; step < total; ++step) {
        Integer rest = step;
        for (std::size_t d = ranges.size(); d-- > 0;) {
            const auto& [name, range] = ranges[d];
            const Integer size = range.second - range.first;
            bind(name, Term::number_of(range.first + rest % size));
            rest /= size;
        }
        visit();
    }
    for (const auto& [name, range] : ranges)
        unbind(name);
}

Term Translator::array_of(const std::vector<Term>& terms) {
    TypeRef type;
    for (const Term& term : terms)
        if (term.is_typed())
            type = term.type;
    if (!type)
        return {};
    std::string all;
    for (std::size_t k = terms.size(); k-- > 0;) // element 0 rightmost
        all += (all.empty() ? "" : ", ") + bits(fit(terms[k], type));
    return Term::of(Type::array(type, terms.size()), "{" + all + "}");
}

/// Of a chain that grows long, a variable.
Term Translator::shortened(const Term& term) {
    constexpr std::size_t most = 2000; // characters
    return term.text.size() > most && term.is_typed() ? placed(term, "some") : term;
}

Term Translator::reduced(const Ast& ast, const std::string& name) {
    const Ast& body = *ast.operands.back();
    if (name != "cat" && name != "array" && is_long(ranges(ast, ast.operands.size() - 2)) &&
        !known_number(ast))
        return reduced_in_loop(ast, name);
    std::vector<Term> terms;
    for_each(ranges(ast, ast.operands.size() - 2), [&] { terms.push_back(value(body)); });
    const auto truth = [](bool value) {
        return Term::of(Type::boolean(), value ? "1'b1" : "1'b0");
    };
    if (name == "any" || name == "all") {
        if (terms.empty())
            return truth(name == "all");
        Term made = terms[0];
        for (std::size_t k = 1; k < terms.size(); ++k)
            made = infix(Type::boolean(), shortened(made), name == "all" ? "&&" : "||", terms[k],
                         name == "all" ? Level::logical_and : Level::logical_or);
        return made;
    }
    if (name == "count") {
        if (terms.empty())
            return Term::number_of(0);
        const auto known = known_number(ast);
        return known ? Term::number_of(*known) : population(loaded(array_of(terms)));
    }
    if (name == "first") {
        Term found = Term::number_of(static_cast<Integer>(terms.size()));
        for (std::size_t k = terms.size(); k-- > 0;)
            found =
                select(terms[k], Term::number_of(static_cast<Integer>(k)), found, terms.size() > 3);
        return found;
    }
    if (terms.empty())
        return name == "sum" ? Term::number_of(0) : Term{};
    if (name == "cat") {
        std::reverse(terms.begin(), terms.end()); // element 0 rightmost
        return concatenated(terms);
    }
    if (name == "array")
        return array_of(terms);
    Term result = terms[0];
    for (std::size_t k = 1; k < terms.size(); ++k, result = shortened(result))
        result = name == "sum"   ? any_binary(Operator::add, result, terms[k])
                 : name == "xor" ? any_binary(Operator::bit_xor, result, terms[k])
                                 : extreme(result, terms[k], name == "max");
    return result;
}

/// fold(k < n, acc = start, e): each step in a variable of its own.
Term Translator::folded(const Ast& ast) {
    if (is_long(ranges(ast, ast.operands.size() - 3)))
        return folded_in_loop(ast);
    const Ast& start = *ast.operands[ast.operands.size() - 2];
    const Ast& body = *ast.operands.back();
    Term carried = value(*start.operands[0]);
    const TypeRef type = carried.is_typed() ? carried.type : nullptr;
    for_each(ranges(ast, ast.operands.size() - 3), [&] {
        if (carried.is_typed() && carried.level != Level::primary)
            carried = placed(carried, start.text);
        bind(start.text, carried);
        Term next = value(body);
        carried = type ? fit(next, type) : next;
    });
    unbind(start.text);
    return carried;
}

} // namespace sme::hdl
