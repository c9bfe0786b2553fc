// SPDX-License-Identifier: Apache-2.0
//
// Indices, slices and fields. A variable index is resized to exactly the bits that select an
// element; an index out of range is a fault, so the value read then does not matter.
#include <algorithm>
#include <bit>

#include "export/expressions/translator.hpp"
#include "export/modules/connection.hpp"

namespace sme::hdl {

HdlValue Translator::target_element(const HdlValue& base, const std::vector<HdlValue>& indices) {
    is_target_ = true;
    HdlValue result = element(base, indices);
    is_target_ = false;
    return result;
}

HdlValue Translator::element(const HdlValue& base, const std::vector<HdlValue>& indices) {
    const auto is_none = [](const HdlValue& each) { return each.is_none(); };
    if (base.is_none() || std::any_of(indices.begin(), indices.end(), is_none))
        return {};
    if (base.kind == HdlValue::Kind::ports)
        return port_element(base, indices);
    if (base.kind == HdlValue::Kind::memory) {
        HdlValue row = base;
        row.row.insert(row.row.end(), indices.begin(), indices.end());
        return row.row.size() < base.memory->dimensions.size() ? row
                                                               : memory_element(base, row.row);
    }
    HdlValue current = base;
    for (const HdlValue& index : indices)
        current = array_element(current, index);
    return current;
}

HdlValue Translator::sized(const HdlValue& index, std::uint64_t width) {
    const TypeRef type = Type::unsigned_integer(static_cast<unsigned>(width));
    return index.known() ? HdlValue::of(type, rtl::literal(index.low, width))
                         : resized(index, type);
}

/// Tests whether an index depends on signals, not only on variables of loops and on parameters.
static bool is_computed(const ExprRef& index) {
    bool result = false;
    each_place(index, [&](const Place& place) { result = result || !place.is_integer; });
    return result;
}

HdlValue Translator::array_element(const HdlValue& base, const HdlValue& index) {
    const bool is_array = base.type->kind() == TypeKind::array;
    const std::uint64_t count = is_array ? base.type->count() : base.type->width_bits();
    const TypeRef type = is_array ? base.type->element() : Type::boolean();
    const auto at = static_cast<std::uint64_t>(index.known() ? index.low : 0);
    if (base.kind == HdlValue::Kind::constants) {
        if (index.known() || type->kind() != TypeKind::array) {
            if (!index.known()) {
                // with a name, Yosys 0.23 makes less logic: 0.8 times for 64 words of 32 bits
                const std::string table = module_.table(base.name, *base.constants);
                return placed(
                    HdlValue::of(type, rtl::call(table, {code(sized(index, index_width(count)))},
                                                 type->width_bits(), type->is_signed())),
                    table);
            }
            HdlValue part;
            part.kind = HdlValue::Kind::constants;
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
    const HdlValue source = placed(base, "array");
    const std::uint64_t width = type->width_bits();
    if (index.known())
        return HdlValue::at(type, source.place->part(at * width, width));
    if (source.place->total == 1)
        return HdlValue::at(type, *source.place);
    if (index.kind == HdlValue::Kind::exact && index.integer &&
        (!source.place->moved || rtl::is_integer(*source.place->moved)))
        return HdlValue::at(type, source.place->moved_by_integer(index.integer, width));
    const ExprRef by = code(sized(index, index_width(source.place->total)));
    if (!is_computed(by))
        return HdlValue::at(type, source.place->moved_by(by, width));
    const ExprRef own = code(sized(index, index_width(count)));
    if (is_target_ || std::has_single_bit(width) || count > max_selected)
        return HdlValue::at(type, source.place->moved_by({own, by, count, width}));
    return HdlValue::of(type, rtl::call(module_.selection(count, *type), {code(source), own}, width,
                                        type->is_signed()));
}

/// Returns the flat (row-major) position in `width` bits; a literal where it is known.
HdlValue Translator::flat_index(const std::vector<HdlValue>& indices,
                                const std::vector<std::int64_t>& lows,
                                const std::vector<std::uint64_t>& counts, unsigned width) {
    const TypeRef type = Type::unsigned_integer(width);
    const auto number = [&](Integer value) { return HdlValue::of_number(type, value); };
    const auto low = [&](std::size_t d) { return lows.empty() ? 0 : lows[d]; };
    HdlValue result;
    std::optional<Integer> known = 0;
    for (std::size_t d = 0; d < counts.size(); ++d) {
        const HdlValue& index = indices[d];
        const std::optional<Integer> own = index.known()        ? std::optional{index.low}
                                           : index.is_literal() ? index.literal
                                                                : std::nullopt;
        known = known && own
                    ? std::optional{*known * static_cast<Integer>(counts[d]) + *own - low(d)}
                    : std::nullopt;
    }
    if (known)
        return number(*known);
    for (std::size_t d = 0; d < counts.size(); ++d) {
        HdlValue each = sized(indices[d], width);
        if (low(d) != 0)
            each = infix(type, each, "-", number(low(d)), Level::sum);
        const HdlValue count = number(static_cast<Integer>(counts[d]));
        result = d == 0 ? each
                        : infix(type, infix(type, result, "*", count, Level::product), "+", each,
                                Level::sum);
    }
    return result;
}

HdlValue Translator::memory_element(const HdlValue& base, const std::vector<HdlValue>& indices) {
    const expr::StateText& memory = *base.memory;
    std::uint64_t words = 1;
    for (const std::uint64_t dimension : memory.dimensions)
        words *= dimension;
    ExprRef index = flat_integer(indices, {}, memory.dimensions);
    if (!index) {
        const HdlValue flat = flat_index(indices, {}, memory.dimensions, index_width(words));
        if (!flat.is_literal())
            module_.add_address(&memory);
        const bool computes = !flat.place && flat.level() != Level::primary;
        index = flat.is_literal() ? rtl::number(*flat.literal)
                : computes // Icarus 11 computes a word's index with more bits
                    ? rtl::joined({code(flat)})
                    : code(flat);
    }
    Place word = Place::all_of(base.name, memory.type->width_bits(), memory.type->is_signed());
    word.word = index;
    const HdlValue found = HdlValue::at(memory.type, std::move(word));
    const auto used = static_cast<std::ptrdiff_t>(memory.dimensions.size());
    return element(found, {indices.begin() + used, indices.end()});
}

HdlValue Translator::port_element(const HdlValue& base, const std::vector<HdlValue>& indices) {
    const ExprRef moved = flat_integer(indices, base.lows, base.counts);
    HdlValues places; // within the array
    for (std::size_t d = 0; d < base.counts.size(); ++d)
        places.push_back(indices[d].known() ? HdlValue::number_of(indices[d].low - base.lows[d])
                         : base.lows[d] == 0 || moved
                             ? indices[d]
                             : flat_index({indices[d]}, {base.lows[d]}, {base.counts[d]},
                                          index_width(base.counts[d])));
    std::vector<HdlValue> parts;
    for (const HdlValue& part : base.parts) {
        if (part.is_none()) {
            parts.push_back(part);
            continue;
        }
        const std::uint64_t width = part.type->width_bits();
        if (moved && part.place->total != width) {
            parts.push_back(HdlValue::at(part.type, part.place->moved_by_integer(moved, width)));
            continue;
        }
        TypeRef type = part.type;
        for (std::size_t d = base.counts.size(); d-- > 0;)
            type = Type::array(type, base.counts[d]);
        HdlValue found = HdlValue::at(type, *part.place);
        for (const HdlValue& place : places)
            found = array_element(found, place);
        parts.push_back(std::move(found));
    }
    const auto used = static_cast<std::ptrdiff_t>(base.counts.size());
    const bool is_one = parts.size() == 1 && base.parts[0].type == base.type;
    const HdlValue found = is_one ? parts[0] : HdlValue::of_parts(base.type, std::move(parts));
    return element(found, {indices.begin() + used, indices.end()});
}

HdlValue Translator::field(const HdlValue& base, const std::string& name) {
    const int position = base.is_typed() ? base.type->find_field(name) : -1;
    if (position < 0)
        return {};
    if (!base.parts.empty())
        return base.parts[static_cast<std::size_t>(position)];
    const HdlValue source = placed(base, "record");
    const TypeRef& type = source.type->fields()[static_cast<std::size_t>(position)].type;
    return HdlValue::at(type,
                        source.place->part(low_bit_of(*source.type, position), type->width_bits()));
}

HdlValue Translator::slice(const HdlValue& base, std::uint64_t high, std::uint64_t low) {
    const TypeRef type = Type::unsigned_integer(static_cast<unsigned>(high - low + 1));
    if (high - low + 1 == base.type->width_bits())
        return reinterpreted(base, type);
    return HdlValue::at(type, placed(base, "whole").place->part(low, high - low + 1));
}

} // namespace sme::hdl
