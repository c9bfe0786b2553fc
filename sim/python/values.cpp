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

/// Returns 2^exponent as an int.
nb::object power_of_two(std::uint64_t exponent) {
    return nb::int_(1).attr("__lshift__")(exponent);
}

/// The bits of a number as an integer.
nb::object integer_at(const Type& type, const std::byte* slot) {
    if (!type.is_wide())
        return type.is_signed() ? nb::int_(static_cast<std::int64_t>(word_at(type, slot)))
                                : nb::int_(word_at(type, slot));
    const nb::handle integer{reinterpret_cast<PyObject*>(&PyLong_Type)};
    const nb::object bits = integer.attr("from_bytes")(nb::bytes(slot, type.size()), "little");
    const bool negative = type.is_signed() &&
                          nb::cast<bool>(bits.attr("__ge__")(power_of_two(type.width_bits() - 1)));
    return negative ? nb::object(bits.attr("__sub__")(power_of_two(type.width_bits()))) : bits;
}

nb::object fraction() {
    return nb::module_::import_("fractions").attr("Fraction");
}

std::string range_of(const Type& type) {
    const auto width = static_cast<unsigned>(type.width_bits());
    if (type.is_signed())
        return fmt::format("-2^{0} to 2^{0} - 1", width - 1);
    return width > 16 ? fmt::format("0 to 2^{} - 1", width)
                      : fmt::format("0 to {}", (1u << width) - 1);
}

/// Returns whether a value of NumPy is stored as a slot of that type is, in the same shape.
bool has_layout_of(const Type& type, nb::handle value) {
    const nb::object dtype = dtype_of(type);
    return dtype.attr("base").equal(value.attr("dtype")) &&
           dtype.attr("shape").equal(value.attr("shape"));
}

/// Returns the lengths of an array's dimensions; () if the type is no array.
nb::tuple shape_of(const Type& type) {
    nb::list result;
    for (const Type* each = &type; each->kind() == TypeKind::array; each = each->element().get())
        result.append(each->count());
    return nb::tuple(result);
}

[[noreturn]] void refuse_shape(const Type& type, nb::handle value, const std::string& what) {
    nb::object given;
    try {
        given = numpy().attr("shape")(value);
    } catch (const nb::python_error&) { // its rows have different lengths
        given = nb::make_tuple(nb::len(value));
    }
    refuse(fmt::format("'{}' has the shape {}, but these values have {}", what,
                       nb::cast<std::string>(nb::str(shape_of(type))),
                       nb::cast<std::string>(nb::str(given))));
}

/// Returns where in an array the element at an offset is: "[1][2]"; "" if the type is no array.
std::string index_at(const Type& type, std::size_t offset) {
    if (type.kind() != TypeKind::array)
        return {};
    const std::size_t size = type.element()->size();
    return fmt::format("[{}]{}", offset / size, index_at(*type.element(), offset % size));
}

/// Stores a value of NumPy that has the layout of the type.
void store_copy(const Type& type, nb::handle value, std::byte* slot, const std::string& what) {
    const auto bytes = nb::cast<nb::bytes>(value.attr("tobytes")());
    const auto* const from = reinterpret_cast<const std::byte*>(bytes.c_str());
    const Type* element = &type;
    while (element->kind() == TypeKind::array)
        element = element->element().get();
    const std::vector<Leaf> leaves = element->leaves();
    for (std::size_t base = 0; base < type.size(); base += element->size())
        for (const Leaf& leaf : leaves) { // padding stays zero
            const std::size_t at = base + leaf.offset;
            const std::uint64_t word = word_at(*leaf.type, from + at);
            const auto width = static_cast<unsigned>(leaf.type->width_bits());
            const bool fits = leaf.type->kind() == TypeKind::enumeration
                                  ? leaf.type->find_member(word) != nullptr
                                  : canonical(word, width, leaf.type->is_signed()) == word;
            if (!fits)
                refuse(
                    fmt::format("'{}{}{}' is {}, which does not hold {}", what,
                                index_at(type, base), leaf.path, leaf.type->name(),
                                nb::cast<std::string>(nb::str(to_python(*leaf.type, from + at)))));
            std::memcpy(slot + at, &word, leaf.type->size());
        }
}

void store_integer(const Type& type, nb::handle value, std::byte* slot, const std::string& what);

/// Stores a value that is no integer: the words of a wide integer, or a bool of NumPy.
void store_other(const Type& type, nb::handle value, std::byte* slot, const std::string& what) {
    if (nb::hasattr(value, "dtype")) {
        if (type.is_wide() && has_layout_of(type, value))
            return store_copy(type, value, slot, what);
        if (nb::len(nb::object(value.attr("shape"))) != 0)
            refuse_shape(type, value, what);
        if (nb::cast<std::string>(value.attr("dtype").attr("kind")) == "b")
            return store_integer(type, value.attr("item")(), slot, what);
    }
    const nb::handle kind{reinterpret_cast<PyObject*>(Py_TYPE(value.ptr()))};
    throw nb::type_error(fmt::format("'{}' is {}, but this is a {}", what, type.name(),
                                     nb::cast<std::string>(kind.attr("__name__")))
                             .c_str());
}

/// Stores an int, or what `__index__` makes one, such as a NumPy integer.
void store_integer(const Type& type, nb::handle value, std::byte* slot, const std::string& what) {
    const nb::object number = nb::steal(PyNumber_Index(value.ptr()));
    if (!number.is_valid()) {
        PyErr_Clear();
        return store_other(type, value, slot, what);
    }
    const auto text = [&] { return nb::cast<std::string>(nb::str(number)); };
    const auto does_not_fit = [&] {
        refuse(fmt::format(
            "'{}' is {}, which holds {}{}, but this is {}{}", what, type.name(), range_of(type),
            type.is_fixed() ? fmt::format(" steps of 2^-{}", type.fraction_bits()) : std::string{},
            text(), type.is_fixed() ? " steps" : ""));
    };
    const std::uint64_t width = type.width_bits();
    if (type.is_wide()) {
        const bool negative = nb::cast<bool>(number.attr("__lt__")(0));
        const nb::object above = negative ? nb::object(number.attr("__invert__")()) : number;
        if ((negative && !type.is_signed()) ||
            nb::cast<std::uint64_t>(above.attr("bit_length")()) > width - type.is_signed())
            does_not_fit();
        const nb::object bits = nb::object(number.attr("__mod__")(power_of_two(width)));
        const auto bytes = nb::cast<nb::bytes>(bits.attr("to_bytes")(type.size(), "little"));
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

/// Stores a number that is a whole number of steps of a fixed-point type.
void store_fixed(const Type& type, nb::handle value, std::byte* slot, const std::string& what) {
    nb::object steps;
    try {
        steps = fraction()(value).attr("__mul__")(power_of_two(type.fraction_bits()));
    } catch (const nb::python_error&) { // not a number
        return store_other(type, value, slot, what);
    }
    if (!nb::cast<bool>(steps.attr("denominator").attr("__eq__")(1)))
        refuse(fmt::format("'{}' is {}, but {} is no multiple of 2^-{}; round it first", what,
                           type.name(), nb::cast<std::string>(nb::str(value)),
                           type.fraction_bits()));
    store_integer(type, steps.attr("numerator"), slot, what);
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

/// Stores a dict, or a structured value of NumPy; `keys` are the names of its fields.
void store_fields(const Type& type, nb::handle value, nb::handle keys, std::byte* slot,
                  const std::string& what) {
    std::vector<std::string> names;
    for (const Field& field : type.fields())
        names.push_back(field.name);
    std::memset(slot, 0, type.size());
    for (nb::handle key : keys) {
        const std::string name = nb::cast<std::string>(nb::str(key));
        const int place = type.find_field(name);
        if (place < 0)
            refuse(fmt::format("'{}' has no field '{}'{}", what, name, did_you_mean(name, names)));
        const Field& field = type.fields()[static_cast<std::size_t>(place)];
        store(*field.type, nb::object(value[key]), slot + field.offset,
              fmt::format("{}.{}", what, name));
    }
}

void store_structure(const Type& type, nb::handle value, std::byte* slot, const std::string& what) {
    if (nb::isinstance<nb::dict>(value))
        return store_fields(type, value, value, slot, what);
    if (!nb::hasattr(value, "dtype") || value.attr("dtype").attr("names").is_none())
        throw nb::type_error(
            fmt::format("'{}' is {}; give a dict of its fields, or a structured value of NumPy",
                        what, type.name())
                .c_str());
    if (has_layout_of(type, value))
        return store_copy(type, value, slot, what);
    if (nb::len(nb::object(value.attr("shape"))) != 0)
        refuse_shape(type, value, what);
    store_fields(type, value, value.attr("dtype").attr("names"), slot, what);
}

void store_elements(const Type& type, nb::handle given, std::byte* slot, const std::string& what) {
    nb::object value = nb::borrow(given);
    if (nb::hasattr(value, "__array__")) { // also of pandas
        value = numpy().attr("asarray")(value);
        if (has_layout_of(type, value))
            return store_copy(type, value, slot, what);
        const bool objects = nb::cast<std::string>(value.attr("dtype").attr("kind")) == "O";
        if (!objects && !shape_of(type).equal(value.attr("shape")) &&
            !dtype_of(type).attr("shape").equal(value.attr("shape"))) // with words
            refuse_shape(type, value, what);
    }
    if (PySequence_Check(value.ptr()) == 0 || nb::isinstance<nb::str>(value))
        throw nb::type_error(
            fmt::format("'{}' is {}; give a sequence of {} values", what, type.name(), type.count())
                .c_str());
    const Type& element = *type.element();
    if (nb::len(value) != type.count())
        refuse_shape(type, value, what);
    for (std::uint64_t k = 0; k < type.count(); ++k)
        store(element, nb::object(value[k]), slot + k * element.size(),
              fmt::format("{}[{}]", what, k));
}

void store(const Type& type, nb::handle value, std::byte* slot, const std::string& what) {
    switch (type.kind()) {
    case TypeKind::boolean:
        if (nb::isinstance<nb::bool_>(value))
            *slot = static_cast<std::byte>(nb::cast<bool>(value));
        else
            store_integer(type, value, slot, what);
        return;
    case TypeKind::unsigned_integer:
    case TypeKind::signed_integer:
        type.is_fixed() ? store_fixed(type, value, slot, what)
                        : store_integer(type, value, slot, what);
        return;
    case TypeKind::enumeration: store_member(type, value, slot, what); return;
    case TypeKind::structure: store_structure(type, value, slot, what); return;
    case TypeKind::array: store_elements(type, value, slot, what); return;
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
    case TypeKind::array: {
        const nb::object element = dtype_of(*type.element());
        return make(nb::make_tuple(element.attr("base"),
                                   nb::make_tuple(type.count()) + element.attr("shape")));
    }
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

TypeRef array_type(TypeRef type, const std::vector<std::uint64_t>& shape) {
    for (auto count = shape.rbegin(); count != shape.rend(); ++count)
        type = Type::array(type, *count);
    return type;
}

nb::object to_python(const Type& type, const std::byte* slot) {
    switch (type.kind()) {
    case TypeKind::boolean: return nb::bool_(*slot != std::byte{0});
    case TypeKind::unsigned_integer:
    case TypeKind::signed_integer:
        return type.is_fixed()
                   ? fraction()(integer_at(type, slot), power_of_two(type.fraction_bits()))
                   : integer_at(type, slot);
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
