// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/source.hpp"
#include "bits/integer.hpp"
#include "expr/program/program.hpp"
#include "expr/syntax/ast.hpp"
#include "expr/syntax/step.hpp"

namespace sme::expr {

/// The form of a value. `exact` is an integer without a type: a literal, a parameter (low == high)
/// or an index with a known range. `long_number` is a literal outside the range of `exact`, which
/// must take a type.
enum class Form : std::uint8_t {
    broken,
    exact,
    long_number,
    typed,
    constants,
    memory,
    family,
    members
};

/// A constant array as its scalars, element by element.
struct ConstantArray {
    TypeRef type;
    std::vector<std::uint64_t> leaves; // canonical, sign-extended
};

/// Computes a binary operator on two exact numbers; a comparison gives 0 or 1. `nullopt` if
/// undefined or too large.
std::optional<Integer> compute(Operator op, Integer a, Integer b);

/// The integers from `low` to `high`.
struct Range {
    Integer low = 0;
    Integer high = 0;
};

/// Returns a range that holds all defined results of an arithmetic operator on numbers of two
/// ranges. `nullopt` if a result may be too large or every result is undefined.
std::optional<Range> compute(Operator op, const Range& a, const Range& b);

/// Returns true if a comparison holds between two exact numbers.
inline bool compares(Operator op, Integer a, Integer b) {
    return compute(op, a, b) == Integer{1};
}

/// Returns whether a comparison of two numbers holds, if their ranges decide it.
std::optional<bool> decided(Operator op, const Range& a, const Range& b);

/// An index that takes `count` values from `low` on.
struct LoopIndex {
    std::string name;
    Integer low = 0;
    std::uint64_t count = 0;
};

/// A loop that is not unrolled.
struct BoundLoop {
    Location where;
    std::uint64_t count = 1; // number of steps
    unsigned depth = 0;      // number of loops around it
    Integer steps = 0;       // with those of the loops and instances around it; 0: not charged
    /// The nodes of the carried values after the last step, once they are made: an expression and
    /// its copies are one loop.
    mutable std::vector<NodeId> results = {};
};

/// Returns the bit of a loop among those that an expression depends on. Very deep loops share one.
inline std::uint64_t loop_bit(const BoundLoop& loop) {
    return std::uint64_t{1} << (loop.depth < 63 ? loop.depth : 63);
}

struct Function;
struct BoundExpr;
using BoundRef = std::shared_ptr<const BoundExpr>;

/// A range of an index within 0 to `of` - 1.
struct BoundRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    std::uint64_t of = 0;
    bool operator==(const BoundRange&) const = default;
};

/// A run of array elements that differ only in their indices: one expression for all.
struct BoundRun {
    std::vector<BoundRange> ranges; // one for each index of the array
    BoundRef element;
};

/// A pattern of a match.
struct BoundPattern {
    const Pattern* text;
    BoundRef value; // null: bits, or a member of the subject's enumeration
};
using BoundPatterns = std::vector<BoundPattern>; // empty: else

/// The values of a subject whose bits under `mask` are `bits`, and the arm that takes them.
struct MatchCube {
    std::uint64_t mask, bits;
    std::size_t arm;
    Location where;
};

/// The arms of a match. Every value of the subject has exactly one, so the order of arms does not
/// matter. A value that is not a member of the subject's enumeration takes the else arm, or the
/// last arm.
struct BoundMatch {
    BoundRef subject;
    unsigned width_bits = 0;              // of the subject
    std::vector<BoundPatterns> arms;      // as written
    std::vector<MatchCube> cubes;         // of all arms, disjoint
    std::optional<std::size_t> otherwise; // the else arm
    bool complete = false;                // every bit pattern has its own arm
    std::optional<std::size_t> decided;   // the arm of a subject that is known before the run

    /// Returns true if an arm can be chosen. The others are not bound.
    bool is_possible(std::size_t arm) const { return !decided || *decided == arm; }
    /// Returns the arm for values that match no pattern.
    std::size_t rest() const { return otherwise.value_or(arms.size() - 1); }
};

/// The body of a function, bound once for each typing of its arguments.
struct BoundBody {
    const Function* function = nullptr;
    BoundRef value;                       // null: it has no value for unknown arguments
    std::map<std::string, BoundRef> lets; // those that the value needs
};

/// Memory words read by index: a whole memory, or a row.
struct MemoryRef {
    std::uint32_t memory; // number in the program
    TypeRef element;
    std::vector<std::uint64_t> dimensions; // dimensions not yet indexed
};

/// What a process reads at a port: a slot, and of a bundle also the slots of its reverse fields.
struct SlotRef {
    std::uint32_t port = 0;
    TypeRef type;           // of the slot
    bool is_marked = false; // reading it faults unless it was written
    std::string name;
    Location declared;
    TypeRef bundle = {};                                                // null if not a bundle
    std::vector<std::pair<std::uint32_t, TypeRef>> reverse_fields = {}; // ports and types, in order
};

/// An index of a family of processes.
struct IndexRef {
    std::uint64_t dimension = 0;
};

/// A value that differs from step to step of a loop: an index, or what the loop carries.
struct LoopRef {
    std::shared_ptr<const BoundLoop> loop;
    std::uint64_t repeats = 0; // of an index: consecutive steps with the same value; 0: carried
};

/// The number of the current cycle.
struct CycleRef {};

/// random(...): a value of a type, one that a rule admits, or one of several values by weight.
struct RandomRef {
    std::uint64_t site = 0; // of its first random number in the process; each scalar has one
    // random(T) x where rule
    BoundRef rule;                         // null: any value of the type
    BoundRef drawn;                        // x
    std::shared_ptr<const BoundLoop> loop; // over the draws
    // random(weight, value, ...)
    std::vector<std::uint64_t> ends; // sums of the weights so far; empty: a value of the type
    std::vector<BoundRef> values;
};

/// Several entities under one name, selected by index: array ports, families of buses and
/// processes.
struct Family {
    std::string what; // "port", "bus"
    std::vector<std::int64_t> lows;
    std::vector<std::uint64_t> counts;
    std::function<BoundExpr(std::uint64_t flat, const Location& where)> element;
};

/// Entities under one name, selected by name: the states of a process.
struct Members {
    std::function<BoundExpr(const std::string& name, const Location& where)> find;
};

/// Details of matches, arrays over ranges, calls, loops, and members of families.
struct BoundDetails {
    std::shared_ptr<const BoundMatch> match;
    std::vector<BoundRun> runs;            // of an array over ranges
    std::shared_ptr<const BoundBody> body; // of a call: for arguments of which the type is known
    std::shared_ptr<const BoundBody> body_here; // for this call
    std::shared_ptr<const BoundLoop> loop;      // of a reducer or a fold as a loop
    BoundRef carried;                           // of a fold as a loop: the value before a step
    std::vector<BoundRef> candidates;           // all members of a family
    BoundRef member;                            // the element of the family that is one of them
};

/// A bound expression: its names are resolved, and it has its type, its range, and its value if
/// that is known before the run. Programs and exported modules are made from it. It omits arms that
/// can never be chosen; a name is a leaf, whatever its value contains.
struct BoundExpr {
    enum class Kind : std::uint8_t {
        leaf,        // a name, a number, a member, random(T); also constants without operands
        unary,       // the operator of `ast` on one operand
        binary,      // the operator of `ast` on two operands
        element,     // an element or a bit of the first operand; the others are indices
        slice,       // the first operand, from the bit of the second down to that of the third
        field,       // field of the operand, named in `ast`
        choice,      // conditions and values alternately, then the final value
        match,       // the subject, then the value of each arm; null: never taken
        fit,         // a number, which takes `type`
        cast,        // converts the operand to `type`
        call,        // a built-in function and its arguments
        own_call,    // a function of the network and its arguments: see `body`
        construct,   // a struct: the one to change or null, then each field; null: unchanged, or 0
        record,      // a struct whose fields determine its type
        array,       // its elements, the first rightmost
        reduced,     // the reducer of `ast` applied to these terms
        folded,      // the start of a fold, then the value of each step
        loop,        // a reducer as a loop: the length of each range, then the term
        folded_loop, // a fold as a loop: the length of each range, then the start and a step
    };
    Kind kind = Kind::leaf;
    Form form = Form::broken; // of its value
    bool varies = false;      // the index of an unrolled loop
    bool in_run = false;      // depends on a value that only the run determines
    bool may_fault = false;   // may fault when it is evaluated
    std::uint64_t loops = 0;  // bit d: depends on the step of a loop with d loops around it
    const Ast* ast = nullptr; // as written; null: a right-hand side, or a number
    Integer low = 0;          // range of an integer without a type
    Integer high = 0;
    TypeRef type;
    std::optional<std::uint64_t> known; // a scalar known before the run, canonical
    std::vector<BoundRef> operands;
    /// Its nodes, once they are made: one for each scalar of the type, or one for an exact value
    /// that is not constant.
    mutable std::vector<NodeId> leaves;
    /// The words of a long number, a constant, the value of a let, an argument or a port, what a
    /// process reads, or several entities under one name.
    std::variant<std::monostate, std::shared_ptr<const Words>, std::shared_ptr<const BoundExpr>,
                 std::shared_ptr<const SlotRef>, std::shared_ptr<const IndexRef>,
                 std::shared_ptr<const LoopRef>, std::shared_ptr<const CycleRef>,
                 std::shared_ptr<const RandomRef>, std::shared_ptr<const ConstantArray>,
                 std::shared_ptr<const MemoryRef>, std::shared_ptr<const Family>,
                 std::shared_ptr<const Members>>
        what;
    std::shared_ptr<const BoundDetails> details; // null: empty

    bool ok() const { return form != Form::broken; }
    bool is_exact() const { return form == Form::exact; }
    bool is_constant() const { return is_exact() && low == high; }
    /// A number without a type that is known.
    bool is_literal() const { return is_constant() || form == Form::long_number; }
    /// An integer without a type.
    bool is_number() const { return is_exact() || form == Form::long_number; }
    /// A scalar, a struct, an array or a number; or broken.
    bool is_value() const { return form <= Form::typed; }
    bool is_bool() const { return form == Form::typed && type->kind() == TypeKind::boolean; }
    /// True if it is the same in every cycle, instance and step of a loop.
    bool closed() const { return !in_run && loops == 0; }
    /// An expression of the text, not only a value.
    bool is_written() const { return ast != nullptr || kind != Kind::leaf; }

    // Null if `what` holds something else.
    const std::shared_ptr<const Words>& words() const { return what_as<Words>(); }
    const std::shared_ptr<const ConstantArray>& constants() const {
        return what_as<ConstantArray>();
    }
    const BoundRef& named() const { return what_as<BoundExpr>(); }
    const std::shared_ptr<const SlotRef>& slot() const { return what_as<SlotRef>(); }
    const std::shared_ptr<const IndexRef>& index() const { return what_as<IndexRef>(); }
    const std::shared_ptr<const LoopRef>& loop_value() const { return what_as<LoopRef>(); }
    const std::shared_ptr<const CycleRef>& cycle() const { return what_as<CycleRef>(); }
    const std::shared_ptr<const RandomRef>& random() const { return what_as<RandomRef>(); }
    const std::shared_ptr<const MemoryRef>& memory() const { return what_as<MemoryRef>(); }
    const std::shared_ptr<const Family>& family() const { return what_as<Family>(); }
    const std::shared_ptr<const Members>& members() const { return what_as<Members>(); }
    const BoundDetails& more() const {
        static const BoundDetails none;
        return details ? *details : none;
    }

    static BoundExpr number(Integer value) { return between(value, value); }
    /// Returns the value of an index in one unrolled step.
    static BoundExpr step(Integer value) {
        BoundExpr result = number(value);
        result.varies = true;
        return result;
    }
    static BoundExpr long_number(std::shared_ptr<const Words> words) {
        return {Form::long_number, std::move(words)};
    }
    static BoundExpr between(Integer low, Integer high) {
        BoundExpr result;
        result.form = Form::exact;
        result.low = low;
        result.high = high;
        return result;
    }
    static BoundExpr between(NodeId node, Integer low, Integer high) {
        BoundExpr result = between(low, high);
        if (low != high)
            result.leaves = {node};
        return result;
    }
    /// Takes over from a part of it what the value depends on, and whether it may fault.
    void depend_on(const BoundExpr& part) {
        in_run = in_run || part.in_run;
        may_fault = may_fault || part.may_fault;
        loops |= part.loops;
    }
    static BoundExpr boolean(bool value) {
        BoundExpr result = of(Type::boolean());
        result.known = value ? 1 : 0;
        return result;
    }
    static BoundExpr of(TypeRef type, std::vector<NodeId> leaves = {}) {
        BoundExpr result;
        result.form = Form::typed;
        result.type = std::move(type);
        result.leaves = std::move(leaves);
        return result;
    }
    BoundExpr() = default;
    BoundExpr(const BoundExpr&) = default;
    BoundExpr(BoundExpr&&) = default;
    BoundExpr& operator=(const BoundExpr&) = default;
    BoundExpr& operator=(BoundExpr&&) = default;
    ~BoundExpr() {
        if (named() && named().use_count() == 1)
            release();
    }
    BoundExpr(Form form_of, decltype(what) content) : form{form_of}, what{std::move(content)} {}

private:
    void release();
    template <class T> const std::shared_ptr<const T>& what_as() const {
        static const std::shared_ptr<const T> none;
        const auto* const found = std::get_if<std::shared_ptr<const T>>(&what);
        return found ? *found : none;
    }
};

/// Returns the value of a name; other values are returned as they are.
inline const BoundExpr& named_by(const BoundExpr& value) {
    const BoundExpr* found = &value;
    while (found->kind == BoundExpr::Kind::leaf && found->named())
        found = found->named().get();
    return *found;
}

/// Returns the value of a name or of a call; other values are returned as they are.
inline const BoundExpr& value_of(const BoundExpr& value) {
    const BoundExpr* found = &named_by(value);
    while (found->kind == BoundExpr::Kind::own_call)
        found = &named_by(*found->details->body_here->value);
    return *found;
}

/// Returns the type of a bound value; null for a number without a type.
inline const TypeRef& type_of(const BoundExpr& bound) {
    return bound.form == Form::constants ? bound.constants()->type : bound.type;
}

/// Returns a number as the canonical value of a scalar type, modulo 2^n.
std::uint64_t canonical_of(const Type& type, std::uint64_t value);

/// Returns an element of a constant array.
std::shared_ptr<const ConstantArray> part_of(const ConstantArray& array, std::uint64_t index);

/// What one process, or one expression, keeps while it is bound.
struct Bindings {
    /// The bodies of functions, by function and typing of the arguments.
    std::map<std::string, std::shared_ptr<const BoundBody>> bodies;
    std::vector<std::shared_ptr<const ConstantArray>> arrays; // arguments
    /// Lines that were rewritten; bound expressions refer to their text.
    std::vector<std::shared_ptr<const Statement>> rewritten;
    bool is_trial = false; // more is bound than the program needs
};

} // namespace sme::expr
