// SPDX-License-Identifier: Apache-2.0
#include "sme/type.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sme/values.hpp"

namespace sme {

namespace {

std::size_t bytes_for(unsigned width_bits) {
    return width_bits <= 8 ? 1 : width_bits <= 16 ? 2 : width_bits <= 32 ? 4 : 8;
}

constexpr unsigned word_bits = 64;

std::size_t rounded_up(std::size_t bytes, std::size_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace

TypeRef Type::boolean() {
    static const TypeRef shared{new Type{}};
    return shared;
}

namespace {

/// Returns the type that `make` makes for a width; those of one word are made once.
template <class Make> TypeRef shared_type(unsigned width_bits, Make make) {
    static const std::array<TypeRef, word_bits + 1> known = [&] {
        std::array<TypeRef, word_bits + 1> result;
        for (unsigned bits = 1; bits <= word_bits; ++bits)
            result[bits] = make(bits);
        return result;
    }();
    return width_bits > 0 && width_bits <= word_bits ? known[width_bits] : make(width_bits);
}

} // namespace

Type Type::integer(TypeKind kind, unsigned width_bits) {
    Type result;
    result.kind_ = kind;
    result.width_bits_ = width_bits;
    result.leaf_count_ = (width_bits + word_bits - 1) / word_bits;
    result.alignment_ = bytes_for(width_bits);
    result.size_ = result.alignment_ * result.leaf_count_;
    return result;
}

TypeRef Type::unsigned_integer(unsigned width_bits) {
    return shared_type(width_bits, [](unsigned bits) {
        return TypeRef{new Type{integer(TypeKind::unsigned_integer, bits)}};
    });
}

TypeRef Type::signed_integer(unsigned width_bits) {
    return shared_type(width_bits, [](unsigned bits) {
        return TypeRef{new Type{integer(TypeKind::signed_integer, bits)}};
    });
}

TypeRef Type::fixed(bool is_signed, unsigned whole_bits, unsigned fraction_bits) {
    const unsigned width = whole_bits + fraction_bits;
    auto* result =
        new Type{integer(is_signed ? TypeKind::signed_integer : TypeKind::unsigned_integer, width)};
    result->is_fixed_ = true;
    result->fraction_bits_ = fraction_bits;
    return TypeRef{result};
}

TypeRef Type::enumeration(std::string name, unsigned width_bits, std::vector<Member> members) {
    auto* result = new Type{};
    result->kind_ = TypeKind::enumeration;
    result->name_ = std::move(name);
    result->width_bits_ = width_bits;
    result->size_ = result->alignment_ = bytes_for(width_bits);
    result->members_ = std::move(members);
    return TypeRef{result};
}

TypeRef Type::structure(std::string name, std::vector<Field> fields) {
    auto* result = new Type{};
    result->kind_ = TypeKind::structure;
    result->name_ = std::move(name);
    result->width_bits_ = result->size_ = result->leaf_count_ = 0;
    for (Field& field : fields) {
        const Type& type = *field.type;
        result->size_ = rounded_up(result->size_, type.alignment_);
        field.offset = static_cast<std::uint32_t>(result->size_);
        result->size_ += type.size_;
        result->alignment_ = std::max(result->alignment_, type.alignment_);
        result->width_bits_ += type.width_bits_;
        result->leaf_count_ += type.leaf_count_;
    }
    result->size_ = rounded_up(result->size_, result->alignment_);
    result->fields_ = std::move(fields);
    return TypeRef{result};
}

TypeRef Type::array(TypeRef element, std::uint64_t count) {
    auto* result = new Type{};
    result->kind_ = TypeKind::array;
    result->width_bits_ = element->width_bits_ * count;
    result->size_ = element->size_ * count;
    result->alignment_ = element->alignment_;
    result->leaf_count_ = element->leaf_count_ * count;
    result->count_ = count;
    result->element_ = std::move(element);
    return TypeRef{result};
}

int Type::find_field(const std::string& name) const {
    const auto found = std::find_if(fields_.begin(), fields_.end(),
                                    [&](const Field& field) { return field.name == name; });
    return found == fields_.end() ? -1 : static_cast<int>(found - fields_.begin());
}

const Member* Type::find_member(const std::string& name) const {
    const auto found = std::find_if(members_.begin(), members_.end(),
                                    [&](const Member& member) { return member.name == name; });
    return found == members_.end() ? nullptr : &*found;
}

const Member* Type::find_member(std::uint64_t value) const {
    const auto found = std::find_if(members_.begin(), members_.end(),
                                    [&](const Member& member) { return member.value == value; });
    return found == members_.end() ? nullptr : &*found;
}

namespace {

/// Returns the type of a word of a wide integer, which lives as long as the program.
const Type* word_type(unsigned width_bits) {
    return Type::unsigned_integer(width_bits).get();
}

/// Lists the scalars of a type; with `words`, lists each word of a scalar of several words.
class Lister {
public:
    explicit Lister(bool words) : words_{words} {}

    std::vector<Leaf> list(const Type& type) {
        found_.reserve(type.leaf_count());
        if (type.kind() == TypeKind::structure) {
            for (std::uint32_t k = 0; k < type.fields().size(); ++k)
                add_field(type.fields()[k], {"", 0, nullptr, k});
        } else
            add(type, {"", 0, nullptr, 0});
        return std::move(found_);
    }

private:
    void add(const Type& type, const Leaf& base) {
        if (type.is_wide() && words_)
            add_words(type, base);
        else if (type.is_scalar())
            found_.push_back({base.path, base.offset, &type, base.field});
        else if (type.kind() == TypeKind::structure)
            for (const Field& field : type.fields())
                add_field(field, base);
        else
            add_elements(type, base);
    }

    void add_field(const Field& field, const Leaf& base) {
        add(*field.type,
            {base.path + "." + field.name, base.offset + field.offset, nullptr, base.field});
    }

    void add_elements(const Type& type, const Leaf& base) {
        const auto stride = static_cast<std::uint32_t>(type.element()->size());
        for (std::uint32_t k = 0; k < type.count(); ++k)
            add(*type.element(), {fmt::format("{}[{}]", base.path, k), base.offset + k * stride,
                                  nullptr, base.field});
    }

    void add_words(const Type& type, const Leaf& base) {
        const auto width = static_cast<std::uint32_t>(type.width_bits());
        for (std::uint32_t bit = 0; bit < width; bit += word_bits)
            found_.push_back({base.path, base.offset + bit / 8,
                              word_type(std::min(width - bit, word_bits)), base.field});
    }

    const bool words_;
    std::vector<Leaf> found_;
};

} // namespace

std::vector<Leaf> Type::leaves() const {
    return Lister{true}.list(*this);
}

std::vector<Leaf> Type::scalars() const {
    return Lister{false}.list(*this);
}

std::string Type::name() const {
    switch (kind_) {
    case TypeKind::boolean: return "bool";
    case TypeKind::unsigned_integer:
    case TypeKind::signed_integer:
        return is_fixed_ ? fmt::format("{}fixed({}, {})", is_signed() ? "" : "u",
                                       width_bits_ - fraction_bits_, fraction_bits_)
                         : fmt::format("{}{}", is_signed() ? 'i' : 'u', width_bits_);
    case TypeKind::enumeration:
    case TypeKind::structure: break;
    case TypeKind::array: {
        std::string dimensions = fmt::format("{}", count_);
        const Type* inner = element_.get();
        for (; inner->kind_ == TypeKind::array; inner = inner->element_.get())
            dimensions += fmt::format(", {}", inner->count_);
        return fmt::format("{}[{}]", inner->name(), dimensions);
    }
    }
    if (!name_.empty())
        return name_;
    std::string text;
    for (const Member& member : members_)
        text += (text.empty() ? "" : ", ") + member.name;
    if (kind_ == TypeKind::enumeration)
        return "[" + text + "]";
    for (const Field& field : fields_)
        text += fmt::format("{}{}{}: {}", text.empty() ? "" : ", ", field.back ? "back " : "",
                            field.name, field.type->name());
    return "{" + text + "}";
}

std::string Type::written_out() const {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    switch (kind_) {
    case TypeKind::enumeration:
        for (const Member& member : members_)
            add(fmt::format("{} = {}", member.name, member.value));
        return fmt::format("{} u{} [{}]", name_, width_bits_, text);
    case TypeKind::structure:
        for (const Field& field : fields_)
            add(fmt::format("{}{}: {}", field.back ? "back " : "", field.name,
                            field.type->written_out()));
        return fmt::format("{} {{{}}}", name_, text);
    case TypeKind::array: return fmt::format("{}[{}]", element_->written_out(), count_);
    default: return name();
    }
}

std::pair<std::string, std::string> distinct_names(const Type& a, const Type& b) {
    if (a.name() != b.name() || a == b)
        return {a.name(), b.name()};
    const auto shortened = [](const std::string& text) {
        constexpr std::size_t most = 60;
        return text.size() <= most ? text : fmt::format("{:.{}}...", text, most);
    };
    return {shortened(a.written_out()), shortened(b.written_out())};
}

bool Type::is_bundle() const {
    return std::any_of(fields_.begin(), fields_.end(), [](const Field& f) { return f.back; });
}

TypeRef Type::forward() const {
    std::vector<Field> fields;
    std::copy_if(fields_.begin(), fields_.end(), std::back_inserter(fields),
                 [](const Field& field) { return !field.back; });
    return structure(name_, std::move(fields));
}

bool operator==(const Type& a, const Type& b) {
    if (&a == &b)
        return true;
    if (a.kind() != b.kind() || a.width_bits() != b.width_bits() || a.is_fixed() != b.is_fixed() ||
        a.fraction_bits() != b.fraction_bits())
        return false;
    if (a.kind() == TypeKind::array)
        return a.count() == b.count() && *a.element() == *b.element();
    if (a.kind() == TypeKind::enumeration)
        return a.members() == b.members();
    return std::equal(a.fields().begin(), a.fields().end(), b.fields().begin(), b.fields().end(),
                      [](const Field& x, const Field& y) {
                          return x.name == y.name && x.back == y.back && *x.type == *y.type;
                      });
}

TypeRef internal::checked_structure(const char* name, std::vector<Field> fields, std::size_t size) {
    std::vector<std::uint32_t> offsets;
    for (const Field& field : fields)
        offsets.push_back(field.offset);
    TypeRef type = Type::structure(name, std::move(fields));
    std::size_t moved = 0; // the first field at a different offset
    while (moved < offsets.size() && type->fields()[moved].offset == offsets[moved])
        ++moved;
    if (moved < offsets.size() && type->size() == size)
        throw std::logic_error{fmt::format(
            "SME_STRUCT({}): C++ lays '{}' out at byte {}, but in the order of the names here it "
            "lies at byte {}; name every field, in declared order, without packing attributes",
            name, type->fields()[moved].name, offsets[moved], type->fields()[moved].offset)};
    if (moved < offsets.size() || type->size() != size)
        throw std::logic_error{fmt::format(
            "SME_STRUCT({}): C++ lays it out in {} bytes, but its fields in this order take {}; "
            "name every field, in declared order, without packing attributes",
            name, size, type->size())};
    return type;
}

namespace {

/// Splits "idle, run", the text of a macro's arguments, into names.
std::vector<std::string> names_in(std::string_view text) {
    std::vector<std::string> names;
    std::string name;
    for (const char c : text)
        if (c == ',')
            names.push_back(std::exchange(name, {}));
        else if (c != ' ' && c != '\n' && c != '\t')
            name += c;
    if (!name.empty())
        names.push_back(std::move(name));
    return names;
}

} // namespace

TypeRef internal::checked_enumeration(const char* name, const char* members,
                                      const std::vector<std::uint64_t>& values, bool negative,
                                      std::size_t size) {
    const auto fail = [&](const char* what) {
        throw std::logic_error{fmt::format("SME_ENUM({}, {}): {}", name, members, what)};
    };
    if (negative)
        fail("a member is negative, but the values of an enumeration begin at 0");
    std::vector<std::uint64_t> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty() || sorted.front() != 0)
        fail("no member is 0, the value of an unwritten bus");
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        fail("two members have one value");
    const auto least = size == 1 ? 1u : static_cast<unsigned>(4 * size + 1);
    const auto needed = static_cast<unsigned>(std::bit_width(sorted.back()));
    std::vector<Member> result;
    const std::vector<std::string> names = names_in(members);
    for (std::size_t k = 0; k < values.size(); ++k)
        result.push_back({names[k], values[k]});
    std::string_view short_name = name;
    if (const std::size_t scope = short_name.rfind(':'); scope != short_name.npos)
        short_name.remove_prefix(scope + 1);
    return Type::enumeration(std::string{short_name}, std::max(least, needed), std::move(result));
}

} // namespace sme
