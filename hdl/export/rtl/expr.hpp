// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bits/integer.hpp"

namespace sme::hdl {

/// Marks an optional line break in a text; the continuation is indented.
constexpr char line_mark = '\x02';

/// Operands with more characters than this get lines of their own, where allowed.
constexpr std::size_t long_operands = 60;

/// The precedence of the outermost operator of an expression in Verilog.
enum class Level : std::uint8_t {
    conditional,
    logical_or,
    logical_and,
    bit_or,
    bit_xor,
    bit_and,
    equality,
    relation,
    shift,
    sum,
    product,
    unary,
    primary,
};

/// Returns the bits needed to number `count` items: at least 1.
unsigned index_width(std::uint64_t count);

} // namespace sme::hdl

/// The trees that the export writes: expressions, statements and modules. A printer for each
/// language turns them into text.
namespace sme::hdl::rtl {

struct Expr;
using ExprRef = std::shared_ptr<const Expr>;

/// An identifier of the module, or some of its bits: it can be read, sliced further and, if it is a
/// variable, assigned.
struct Place {
    std::string name;
    std::uint64_t total = 1; // width of the identifier, or of the word
    std::uint64_t low = 0;   // the first bit, without `moved`
    std::uint64_t width = 1;
    ExprRef moved = {};      // added to `low`: index_width(total) bits, or an integer
    bool is_signed = false;  // as declared
    ExprRef word = {};       // of a memory: the index of the word; null: not a memory
    bool is_integer = false; // a number without a width: a parameter or a loop variable
    /// Element `index` of `count` elements with `bits` bits.
    struct Step {
        ExprRef index; // in index_width(count) bits
        ExprRef by;    // the same in index_width(total) bits
        std::uint64_t count;
        std::uint64_t bits;
    };
    std::vector<Step> steps = {}; // the parts of `moved`, the outermost first, if they are known

    bool whole() const { return !moved && width == total; }
    /// Returns its bits low … low + width − 1.
    Place part(std::uint64_t from, std::uint64_t bits) const;
    /// Returns `bits` bits from `by` · bits on; `by` is an expression of index_width(total) bits.
    Place moved_by(const ExprRef& by, std::uint64_t bits) const;
    /// The same for an element that is selected during the run; adds to `steps`.
    Place moved_by(const Step& step) const;
    /// Returns the place if the index of its first step is `index`.
    Place with_first(std::uint64_t index) const;
    /// The same, where `by` and all earlier offsets are numbers without a width.
    Place moved_by_integer(const ExprRef& by, std::uint64_t bits) const;

    static Place all_of(std::string name, std::uint64_t width, bool is_signed = false) {
        return {std::move(name), width, 0, width, {}, is_signed, {}, false, {}};
    }
    static Place integer(std::string name) {
        return {std::move(name), 32, 0, 32, {}, true, {}, true, {}};
    }
};

/// An expression. Its width and sign are its own and do not depend on the context. One unsigned bit
/// is also a truth value.
struct Expr {
    enum class Kind : std::uint8_t {
        literal,   // `words`, modulo 2^width; with `digits`, some are don't-care bits
        place,     // `place`
        unary,     // text: ! ~ - and | of all bits
        binary,    // text: an operator of Verilog
        select,    // condition, yes, no
        joined,    // operands side by side, the first leftmost
        repeated,  // `count` times the operand
        as_signed, // the same bits
        as_unsigned,
        call,     // text: the name of a function
        number,   // without a width: `value`
        integer,  // text: an operator on numbers without a width, with one or two operands
        grouped,  // in parentheses, needed or not
        verbatim, // text, for Verilog only
    };
    enum class Style : std::uint8_t { decimal, hexadecimal, binary };

    Kind kind = Kind::number;
    Level level = Level::primary;
    bool is_signed = false;
    bool strict = false;      // of a binary: operands of the same level get parentheses
    bool new_line = false;    // of a select: before `no`; of joined parts and after a binary
                              // operator: where the text is long
    bool begins_line = false; // of a select: the first of a long chain
    Style style = Style::decimal;
    std::uint64_t width = 1;
    std::uint64_t count = 1;
    Integer value = 0;
    std::string text;
    std::string digits; // "1??0"
    Words words;
    Place place;
    std::vector<ExprRef> operands;

    Expr() = default;
    Expr(const Expr&) = default;
    Expr& operator=(const Expr&) = default;
    ~Expr(); // iterative: a long chain would overflow the stack

    bool is_bit() const { return width == 1 && !is_signed; }
};

/// Returns a number modulo 2^width.
ExprRef literal(Integer value, std::uint64_t width, bool is_signed = false,
                bool hexadecimal = false);
ExprRef literal(const Words& words, std::uint64_t width, bool is_signed = false);
/// "1??0", the highest bit first.
ExprRef literal_of_digits(const std::string& digits);
ExprRef zero(std::uint64_t width);

ExprRef at(Place place);
ExprRef unary(const char* op, const ExprRef& x);
ExprRef binary(const char* op, Level level, const ExprRef& a, const ExprRef& b,
               bool strict = false);
ExprRef select(const ExprRef& condition, const ExprRef& yes, const ExprRef& no,
               bool new_line = false);
/// Returns a binary whose long operands get lines of their own.
ExprRef over_lines(const ExprRef& binary);
/// Returns a select whose text begins a line.
ExprRef at_line_begin(const ExprRef& chosen);
ExprRef joined(std::vector<ExprRef> parts, bool new_line = false);
ExprRef repeated(std::uint64_t count, const ExprRef& x);
ExprRef as_signed(const ExprRef& x);
ExprRef as_unsigned(const ExprRef& x);
ExprRef call(const std::string& name, std::vector<ExprRef> arguments, std::uint64_t width,
             bool is_signed);

ExprRef number(Integer value);
ExprRef integer(std::string_view op, const ExprRef& a, const ExprRef& b);
ExprRef minus(const ExprRef& a);
/// Tests whether an expression is a number without a width.
bool is_integer(const Expr& expr);
/// Returns the value of a number without a width, for these variables; `nullopt` if it contains
/// other places.
using Variables = std::map<std::string, Integer>;
std::optional<Integer> integer_value(const Expr& expr, const Variables& variables);
ExprRef grouped(const ExprRef& x);
ExprRef verbatim(const std::string& text);

/// Calls visit(place) for each place in an expression, also those in indices.
template <class Visit> void each_place(const Place& place, Visit visit, bool is_read = true);
template <class Visit> void each_place(const ExprRef& expr, Visit visit) {
    for (const Expr* at = expr.get(); at;) { // a chain continues in the last operand
        if (at->kind == Expr::Kind::place)
            each_place(at->place, visit);
        for (std::size_t k = 0; k + 1 < at->operands.size(); ++k)
            each_place(at->operands[k], visit);
        at = at->operands.empty() ? nullptr : at->operands.back().get();
    }
}
/// With `is_read` false, visits only the places in its indices.
template <class Visit> void each_place(const Place& place, Visit visit, bool is_read) {
    if (is_read)
        visit(place);
    each_place(place.moved, visit);
    each_place(place.word, visit);
}

} // namespace sme::hdl::rtl
