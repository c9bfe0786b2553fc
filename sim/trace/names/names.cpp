// SPDX-License-Identifier: Apache-2.0
#include "trace/names/names.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::trace {

namespace {

using Kind = TypeLine::Kind;

class TypeLister {
public:
    TypeLines list(const Type& type) {
        add(type, true, "", "");
        return std::move(made_);
    }

private:
    /// `path`: the position of the value below the bus; empty if its comments are already written.
    void add(const Type& type, bool continues, const std::string& name, const std::string& path) {
        if (type.is_scalar())
            made_.lines.push_back({Kind::leaf, continues, name, next_leaf_++});
        else if (type.kind() == TypeKind::array)
            add_elements(type, continues, name, path);
        else {
            made_.lines.push_back({Kind::scope, continues, name});
            add_fields(type, path);
            made_.lines.push_back({Kind::scope_ends, continues, {}});
        }
    }

    void add_elements(const Type& type, bool continues, const std::string& name,
                      const std::string& path) {
        const bool commented = commented_;
        for (std::uint64_t k = 0; k < type.count(); ++k) {
            commented_ = commented || k > 0;
            std::string element = name;
            append_index(element, static_cast<std::int64_t>(k));
            add(*type.element(), continues, element, fmt::format("{}[{}]", path, k));
        }
        commented_ = commented;
    }

    void add_fields(const Type& type, const std::string& path) {
        NameSet names;
        for (const Field& field : type.fields()) {
            const bool array = field.type->kind() == TypeKind::array;
            const std::string plain = sanitised(field.name);
            const std::string name = array ? names.place_family(plain) : names.place(plain);
            const std::string at = fmt::format("{}.{}", path, field.name);
            const std::string written = fmt::format("{}.{}", path, name);
            const Type& of = *field.type;
            std::string comment =
                renaming(at + corner(of, false), at + corner(of, true),
                         written + written_corner(of, false), written + written_corner(of, true));
            if (!commented_ && !comment.empty())
                made_.comments.push_back(std::move(comment));
            add(*field.type, false, name, at);
        }
    }

    TypeLines made_;
    std::uint32_t next_leaf_ = 0;
    bool commented_ = false; // by another element of an array
};

} // namespace

TypeLines lines_of(const Type& type) {
    return TypeLister{}.list(type);
}

std::string corner(const Type& type, bool last) {
    std::string text;
    for (const Type* at = &type; at->kind() == TypeKind::array; at = at->element().get())
        text += fmt::format("[{}]", last ? at->count() - 1 : 0);
    return text;
}

std::string written_corner(const Type& type, bool last) {
    std::string text;
    for (const Type* at = &type; at->kind() == TypeKind::array; at = at->element().get())
        append_index(text, last ? static_cast<std::int64_t>(at->count() - 1) : 0);
    return text;
}

std::string renaming(const std::string& first, const std::string& last,
                     const std::string& written_first, const std::string& written_last) {
    if (first == written_first && last == written_last)
        return {};
    if (first == last)
        return fmt::format("{} is {}", for_comment(first), written_first);
    return fmt::format("{} to {} are {} to {}", for_comment(first), for_comment(last),
                       written_first, written_last);
}

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_plain(char c) {
    return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The families that may have a member with this name: "a_1_2" can belong to "a_1" and to "a".
std::vector<std::string> possible_families(const std::string& name) {
    std::vector<std::string> found;
    std::size_t end = name.size();
    while (true) {
        std::size_t begin = end;
        while (begin > 0 && is_digit(name[begin - 1]))
            --begin;
        if (begin == end)
            return found;
        if (begin > 0 && name[begin - 1] == 'm')
            --begin;
        if (begin == 0 || name[begin - 1] != '_')
            return found;
        end = begin - 1;
        found.push_back(name.substr(0, end));
    }
}

} // namespace

std::string sanitised(std::string_view name) {
    std::string result{name.empty() ? "_" : name};
    std::replace_if(
        result.begin(), result.end(), [](char c) { return !is_plain(c); }, '_');
    return result;
}

std::string for_comment(std::string_view name) {
    std::string result{name};
    std::replace_if(
        result.begin(), result.end(), [](char c) { return c == '$' || (c >= 0 && c < ' '); }, '?');
    return result;
}

std::string identifier(std::uint32_t signal) {
    std::string digits;
    for (std::uint64_t rest = std::uint64_t{signal} + 1; rest > 0; rest = (rest - 1) / 94)
        digits += static_cast<char>('!' + (rest - 1) % 94);
    return digits;
}

void append_index(std::string& name, std::int64_t index) {
    name += index < 0 ? "_m" : "_";
    const fmt::format_int digits{index};
    name.append(digits.data() + (index < 0), digits.size() - (index < 0));
}

bool NameSet::is_free(const std::string& name) const {
    const std::vector<std::string> families = possible_families(name);
    return !singles_.contains(name) &&
           std::none_of(families.begin(), families.end(),
                        [&](const std::string& family) { return families_.contains(family); });
}

bool NameSet::is_free_for_family(const std::string& name) const {
    const std::vector<std::string> families = possible_families(name);
    return !families_.contains(name) && !blocked_.contains(name) &&
           std::none_of(families.begin(), families.end(),
                        [&](const std::string& family) { return families_.contains(family); });
}

void NameSet::block_families(const std::string& name) {
    for (std::string& family : possible_families(name))
        blocked_.insert(std::move(family));
}

// The v prevents the appended number from looking like an index.

std::string NameSet::place(const std::string& wanted) {
    std::string name = wanted;
    for (unsigned k = 2; !is_free(name); ++k)
        name = fmt::format("{}_v{}", wanted, k);
    singles_.insert(name);
    block_families(name);
    return name;
}

std::string NameSet::place_family(const std::string& wanted) {
    std::string name = wanted;
    for (unsigned k = 2; !is_free_for_family(name); ++k)
        name = fmt::format("{}_v{}", wanted, k);
    families_.insert(name);
    block_families(name);
    return name;
}

} // namespace sme::trace
