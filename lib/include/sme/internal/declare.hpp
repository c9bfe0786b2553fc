// SPDX-License-Identifier: Apache-2.0
#pragma once

// What SME_ENUM and SME_STRUCT expand to.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "sme/internal/slot.hpp"
#include "sme/type.hpp"

namespace sme::internal {

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

/// Builds the struct's type and checks that its C++ layout equals the layout of slots.
TypeRef checked_structure(const char* name, std::vector<Field> fields, std::size_t size);

} // namespace sme::internal

// Applies M(struct, field) to up to sixteen fields.
#define SME_EACH_1(M, S, a) M(S, a)
#define SME_EACH_2(M, S, a, ...) M(S, a) SME_EACH_1(M, S, __VA_ARGS__)
#define SME_EACH_3(M, S, a, ...) M(S, a) SME_EACH_2(M, S, __VA_ARGS__)
#define SME_EACH_4(M, S, a, ...) M(S, a) SME_EACH_3(M, S, __VA_ARGS__)
#define SME_EACH_5(M, S, a, ...) M(S, a) SME_EACH_4(M, S, __VA_ARGS__)
#define SME_EACH_6(M, S, a, ...) M(S, a) SME_EACH_5(M, S, __VA_ARGS__)
#define SME_EACH_7(M, S, a, ...) M(S, a) SME_EACH_6(M, S, __VA_ARGS__)
#define SME_EACH_8(M, S, a, ...) M(S, a) SME_EACH_7(M, S, __VA_ARGS__)
#define SME_EACH_9(M, S, a, ...) M(S, a) SME_EACH_8(M, S, __VA_ARGS__)
#define SME_EACH_10(M, S, a, ...) M(S, a) SME_EACH_9(M, S, __VA_ARGS__)
#define SME_EACH_11(M, S, a, ...) M(S, a) SME_EACH_10(M, S, __VA_ARGS__)
#define SME_EACH_12(M, S, a, ...) M(S, a) SME_EACH_11(M, S, __VA_ARGS__)
#define SME_EACH_13(M, S, a, ...) M(S, a) SME_EACH_12(M, S, __VA_ARGS__)
#define SME_EACH_14(M, S, a, ...) M(S, a) SME_EACH_13(M, S, __VA_ARGS__)
#define SME_EACH_15(M, S, a, ...) M(S, a) SME_EACH_14(M, S, __VA_ARGS__)
#define SME_EACH_16(M, S, a, ...) M(S, a) SME_EACH_15(M, S, __VA_ARGS__)
#define SME_PICK(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, N, ...) N
#define SME_EACH(M, S, ...)                                                                        \
    SME_PICK(__VA_ARGS__, SME_EACH_16, SME_EACH_15, SME_EACH_14, SME_EACH_13, SME_EACH_12,         \
             SME_EACH_11, SME_EACH_10, SME_EACH_9, SME_EACH_8, SME_EACH_7, SME_EACH_6, SME_EACH_5, \
             SME_EACH_4, SME_EACH_3, SME_EACH_2, SME_EACH_1)                                       \
    (M, S, __VA_ARGS__)

#define SME_STRUCT_FIELD(S, f)                                                                     \
    fields.push_back({#f, ::sme::type_of<decltype(S::f)>(), offsetof(S, f)});
#define SME_STRUCT_LEAVES(S, f) count += ::sme::internal::leaf_count<decltype(S::f)>();
#define SME_STRUCT_VISIT(S, f) visit(offsetof(S, f), value.f);
