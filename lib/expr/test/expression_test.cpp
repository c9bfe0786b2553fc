// SPDX-License-Identifier: Apache-2.0
//
// Constant expressions: their values, and the errors for expressions that are not constant.
#include "expr/test/expression.hpp"

#include "expr/bound/bound.hpp"

#include <doctest/doctest.h>

using sme::test::value_of;

namespace {

struct Row {
    std::string text;
    std::string value;
};

template <std::size_t N> void check_rows(const Row (&rows)[N]) {
    for (const Row& row : rows) {
        CAPTURE(row.text);
        CHECK(value_of(row.text) == row.value);
    }
}

/// Checks that the error begins with the given text.
template <std::size_t N> void check_errors(const Row (&rows)[N]) {
    for (const Row& row : rows) {
        CAPTURE(row.text);
        CHECK(value_of(row.text).substr(0, row.value.size()) == row.value);
    }
}

} // namespace

TEST_CASE("operators bind as the language says") {
    check_rows({
        {"1 + 2 * 3", "7"},
        {"2 * 3 % 4", "2"},
        {"7 - 2 - 1", "4"},
        {"100 / 10 / 5", "2"},
        {"-2 * 3", "-6"},
        {"-n + 1", "-4"},
        {"1 + 2 << 1", "6"},
        {"1 << 2 + 1", "8"},
        {"6 & 3 ^ 1", "3"},
        {"5 ^ 6 & 3", "7"},
        {"1 | 6 ^ 7", "1"},
        {"4 ^ 5 | 6", "7"},
        {"12 & 1 << 3", "8"},
        {"5 | 2 == 7", "bool 1"},
        {"1 + 1 < 3", "bool 1"},
        {"not 1 == 2", "bool 1"},
        {"not true or true", "bool 1"},
        {"not (true or true)", "bool 0"},
        {"true or true and false", "bool 1"},
        {"(true or true) and false", "bool 0"},
        {"false and false or true", "bool 1"},
        {"false implies false implies false", "bool 1"},
        {"(false implies false) implies false", "bool 0"},
        {"true or false implies false", "bool 0"},
        {"true and if false then true else false", "bool 0"},
        {"1 + if true then 2 else 3", "3"},
        {"if false then 1 else 2 + 3", "5"},
        {"~u8(1) & 3", "u8 2"},
        {"-u8(1) >> 4", "u8 15"},
        {"t[1] * t[0][0]", "operand-type: the left operand of '*' is u8, but the right one is "
                           "bool; a bool is not a number"},
        {"u8(0xf0)[7:4] + 1", "u4 0"},
        {"P(a = 3).a + 1", "u8 4"},
    });
}

TEST_CASE("numbers are exact until they meet a type, which they take") {
    check_rows({
        {"0x1f + 0b1010 + 1_000", "1041"},
        {"0xffff_ffff_ffff_ffff * 0xffff_ffff", "79228162495817593515539431425"},
        {"7 / 2", "3"},
        {"-7 / 2", "-3"},
        {"-7 % 2", "-1"},
        {"7 % -2", "1"},
        {"1 << 100 >> 98", "4"},
        {"u8(250) + 10", "u8 4"},
        {"10 - u8(20)", "u8 246"},
        {"i8(100) + 100", "i8 -56"},
        {"-1 + i8(0)", "i8 -1"},
        {"u8(16) * 16", "u8 0"},
        {"i8(-128) / -1", "i8 -128"},
        {"i8(-128) % -1", "i8 0"},
        {"i8(-7) / 2", "i8 -3"},
        {"i8(-7) % 2", "i8 -1"},
        {"-i8(-128)", "i8 -128"},
        {"u64(1) << 63 >> 63", "u64 1"},
        {"u8(1) << 8", "u8 0"},
        {"u8(255) >> 8", "u8 0"},
        {"i8(-1) >> 200", "i8 -1"},
        {"i8(1) << 7", "i8 -128"},
        {"u8(1) << u64(5)", "u8 32"},
        {"i64(-1) < 0", "bool 1"},
        {"u64(0) - 1 > 0", "bool 1"},
        {"3 < 5", "bool 1"},
        {"u8(3) != 4", "bool 1"},
        {"u8(255) >= 255 and u8(0) <= 0", "bool 1"},
        {"if true then u8(1) else 7", "u8 1"},
        {"true ^ true", "bool 0"},
        {"~false", "bool 1"},
        {"true & false | true", "bool 1"},
        {"true == false", "bool 0"},
    });
}

TEST_CASE("casts keep the value modulo 2^n and reinterpret equal widths") {
    check_rows({
        {"u8(300)", "u8 44"},
        {"u8(-1)", "u8 255"},
        {"i8(200)", "i8 -56"},
        {"i16(u8(200))", "i16 200"},
        {"u16(i8(-1))", "u16 65535"},
        {"u4(i8(-3))", "u4 13"},
        {"u8(true)", "u8 1"},
        {"bool(u1(1))", "bool 1"},
        {"i(3 + 2)(16)", "i5 -16"},
        {"u(n)(33)", "u5 1"},
        {"Word(70000)", "u16 4464"},
        {"P(u13(0x1ff5))", "P 255 -6 1"}, // 11111111 1010 1: the first field leftmost
        {"P(u13(0b0000000100101))", "P 1 2 1"},
        {"u13(P(a = 255, b = -6, c = true))", "u13 8181"},
        {"u32(t)", "u32 218893066"}, // 0x0d0c0b0a: element 0 rightmost
        {"Two(u16(0x1234))", "u8[2] 52 18"},
    });
    check_errors({
        {"bool(2)", "type-mismatch: a number does not become bool; write '... != 0'"},
        {"bool(u2(1))", "type-mismatch: only equal widths can be reinterpreted, but u2 has 2 bits "
                        "and bool has 1; write"},
        {"P(u8(1))",
         "type-mismatch: only equal widths can be reinterpreted, but u8 has 8 bits and P has 13"},
        {"u8(1, 2)", "bad-call: this is written u8(x)"},
        {"u4097(1)", "bad-type: "},
        {"u0(1)", "unknown-name: there is no function or type 'u0'"},
        {"Wort(1)", "unknown-name: there is no function or type 'Wort'"},
    });
}

TEST_CASE("slices are unsigned, bits are bools, and cat joins the first leftmost") {
    check_rows({
        {"u8(0xa5)[7:4]", "u4 10"},
        {"i8(-1)[6:0]", "u7 127"},
        {"u64(0x8000_0000_0000_0001)[63:63]", "u1 1"},
        {"i4(-8)[3]", "bool 1"},
        {"i4(-8)[0]", "bool 0"},
        {"cat(u4(1), u4(2), true)", "u9 37"},
        {"cat(i4(-1), u4(0))", "u8 240"},
        {"cat(P(a = 1), true)", "u14 65"},
        {"cat(t)", "u32 218893066"},
        {"t[3]", "u8 13"},
        {"t[n - 3]", "u8 12"},
        {"t[1][1]", "bool 1"},
    });
    check_errors({
        {"u8(1)[8]", "bad-index: the index is 8, but must be 0 to 7"},
        {"t[4]", "bad-index: the index is 4, but must be 0 to 3"},
        {"t[-1]", "bad-index: the index is -1, but must be 0 to 3"},
        {"t[i8(1)]", "bad-index: an index has an unsigned type, but this is i8; write u8(...)"},
        {"u8(1)[0:7]", "bad-index: [0:7] is no slice of u8"},
        {"u8(1)[8:1]", "bad-index: [8:1] is no slice of u8: write the higher bit first, at most 7"},
        {"n[1:0]", "operand-type: a slice is cut out of an integer with a type"},
        {"n[1]", "bad-index: an integer has nothing to index"},
        {"true[0]", "bad-index: bool has nothing to index"},
        {"cat(1, u4(2))", "needs-type: 'cat' needs to know how wide each part is"},
        {"cat(u4096(1), true)", "too-large: "},
    });
}

TEST_CASE("functions of values") {
    check_rows({
        {"min(3, 1, 2)", "1"},
        {"max(3, u8(7), 2)", "u8 7"},
        {"min(i8(-3), 2)", "i8 -3"},
        {"abs(-4)", "4"},
        {"abs(i8(-128))", "i8 -128"},
        {"abs(i8(-5))", "i8 5"},
        {"abs(u8(200))", "u8 200"},
        {"clog2(0)", "0"},
        {"clog2(1)", "0"},
        {"clog2(2)", "1"},
        {"clog2(9)", "4"},
        {"u8(0) + popcount(u16(0xf0f1))", "u8 9"},
        {"u8(0) + popcount(i5(-1))", "u8 5"},
        {"reverse(u5(0b10010))", "u5 9"},
        {"reverse(i4(1))", "i4 -8"},
        {"rotl(u8(0x81), 1)", "u8 3"},
        {"rotr(u8(0x81), 9)", "u8 192"},
        {"rotl(u5(1), u8(12))", "u5 4"},
        {"rotl(u64(5), 0)", "u64 5"},
        {"rotl(i4(-8), 1)", "i4 1"},
        {"width(u13(0))", "13"},
        {"width(P(a = 1))", "13"},
        {"len(t)", "4"},
    });
    check_errors({
        {"clog2(u8(3))", "not-constant: what clog2 takes is an integer known before the run"},
        {"popcount(3)", "operand-type: 'popcount' takes an integer with a type"},
        {"rotl(u8(1), i8(1))", "operand-type: a count is not negative and of u1 to u64"},
        {"len(u8(3))", "operand-type: 'len' is not defined for u8"},
        {"min(3)", "bad-call: this is written min(a, b) or min(k < n, expression)"},
        {"abs()", "bad-call: this is written abs(x)"},
        {"popcnt(u8(3))", "unknown-name: there is no function or type 'popcnt', did you mean "
                          "'popcount'?"},
        {"n(3)", "bad-call: 'n' is no function"},
    });
}

TEST_CASE("reducers run over ranges, the last one fastest") {
    check_rows({
        {"sum(k < 4, t[k])", "u8 46"},
        {"sum(k < 4, k * k)", "14"},
        {"sum(i < 2, j < 3, 10 * i + j)", "36"},
        {"sum(k < 0, t[k])", "0"},
        {"min(k < 4, t[3 - k])", "u8 10"},
        {"max(k < 4, t[k] ^ 2)", "u8 15"},
        {"xor(k < 4, t[k])", "u8 0"},
        {"xor(k < 3, t[k])", "u8 13"},
        {"any(k < 4, t[k] == 12)", "bool 1"},
        {"all(k < 4, t[k] > 10)", "bool 0"},
        {"any(k < 0, true)", "bool 0"},
        {"all(k < 0, false)", "bool 1"},
        {"count(k < 4, t[k] % 2 == 0)", "2"},
        {"first(k < 4, t[k] > 11)", "2"},
        {"first(k < 4, t[k] > 13)", "4"},
        {"first(i < 2, j < 2, i == 1 and j == 1)", "3"},
        {"cat(k < 3, k == 0)", "u3 1"},
        {"cat(k < 4, u4(k))", "u16 12816"}, // 0x3210
        {"array(k < 3, u8(k) + 1)", "u8[3] 1 2 3"},
        {"fold(k < 4, acc = u16(1), acc * 3 + 1)", "u16 121"},
        {"fold(k < 4, acc = 0, acc * 10 + k)", "123"},
    });
    check_errors({
        {"min(k < 0, t[k])", "bad-range: 'min' over an empty range has no value"},
        {"sum(k < u8(3), k)", "not-constant: the end of a reducer's range"},
        {"sum(3, 4)", "bad-call: this is written sum(k < n, expression)"},
        {"any(k < 2, k)", "type-mismatch: what is reduced is a bool, but this is an integer"},
        {"sum(k < 2, k < 2, k)", "duplicate-name: index 'k' is declared twice"},
        {"array(k < 2, k)", "needs-type: the type of the elements is not known"},
        {"sum(k < 4, t[k + 1])", "bad-index: the index is 4, but must be 0 to 3"},
        {"fold(k < 2, acc, 3)", "bad-call: this is written fold(k < n, acc = start, expression)"},
        {"sum(k < 2, k) + k", "unknown-name: nothing is named 'k' here"},
    });
}

TEST_CASE("structs are made, changed and compared") {
    check_rows({
        {"P(a = 3)", "P 3 0 0"},
        {"P(c = true, b = -1)", "P 0 -1 1"},
        {"P(P(a = 3, c = true), a = 4)", "P 4 0 1"},
        {"P(a = 3) == P(a = 3, b = 0)", "bool 1"},
        {"P(a = 3) != P(b = 3)", "bool 1"},
        {"t == array(k < 4, u8(10 + k))", "bool 1"},
        {"(if n == 5 then P(a = 1) else P(a = 2)).a", "u8 1"},
    });
    check_errors({
        {"P(d = 3)", "unknown-field: "},
        {"P(a = 3, a = 4)", "unknown-field: field 'a' is given twice"},
        {"P(a = 256)", "does-not-fit: field 'a' is u8, and 256 does not fit it (0 to 255)"},
        {"P(a = 3).x", "unknown-field: P has no field 'x'"},
        {"n.x", "unknown-field: this is an integer, which has no fields"},
        {"P(a = 3) + P(a = 3)", "operand-type: '+' is not defined for P"},
        {"u8(a = 3)", "bad-call: u8 is no struct"},
        {"min(a = 3, 4)", "bad-call: 'a = ...' is the field of a struct"},
    });
}

TEST_CASE("if takes the first arm that holds; what a constant decides is not looked at") {
    check_rows({
        {"if n < 3 then 1 elif n < 6 then 2 else 3", "2"},
        {"if n < 3 then 1 elif n < 5 then 2 else 3", "3"},
        {"if n == 5 then 1 else t[9]", "1"},
        {"if false then t[9] elif true then 2 else t[9]", "2"},
        {"false and t[9] == 0", "bool 0"},
        {"true or t[9] == 0", "bool 1"},
        {"false implies t[9] == 0", "bool 1"},
    });
    check_errors({
        {"if 1 then 2 else 3", "type-mismatch: a condition is a bool, but this is an integer; "
                               "write '... != 0'"},
        {"if t[0] == 10 then u8(1) else u8(2) + u16(3)", "u8 1"},
        {"u8(1) and true", "type-mismatch: an operand of 'and' is a bool, but this is u8"},
    });
}

TEST_CASE("messages name both sides and the cast to write") {
    check_errors({
        {"u8(1) + u16(2)", "width-mismatch: the left operand of '+' is u8, but the right one is "
                           "u16; write u16(...) around the left operand"},
        {"i16(1) < u8(2)", "width-mismatch: the left operand of '<' is i16, but the right one is "
                           "u8; write i16(...) around the right operand"},
        {"u8(1) == i8(1)", "width-mismatch: the left operand of '==' is u8, but the right one is "
                           "i8; write i9(...) around both"},
        {"u8(1) + 256", "does-not-fit: the other operand of '+' is u8, and 256 does not fit it (0 "
                        "to 255)"},
        {"-1 + u8(1)", "does-not-fit: the other operand of '+' is u8, and -1 does not fit it"},
        {"true + true", "operand-type: '+' is not defined for bool, which is not a number"},
        {"true < false", "operand-type: '<' is not defined for bool"},
        {"true + 1", "operand-type: the left operand of '+' is bool, but the right one is an "
                     "integer; a bool is not a number"},
        {"not 1", "operand-type: 'not' takes a bool, but this is an integer"},
        {"-true", "operand-type: '-' takes an integer, but this is bool"},
        {"~5", "needs-type: '~' needs to know how many bits there are; write the type, as in "
               "~u8(...)"},
        {"1 << u8(3)", "needs-type: the type of the shifted value is not known; write it, as in "
                       "u32(1) << n"},
        {"u8(1) << i8(3)", "operand-type: a shift count has an unsigned type, but this is i8"},
        {"u8(1) << -1", "operand-type: a shift count is not negative"},
        {"true << 1", "operand-type: '<<' shifts an integer, but this is bool"},
        {"1 / 0", "constant-fault: 1 / 0 divides by zero"},
        {"1 % 0", "constant-fault: 1 % 0 divides by zero"},
        {"1 << 200",
         "constant-fault: 1 << 200 needs 201 bits, but numbers without a type have 127; "
         "write u201(1) << 200"},
        {"m", "unknown-name: nothing is named 'm' here"},
        {"True", "unknown-name: nothing is named 'True' here; a bool is written 'true'"},
        {"P", "unknown-name: nothing is named 'P' here; it is a type"},
    });
    CHECK(value_of("u8(1) / 0") == "not constant"); // a fault if used
}

TEST_CASE("a power multiplies its base as often as a constant says, and wraps as products do") {
    check_rows({
        {"2 ** 10", "1024"},
        {"(-3) ** 3", "-27"},
        {"(-1) ** 1024", "1"},
        {"0 ** 0", "1"},
        {"3 * 2 ** 2", "12"},
        {"2 ** 3 ** 2", "64"}, // left-associative, like products
        {"-2 ** 2", "4"},      // the sign binds tighter
        {"u8(3) ** 5", "u8 243"},
        {"u8(3) ** 6", "u8 217"}, // 729 - 512
        {"i8(-2) ** 7", "i8 -128"},
        {"i8(-2) ** 8", "i8 0"},
        {"u64(3) ** 40", "u64 12157665459056928801"},
        {"u8(7) ** 0", "u8 1"},
        {"i1(-1) ** 2", "i1 -1"}, // 1 of one signed bit
        {"u16(2) ** n", "u16 32"},
    });
    check_errors({
        {"2 ** -1", "operand-type: an exponent is a constant from 0 to 1024, but this is -1"},
        {"u8(2) ** 1025", "operand-type: an exponent is a constant from 0 to 1024, but this is "
                          "1025"},
        {"2 ** u8(3)", "not-constant: an exponent is a constant from 0 to 1024, but this is u8"},
        {"2 ** true", "not-constant: an exponent is a constant from 0 to 1024, but this is bool"},
        {"2 ** 127", "constant-fault: 2 ** 127 needs more than 127 bits, which numbers without a "
                     "type have"},
        {"true ** 2", "operand-type: '**' is not defined for bool, which is not a number"},
        {"u100(1) ** 2", "u100 1 0"},
    });
}

TEST_CASE("a range holds all that an operator makes of the numbers of two ranges") {
    using sme::expr::Operator;
    using sme::expr::Range;
    constexpr int from = -9, to = 9;
    bool fine = true;
    for (const Operator op :
         {Operator::add, Operator::subtract, Operator::multiply, Operator::power, Operator::divide,
          Operator::remainder, Operator::bit_and, Operator::bit_or, Operator::bit_xor,
          Operator::shift_left, Operator::shift_right})
        for (int a = from; a <= to; ++a)
            for (int b = a; b <= to; b += 3)
                for (int c = from; c <= to; ++c)
                    for (int d = c; d <= to; d += 3) {
                        const auto range = sme::expr::compute(op, Range{a, b}, Range{c, d});
                        for (int x = a; x <= b; ++x)
                            for (int y = c; y <= d; ++y)
                                if (const auto value = sme::expr::compute(op, x, y); value && range)
                                    fine = fine && *value >= range->low && *value <= range->high;
                        const bool shifts =
                            op == Operator::shift_left || op == Operator::shift_right;
                        const bool power = op == Operator::power; // to a constant
                        fine = fine && (range || ((shifts || power) && c < 0) ||
                                        (power && c != d) || (c == 0 && d == 0));
                    }
    CHECK(fine);
}
