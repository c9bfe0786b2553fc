// SPDX-License-Identifier: Apache-2.0
//
// sum(k < n, e) and similar reducers, unrolled: more than three terms as a balanced tree. So are
// min(a, b) and max(a, b).
#include <algorithm>
#include <tuple>

#include "export/expressions/translator.hpp"
#include "export/rtl/module.hpp"
#include "export/verilog/verilog_text.hpp"

namespace sme::hdl {

using expr::BoundExpr;
using expr::Operator;

HdlValue Translator::array_of(const HdlValues& terms, const TypeRef& type) {
    const TypeRef& element = type->element();
    HdlValues parts;
    for (std::size_t k = terms.size(); k-- > 0;) // element 0 rightmost
        parts.push_back(fit(terms[k], element));
    return HdlValue::of(type, side_by_side(parts));
}

static HdlValue over_lines(HdlValue term) {
    if (term.expr && term.expr->kind == rtl::Expr::Kind::binary)
        term.expr = rtl::over_lines(term.expr);
    return term;
}

HdlValue Translator::balanced(HdlValues terms, const Joins& join) {
    constexpr std::size_t readable = 3; // as a chain
    const bool is_tree = terms.size() > readable;
    while (terms.size() > readable) {
        HdlValues joined;
        for (std::size_t k = 0; k + 1 < terms.size(); k += 2)
            joined.push_back(shortened(over_lines(join(terms[k], terms[k + 1]))));
        if (terms.size() % 2 != 0)
            joined.push_back(terms.back());
        terms = std::move(joined);
    }
    HdlValue result = terms[0];
    for (std::size_t k = 1; k < terms.size(); ++k)
        result = shortened(is_tree ? over_lines(join(result, terms[k])) : join(result, terms[k]));
    return result;
}

/// Moves a text that grows long into a variable.
HdlValue Translator::shortened(const HdlValue& term) {
    constexpr std::size_t most = 2000; // characters
    return term.is_typed() && term.expr && rtl::verilog(term.expr).size() > most
               ? placed(term, "some")
               : term;
}

HdlValue Translator::reduced(const BoundExpr& bound, const HdlValues& terms) {
    const std::string& name = bound.ast->operands[0]->text;
    if (name == "any" || name == "all") {
        if (terms.empty())
            return HdlValue::truth(name == "all");
        const bool is_all = name == "all";
        return balanced(terms, [&](const HdlValue& a, const HdlValue& b) {
            return infix(Type::boolean(), a, is_all ? "&&" : "||", b,
                         is_all ? Level::logical_and : Level::logical_or);
        });
    }
    if (name == "count")
        return population(array_of(terms, Type::array(Type::boolean(), terms.size())));
    if (name != "first")
        return combined(name, terms, bound);
    std::vector<std::pair<HdlValue, HdlValue>> options;
    for (const HdlValue& term : terms)
        options.emplace_back(term, HdlValue::number_of(static_cast<Integer>(options.size())));
    return chain(options, HdlValue::number_of(static_cast<Integer>(terms.size())), bound);
}

/// Combines terms into one value; exact numbers in a type that holds them and the result.
HdlValue Translator::combined(const std::string& name, const HdlValues& terms,
                              const BoundExpr& bound) {
    Integer low = bound.low, high = bound.high;
    for (const HdlValue& term : terms) {
        low = std::min(low, term.low);
        high = std::max(high, term.high);
    }
    const TypeRef type = bound.is_exact() ? type_between(low, high) : bound.type;
    HdlValues fitted;
    for (const HdlValue& term : terms)
        fitted.push_back(fit(term, type));
    const HdlValue result = balanced(std::move(fitted), [&](const HdlValue& a, const HdlValue& b) {
        return name == "sum"   ? typed_binary(Operator::add, a, b)
               : name == "xor" ? typed_binary(Operator::bit_xor, a, b)
                               : extreme(a, b, name == "max");
    });
    return bound.is_exact() ? HdlValue::between(result, bound.low, bound.high) : result;
}

/// Writes fold(k < n, acc = start, e): each step in a variable of its own.
HdlValue Translator::folded(const BoundExpr& bound) {
    const expr::Ast& start = *bound.ast->operands[bound.ast->operands.size() - 2];
    HdlValue carried = value(*bound.operands[0]);
    const TypeRef type = carried.is_typed() ? carried.type : nullptr;
    for (std::size_t k = 1; k < bound.operands.size(); ++k) {
        if (carried.is_typed() && carried.level() != Level::primary)
            carried = placed(carried, start.text);
        locals_[start.text] = carried;
        if (moves_)
            moving_.insert(start.text);
        const HdlValue next = value(*bound.operands[k]);
        carried = type ? fit(next, type) : next;
    }
    locals_.erase(start.text);
    moving_.erase(start.text);
    return carried;
}

// sum(k < n, e) and similar reducers with too many steps to unroll: a variable that a for loop
// assigns.

using expr::BoundExpr;
using expr::Operator;

namespace {

/// Returns the ranges of a reducer. They live as long as its tree.
std::vector<expr::LoopIndex> indices_of(const BoundExpr& bound, std::size_t ranges) {
    std::vector<expr::LoopIndex> result;
    for (std::size_t k = 0; k < ranges; ++k)
        result.push_back({bound.ast->operands[k + 1]->operands[0]->text, 0,
                          static_cast<std::uint64_t>(bound.operands[k]->low)});
    return result;
}

} // namespace

bool Translator::moves(const BoundExpr& bound) {
    const bool is_name = bound.kind == BoundExpr::Kind::leaf && bound.ast &&
                         bound.ast->kind == expr::Ast::Kind::name;
    if (is_name && !bound.is_constant()) {
        const std::string& name = bound.ast->text;
        if (moving_.count(name) > 0 || moving_arguments_.count(name) > 0)
            return true;
        // a let of a function may depend on an argument
        const BoundExpr* const let = moving_arguments_.empty() ? nullptr : context_.let(name);
        return let && moves(*let);
    }
    return std::any_of(bound.operands.begin(), bound.operands.end(),
                       [&](const expr::BoundRef& each) { return each && moves(*each); });
}

std::vector<LoopRange> Translator::open_loop(const std::vector<expr::LoopIndex>& indices) {
    around_.emplace_back(moving_, moves_);
    moves_ = true;
    std::vector<LoopRange> result;
    for (const auto& [name, low, count] : indices) {
        const std::string own = context_.variable(name.substr(0, name.find(' ')), nullptr);
        const Integer end = low + static_cast<Integer>(count);
        result.push_back({own, low, end});
        const TypeRef type = type_between(low, end - 1);
        locals_[name] = HdlValue::between(
            HdlValue::at(type, Place::integer(own).part(0, type->width_bits())), low, end - 1);
        moving_.insert(name);
    }
    context_.loops().open();
    return result;
}

rtl::Statements Translator::close_loop(const std::vector<expr::LoopIndex>& indices) {
    for (const expr::LoopIndex& index : indices)
        locals_.erase(index.name);
    std::tie(moving_, moves_) = std::move(around_.back());
    around_.pop_back();
    return context_.loops().close();
}

/// Returns the number of earlier steps of a reducer.
HdlValue Translator::step_of(const std::vector<expr::LoopIndex>& indices) {
    HdlValues terms;
    std::vector<std::uint64_t> counts;
    Integer total = 1;
    for (const expr::LoopIndex& index : indices) {
        terms.push_back(locals_.at(index.name));
        counts.push_back(index.count);
        total *= static_cast<Integer>(index.count);
    }
    const TypeRef type = type_between(0, total - 1);
    const HdlValue step = flat_index(terms, {}, counts, static_cast<unsigned>(type->width_bits()));
    return HdlValue::between(step, 0, total - 1);
}

HdlValue Translator::reduced_in_loop(const BoundExpr& bound) {
    const std::string& name = bound.ast->operands[0]->text;
    const std::vector<expr::LoopIndex> indices = indices_of(bound, bound.operands.size() - 1);
    const std::vector<LoopRange> loops = open_loop(indices);
    const HdlValue body = this->value(*bound.operands.back());
    const HdlValue step = step_of(indices);
    const Integer low = std::min<Integer>(bound.low, 0), high = std::max<Integer>(bound.high, 0);
    const TypeRef type = bound.is_exact() ? type_between(low, high) : bound.type;
    const std::string own = context_.variable(name, type.get());
    const HdlValue before = identifier(own, type);
    const auto number = [&](Integer each) { return fit(HdlValue::number_of(each), type); };
    HdlValue start = number(0), next;
    if (name == "any" || name == "all") {
        start = HdlValue::truth(name == "all");
        next = infix(type, before, name == "all" ? "&&" : "||", body,
                     name == "all" ? Level::logical_and : Level::logical_or);
    } else if (name == "count")
        next = select(body, typed_binary(Operator::add, before, number(1)), before);
    else if (name == "first") { // the number of steps means: not found yet
        start = number(high);
        next = select(typed_binary(Operator::equal, before, start),
                      select(body, fit(step, type), start), before);
    } else if (name == "sum" || name == "xor")
        next = typed_binary(name == "sum" ? Operator::add : Operator::bit_xor, before,
                            fit(body, type));
    else
        next = select(typed_binary(Operator::equal, step, fit(HdlValue::number_of(0), step.type)),
                      fit(body, type), extreme(before, fit(body, type), name == "max"));
    after_loop(indices, loops, start, next, before);
    return bound.is_exact() ? HdlValue::between(before, low, high) : before;
}

HdlValue Translator::folded_in_loop(const BoundExpr& bound) {
    const std::string& name = bound.ast->operands[bound.ast->operands.size() - 2]->text;
    const std::vector<expr::LoopIndex> indices = indices_of(bound, bound.operands.size() - 2);
    const HdlValue start = value(*bound.operands[bound.operands.size() - 2]);
    const std::vector<LoopRange> loops = open_loop(indices);
    const TypeRef& type = bound.type;
    const std::string own = context_.variable(name, type.get());
    const HdlValue before = identifier(own, type);
    locals_[name] = before;
    moving_.insert(name);
    const HdlValue next = value(*bound.operands.back());
    locals_.erase(name);
    return after_loop(indices, loops, start, next, before);
}

HdlValue Translator::after_loop(const std::vector<expr::LoopIndex>& indices,
                                const std::vector<LoopRange>& loops, const HdlValue& start,
                                const HdlValue& next, const HdlValue& before) {
    const auto set = [&](const HdlValue& value) {
        return rtl::Statement::assign(*before.place, code(fit(value, before.type)), false);
    };
    rtl::Statement last = set(next);
    rtl::Statements lines = close_loop(indices);
    lines.push_back(std::move(last));
    context_.run(set(start), for_loops(loops, std::move(lines)), moves_);
    return before;
}

} // namespace sme::hdl
