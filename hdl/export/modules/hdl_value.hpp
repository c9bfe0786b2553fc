// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bits/integer.hpp"
#include "export/rtl/module.hpp"
#include "expr/process/process.hpp"
#include "expr/typing/scope.hpp"

namespace sme::hdl {

using rtl::ExprRef;
using rtl::Place;

/// An expression of the language as hardware.
///
/// The self-determined width and sign of a typed term in Verilog are those of its type, so
/// Verilog's context-determined widths never change the meaning of an expression. An exact number
/// that is not known is also such an expression, of the smallest type that holds it.
struct HdlValue {
    enum class Kind : std::uint8_t {
        none,      // not writable; the loader knows that it is never selected
        exact,     // low … high; known if they are equal, and then without an expression
        number,    // `words`: a literal beyond 126 bits
        typed,     // an expression, a place or parts
        constants, // a constant array without its index
        memory,    // a memory without its index
        ports,     // an array of ports: `parts` (one, or one per field of a bundle)
    };
    Kind kind = Kind::none;
    Integer low = 0;
    Integer high = 0;
    std::string name;         // of a known number, or of the array of constants
    bool hexadecimal = false; // whether a known number is written in hexadecimal
    std::shared_ptr<const Words> words;
    TypeRef type;
    ExprRef expr;
    ExprRef integer;                // of an exact number: the same without a width, if possible
    std::optional<Integer> literal; // the value if the expression is a literal
    std::optional<Place> place;
    std::vector<HdlValue> parts; // of a typed struct: one per field, first field first
    std::shared_ptr<const expr::ConstantArray> constants;
    const expr::StateText* memory = nullptr;
    std::vector<HdlValue> row;      // of a memory: the indices applied so far
    std::vector<std::int64_t> lows; // of ports
    std::vector<std::uint64_t> counts;
    bool moves = true; // may differ in each step of the surrounding loops

    bool known() const { return kind == Kind::exact && low == high; }
    bool is_number() const { return kind == Kind::exact || kind == Kind::number; }
    bool is_none() const { return kind == Kind::none; }
    bool is_typed() const { return kind == Kind::typed; }
    bool is_literal() const { return literal && !place; }
    /// Returns the precedence of its expression.
    Level level() const { return expr ? expr->level : Level::primary; }

    static HdlValue number_of(Integer value) {
        HdlValue result;
        result.kind = Kind::exact;
        result.low = result.high = value;
        return result;
    }
    static HdlValue of(TypeRef type, ExprRef expr) {
        HdlValue result;
        result.kind = Kind::typed;
        result.type = std::move(type);
        result.expr = std::move(expr);
        return result;
    }
    /// Returns the literal of a number modulo 2^width, in a type of at most 64 bits.
    static HdlValue of_number(TypeRef type, Integer value, bool hexadecimal = false);
    static HdlValue truth(bool value) { return of_number(Type::boolean(), value ? 1 : 0); }
    static HdlValue at(TypeRef type, Place place) {
        HdlValue result;
        result.kind = Kind::typed;
        result.type = std::move(type);
        result.place = std::move(place);
        return result;
    }
    static HdlValue of_parts(TypeRef type, std::vector<HdlValue> parts) {
        HdlValue result;
        result.kind = Kind::typed;
        result.type = std::move(type);
        result.parts = std::move(parts);
        return result;
    }
    /// Returns an exact number that is not known: `typed` has its type and expression.
    static HdlValue between(HdlValue typed, Integer low, Integer high) {
        typed.kind = Kind::exact;
        typed.low = low;
        typed.high = high;
        return typed;
    }
};

/// Returns the smallest integer type that holds every number between low and high.
TypeRef type_between(Integer low, Integer high);

/// Returns a whole identifier of a type.
HdlValue identifier(const std::string& name, const TypeRef& type);

/// Returns the value in a slot as one vector: the first field leftmost, element 0 rightmost.
Words packed(const Type& type, const std::uint64_t* leaves);
Words packed_slot(const Type& type, const std::byte* slot);
/// Copies `width` bits of `from` into `into` at bit `at`.
void put_bits(Words& into, std::uint64_t at, const Words& from, std::uint64_t width);
bool is_zero(const Words& words);

/// Declares a vector of a type.
rtl::Declared declared(const std::string& name, const Type& type);

} // namespace sme::hdl
