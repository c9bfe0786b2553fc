// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/model.hpp"

#include <algorithm>
#include <stdexcept>

namespace sme::fuzz {

bool Shape::has_zero() const {
    switch (kind) {
    case Kind::enumeration:
        return std::any_of(members.begin(), members.end(),
                           [](const auto& member) { return member.second == 0; });
    case Kind::structure:
        return std::all_of(fields.begin(), fields.end(),
                           [](const auto& field) { return field.second->has_zero(); });
    case Kind::array: return element->has_zero();
    default: return true;
    }
}

bool Shape::has_enumeration() const {
    if (kind == Kind::array)
        return element->has_enumeration();
    return kind == Kind::enumeration ||
           std::any_of(fields.begin(), fields.end(),
                       [](const auto& field) { return field.second->has_enumeration(); });
}

bool same(const Shape& a, const Shape& b) {
    if (a.kind != b.kind || a.width != b.width || a.is_signed != b.is_signed ||
        a.members != b.members || a.count != b.count || a.fields.size() != b.fields.size())
        return false;
    if (a.kind == Shape::Kind::enumeration && a.text != b.text)
        return false;
    for (std::size_t k = 0; k < a.fields.size(); ++k)
        if (a.fields[k].first != b.fields[k].first ||
            !same(*a.fields[k].second, *b.fields[k].second))
            return false;
    return !a.element || same(*a.element, *b.element);
}

TypeOf boolean() {
    static const TypeOf result = [] {
        auto type = std::make_shared<Shape>();
        type->text = "bool";
        return type;
    }();
    return result;
}

TypeOf integer(unsigned width, bool is_signed) {
    auto result = std::make_shared<Shape>();
    result->kind = Shape::Kind::integer;
    result->width = width;
    result->is_signed = is_signed;
    result->text = (is_signed ? "i" : "u") + std::to_string(width);
    result->named = true;
    return result;
}

TypeOf array_of(const TypeOf& element, unsigned count) {
    auto result = std::make_shared<Shape>();
    result->kind = Shape::Kind::array;
    result->width = element->width * count;
    result->element = element;
    result->count = count;
    const std::string inner = element->kind == Shape::Kind::array && !element->named
                                  ? element->text.substr(element->text.find('['))
                                  : std::string{};
    result->text = inner.empty() ? element->text + "[" + std::to_string(count) + "]"
                                 : element->text.substr(0, element->text.find('[')) + "[" +
                                       std::to_string(count) + ", " + inner.substr(1);
    return result;
}

unsigned field_low(const Shape& type, std::size_t field) {
    unsigned low = 0;
    for (std::size_t k = field + 1; k < type.fields.size(); ++k)
        low += type.fields[k].second->width;
    return low;
}

const Bits& Env::at(const std::string& name) const {
    for (const Env* env = this; env; env = env->outer)
        if (const auto found = env->values.find(name); found != env->values.end())
            return found->second;
    throw std::logic_error{"the generator follows a name without a value: " + name};
}

Lines indented(const Lines& lines, unsigned by) {
    Lines result;
    for (const std::string& line : lines)
        result.push_back(std::string(by, ' ') + line);
    return result;
}

void append(Lines& to, const Lines& lines) {
    to.insert(to.end(), lines.begin(), lines.end());
}

Lines entry(const std::string& key, const RhsText& rhs) {
    Lines result{key + ":" + (rhs.line.empty() ? "" : " " + rhs.line)};
    append(result, indented(rhs.below));
    return result;
}

Meaning whole(const RhsText& rhs, unsigned width) {
    return [meaning = rhs.meaning, width](const Env& env) {
        Patches patches;
        meaning(env, 0, patches);
        Bits bits(width);
        for (const Patch& patch : patches)
            put(bits, patch.low, patch.bits);
        return bits;
    };
}

} // namespace sme::fuzz
