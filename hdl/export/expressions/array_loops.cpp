// SPDX-License-Identifier: Apache-2.0
//
// array(k < n, e) whose elements differ in the index only: loops over an index that is a number
// without a width, so that places are computed from it as they would be by hand.
#include <algorithm>
#include <tuple>

#include "export/expressions/translator.hpp"

namespace sme::hdl {

using expr::Operator;
using expr::Typed;

namespace {

/// Whether something in an expression has to be set step by step.
bool has_loop(const Typed& typed) {
    return typed.kind == Typed::Kind::loop || typed.kind == Typed::Kind::folded_loop ||
           std::any_of(typed.operands.begin(), typed.operands.end(),
                       [](const expr::TypedRef& each) { return each && has_loop(*each); });
}

/// Whether the elements lie in one signal as they do in the array, so that they are one slice.
bool is_slice(const Term& element, const rtl::Elements::Run& run) {
    if (!run.nets.empty() || !element.place || element.place->word)
        return false;
    const auto first = [&](Integer index) {
        const ExprRef& moved = element.place->moved;
        return moved ? rtl::integer_value(*moved, run.variable, index) : std::optional<Integer>{0};
    };
    for (Integer index = run.low; index + 1 < run.end; ++index) {
        const auto here = first(index), next = first(index + 1);
        if (!here || !next || *next - *here != static_cast<Integer>(element.place->width))
            return false;
    }
    return true;
}

bool is_small(const expr::Value& value) {
    constexpr Integer most = (Integer{1} << 31) - 1;
    return value.is_exact() && value.low >= -most && value.high <= most;
}

bool is_sum(const ExprRef& x) {
    return x->kind == rtl::Expr::Kind::integer &&
           (x->operands.size() == 1 || x->text == "+" || x->text == "-");
}

/// In parentheses where an operator around binds tighter, or as tight on the right.
ExprRef side(const ExprRef& x, bool in_product, bool right) {
    const bool is_leaf = x->kind != rtl::Expr::Kind::integer;
    const bool is_closed = in_product ? right || is_sum(x) : right && is_sum(x);
    return !is_leaf && is_closed ? rtl::grouped(x) : x;
}

} // namespace

ExprRef Translator::integer_of(const Typed& typed) const {
    if (!is_small(typed.value))
        return nullptr;
    if (typed.value.is_constant())
        return rtl::number(typed.value.low);
    if (!typed.ast)
        return nullptr;
    if (typed.kind == Typed::Kind::leaf) {
        const auto found = locals_.find(typed.ast->text);
        return found != locals_.end() && elements_.count(typed.ast->text) > 0
                   ? found->second.integer
                   : nullptr;
    }
    const Operator op = typed.ast->op;
    const bool in_product =
        op == Operator::multiply || op == Operator::divide || op == Operator::remainder;
    if (typed.kind != Typed::Kind::binary ||
        (!in_product && op != Operator::add && op != Operator::subtract))
        return nullptr;
    const ExprRef a = integer_of(*typed.operands[0]), b = integer_of(*typed.operands[1]);
    const expr::Value& divisor = typed.operands[1]->value;
    if (!a || !b ||
        (in_product && op != Operator::multiply && divisor.low <= 0 && divisor.high >= 0))
        return nullptr;
    return rtl::integer(expr::spelling(op), side(a, in_product, false), side(b, in_product, true));
}

/// The place among all elements, row by row, where that follows from indices of loops.
ExprRef Translator::flat_integer(const Terms& indices, const std::vector<std::int64_t>& lows,
                                 const std::vector<std::uint64_t>& counts) {
    ExprRef made;
    bool moves = false;
    for (std::size_t d = 0; d < counts.size(); ++d) {
        ExprRef each = indices[d].known() ? rtl::number(indices[d].low) : indices[d].integer;
        if (!each || indices[d].kind != Term::Kind::exact)
            return nullptr;
        moves = moves || !indices[d].known();
        if (!lows.empty() && lows[d] != 0)
            each = rtl::integer("-", each, rtl::number(lows[d]));
        if (made)
            made = rtl::integer("+",
                                rtl::integer("*", side(made, true, false),
                                             rtl::number(static_cast<Integer>(counts[d]))),
                                side(each, false, true));
        else
            made = each;
    }
    return moves ? made : nullptr;
}

/// Its target is still without a name.
std::optional<rtl::Elements::Run> Translator::run_of(const Typed& typed,
                                                     const expr::TypedRun& run) {
    const std::string& index = typed.ast->operands[1]->operands[0]->text;
    if (has_loop(*run.element))
        return std::nullopt;
    rtl::Elements::Run made;
    made.variable = site_.element_index(index);
    made.low = static_cast<Integer>(run.first);
    made.end = made.low + static_cast<Integer>(run.count);
    const TypeRef type = type_between(made.low, made.end - 1);
    const Place variable = Place::integer(made.variable);
    Term number =
        Term::between(Term::at(type, variable.part(0, type->width_bits())), made.low, made.end - 1);
    number.integer = rtl::at(variable);
    around_.emplace_back(moving_, moves_);
    moves_ = true;
    locals_[index] = number;
    moving_.insert(index);
    elements_.insert(index);
    expr::Elaborator& elaborator = site_.elaborator();
    elaborator.bind(index, unknown(made.low, made.end - 1, elaborator.builder()));
    site_.loops().open_elements();
    const Term element = fit(value(*run.element), typed.value.type->element());
    auto nets = site_.loops().close_elements();
    elaborator.unbind(index);
    elements_.erase(index);
    locals_.erase(index);
    std::tie(moving_, moves_) = std::move(around_.back());
    around_.pop_back();
    if (!nets)
        return std::nullopt;
    made.nets = std::move(*nets);
    made.element.value = bits(element);
    return is_slice(element, made) ? std::nullopt : std::optional{made};
}

std::optional<Term> Translator::in_loops(const Typed& typed, const std::string& hint) {
    if (typed.runs.empty() || site_.loops().is_open())
        return std::nullopt;
    const TypeRef& type = typed.value.type;
    const std::uint64_t width = type->element()->width_bits();
    rtl::Elements made;
    for (const expr::TypedRun& run : typed.runs)
        if (auto found = run_of(typed, run))
            made.runs.push_back(std::move(*found));
    if (made.runs.empty())
        return std::nullopt;
    std::vector<bool> in_run(typed.operands.size());
    for (const rtl::Elements::Run& run : made.runs)
        std::fill(in_run.begin() + static_cast<std::ptrdiff_t>(run.low),
                  in_run.begin() + static_cast<std::ptrdiff_t>(run.end), true);
    const std::string name = site_.names().take(hint);
    const Place whole = Place::all_of(name, type->width_bits());
    made.whole = {declared(name, *type), false, 0, {}};
    for (rtl::Elements::Run& run : made.runs) {
        run.label = site_.names().take(name + "_each");
        run.element.target = whole.moved_by_integer(rtl::at(Place::integer(run.variable)), width);
    }
    for (std::uint64_t first = 0, end = 0; first < in_run.size();
         first = std::max(end, first + 1)) {
        Terms parts;
        for (end = first; end < in_run.size() && !in_run[end]; ++end)
            parts.insert(parts.begin(), fit(value(*typed.operands[end]), type->element()));
        if (!parts.empty())
            made.others.push_back({whole.part(first * width, (end - first) * width),
                                   parts.size() == 1 ? bits(parts[0]) : side_by_side(parts)});
    }
    site_.add(std::move(made));
    return identifier(name, type);
}

} // namespace sme::hdl
