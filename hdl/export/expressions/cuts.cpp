// SPDX-License-Identifier: Apache-2.0
//
// What stands in brackets and behind dots. An index that moves is brought to just the bits that
// number what it chooses among; outside is a fault, where it does not matter what is read.
#include <fmt/format.h>

#include "export/expressions/translator.hpp"

namespace sme::hdl {

using expr::Ast;

Term Translator::indexed(const Ast& ast) {
    const Term found = indexed_so_far(ast);
    return found.kind == Term::Kind::memory ? loaded(found) : found;
}

/// As `indexed`, but a row of a memory waits for the indices behind it.
Term Translator::indexed_so_far(const Ast& ast) {
    const Ast& of = *ast.operands[0];
    const Term base = of.kind == Ast::Kind::index ? indexed_so_far(of) : evaluate(of);
    std::vector<Term> indices;
    for (std::size_t k = 1; k < ast.operands.size(); ++k)
        indices.push_back(value(*ast.operands[k]));
    return element(base, indices);
}

Term Translator::element(const Term& base, const std::vector<Term>& indices) {
    if (base.kind == Term::Kind::ports)
        return port_element(base, indices);
    if (base.kind == Term::Kind::memory) {
        Term row = base;
        row.row.insert(row.row.end(), indices.begin(), indices.end());
        return row.row.size() < base.memory->dimensions.size() ? row
                                                               : memory_element(base, row.row);
    }
    Term current = base;
    for (const Term& index : indices)
        current = array_element(current, index);
    return current;
}

std::string Translator::sized(const Term& index, std::uint64_t width) {
    if (index.known())
        return literal(index.low, static_cast<unsigned>(width), false);
    if (!index.type)
        return literal(Words{0}, width);
    return text(resized(index, Type::unsigned_integer(static_cast<unsigned>(width))),
                Level::product);
}

Term Translator::array_element(const Term& base, const Term& index) {
    // beside an operand that cannot be written, a number has no type
    if (!base.type || (!index.is_number() && !index.is_typed()))
        return {};
    const bool is_array = base.type->kind() == TypeKind::array;
    if (!is_array && !base.type->is_integer())
        return {};
    const std::uint64_t count = is_array ? base.type->count() : base.type->width_bits();
    const TypeRef type = is_array ? base.type->element() : Type::boolean();
    if (index.known() && (index.low < 0 || index.low >= static_cast<Integer>(count)))
        return {}; // never chosen
    const auto at = static_cast<std::uint64_t>(index.known() ? index.low : 0);
    if (base.kind == Term::Kind::constants) {
        if (index.known() || type->kind() != TypeKind::array) {
            if (!index.known()) {
                const std::string table = module_.table(base.name, *base.constants);
                return Term::of(type,
                                fmt::format("{}({})", table, sized(index, index_width(count))));
            }
            Term part;
            part.kind = Term::Kind::constants;
            auto array = std::make_shared<expr::ConstantArray>();
            const auto each = static_cast<std::ptrdiff_t>(type->leaf_count());
            const auto begin =
                base.constants->leaves.begin() + static_cast<std::ptrdiff_t>(at) * each;
            array->type = part.type = type;
            array->leaves.assign(begin, begin + each);
            part.constants = std::move(array);
            return type->kind() == TypeKind::array ? part : loaded(part);
        }
        return array_element(loaded(base), index);
    }
    if (count == 1 && is_array)
        return reinterpreted(base, type);
    const Term source = placed(base, "array");
    const std::uint64_t width = type->width_bits();
    if (index.known())
        return Term::at(type, source.place->part(at * width, width));
    if (source.place->total == 1)
        return Term::at(type, *source.place);
    const std::string by = sized(index, index_width(source.place->total));
    return Term::at(type, source.place->moved_by(by, width));
}

namespace {

/// The place among all elements, row by row. Nothing when an index is not known.
std::optional<Integer> known_index(const std::vector<Term>& indices,
                                   const std::vector<std::int64_t>& lows,
                                   const std::vector<std::uint64_t>& counts) {
    Integer known = 0;
    for (std::size_t d = 0; d < counts.size(); ++d) {
        const Term& index = indices[d];
        const bool is_literal = index.is_typed() && index.literal && !index.place;
        if (!index.known() && !is_literal)
            return std::nullopt;
        const Integer low = lows.empty() ? 0 : lows[d];
        known = known * static_cast<Integer>(counts[d]) +
                ((is_literal ? *index.literal : index.low) - low);
    }
    return known;
}

} // namespace

/// The place among all elements, as a text.
std::string Translator::flat_index(const std::vector<Term>& indices,
                                   const std::vector<std::int64_t>& lows,
                                   const std::vector<std::uint64_t>& counts, unsigned width) {
    if (const std::optional<Integer> known = known_index(indices, lows, counts))
        return literal(*known, width, false);
    std::string made;
    for (std::size_t d = 0; d < counts.size(); ++d) {
        std::string each = sized(indices[d], width);
        if (!lows.empty() && lows[d] != 0)
            each = fmt::format("({} - {})", each, literal(lows[d], width, false));
        if (!made.empty())
            made = fmt::format("({} * {} + {})", made,
                               literal(static_cast<Integer>(counts[d]), width, false), each);
        else
            made = each;
    }
    return made;
}

Term Translator::memory_element(const Term& base, const std::vector<Term>& indices) {
    const expr::StateText& memory = *base.memory;
    std::uint64_t words = 1;
    for (const std::uint64_t dimension : memory.dimensions)
        words *= dimension;
    for (std::size_t d = 0; d < memory.dimensions.size(); ++d)
        if ((!indices[d].is_number() && !indices[d].is_typed()) ||
            (indices[d].known() &&
             (indices[d].low < 0 || indices[d].low >= static_cast<Integer>(memory.dimensions[d]))))
            return {}; // never chosen
    const std::optional<Integer> known = known_index(indices, {}, memory.dimensions);
    std::string at =
        known ? to_string(*known) : flat_index(indices, {}, memory.dimensions, index_width(words));
    if (at.find_first_of("+-*<~") != at.npos) // Icarus 11 computes the index of a word in more bits
        at = at.front() == '(' ? fmt::format("{{{}}}", at.substr(1, at.size() - 2))
                               : fmt::format("{{{}}}", at);
    const std::uint64_t width = memory.type->width_bits();
    Term found = Term::at(
        memory.type,
        {fmt::format("{}[{}]", base.name, at), width, 0, width, {}, memory.type->is_signed()});
    const auto used = static_cast<std::ptrdiff_t>(memory.dimensions.size());
    return element(found, {indices.begin() + used, indices.end()});
}

Term Translator::port_element(const Term& base, const std::vector<Term>& indices) {
    if (indices.size() < base.counts.size())
        return {};
    for (std::size_t d = 0; d < base.counts.size(); ++d)
        if (indices[d].known() &&
            (indices[d].low < base.lows[d] ||
             indices[d].low >= base.lows[d] + static_cast<Integer>(base.counts[d])))
            return {}; // never chosen
    bool known = true;
    std::uint64_t flat = 0;
    for (std::size_t d = 0; d < base.counts.size(); ++d) {
        known = known && indices[d].known();
        flat = flat * base.counts[d] + static_cast<std::uint64_t>(indices[d].low - base.lows[d]);
    }
    std::vector<Term> parts;
    for (const Term& part : base.parts) {
        if (part.kind == Term::Kind::none) {
            parts.push_back(part);
            continue;
        }
        const std::uint64_t width = part.type->width_bits();
        if (known)
            parts.push_back(Term::at(part.type, part.place->part(flat * width, width)));
        else if (part.place->total == width)
            parts.push_back(part);
        else {
            const unsigned bits = index_width(part.place->total);
            parts.push_back(Term::at(
                part.type,
                part.place->moved_by(flat_index(indices, base.lows, base.counts, bits), width)));
        }
    }
    const auto used = static_cast<std::ptrdiff_t>(base.counts.size());
    const Term found =
        base.type->is_bundle() ? Term::of_parts(base.type, std::move(parts)) : parts[0];
    return element(found, {indices.begin() + used, indices.end()});
}

Term Translator::field_of(const Ast& ast) {
    const Ast& of = *ast.operands[0];
    if (of.kind == Ast::Kind::name && !locals_.count(of.text) && !site_.find(of.text) &&
        !site_.home().find(of.text))
        if (const TypeRef type = site_.home().find_type(of.text)) {
            const Member* member = type->find_member(ast.text);
            return member ? Term::of(type, module_.member(*type, member->value)) : Term{};
        }
    return field(value(of), ast.text);
}

Term Translator::field(const Term& base, const std::string& name) {
    const int position = base.is_typed() ? base.type->find_field(name) : -1;
    if (position < 0)
        return {};
    if (!base.parts.empty())
        return base.parts[static_cast<std::size_t>(position)];
    const Term source = placed(base, "record");
    std::uint64_t low = source.type->width_bits();
    for (int k = 0; k <= position; ++k)
        low -= source.type->fields()[static_cast<std::size_t>(k)].type->width_bits();
    const TypeRef& type = source.type->fields()[static_cast<std::size_t>(position)].type;
    return Term::at(type, source.place->part(low, type->width_bits()));
}

Term Translator::slice(const Term& base, std::uint64_t high, std::uint64_t low) {
    if (!base.is_typed() || high >= base.type->width_bits())
        return {};
    const TypeRef type = Type::unsigned_integer(static_cast<unsigned>(high - low + 1));
    if (high - low + 1 == base.type->width_bits())
        return reinterpreted(base, type);
    return Term::at(type, placed(base, "whole").place->part(low, high - low + 1));
}

} // namespace sme::hdl
