// SPDX-License-Identifier: Apache-2.0
#include "export/expressions/translator.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/scalar_text.hpp"
#include "export/rtl/module.hpp"
#include "export/verilog/verilog_text.hpp"

namespace sme::hdl {

using expr::Ast;
using expr::BoundExpr;
using expr::Form;

HdlValue Translator::write(const BoundExpr& bound) {
    const std::string hint = std::exchange(next_name_, {});
    if (bound.kind == BoundExpr::Kind::match && !context_.loops().is_open())
        return match(bound, hint.empty() ? "matched" : hint);
    if (bound.kind == BoundExpr::Kind::array)
        if (std::optional<HdlValue> result = in_loops(bound, hint.empty() ? "elements" : hint))
            return *result;
    if (!context_.loops().is_open())
        return written(bound);
    const bool around = std::exchange(moves_, moves(bound));
    HdlValue result = written(bound);
    result.moves = moves_;
    if (result.kind == HdlValue::Kind::exact && !result.known() && !elements_.empty())
        result.integer = integer_of(bound);
    moves_ = around;
    return result;
}

HdlValue Translator::written(const BoundExpr& bound) {
    if (bound.kind != BoundExpr::Kind::leaf && bound.is_constant())
        return computed(bound);
    switch (bound.kind) {
    case BoundExpr::Kind::leaf: return leaf(bound);
    case BoundExpr::Kind::binary: return binary(bound);
    case BoundExpr::Kind::choice: return choice(bound);
    case BoundExpr::Kind::match: return match(bound, "matched");
    case BoundExpr::Kind::own_call: return own_call(bound);
    case BoundExpr::Kind::construct: return construct(bound);
    case BoundExpr::Kind::folded: return folded(bound);
    case BoundExpr::Kind::loop: return reduced_in_loop(bound);
    case BoundExpr::Kind::folded_loop: return folded_in_loop(bound);
    case BoundExpr::Kind::element: {
        const HdlValue base = write(*bound.operands[0]);
        return element(base, values({bound.operands.begin() + 1, bound.operands.end()}));
    }
    default: return of_operands(bound, values(bound.operands));
    }
}

/// Writes the kinds of expressions that depend only on the terms of their operands.
HdlValue Translator::of_operands(const BoundExpr& bound, const HdlValues& x) {
    const TypeRef& type = bound.type;
    if (std::any_of(x.begin(), x.end(), [](const HdlValue& each) { return each.is_none(); }))
        return {};
    switch (bound.kind) {
    case BoundExpr::Kind::unary: return unary(bound, x[0]);
    case BoundExpr::Kind::slice:
        return slice(x[0], static_cast<std::uint64_t>(x[1].low),
                     static_cast<std::uint64_t>(x[2].low));
    case BoundExpr::Kind::field: return field(x[0], bound.ast->text);
    case BoundExpr::Kind::cast: return cast(x[0], type);
    case BoundExpr::Kind::call: return simple.at(bound.ast->operands[0]->text)(*this, x);
    case BoundExpr::Kind::record: return HdlValue::of_parts(type, x);
    case BoundExpr::Kind::array: return array_of(x, type);
    default: return reduced(bound, x);
    }
}

Translator::HdlValues Translator::values(const std::vector<expr::BoundRef>& bound) {
    HdlValues result;
    for (const expr::BoundRef& each : bound)
        result.push_back(value(*each));
    return result;
}

HdlValue Translator::let_value(const BoundExpr& bound, const std::string& hint) {
    std::map<std::string, HdlValue> hidden;
    std::set<std::string> hidden_moving;
    hidden.swap(locals_);
    hidden_moving.swap(moving_);
    const bool around = std::exchange(moves_, context_.loops().is_open() && moves(bound));
    HdlValue result = value(bound);
    if (result.is_typed() && bound.type)
        result.type = bound.type; // an array of several dimensions is an array of rows
    if (result.is_typed() && !hint.empty())
        result = placed(result, hint);
    moves_ = around;
    hidden.swap(locals_);
    hidden_moving.swap(moving_);
    return result;
}

/// Writes a name, a number, a member of an enumeration, or another value known before the run.
HdlValue Translator::leaf(const BoundExpr& bound) {
    const Ast::Kind kind = bound.ast ? bound.ast->kind : Ast::Kind::number;
    if (kind == Ast::Kind::name || kind == Ast::Kind::range)
        return name(bound);
    if (bound.is_number()) {
        HdlValue result = HdlValue::number_of(bound.low);
        if (bound.words()) {
            result.kind = HdlValue::Kind::number;
            result.words = bound.words();
        }
        if (bound.ast && bound.ast->where.source)
            result.hexadecimal =
                has_prefix(bound.ast->where.source->text().substr(bound.ast->where.begin, 2), 'x');
        return result;
    }
    if (bound.known && bound.type->kind() == TypeKind::enumeration)
        return HdlValue::of(bound.type, module_.member(*bound.type, *bound.known));
    if (bound.known && bound.type->kind() == TypeKind::boolean)
        return HdlValue::truth(*bound.known != 0);
    if (kind == Ast::Kind::call) // random(T)
        module_.diagnostics().add(Code::bad_call, bound.ast->where,
                                  "random(...) has no hardware, so this cannot be written; "
                                  "feed random numbers as an input");
    return {};
}

HdlValue Translator::name(const BoundExpr& bound) {
    const std::string& name = bound.ast->text;
    if (const auto local = locals_.find(name); local != locals_.end())
        return local->second;
    if (const std::optional<HdlValue> own = context_.find(name))
        return *own;
    return bound.varies ? HdlValue::number_of(bound.low) : constant(bound);
}

HdlValue Translator::constant(const BoundExpr& bound) {
    const std::string& name = bound.ast->text;
    if (bound.is_constant()) {
        HdlValue result = HdlValue::number_of(bound.low);
        result.name = name;
        return result;
    }
    if (bound.form == Form::long_number) {
        HdlValue result;
        result.kind = HdlValue::Kind::number;
        result.words = bound.words();
        return result;
    }
    if (!bound.constants())
        return {};
    const TypeRef& type = bound.constants()->type;
    if (const Member* const member = type->find_member(bound.constants()->leaves[0]);
        member && (name == member->name || name.find(':') != name.npos)) // "at:stop" of a sequence
        return HdlValue::of(type, module_.member(*type, bound.constants()->leaves[0]));
    HdlValue result;
    result.kind = HdlValue::Kind::constants;
    result.constants = bound.constants();
    result.type = type;
    result.name = name;
    return type->kind() == TypeKind::array ? result : loaded(result);
}

HdlValue Translator::loaded(const HdlValue& term) {
    if (term.kind == HdlValue::Kind::memory) {
        const HdlValue words = row(term);
        HdlValue result = array_of(words.parts, Type::array(term.memory->type, words.parts.size()));
        result.type = words.type;
        return result;
    }
    if (term.kind != HdlValue::Kind::constants)
        return term;
    const Type& type = *term.type;
    const std::uint64_t leaf = term.constants->leaves[0];
    const HdlValue value =
        type.is_scalar() && !type.is_wide()
            ? HdlValue::of_number(term.type,
                                  type.is_signed() ? Integer{static_cast<std::int64_t>(leaf)}
                                                   : static_cast<Integer>(leaf),
                                  !type.is_signed() && leaf >= 1024)
            : HdlValue::of(term.type, rtl::literal(packed(type, term.constants->leaves.data()),
                                                   type.width_bits(), type.is_signed()));
    return term.name.empty() ? value
                             : identifier(module_.constant(term.name, type, value.expr), term.type);
}

HdlValue Translator::row(const HdlValue& memory) {
    const std::vector<std::uint64_t>& dimensions = memory.memory->dimensions;
    const std::size_t given = memory.row.size();
    TypeRef type = memory.memory->type;
    std::uint64_t words = 1;
    for (std::size_t d = dimensions.size(); d-- > given;) {
        type = Type::array(type, dimensions[d]);
        words *= dimensions[d];
    }
    HdlValues parts;
    HdlValues indices = memory.row;
    indices.resize(dimensions.size());
    for (std::uint64_t word = 0; word < words; ++word) {
        std::uint64_t rest = word;
        for (std::size_t d = dimensions.size(); d-- > given; rest /= dimensions[d])
            indices[d] = HdlValue::number_of(static_cast<Integer>(rest % dimensions[d]));
        parts.push_back(memory_element(memory, indices));
    }
    return HdlValue::of_parts(type, std::move(parts));
}

/// Converts a term to a type; a faulty term becomes zero.
HdlValue Translator::fit(const HdlValue& term, const TypeRef& type) {
    if (term.is_none())
        return HdlValue::of(type, rtl::zero(type->width_bits()));
    if (term.kind == HdlValue::Kind::number)
        return HdlValue::of(type, rtl::literal(*term.words, type->width_bits(), type->is_signed()));
    if (term.known())
        return literal_of(term, type);
    if (term.kind == HdlValue::Kind::exact)
        return resized(term, type);
    HdlValue result = loaded(term);
    result.type = type;
    return result;
}

HdlValue Translator::literal_of(const HdlValue& number, const TypeRef& type) {
    const std::uint64_t width = type->width_bits();
    if (width > 64) {
        HdlValue result = HdlValue::of(type, rtl::literal(number.low, width, type->is_signed()));
        if (number.low >= 0 || type->is_signed())
            result.literal = number.low;
        return result;
    }
    if (!number.name.empty() && width <= 32 && number.low >= 0 && number.low < (Integer{1} << 31))
        if (const auto name = module_.number(number.name, number.low))
            return HdlValue::at(type, Place::integer(*name).part(0, width));
    return HdlValue::of_number(type, number.low, number.hexadecimal);
}

ExprRef Translator::bits(const HdlValue& term) {
    if (term.place)
        return rtl::at(*term.place);
    if (!term.parts.empty())
        return side_by_side(term.parts);
    static const ExprRef never = rtl::verbatim(""); // a faulty value is never selected
    return term.expr ? term.expr : never;
}

ExprRef Translator::side_by_side(const HdlValues& parts) {
    std::vector<ExprRef> all;
    Place run; // of adjacent parts; no name: no run
    const auto end_run = [&] {
        if (!run.name.empty())
            all.push_back(rtl::at(run));
        run = {};
    };
    const auto same_word = [](const Place& a, const Place& b) {
        return !a.word || !b.word ? a.word == b.word : rtl::verilog(a.word) == rtl::verilog(b.word);
    };
    for (const HdlValue& part : parts) {
        const bool is_slice = part.place && !part.place->moved;
        if (is_slice && run.name == part.place->name && same_word(run, *part.place) &&
            part.place->low + part.place->width == run.low) {
            run.low = part.place->low;
            run.width += part.place->width;
            continue;
        }
        end_run();
        if (is_slice)
            run = *part.place;
        else
            all.push_back(bits(part));
    }
    end_run();
    return rtl::joined(std::move(all), true);
}

ExprRef Translator::code(const HdlValue& term) {
    if (term.place) {
        const bool is_signed = term.place->is_signed && term.place->whole();
        const bool wanted = term.type->is_signed();
        const ExprRef found = rtl::at(*term.place);
        return is_signed == wanted ? found
               : wanted            ? rtl::as_signed(found)
                                   : rtl::as_unsigned(found);
    }
    return bits(term);
}

HdlValue Translator::placed(const HdlValue& term, const std::string& hint) {
    if (term.place || !term.type)
        return term;
    return identifier(context_.keep(hint, *term.type, code(term), moves_ && term.moves), term.type);
}

HdlValue Translator::reinterpreted(const HdlValue& term, const TypeRef& type) {
    HdlValue result = term;
    result.type = type;
    result.integer = nullptr;
    if (term.place)
        return result;
    if (!term.parts.empty()) {
        if (type->kind() == TypeKind::structure && type->fields().size() == term.parts.size())
            return result;
        result = HdlValue::of(type, bits(term));
    }
    if (term.parts.empty() && term.type->is_signed() == type->is_signed())
        return result;
    if (type->is_signed())
        return HdlValue::of(type, rtl::as_signed(bits(result)));
    if (result.expr && result.expr->kind == rtl::Expr::Kind::as_signed)
        return HdlValue::of(type, result.expr->operands[0]);
    return term.type->is_signed() ? HdlValue::of(type, rtl::as_unsigned(bits(result))) : result;
}

/// Resizes an integer modulo 2^n, with sign or zero extension.
HdlValue Translator::resized(const HdlValue& term, const TypeRef& type) {
    const std::uint64_t from = term.type->width_bits(), to = type->width_bits();
    if (term.literal && !term.place && to <= 64)
        return literal_of(HdlValue::number_of(*term.literal), type);
    HdlValue source = term;
    source.kind = HdlValue::Kind::typed;
    if (from == to)
        return reinterpreted(source, type);
    if (to < from) {
        source = placed(source);
        HdlValue result = HdlValue::at(type, source.place->part(0, to));
        return result;
    }
    const auto spare = to - from;
    ExprRef fill = rtl::zero(spare);
    if (term.type->is_signed()) {
        source = placed(source, "narrow");
        fill = rtl::repeated(spare, rtl::at(source.place->part(from - 1, 1)));
    }
    const ExprRef result = rtl::joined({fill, bits(source)});
    return HdlValue::of(type, type->is_signed() ? rtl::as_signed(result) : result);
}

HdlValue Translator::negated(const HdlValue& condition) {
    return HdlValue::of(Type::boolean(), rtl::unary("!", code(condition)));
}

HdlValue Translator::select(const HdlValue& condition, const HdlValue& yes, const HdlValue& no,
                            bool new_line) {
    if (condition.is_literal())
        return *condition.literal != 0 ? yes : no;
    return HdlValue::of(yes.type, rtl::select(code(condition), code(yes), code(no), new_line));
}

HdlValue Translator::choice(const BoundExpr& bound) {
    std::vector<std::pair<HdlValue, HdlValue>> options;
    for (std::size_t k = 0; k + 1 < bound.operands.size(); k += 2) {
        const HdlValue chosen = value(*bound.operands[k + 1]);
        options.emplace_back(value(*bound.operands[k]), chosen);
    }
    return chain(options, value(*bound.operands.back()), bound);
}

HdlValue Translator::chain(const std::vector<std::pair<HdlValue, HdlValue>>& options,
                           const HdlValue& last, const BoundExpr& bound) {
    const TypeRef type = bound.is_exact() ? type_between(bound.low, bound.high) : bound.type;
    HdlValue result = fit(last, type);
    const bool is_long = options.size() > 2;
    for (std::size_t k = options.size(); k-- > 0;)
        result = select(options[k].first, fit(options[k].second, type), result, is_long);
    if (is_long && result.level() == Level::conditional)
        result.expr = rtl::at_line_begin(result.expr);
    return bound.is_exact() ? HdlValue::between(result, bound.low, bound.high) : result;
}

} // namespace sme::hdl
