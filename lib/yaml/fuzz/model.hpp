// SPDX-License-Identifier: Apache-2.0
//
// The model of a generated network: types, terms and names, each with its text and its meaning. A
// meaning is a function on lists of bits (plain_bits.hpp); it lets the generator follow the network
// while writing it. Terms whose value cannot be predicted, such as random numbers, have no meaning.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "yaml/fuzz/plain_bits.hpp"

namespace sme::fuzz {

struct Shape;
using TypeOf = std::shared_ptr<const Shape>;

/// A type of the language.
struct Shape {
    enum class Kind : std::uint8_t { boolean, integer, enumeration, structure, array };
    Kind kind = Kind::boolean;
    unsigned width = 1; // in bits
    bool is_signed = false;
    std::vector<std::pair<std::string, std::uint64_t>> members; // for an enumeration
    std::vector<std::pair<std::string, TypeOf>> fields;         // for a struct
    TypeOf element;                                             // for an array
    unsigned count = 0;
    std::string text;   // as written
    bool named = false; // the text can be called: T(x)

    bool is_integer() const { return kind == Kind::integer; }
    bool is_wide() const { return is_integer() && width > 64; }
    bool is_scalar() const { return kind < Kind::structure; }
    /// Returns true if it contains no enumeration without a member 0: an unwritten value is valid.
    bool has_zero() const;
    bool has_enumeration() const;
};

bool same(const Shape& a, const Shape& b);
TypeOf boolean();
TypeOf integer(unsigned width, bool is_signed);
TypeOf array_of(const TypeOf& element, unsigned count);
/// Returns the lowest bit of a field.
unsigned field_low(const Shape& type, std::size_t field);

/// The values of all names in one instance at one time; names of inner scopes first.
struct Env {
    const Env* outer = nullptr;
    std::map<std::string, Bits> values = {};
    const Bits& at(const std::string& name) const;
};

using Meaning = std::function<Bits(const Env&)>;

/// An expression.
struct Term {
    std::string text;
    TypeOf type;
    Meaning meaning;   // empty: unknown
    int strength = 12; // binding strength: 12 never needs parentheses, 0 is "if"
};

/// An exact integer: literals, parameters, indices.
struct Exact {
    std::string text;
    std::function<std::int64_t(const Env&)> meaning;
    std::int64_t low = 0, high = 0; // its range
};

/// A name that expressions can use.
struct Name {
    std::string text;
    TypeOf type; // for a family of ports: an array, of which only elements are used
    bool known = false;
    unsigned dimensions = 0; // for a family of ports
    bool memory = false, table = false;
    Bits fixed = {};      // the value of a constant
    bool state = false;   // it is certainly not constant
    std::string key = {}; // in an Env; empty: the text
    const std::string& where() const { return key.empty() ? text : key; }
};

/// A function, typed for its arguments.
struct FunctionText {
    std::string name;
    std::vector<TypeOf> parameters;
    std::vector<std::string> names; // parameter names
    TypeOf result;
    Meaning meaning;
};

/// The names that an expression may use.
struct Names {
    std::vector<Name> values;
    std::vector<Exact> exact;
    std::vector<FunctionText> functions;
    std::vector<TypeOf> types; // types of values to generate
    bool known = true;         // only names whose values can be followed
    bool random = false;       // random(T) is allowed
    bool faults = false;       // allow divisions and indices without a guard
};

/// A written part of the packed bits of a target.
struct Patch {
    unsigned low;
    Bits bits;
};
using Patches = std::vector<Patch>;

/// A right-hand side: one line after the colon, or lines below it.
struct RhsText {
    std::string line;
    std::vector<std::string> below;
    std::function<void(const Env&, unsigned low, Patches&)> meaning; // empty: unknown
};

/// Returns the value of a right-hand side that always has one.
Meaning whole(const RhsText& rhs, unsigned width);

using Lines = std::vector<std::string>;
/// Returns the lines, each indented by `by` more spaces.
Lines indented(const Lines& lines, unsigned by = 2);
void append(Lines& to, const Lines& lines);
/// Returns "key: line", or "key:" with lines below it.
Lines entry(const std::string& key, const RhsText& rhs);

} // namespace sme::fuzz
