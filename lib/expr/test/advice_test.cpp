// SPDX-License-Identifier: Apache-2.0
//
// The casts that messages advise.
#include "expr/test/expression.hpp"

#include <doctest/doctest.h>

using namespace sme;
using sme::test::value_of;

namespace {

/// Returns the expression that a message advises where `type` is expected.
std::string advised(const std::string& text, const TypeRef& type) {
    Diagnostics diagnostics;
    const expr::AstRef ast = expr::parse_expression(test::text_of(text), diagnostics);
    test::SmallScope scope;
    expr::Builder builder;
    expr::Elaborator elaborator{builder, scope, diagnostics};
    if (type)
        elaborator.bound_as(*ast, type, "y", {});
    else
        elaborator.evaluate(*ast);
    const std::string found = test::first_of(diagnostics);
    const std::size_t at = found.rfind("; write ");
    return at == std::string::npos ? found : found.substr(at + 8);
}

} // namespace

TEST_CASE("the cast that a message writes loses no carry, no borrow and no product") {
    struct Advice {
        const char* text;
        TypeRef type; // expected type; null: of an operator between two types
        const char* advice;
        const char* value; // its value; empty: the advice is not an expression
    };
    const TypeRef u9 = Type::unsigned_integer(9), u16 = Type::unsigned_integer(16),
                  i9 = Type::signed_integer(9), u100 = Type::unsigned_integer(100);
    const Advice rows[] = {
        {"u8(200) + u8(100)", u9, "u9(u8(200)) + u9(u8(100))", "u9 300"},
        {"u8(200) + 100", u9, "u9(u8(200)) + 100", "u9 300"},
        {"u8(200) * t[0]", u16, "u16(u8(200)) * u16(t[0])", "u16 2000"},
        {"(u8(200) + u8(100)) >> 1", u9, "(u9(u8(200)) + u9(u8(100))) >> 1", "u9 150"},
        {"u8(200) << 1", u9, "u9(u8(200)) << 1", "u9 400"},
        {"u8(16) ** 2", u16, "u16(u8(16)) ** 2", "u16 256"},
        {"-i8(-128)", i9, "-i9(i8(-128))", "i9 128"},
        {"u8(3) - u8(5)", i9, "i9(u8(3)) - i9(u8(5))", "i9 -2"},
        {"i8(-100) + i8(-100)", u9, "u9(i8(-100)) + u9(i8(-100))", "u9 312"},
        {"(i8(-100) + i8(-100)) / 2", u16, "u16((i16(i8(-100)) + i16(i8(-100))) / 2)", "u16 65436"},
        {"if n == 5 then u8(200) + u8(100) else u8(0)", u9,
         "if n == 5 then u9(u8(200)) + u9(u8(100)) else u9(u8(0))", "u9 300"},
        {"sum(k < 4, 20 * t[k])", u16, "sum(k < 4, 20 * u16(t[k]))", "u16 920"},
        {"max(u8(200) + u8(100), u8(1))", u9, "max(u9(u8(200)) + u9(u8(100)), u9(u8(1)))",
         "u9 300"},
        {"u40(1) * u40(2)", u100, "u100(u40(1)) * u100(u40(2))", "u100 2 0"},
        {"u8(1) & t[0]", u16, "u16(...) to convert it", ""},
        {"u16(3)", u9, "u9(...) for the low 9 bits, or widen its place to u16", ""},
        {"u16(5) + (u8(200) + u8(100))", {}, "u16(5) + (u16(u8(200)) + u16(u8(100)))", "u16 305"},
        {"u8(200) + u8(100) + u16(5)", {}, "u16(u8(200)) + u16(u8(100)) + u16(5)", "u16 305"},
        {"u8(200) + u8(100) == i8(5)", {}, "i10(u8(200)) + i10(u8(100)) == i10(i8(5))", "bool 0"},
        {"u9(44) == u8(200) + u8(100) + t[0]",
         {},
         "u10(u9(44)) == u10(u8(200)) + u10(u8(100)) + u10(t[0])",
         "bool 0"},
        {"min(u16(400), u8(200) + u8(100))",
         {},
         "min(u16(u16(400)), u16(u8(200)) + u16(u8(100)))",
         "u16 300"},
    };
    for (const Advice& row : rows) {
        CAPTURE(row.text);
        const std::string found = advised(row.text, row.type);
        CHECK(found.substr(0, std::string{row.advice}.size()) == row.advice);
        if (*row.value)
            CHECK(value_of(found.substr(0, found.find(" ["))) == row.value);
    }
}
