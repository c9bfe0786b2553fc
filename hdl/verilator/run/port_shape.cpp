// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/binding.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace sme::verilator {

namespace {

/// Returns a name without its style: "RUN_FAST", "runFast".
std::string plain(const std::string& name) {
    std::string result;
    for (const char c : name)
        if (c != '_')
            result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

std::string parts_of(const PortShape& shape) {
    std::string text;
    for (std::size_t k = 0; k < shape.names.size(); ++k)
        text += fmt::format("{}{}: {}", k == 0 ? "" : ", ", shape.names[k],
                            shape.fields.empty() ? shape.values[k] : shape.fields[k].width);
    return text;
}

std::string struct_difference(const Type& type, const PortShape& shape);

std::string enum_difference(const Type& type, const PortShape& shape) {
    const auto& members = type.members();
    for (std::size_t k = 0; k < shape.names.size(); ++k) {
        const bool there = std::any_of(members.begin(), members.end(), [&](const Member& member) {
            return member.value == shape.values[k];
        });
        if (!there)
            return fmt::format("is enum '{}' ({}), but {} has no member of value {}", shape.type,
                               parts_of(shape), type.name(), shape.values[k]);
        for (const Member& member : members)
            if (plain(member.name) == plain(shape.names[k]) && member.value != shape.values[k])
                return fmt::format("is enum '{}', whose '{}' is {}, but '{}' of {} is {}",
                                   shape.type, shape.names[k], shape.values[k], member.name,
                                   type.name(), member.value);
    }
    for (const Member& member : members)
        if (std::count(shape.values.begin(), shape.values.end(), member.value) == 0)
            return fmt::format("is enum '{}' ({}), which has no member of value {}, as '{}' of {}",
                               shape.type, parts_of(shape), member.value, member.name, type.name());
    return {};
}

std::string difference(const Type& type, const PortShape& shape) {
    if (type.kind() == TypeKind::structure && !shape.fields.empty())
        return struct_difference(type, shape);
    if (type.kind() == TypeKind::enumeration && !shape.values.empty())
        return enum_difference(type, shape);
    return {};
}

std::string struct_difference(const Type& type, const PortShape& shape) {
    std::string own;
    for (const Field& field : type.fields())
        own +=
            fmt::format("{}{}: {}", own.empty() ? "" : ", ", field.name, field.type->width_bits());
    bool same = type.fields().size() == shape.fields.size();
    for (std::size_t k = 0; same && k < shape.fields.size(); ++k)
        same = type.fields()[k].name == shape.names[k] &&
               type.fields()[k].type->width_bits() == shape.fields[k].width;
    if (!same)
        return fmt::format(
            "is struct '{}' ({}), but {} is ({}); fields have the same names, widths "
            "and order, or the bus is a plain number of {} bits",
            shape.type, parts_of(shape), type.name(), own, shape.width);
    for (std::size_t k = 0; k < shape.fields.size(); ++k)
        if (const std::string inner = difference(*type.fields()[k].type, shape.fields[k]);
            !inner.empty())
            return fmt::format("has a field '{}' that {}", shape.names[k], inner);
    return {};
}

} // namespace

std::string shape_difference(const BoundPort& bound, const ModulePort& port) {
    if (port.port.elements == 0)
        return bound.binding.count == 1 ? difference(*bound.type, port.shape) : std::string{};
    const std::uint64_t each = port.port.width / port.port.elements;
    const Type* type = bound.type.get();
    std::uint64_t count = bound.binding.count;
    while (type->kind() == TypeKind::array && type->width_bits() != each) {
        count *= type->count();
        type = type->element().get();
    }
    if (count == port.port.elements && type->width_bits() == each)
        return {};
    return fmt::format(
        "is an array of {} elements of {} bit{}, but what it is bound to is {}; bind "
        "it to an array or a family of as many",
        port.port.elements, each, each == 1 ? "" : "s",
        bound.binding.count == 1
            ? bound.type->name()
            : fmt::format("{} times {}", bound.binding.count, bound.type->name()));
}

} // namespace sme::verilator
