// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "sme/values.hpp"

namespace sme::detail {

/// Builds the type of an enumeration whose members are given as the macro's text and as values,
/// stored in so many bytes; one of the values is `negative`, or none.
TypeRef checked_enumeration(const char* name, const char* members,
                            const std::vector<std::uint64_t>& values, bool negative,
                            std::size_t size);

template <class E>
TypeRef enumeration_of(const char* name, const char* members, std::initializer_list<E> values) {
    using Stored = std::underlying_type_t<E>;
    std::vector<std::uint64_t> found;
    bool negative = false;
    for (const E value : values) {
        const auto stored = static_cast<Stored>(value);
        if constexpr (std::is_signed_v<Stored>)
            negative = negative || stored < 0;
        found.push_back(static_cast<std::uint64_t>(stored));
    }
    return checked_enumeration(name, members, found, negative, sizeof(E));
}

} // namespace sme::detail

/// Lets an enumeration travel on buses with the names of its members, which traces, messages and
/// recordings show: `SME_ENUM(Phase, idle, run, done)` at namespace scope (outside every
/// namespace), naming all its members. It is as wide as its largest member needs and must be stored
/// in as many bytes as that width takes, `enum class Phase : std::uint8_t` for up to 8 bits; in
/// more it is as wide as the least that takes them (9, 17 or 33 bits). A member is 0, for that is
/// what an unwritten bus reads as; none is negative, no two are equal: else the first use
/// throws std::logic_error.
#define SME_ENUM(E, ...)                                                                           \
    template <> struct sme::TypeOf<E> {                                                            \
        static ::sme::TypeRef get() {                                                              \
            using enum E;                                                                          \
            return ::sme::detail::enumeration_of<E>(#E, #__VA_ARGS__, {__VA_ARGS__});              \
        }                                                                                          \
    };
