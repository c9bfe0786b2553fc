// SPDX-License-Identifier: Apache-2.0
#include "trace/vcd/type_names.hpp"

#include <fmt/format.h>

#include "trace/vcd/vcd_names.hpp"

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

} // namespace sme::trace
