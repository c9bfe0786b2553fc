// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "sme/values.hpp"

namespace sme::detail {

/// Builds the struct's type and checks that its C++ layout equals the layout of slots.
TypeRef checked_structure(const char* name, std::vector<Field> fields, std::size_t size);

} // namespace sme::detail

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
#define SME_STRUCT_LEAVES(S, f) count += ::sme::detail::leaf_count<decltype(S::f)>();
#define SME_STRUCT_VISIT(S, f) visit(offsetof(S, f), value.f);

/// Lets a plain struct travel on buses: `SME_STRUCT(Sample, valid, value)` at namespace scope,
/// outside every namespace, with all fields in order. If the layout differs from that of a slot,
/// the first use of the type throws std::logic_error.
#define SME_STRUCT(S, ...)                                                                         \
    template <> struct sme::TypeOf<S> {                                                            \
        static ::sme::TypeRef get() {                                                              \
            std::vector<::sme::Field> fields;                                                      \
            SME_EACH(SME_STRUCT_FIELD, S, __VA_ARGS__)                                             \
            return ::sme::detail::checked_structure(#S, std::move(fields), sizeof(S));             \
        }                                                                                          \
        static constexpr std::size_t leaves() {                                                    \
            std::size_t count = 0;                                                                 \
            SME_EACH(SME_STRUCT_LEAVES, S, __VA_ARGS__)                                            \
            return count;                                                                          \
        }                                                                                          \
        template <class Value, class Visit> static void each(Value& value, Visit visit) {          \
            SME_EACH(SME_STRUCT_VISIT, S, __VA_ARGS__)                                             \
        }                                                                                          \
    };
