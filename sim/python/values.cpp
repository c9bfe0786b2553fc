// SPDX-License-Identifier: Apache-2.0
#include "python/values.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "base/diagnostic.hpp"
#include "bits/integer.hpp"

namespace nb = nanobind;

namespace sme::python {

namespace {

[[noreturn]] void refuse(const std::string& message) {
    throw nb::value_error(message.c_str());
}

nb::object numpy() {
    return nb::module_::import_("numpy");
}

std::uint64_t word_at(const Type& type, const std::byte* slot) {
    std::uint64_t value = 0;
    std::memcpy(&value, slot, std::min<std::size_t>(type.size(), sizeof value));
    return canonical(value, static_cast<unsigned>(8 * type.size()), type.is_signed());
}

nb::object wide_number(const Type& type, const std::byte* slot) {
    const nb::handle integer{reinterpret_cast<PyObject*>(&PyLong_Type)};
    return integer.attr("from_bytes")(nb::bytes(slot, type.size()), "little");
}

std::string range_of(const Type& type) {
    const auto width = static_cast<unsigned>(type.width_bits());
    if (type.is_signed())
        return fmt::format("-2^{0} to 2^{0} - 1", width - 1);
    return width > 16 ? fmt::format("0 to 2^{} - 1", width)
                      : fmt::format("0 to {}", (1u << width) - 1);
}

/// Stores an int, or what `__index__` makes one, such as a NumPy integer.
void store_integer(const Type& type, nb::handle value, std::byte* slot, const std::string& what) {
    nb::object number = nb::steal(PyNumber_Index(value.ptr()));
    if (!number.is_valid()) {
        PyErr_Clear();
        throw nb::type_error(
            fmt::format("'{}' is {}, but this is a {}", what, type.name(),
                        nb::cast<std::string>(
                            nb::str(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(value.ptr())))
                                        .attr("__name__"))))
                .c_str());
    }
    const auto text = [&] { return nb::cast<std::string>(nb::str(number)); };
    const auto does_not_fit = [&] {
        refuse(fmt::format("'{}' is {}, which holds {}, but this is {}", what, type.name(),
                           range_of(type), text()));
    };
    const std::uint64_t width = type.width_bits();
    if (type.is_wide()) {
        if (nb::cast<bool>(number.attr("__lt__")(0)) ||
            nb::cast<std::uint64_t>(number.attr("bit_length")()) > width)
            does_not_fit();
        const auto bytes = nb::cast<nb::bytes>(number.attr("to_bytes")(type.size(), "little"));
        std::memcpy(slot, bytes.c_str(), type.size());
        return;
    }
    int overflow = 0;
    const long long small = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    std::uint64_t word = static_cast<std::uint64_t>(small);
    if (overflow != 0) {
        word = PyLong_AsUnsignedLongLong(number.ptr());
        if (PyErr_Occurred()) {
            PyErr_Clear();
            does_not_fit();
        }
        if (type.is_signed() || width < 64)
            does_not_fit();
    } else if (type.is_signed()
                   ? width < 64 && (small < -(1LL << (width - 1)) || small >= 1LL << (width - 1))
                   : small < 0 || (width < 64 && word >> width != 0))
        does_not_fit();
    std::memcpy(slot, &word, type.size());
}

void store_member(const Type& type, nb::handle value, std::byte* slot, const std::string& what) {
    if (nb::isinstance<nb::str>(value)) {
        const std::string name = nb::cast<std::string>(value);
        const Member* const member = type.find_member(name);
        if (!member) {
            std::vector<std::string> names;
            for (const Member& each : type.members())
                names.push_back(each.name);
            refuse(fmt::format("{} has no member '{}'{}", type.name(), name,
                               did_you_mean(name, names)));
        }
        std::memcpy(slot, &member->value, type.size());
        return;
    }
    std::uint64_t word = 0;
    const TypeRef stored = Type::unsigned_integer(static_cast<unsigned>(type.width_bits()));
    store_integer(*stored, value, reinterpret_cast<std::byte*>(&word), what);
    if (!type.find_member(word))
        refuse(fmt::format("{} has no member with the value {}", type.name(), word));
    std::memcpy(slot, &word, type.size());
}

void store(const Type& type, nb::handle value, std::byte* slot, const std::string& what);

/// Stores an array of a NumPy dtype that has the layout of the slots.
void store_array(const Type& type, nb::handle array, std::byte* slot, const std::string& what) {
    const auto bytes = nb::cast<nb::bytes>(array.attr("tobytes")());
    if (bytes.size() != type.size())
        refuse(fmt::format("'{}' has {} bytes, but this array has {}", what, type.size(),
                           bytes.size()));
    std::vector<std::byte> made(type.size());
    const auto* const from = reinterpret_cast<const std::byte*>(bytes.c_str());
    for (const Leaf& leaf : type.leaves()) { // padding stays zero
        const std::uint64_t word = word_at(*leaf.type, from + leaf.offset);
        const auto width = static_cast<unsigned>(leaf.type->width_bits());
        const bool fits = leaf.type->kind() == TypeKind::enumeration
                              ? leaf.type->find_member(word) != nullptr
                              : canonical(word, width, leaf.type->is_signed()) == word;
        if (!fits)
            refuse(fmt::format("'{}{}' is {}, which does not hold {}", what, leaf.path,
                               leaf.type->name(), word));
        std::memcpy(made.data() + leaf.offset, &word, leaf.type->size());
    }
    std::memcpy(slot, made.data(), made.size());
}

void store_fields(const Type& type, nb::handle value, std::byte* slot, const std::string& what) {
    std::vector<std::string> names;
    for (const Field& field : type.fields())
        names.push_back(field.name);
    for (const auto& [key, each] : nb::cast<nb::dict>(value)) {
        const std::string name = nb::cast<std::string>(nb::str(key));
        const int place = type.find_field(name);
        if (place < 0)
            refuse(fmt::format("'{}' has no field '{}'{}", what, name, did_you_mean(name, names)));
        const Field& field = type.fields()[static_cast<std::size_t>(place)];
        store(*field.type, each, slot + field.offset, fmt::format("{}.{}", what, name));
    }
}

void store(const Type& type, nb::handle value, std::byte* slot, const std::string& what) {
    switch (type.kind()) {
    case TypeKind::boolean: {
        const int truth = nb::isinstance<nb::bool_>(value) ? nb::cast<bool>(value) ? 1 : 0 : -1;
        if (truth >= 0)
            *slot = static_cast<std::byte>(truth);
        else
            store_integer(*Type::unsigned_integer(1), value, slot, what);
        return;
    }
    case TypeKind::unsigned_integer:
    case TypeKind::signed_integer: store_integer(type, value, slot, what); return;
    case TypeKind::enumeration: store_member(type, value, slot, what); return;
    case TypeKind::structure:
        if (nb::isinstance<nb::dict>(value)) {
            std::memset(slot, 0, type.size());
            store_fields(type, value, slot, what);
        } else if (nb::hasattr(value, "dtype") && dtype_of(type).equal(value.attr("dtype")))
            store_array(type, value, slot, what);
        else
            throw nb::type_error(
                fmt::format("'{}' is {}; give a dict of its fields", what, type.name()).c_str());
        return;
    case TypeKind::array:
        if (nb::hasattr(value, "dtype") &&
            dtype_of(*type.element()).attr("base").equal(value.attr("dtype"))) {
            store_array(type, value, slot, what);
            return;
        }
        if (!PySequence_Check(value.ptr()) || nb::isinstance<nb::str>(value))
            throw nb::type_error(fmt::format("'{}' is {}; give a sequence of {} values", what,
                                             type.name(), type.count())
                                     .c_str());
        if (nb::len(value) != type.count())
            refuse(fmt::format("'{}' has {} elements, but these are {}", what, type.count(),
                               nb::len(value)));
        for (std::uint64_t k = 0; k < type.count(); ++k)
            store(*type.element(), nb::object(value[k]), slot + k * type.element()->size(),
                  fmt::format("{}[{}]", what, k));
        return;
    }
}

} // namespace

nb::object dtype_of(const Type& type) {
    const nb::object make = numpy().attr("dtype");
    switch (type.kind()) {
    case TypeKind::boolean: return make("?");
    case TypeKind::unsigned_integer:
    case TypeKind::signed_integer:
    case TypeKind::enumeration:
        if (type.is_wide())
            return make(nb::make_tuple("<u8", type.leaf_count()));
        return make(fmt::format("<{}{}", type.is_signed() ? 'i' : 'u', type.size()));
    case TypeKind::array: return make(nb::make_tuple(dtype_of(*type.element()), type.count()));
    case TypeKind::structure: {
        nb::list names, formats, offsets;
        for (const Field& field : type.fields()) {
            names.append(field.name);
            formats.append(dtype_of(*field.type));
            offsets.append(field.offset);
        }
        nb::dict all;
        all["names"] = names;
        all["formats"] = formats;
        all["offsets"] = offsets;
        all["itemsize"] = type.size();
        return make(all);
    }
    }
    return nb::none();
}

nb::object to_python(const Type& type, const std::byte* slot) {
    switch (type.kind()) {
    case TypeKind::boolean: return nb::bool_(*slot != std::byte{0});
    case TypeKind::unsigned_integer:
        return type.is_wide() ? wide_number(type, slot) : nb::int_(word_at(type, slot));
    case TypeKind::signed_integer: return nb::int_(static_cast<std::int64_t>(word_at(type, slot)));
    case TypeKind::enumeration: {
        const std::uint64_t word = word_at(type, slot);
        const Member* const member = type.find_member(word);
        return member ? nb::object(nb::str(member->name.c_str())) : nb::object(nb::int_(word));
    }
    default: break;
    }
    const nb::bytes bytes{reinterpret_cast<const char*>(slot), type.size()};
    nb::object array = numpy().attr("frombuffer")(bytes, dtype_of(type))[0];
    return array.attr("copy")();
}

void from_python(const Type& type, nb::handle value, std::byte* slot, const std::string& what) {
    if (type.is_scalar()) {
        store(type, value, slot, what);
        return;
    }
    std::vector<std::byte> made(type.size());
    store(type, value, made.data(), what);
    std::memcpy(slot, made.data(), made.size());
}

} // namespace sme::python
