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
/// stored in `size` bytes. `negative`: one of the values is negative.
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

/// Lets an enumeration travel on buses. Traces, messages and recordings show the names of its
/// members. `SME_ENUM(Phase, idle, run, done)` belongs at namespace scope, outside every namespace,
/// and lists all members. The enumeration is as wide as its largest member needs and must be stored
/// in the bytes of that width: `enum class Phase : std::uint8_t` for up to 8 bits. With larger
/// storage it gets the smallest width that needs this storage (9, 17 or 33 bits). One member must
/// be 0, because an unwritten bus reads as 0; members must not be negative or equal. Otherwise the
/// first use throws std::logic_error.
#define SME_ENUM(E, ...)                                                                           \
    template <> struct sme::TypeOf<E> {                                                            \
        static ::sme::TypeRef get() {                                                              \
            using enum E;                                                                          \
            return ::sme::detail::enumeration_of<E>(#E, #__VA_ARGS__, {__VA_ARGS__});              \
        }                                                                                          \
    };
