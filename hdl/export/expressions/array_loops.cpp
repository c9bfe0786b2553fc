// SPDX-License-Identifier: Apache-2.0
#include "export/expressions/array_loops.hpp"

#include <algorithm>
#include <tuple>

#include "export/expressions/translator.hpp"
#include "export/rtl/module.hpp"
#include "export/verilog/verilog_text.hpp"

namespace sme::hdl {

rtl::Statements LoopText::close() {
    rtl::Statements lines = std::move(loops_.back().lines);
    loops_.pop_back();
    return lines;
}

std::optional<std::vector<rtl::Net>> LoopText::close_elements() {
    const Open last = std::move(loops_.back());
    loops_.pop_back();
    return last.lines.empty() ? std::optional{last.nets} : std::nullopt;
}

std::optional<std::string> LoopText::kept(const ExprRef& value) const {
    const auto found = loops_.back().kept.find(rtl::verilog(value));
    return found == loops_.back().kept.end() ? std::nullopt : std::optional{found->second};
}

void LoopText::keep(const std::string& name, const Type& type, const ExprRef& value) {
    loops_.back().kept[rtl::verilog(value)] = name;
    if (in_elements()) {
        loops_.back().nets.push_back({declared(name, type), false, 0, value});
        return;
    }
    loops_.back().lines.push_back(rtl::Statement::assign(
        Place::all_of(name, type.width_bits(), type.is_signed()), value, false));
}

void LoopText::add(rtl::Statement start, rtl::Statements statements) {
    loops_.back().lines.push_back(std::move(start));
    append(loops_.back().lines, std::move(statements));
}

rtl::Statements for_loops(const std::vector<LoopRange>& ranges, rtl::Statements statements) {
    for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) {
        rtl::Statement loop =
            rtl::Statement::loop(range->variable, range->low, range->end, std::move(statements));
        statements.clear();
        statements.push_back(std::move(loop));
    }
    return statements;
}

// array(k < n, e) whose elements differ only in their indices: loops over indices that are integers
// without a width, so that positions are computed from them as in hand-written code.

using expr::BoundExpr;
using expr::Operator;

namespace {

/// Tests whether part of an expression must be assigned step by step.
bool has_loop(const BoundExpr& bound) {
    return bound.kind == BoundExpr::Kind::loop || bound.kind == BoundExpr::Kind::folded_loop ||
           std::any_of(bound.operands.begin(), bound.operands.end(),
                       [](const expr::BoundRef& each) { return each && has_loop(*each); });
}

/// Tests whether the elements lie in one signal in the order of the array, and so form one slice.
bool is_slice(const HdlValue& element, const rtl::Elements::Run& run) {
    if (!run.nets.empty() || !element.place || element.place->word)
        return false;
    const auto first = [](const Place& place, const rtl::Variables& at) {
        const auto moved =
            place.moved ? rtl::integer_value(*place.moved, at) : std::optional<Integer>{0};
        return moved ? std::optional{*moved + static_cast<Integer>(place.low)} : std::nullopt;
    };
    std::optional<Integer> apart;
    bool is_one = true;
    each_step(run.loops, [&](const rtl::Variables& at) {
        const auto from = first(*element.place, at), to = first(run.element.target, at);
        is_one = is_one && from && to && *from - *to == apart.value_or(*from - *to);
        if (is_one)
            apart = *from - *to;
    });
    return is_one;
}

bool is_small(const BoundExpr& bound) {
    constexpr Integer most = (Integer{1} << 31) - 1;
    return bound.is_exact() && bound.low >= -most && bound.high <= most;
}

bool is_sum(const ExprRef& x) {
    return x->kind == rtl::Expr::Kind::integer &&
           (x->operands.size() == 1 || x->text == "+" || x->text == "-");
}

/// Adds parentheses if the surrounding operator binds tighter, or equally tight on the right.
ExprRef side(const ExprRef& x, bool in_product, bool right) {
    const bool is_leaf = x->kind != rtl::Expr::Kind::integer;
    const bool is_closed = in_product ? right || is_sum(x) : right && is_sum(x);
    return !is_leaf && is_closed ? rtl::grouped(x) : x;
}

} // namespace

ExprRef Translator::integer_of(const BoundExpr& bound) const {
    if (!is_small(bound))
        return nullptr;
    if (bound.is_constant())
        return rtl::number(bound.low);
    if (!bound.ast)
        return nullptr;
    if (bound.kind == BoundExpr::Kind::leaf) {
        const auto found = locals_.find(bound.ast->text);
        return found != locals_.end() && elements_.count(bound.ast->text) > 0
                   ? found->second.integer
                   : nullptr;
    }
    const Operator op = bound.ast->op;
    const bool in_product =
        op == Operator::multiply || op == Operator::divide || op == Operator::remainder;
    if (bound.kind != BoundExpr::Kind::binary ||
        (!in_product && op != Operator::add && op != Operator::subtract))
        return nullptr;
    const ExprRef a = integer_of(*bound.operands[0]), b = integer_of(*bound.operands[1]);
    const BoundExpr& divisor = *bound.operands[1];
    if (!a || !b ||
        (in_product && op != Operator::multiply && divisor.low <= 0 && divisor.high >= 0))
        return nullptr;
    return rtl::integer(expr::spelling(op), side(a, in_product, false), side(b, in_product, true));
}

/// Returns the flat (row-major) position if it follows from loop indices, else null.
ExprRef Translator::flat_integer(const HdlValues& indices, const std::vector<std::int64_t>& lows,
                                 const std::vector<std::uint64_t>& counts) {
    ExprRef result;
    bool moves = false;
    for (std::size_t d = 0; d < counts.size(); ++d) {
        ExprRef each = indices[d].known() ? rtl::number(indices[d].low) : indices[d].integer;
        if (!each || indices[d].kind != HdlValue::Kind::exact)
            return nullptr;
        moves = moves || !indices[d].known();
        if (!lows.empty() && lows[d] != 0)
            each = rtl::integer("-", each, rtl::number(lows[d]));
        const bool is_zero = each->kind == rtl::Expr::Kind::number && each->value == 0;
        if (result) {
            result = rtl::integer("*", side(result, true, false),
                                  rtl::number(static_cast<Integer>(counts[d])));
            if (!is_zero)
                result = rtl::integer("+", result, side(each, false, true));
        } else
            result = each;
    }
    return moves ? result : nullptr;
}

/// The loops around elements, and the target of these elements. Targets have no name yet.
struct Translator::Nest {
    std::vector<rtl::Generate::Loop> loops;
    Place target;
};

/// Returns an index as the variable of a loop, or as a number if the range has one value.
HdlValue Translator::open_index(const std::string& index, const expr::BoundRange& range,
                                Nest& nest) {
    const auto low = static_cast<Integer>(range.first);
    const Integer high = low + static_cast<Integer>(range.count) - 1;
    if (range.count == 1)
        return locals_[index] = HdlValue::number_of(low);
    const std::string name = context_.element_index(index);
    nest.loops.push_back(
        {name, {}, static_cast<std::int64_t>(low), static_cast<std::int64_t>(high) + 1});
    const TypeRef type = type_between(low, high);
    const Place variable = Place::integer(name);
    HdlValue number =
        HdlValue::between(HdlValue::at(type, variable.part(0, type->width_bits())), low, high);
    number.integer = rtl::at(variable);
    moving_.insert(index);
    elements_.insert(index);
    return locals_[index] = number;
}

bool Translator::add_element(const BoundExpr& bound, const TypeRef& type, const Nest& nest,
                             Leaves& into) {
    context_.loops().open_elements();
    const HdlValue element = fit(value(bound), type);
    auto nets = context_.loops().close_elements();
    if (!nets)
        return false;
    rtl::Elements::Run result;
    result.loops = nest.loops;
    result.nets = std::move(*nets);
    result.element = {nest.target, bits(element)};
    const bool slice = is_slice(element, result);
    into.push_back({std::move(result), slice});
    return true;
}

/// Writes an array of arrays: nested loops, and the other elements of a row.
bool Translator::add_rows(const BoundExpr& row, const Nest& nest, Leaves& into) {
    const TypeRef type{row.type->element()};
    const std::uint64_t width = type->width_bits();
    std::vector<bool> in_run(row.operands.size());
    for (const expr::BoundRun& run : row.more().runs)
        if (add_run(row, run, nest, into))
            mark_elements(run, in_run);
    for (std::uint64_t k = 0; k < in_run.size(); ++k)
        if (!in_run[k] && !add_element(*row.operands[k], type,
                                       {nest.loops, nest.target.part(k * width, width)}, into))
            return false;
    return true;
}

void Translator::mark_elements(const expr::BoundRun& run, std::vector<bool>& in_run) {
    for (std::uint64_t k = 0; k < in_run.size(); ++k) {
        std::uint64_t rest = k;
        bool inside = true;
        for (auto range = run.ranges.rbegin(); range != run.ranges.rend(); ++range) {
            const std::uint64_t index = rest % range->of;
            inside = inside && index >= range->first && index < range->first + range->count;
            rest /= range->of;
        }
        in_run[k] = in_run[k] || inside;
    }
}

bool Translator::add_run(const BoundExpr& bound, const expr::BoundRun& run, const Nest& around,
                         Leaves& into) {
    if (has_loop(*run.element))
        return false;
    const std::size_t before = into.size();
    const TypeRef type{bound.type->element()};
    Nest nest = around;
    HdlValues indices;
    std::vector<std::uint64_t> counts;
    std::vector<std::string> names;
    around_.emplace_back(moving_, moves_);
    moves_ = true;
    for (std::size_t d = 0; d < run.ranges.size(); ++d) {
        names.push_back(bound.ast->operands[d + 1]->operands[0]->text);
        counts.push_back(run.ranges[d].of);
        indices.push_back(open_index(names.back(), run.ranges[d], nest));
    }
    nest.target =
        around.target.moved_by_integer(flat_integer(indices, {}, counts), type->width_bits());
    const BoundExpr& element = *run.element;
    const bool is_row = element.kind == BoundExpr::Kind::array && !element.more().runs.empty() &&
                        *element.type == *type;
    bool good = is_row ? add_rows(element, nest, into) : add_element(element, type, nest, into);
    for (const std::string& name : names) {
        elements_.erase(name);
        locals_.erase(name);
    }
    std::tie(moving_, moves_) = std::move(around_.back());
    around_.pop_back();
    // a slice of its own needs no loop
    good = good && !(around.loops.empty() && into.size() == before + 1 && into.back().is_slice);
    if (!good)
        into.resize(before);
    return good;
}

std::optional<HdlValue> Translator::in_loops(const BoundExpr& bound, const std::string& hint) {
    if (bound.more().runs.empty() || context_.loops().is_open())
        return std::nullopt;
    const TypeRef& type = bound.type;
    const std::uint64_t width = type->element()->width_bits();
    std::vector<bool> in_run(bound.operands.size());
    Leaves leaves;
    for (const expr::BoundRun& run : bound.more().runs)
        if (add_run(bound, run, {{}, Place::all_of({}, type->width_bits())}, leaves))
            mark_elements(run, in_run);
    if (leaves.empty())
        return std::nullopt;
    rtl::Elements result;
    const std::string name = context_.names().take(hint);
    const Place whole = Place::all_of(name, type->width_bits());
    result.whole = {declared(name, *type), false, 0, {}};
    for (auto& [run, slice] : leaves) {
        for (rtl::Generate::Loop& loop : run.loops)
            loop.label = context_.names().take(name + "_each");
        run.element.target.name = name;
        result.runs.push_back(std::move(run));
    }
    for (std::uint64_t first = 0, end = 0; first < in_run.size();
         first = std::max(end, first + 1)) {
        HdlValues parts;
        for (end = first; end < in_run.size() && !in_run[end]; ++end)
            parts.insert(parts.begin(), fit(value(*bound.operands[end]), type->element()));
        if (!parts.empty())
            result.others.push_back({whole.part(first * width, (end - first) * width),
                                     parts.size() == 1 ? bits(parts[0]) : side_by_side(parts)});
    }
    context_.add(std::move(result));
    return identifier(name, type);
}

} // namespace sme::hdl
