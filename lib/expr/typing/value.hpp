// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/source.hpp"
#include "bits/integer.hpp"
#include "bits/words.hpp"
#include "expr/program/program.hpp"

namespace sme::expr {

struct Value;
struct Typed;
struct Function;

/// A constant array: its scalars, element by element.
struct ConstantArray {
    TypeRef type;
    std::vector<std::uint64_t> leaves; // canonical, sign-extended
};

/// Words that are read by index: all of a memory, or a row of it.
struct MemoryRef {
    std::uint32_t memory; // number in the program
    TypeRef element;
    std::vector<std::uint64_t> dimensions; // those that are not indexed yet
    NodeId row = no_node;                  // number of the row; no_node: the whole memory
    NodeId outside = no_node;              // of a row: true when there is none
    std::uint64_t rows = 1;
};

/// Several things under one name, picked by index: array ports, families of buses and processes.
struct Family {
    std::string what; // "port", "bus"
    std::vector<std::int64_t> lows;
    std::vector<std::uint64_t> counts;
    std::function<Value(std::uint64_t flat, const Location& where)> element;
};

/// Things under one name, picked by name: the states of a process.
struct Members {
    std::function<Value(const std::string& name, const Location& where)> find;
};

/// What an expression stands for while a program is made.
///
/// `exact` is an integer without a type: a literal, a parameter (low == high) or an index (a node
/// whose value is known to lie between). `long_number` is a literal beyond those, which can only
/// take a type. `typed` has a node for each scalar of its type.
struct Value {
    enum class Kind : std::uint8_t {
        broken,
        exact,
        long_number,
        typed,
        constants,
        memory,
        family,
        members
    };
    Kind kind = Kind::broken;
    Integer low = 0;
    Integer high = 0;
    NodeId node = no_node;              // of an exact value that is no constant
    std::shared_ptr<const Words> words; // of a long number
    TypeRef type;
    std::vector<NodeId> leaves;
    std::shared_ptr<const ConstantArray> constants;
    std::shared_ptr<const MemoryRef> memory;
    std::shared_ptr<const Family> family;
    std::shared_ptr<const Members> members;
    std::shared_ptr<const Typed> tree; // what it is made of, where the elaborator keeps that
    Location declared;                 // where what it names was declared, for notes
    bool varies = false; // a constant that is another one in each step of what is unrolled

    bool ok() const { return kind != Kind::broken; }
    bool is_exact() const { return kind == Kind::exact; }
    /// An integer without a type.
    bool is_number() const { return is_exact() || kind == Kind::long_number; }
    bool is_constant() const { return kind == Kind::exact && low == high; }
    bool is_bool() const { return kind == Kind::typed && type->kind() == TypeKind::boolean; }

    static Value number(Integer value) {
        Value made;
        made.kind = Kind::exact;
        made.low = made.high = value;
        return made;
    }
    /// What an index is in one step of what is unrolled.
    static Value step(Integer value) {
        Value made = number(value);
        made.varies = true;
        return made;
    }
    static Value long_number(std::shared_ptr<const Words> words) {
        Value made;
        made.kind = Kind::long_number;
        made.words = std::move(words);
        return made;
    }
    static Value between(NodeId node, Integer low, Integer high) {
        Value made = number(low);
        made.high = high;
        made.node = node;
        return made;
    }
    static Value of(TypeRef type, std::vector<NodeId> leaves) {
        Value made;
        made.kind = Kind::typed;
        made.type = std::move(type);
        made.leaves = std::move(leaves);
        return made;
    }
};

/// How much loading one file may cost, in units of a few nanoseconds and bytes: what asks for more
/// is refused, so that no file can take the machine.
struct Fuel {
    /// Steps of all loops in one cycle, those of inner loops and of all instances counted: what
    /// takes about half a second.
    static constexpr std::uint64_t max_loop_steps = std::uint64_t{1} << 25;
    static constexpr std::uint64_t usual_loops_from = 1000;

    std::uint64_t left = 1'000'000'000; // a few seconds
    std::uint64_t loop_steps = max_loop_steps;
    std::uint64_t loops_from = usual_loops_from; // ranges of so many steps are loops; 0: none is
    bool reported = false;
    std::set<std::pair<const void*, std::uint32_t>> wraps; // places that were warned of

    /// Takes some of it; false when there is not that much left.
    bool spend(std::uint64_t units) {
        const bool fits = units <= left;
        left = fits ? left - units : 0;
        return fits;
    }
};

/// Remembers what values were in earlier cycles.
class History {
public:
    virtual ~History() = default;
    /// The most cycles that can be looked back.
    static constexpr std::uint64_t max_cycles = 65'536;
    /// A typed value as it was `cycles` cycles ago, 1 to `max_cycles`; before cycle 0 it is zero.
    /// Broken, and reported, when that takes too much.
    virtual Value past(const Value& value, std::uint64_t cycles, const Location& where) = 0;
};

/// The names that an expression may use.
class Scope {
public:
    virtual ~Scope() = default;
    /// What all scopes of one file share.
    virtual Fuel& fuel() { return own_fuel_; }
    /// The value of a name, or null when there is none. A value that is broken has been reported.
    virtual const Value* find(const std::string& name) = 0;
    /// The type of that name, or null.
    virtual TypeRef find_type(const std::string& name) = 0;
    /// The function of that name, or null.
    virtual const Function* find_function(const std::string&) { return nullptr; }
    /// The type `name(arguments)`: nothing when there is none with parameters of that name, null
    /// when the arguments do not fit, which has been reported.
    virtual std::optional<TypeRef> make_type(const std::string&, const std::vector<TypeRef>&,
                                             const Location&) {
        return std::nullopt;
    }
    /// Whether random(T) has a value here: inside a process.
    virtual bool allows_random() const { return false; }
    /// Who remembers earlier cycles here: in checks; elsewhere null.
    virtual History* history() { return nullptr; }
    /// For "did you mean".
    virtual void names(std::vector<std::string>& into) const = 0;
    virtual void type_names(std::vector<std::string>&) const {}
    virtual void function_names(std::vector<std::string>&) const {}

private:
    Fuel own_fuel_;
};

} // namespace sme::expr
