// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/make/declaration_maker.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::fuzz {

namespace {

Lines section(const char* key, const Lines& lines) {
    if (lines.empty())
        return {};
    Lines result{fmt::format("{}:", key)};
    append(result, indented(lines));
    return result;
}

TypeOf renamed(const TypeOf& type, const std::string& name) {
    auto result = std::make_shared<Shape>(*type);
    result->text = name;
    result->named = type->kind != Shape::Kind::boolean;
    return result;
}

} // namespace

/// Returns a type for a field: an integer, a bool, an array, or a declared type.
std::string DeclarationMaker::field_type(const Names& names, TypeOf& type) {
    Names none;
    TermMaker terms{m_, none};
    type = c_.chance(25) ? boolean() : terms.some_integer();
    if (!names.types.empty() && c_.chance(30))
        if (const TypeOf& declared = m_.one_of(names.types); declared->width <= 512) {
            type = declared;
            if (type->kind == Shape::Kind::structure)
                m_.use(Production::nested_structure);
        }
    if (type->width <= 128 && type->kind != Shape::Kind::array &&
        c_.chance(type->kind == Shape::Kind::structure ? 50 : 25)) {
        m_.use(type->kind == Shape::Kind::structure ? Production::array_of_structs
                                                    : Production::array);
        type = array_of(type, c_.between(1, 4));
        if (c_.chance(25)) {
            m_.use(Production::array_two);
            type = array_of(type, c_.between(1, 3));
        }
    }
    return type->text;
}

void DeclarationMaker::enumeration(Names& names, Lines& lines) {
    auto result = std::make_shared<Shape>();
    result->kind = Shape::Kind::enumeration;
    result->named = true;
    result->text = m_.fresh("E");
    const unsigned count = c_.between(2, 5);
    const bool zeroless = c_.chance(20);
    m_.use(zeroless ? Production::enumeration_zeroless : Production::enumeration);
    std::uint64_t value = zeroless ? 3 : 0;
    std::string text;
    for (unsigned k = 0; k < count; ++k) {
        const std::string member = m_.fresh("m");
        bool numbered = zeroless && k == 0;
        if (k > 0 && c_.chance(30)) {
            value += c_.between(1, 9);
            numbered = true;
        }
        text += fmt::format("{}{}{}", text.empty() ? "" : ", ", member,
                            numbered ? fmt::format(" = {}", value) : "");
        result->members.emplace_back(member, value++);
    }
    for (result->width = 1; (std::uint64_t{1} << result->width) < value; ++result->width) {
    }
    std::string key = result->text;
    if (c_.chance(35)) {
        m_.use(Production::enumeration_width);
        result->width += c_.below(9);
        key += fmt::format(" u{}", result->width);
    }
    lines.push_back(fmt::format("{}: [{}]", key, text));
    names.types.push_back(std::move(result));
}

void DeclarationMaker::structure(Names& names, Lines& lines) {
    m_.use(Production::structure);
    auto result = std::make_shared<Shape>();
    result->kind = Shape::Kind::structure;
    result->named = true;
    result->text = m_.fresh("S");
    result->width = 0;
    Lines fields;
    std::string flow;
    for (unsigned k = c_.between(1, 4); k > 0; --k) {
        TypeOf type;
        const std::string name = m_.fresh("f"), text = field_type(names, type);
        fields.push_back(fmt::format("{}: {}", name, text));
        flow += (flow.empty() ? "" : ", ") + fields.back();
        result->fields.emplace_back(name, type);
        result->width += type->width;
    }
    if (flow.find_first_of("[(") == std::string::npos && c_.chance(60))
        lines.push_back(fmt::format("{}: {{{}}}", result->text, flow));
    else {
        lines.push_back(result->text + ":");
        append(lines, indented(fields));
    }
    names.types.push_back(std::move(result));
}

/// Adds a generic type Name(T), with two uses.
void DeclarationMaker::generic(Names& names, Lines& lines) {
    m_.use(Production::generic);
    const std::string name = m_.fresh("G"), parameter = m_.fresh("T");
    const std::string first = m_.fresh("f"), second = m_.fresh("f");
    const unsigned width = c_.between(1, 20);
    lines.push_back(fmt::format("{}({}): {{{}: {}, {}: u{}}}", name, parameter, first, parameter,
                                second, width));
    for (unsigned k = 0; k < 2; ++k) {
        m_.use(Production::generic_use);
        Names none;
        const TypeOf of = !names.types.empty() && k == 1 ? m_.one_of(names.types)
                                                         : TermMaker{m_, none}.some_integer();
        auto result = std::make_shared<Shape>();
        result->kind = Shape::Kind::structure;
        result->named = true;
        result->text = fmt::format("{}({})", name, of->text);
        result->fields = {{first, of}, {second, integer(width, false)}};
        result->width = of->width + width;
        names.types.push_back(std::move(result));
    }
}

void DeclarationMaker::alias(Names& names, Lines& lines) {
    m_.use(Production::alias);
    TypeOf type;
    const std::string text = field_type(names, type), name = m_.fresh("A");
    lines.push_back(fmt::format("{}: {}", name, text));
    if (type->kind != Shape::Kind::enumeration) // members are qualified with the type's name
        names.types.push_back(renamed(type, name));
}

Lines DeclarationMaker::types(Names& names) {
    Lines lines;
    enumeration(names, lines);
    for (unsigned k = c_.between(2, 5); k > 0; --k)
        switch (c_.below(5)) {
        case 0: enumeration(names, lines); break;
        case 1: alias(names, lines); break;
        case 2: generic(names, lines); break;
        default: structure(names, lines); break;
        }
    return section("types", lines);
}

void DeclarationMaker::declare(Names& names, const std::string& name, const TypeOf& type,
                               const Bits& value) {
    constants_.values[name] = value;
    Name result{name, type, true};
    result.table = type->kind == Shape::Kind::array;
    if (type->is_scalar())
        result.fixed = value;
    names.values.push_back(std::move(result));
}

std::string DeclarationMaker::list(const TypeOf& type, Names& names, Bits& all) {
    TermMaker terms{m_, names};
    if (type->kind != Shape::Kind::array) {
        terms.set_budget(2);
        const Term value = type->is_integer() ? terms.literal(type, true) : terms.term(type, 1);
        const Bits bits = value.meaning(constants_);
        all.insert(all.end(), bits.begin(), bits.end());
        return value.text;
    }
    std::string text;
    for (unsigned k = 0; k < type->count; ++k)
        text += (text.empty() ? "" : ", ") + list(type->element, names, all);
    return "[" + text + "]";
}

void DeclarationMaker::constant(Names& names, Lines& lines) {
    const std::string name = m_.fresh("c");
    TermMaker terms{m_, names};
    terms.set_budget(8);
    TypeOf type = terms.some_type();
    if (type->kind != Shape::Kind::array && type->width <= 300 && c_.chance(40)) {
        type = array_of(type, c_.between(1, 5));
        if (c_.chance(35)) {
            m_.use(Production::constant_nested);
            type = array_of(type, c_.between(1, 3));
        }
        const bool unsized = type->element->kind != Shape::Kind::array && c_.chance(40);
        m_.use(unsized ? Production::constant_unsized : Production::constant_list);
        Bits all;
        const std::string text = list(type, names, all);
        lines.push_back(fmt::format("{}: {} = {}", name,
                                    unsized ? type->element->text + "[]" : type->text, text));
        return declare(names, name, type, all);
    }
    m_.use(type->kind == Shape::Kind::structure ? Production::constant_struct
                                                : Production::constant_scalar);
    const Term value = terms.term(type, 2);
    const Bits bits = value.meaning(constants_);
    lines.push_back(fmt::format("{}: {} = {}", name, type->text, value.text));
    declare(names, name, type, bits);
}

/// Adds a constant array from a file of words, of a column, or of bytes.
void DeclarationMaker::constant_file(Names& names, Lines& lines) {
    const std::string name = m_.fresh("c"), stem = m_.fresh("data");
    const unsigned kind = c_.below(3), count = c_.between(1, 6);
    const unsigned width = kind == 2 ? 8 : kind == 0 ? c_.between(1, 140) : c_.between(2, 64);
    const TypeOf element = integer(width, kind == 1 && c_.chance(50));
    m_.use(kind == 0   ? Production::constant_hex
           : kind == 1 ? Production::constant_column
                       : Production::constant_bytes);
    const std::string file = stem + (kind == 0 ? ".hex" : kind == 1 ? ".csv" : ".txt");
    std::string text = kind == 1 && c_.chance(50) ? "value\n" : "";
    Bits all;
    for (unsigned k = 0; k < count; ++k) {
        Bits bits = bits_of(c_.word(), width);
        if (kind == 2) // a letter
            bits = bits_of('a' + c_.below(26), 8);
        all.insert(all.end(), bits.begin(), bits.end());
        if (kind == 2)
            text += static_cast<char>(number_of(bits));
        else if (kind == 0)
            text += text_of(bits, false).substr(2) + "\n";
        else
            text += (element->is_signed && bits.back() ? text_of(bits, true)
                                                       : std::to_string(number_of(bits))) +
                    "\n";
    }
    files_.emplace_back(file, text);
    lines.push_back(fmt::format("{}: {}[{}] = file({})", name, element->text,
                                c_.chance(50) ? "" : std::to_string(count), file));
    declare(names, name, array_of(element, count), all);
}

Lines DeclarationMaker::constants(Names& names) {
    Lines lines;
    for (unsigned k = c_.between(1, 4); k > 0; --k)
        constant(names, lines);
    if (disk_ && c_.chance(50))
        constant_file(names, lines);
    return section("constants", lines);
}

} // namespace sme::fuzz
