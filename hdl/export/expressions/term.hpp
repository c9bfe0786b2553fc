// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bits/integer.hpp"
#include "bits/words.hpp"
#include "export/expressions/place.hpp"
#include "expr/process/process.hpp"
#include "expr/typing/value.hpp"

namespace sme::hdl {

/// Stands in a text where a line ends that a reader is grateful for; what follows stands deeper.
constexpr char line_mark = '\x02';

/// How tightly the outermost operator of a text binds.
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

/// What an expression of the language is in Verilog.
///
/// A typed term is text whose own width and sign, as Verilog finds them without looking around,
/// are those of its type: that is how the rules of widths, which flow from outside in, can never
/// change what an expression means. An exact number that is not known is such a text, too, of the
/// smallest type that holds it.
struct Term {
    enum class Kind : std::uint8_t {
        none,      // nothing that can be written: what the loader knows will not be chosen
        exact,     // low … high; known when they are equal, and then without text
        number,    // `words`: a literal beyond 126 bits
        typed,     // text, place or parts
        constants, // a constant array, waiting for its index
        memory,    // a memory, waiting for its index
        ports,     // an array of ports: `parts` (one, or one a field of a bundle)
    };
    Kind kind = Kind::none;
    Integer low = 0;
    Integer high = 0;
    std::string name;         // of a known number, or of the array of constants: how it is called
    bool hexadecimal = false; // of a known number: written so
    std::shared_ptr<const Words> words;
    TypeRef type;
    std::string text;
    std::optional<Integer> literal; // the value of a text that is one
    Level level = Level::primary;
    std::string unsigned_text; // of a text "$signed(...)": what stands in it
    Level unsigned_level = Level::primary;
    std::optional<Place> place;
    std::vector<Term> parts; // of a typed struct: one a field, first field first
    std::shared_ptr<const expr::ConstantArray> constants;
    const expr::StateText* memory = nullptr;
    std::vector<Term> row;          // of a memory: the indices that it has already
    std::vector<std::int64_t> lows; // of ports
    std::vector<std::uint64_t> counts;
    bool moves = true; // may be another one in each step of the loops around

    bool known() const { return kind == Kind::exact && low == high; }
    bool is_number() const { return kind == Kind::exact || kind == Kind::number; }
    bool is_none() const { return kind == Kind::none; }
    bool is_typed() const { return kind == Kind::typed; }
    /// Whether the text is a literal.
    bool is_literal() const { return literal && !place; }

    static Term number_of(Integer value) {
        Term made;
        made.kind = Kind::exact;
        made.low = made.high = value;
        return made;
    }
    static Term of(TypeRef type, std::string text, Level level = Level::primary) {
        Term made;
        made.kind = Kind::typed;
        made.type = std::move(type);
        made.text = std::move(text);
        made.level = level;
        return made;
    }
    /// The literal of a number modulo 2^width, in a type of at most 64 bits.
    static Term of_number(TypeRef type, Integer value, bool hexadecimal = false);
    static Term of_signed(TypeRef type, const std::string& unsigned_text,
                          Level level = Level::primary) {
        Term made = of(std::move(type), "$signed(" + unsigned_text + ")");
        made.unsigned_text = unsigned_text;
        made.unsigned_level = level;
        return made;
    }
    static Term truth(bool value) { return of_number(Type::boolean(), value ? 1 : 0); }
    static Term at(TypeRef type, Place place) {
        Term made;
        made.kind = Kind::typed;
        made.type = std::move(type);
        made.place = std::move(place);
        return made;
    }
    static Term of_parts(TypeRef type, std::vector<Term> parts) {
        Term made;
        made.kind = Kind::typed;
        made.type = std::move(type);
        made.parts = std::move(parts);
        return made;
    }
    /// An exact number that is not known: `typed` has its type and text.
    static Term between(Term typed, Integer low, Integer high) {
        typed.kind = Kind::exact;
        typed.low = low;
        typed.high = high;
        return typed;
    }
};

/// The smallest integer type that holds every number between low and high.
TypeRef type_between(Integer low, Integer high);

/// A whole identifier of a type.
Term identifier(const std::string& name, const TypeRef& type);

/// "8'd12", "-8'sd3", "1'b1": a number modulo 2^width.
std::string literal(Integer value, unsigned width, bool is_signed, bool hexadecimal = false);
std::string literal(const Words& words, std::uint64_t width);
/// The bits of a value in a slot, as one vector: the first field leftmost, element 0 rightmost.
Words packed(const Type& type, const std::uint64_t* leaves);
Words packed_slot(const Type& type, const std::byte* slot);
/// Puts `width` bits of `from` into `into` at bit `at`.
void put_bits(Words& into, std::uint64_t at, const Words& from, std::uint64_t width);
bool is_zero(const Words& words);

/// "[7:0] ", "signed [7:0] ", "" for one bit: what stands between `wire` and the name.
std::string range_of(const Type& type);
std::string range_of(std::uint64_t width);

} // namespace sme::hdl
