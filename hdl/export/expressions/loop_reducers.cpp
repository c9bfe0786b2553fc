// SPDX-License-Identifier: Apache-2.0
//
// sum(k < n, e) and its kin over so many steps that each of them cannot be written out: a variable
// that a for loop sets.
#include <algorithm>

#include <fmt/format.h>

#include "export/expressions/translator.hpp"
#include "expr/calls/loop_frame.hpp"

namespace sme::hdl {

using expr::Ast;
using expr::Operator;

bool Translator::is_long(const Ranges& ranges) {
    Integer total = 1;
    for (const auto& [name, range] : ranges)
        total =
            std::min(total * std::max(Integer{0}, range.second - range.first), Integer{1} << 62);
    return total > static_cast<Integer>(expr::LoopFrame::most_unrolled);
}

std::vector<LoopRange> Translator::open_loop(const Ranges& ranges) {
    std::vector<LoopRange> made;
    std::vector<std::string> names;
    for (const auto& [name, range] : ranges) {
        const std::string own = site_.variable(name.substr(0, name.find(' ')), "integer ");
        made.push_back({own, range.first, range.second});
        names.push_back(own);
        const TypeRef type = type_between(range.first, range.second - 1);
        bind(name, Term::between(Term::at(type, {own, 32, 0, type->width_bits(), {}, true}),
                                 range.first, range.second - 1));
    }
    site_.loops().open(names);
    return made;
}

std::string Translator::close_loop(const Ranges& ranges) {
    for (const auto& [name, range] : ranges)
        unbind(name);
    return site_.loops().close();
}

/// How many steps came before, as a number.
Term Translator::step_of(const Ranges& ranges) {
    Term step = Term::number_of(0);
    for (const auto& [name, range] : ranges) {
        const Term& bound = locals_.at(name);
        const Term index =
            range.first == 0 ? bound
                             : any_binary(Operator::subtract, bound, Term::number_of(range.first));
        if (step.known()) {
            step = index;
            continue;
        }
        step = any_binary(Operator::multiply, step, Term::number_of(range.second - range.first));
        step = any_binary(Operator::add, step, index);
    }
    return step;
}

Term Translator::reduced_in_loop(const Ast& ast, const std::string& name) {
    const Ranges all = ranges(ast, ast.operands.size() - 2);
    Integer total = 1;
    for (const auto& [index, range] : all)
        total *= range.second - range.first;
    const std::vector<LoopRange> loops = open_loop(all);
    const Term body = value(*ast.operands.back());
    const Term step = step_of(all);
    TypeRef type = Type::boolean();
    Integer low = 0, high = 1;
    Term start, next;
    if (name == "count" || name == "first") {
        high = total;
        type = type_between(0, total);
    } else if (body.kind == Term::Kind::exact) {
        const Integer most = name == "sum" ? total : 1;
        low = std::min<Integer>(body.low, 0) * most;
        high = std::max<Integer>(body.high, 0) * most;
        type = type_between(low, high);
    } else
        type = body.type;
    const bool exact = name == "count" || name == "first" || body.kind == Term::Kind::exact;
    const std::string own = site_.variable(name, "reg " + range_of(*type));
    site_.loops().add(own, "");
    const Term typed = identifier(own, type);
    const Term before = exact ? Term::between(typed, low, high) : typed;
    const auto number = [&](Integer value) { return Term::number_of(value); };
    if (name == "any" || name == "all") {
        start = Term::of(type, name == "all" ? "1'b1" : "1'b0");
        next = infix(type, before, name == "all" ? "&&" : "||", body,
                     name == "all" ? Level::logical_and : Level::logical_or);
    } else if (name == "count") {
        start = number(0);
        next = select(body, any_binary(Operator::add, before, number(1)), before);
    } else if (name == "first") {
        start = number(total);
        const Term none = exact_compare(Operator::equal, before, number(total));
        next = select(none, select(body, step, number(total)), before);
    } else {
        start = number(0);
        next = name == "sum"   ? any_binary(Operator::add, before, body)
               : name == "xor" ? any_binary(Operator::bit_xor, before, body)
                               : select(exact_compare(Operator::equal, step, number(0)), body,
                                        extreme(before, body, name == "max"));
        if (!exact && type->kind() == TypeKind::boolean)
            start = Term::of(type, "1'b0");
    }
    return after_loop(all, loops, own, start, next, before);
}

Term Translator::folded_in_loop(const Ast& ast) {
    const Ast& start = *ast.operands[ast.operands.size() - 2];
    const Ast& body = *ast.operands.back();
    const Ranges all = ranges(ast, ast.operands.size() - 3);
    const std::vector<LoopRange> loops = open_loop(all);
    Term begin = value(*start.operands[0]);
    bind(start.text, begin);
    TypeRef type = begin.is_typed() ? begin.type : value(body).type;
    const std::string own = site_.variable(start.text, "reg " + range_of(*type));
    const Term before = identifier(own, type);
    site_.loops().add(own, "");
    bind(start.text, before);
    const Term next = value(body);
    unbind(start.text);
    return after_loop(all, loops, own, begin, next, before);
}

Term Translator::after_loop(const Ranges& all, const std::vector<LoopRange>& loops,
                            const std::string& own, const Term& start, const Term& next,
                            const Term& before) {
    const std::string set = fmt::format("{} = {};\n", own, text(fit(next, before.type)));
    const std::string lines = close_loop(all);
    site_.run(own, fmt::format("{} = {};\n", own, text(fit(start, before.type))),
              for_loops(loops, lines + set));
    return before;
}

} // namespace sme::hdl
