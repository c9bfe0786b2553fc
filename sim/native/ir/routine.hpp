// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "expr/program/program.hpp"

namespace sme::native {

/// The number of a node of a routine.
using Id = std::uint32_t;
inline constexpr Id no_id = ~Id{0};

/// The bytes of the words of a memory, of one instance or of several.
struct Words {
    const std::byte* begin = nullptr;
    std::size_t bytes = 0;

    /// True if they overlap.
    bool meet(const Words& other) const {
        const std::less<const std::byte*> before{};
        return before(other.begin, begin + bytes) && before(begin, other.begin + other.bytes);
    }
    bool operator==(const Words&) const = default;
};

/// The data that a node reads or writes besides its operands, as far as passes need it.
struct Place {
    enum class Space : std::uint8_t {
        none,   ///< nothing that changes while the function runs
        slot,   ///< the slot at offset `at` of the arenas
        memory, ///< a word of `words`
        other,
    };
    Space space = Space::none;
    bool known = false;      // of a memory: `at` is the offset of the scalar in `words`
    std::uint64_t at = 0;    // bytes
    Words words = {};        // of a memory
    std::size_t scalars = 0; // of a memory: number in all its words
    std::string base = {};   // of a memory: a C pointer to its first word
};

/// One step of a computation.
///
/// In C texts, `$0`, `$1` and so on are placeholders for the operands.
struct Node {
    enum class Kind : std::uint8_t {
        constant,  ///< `immediate`
        operation, ///< `op` of the operands
        load,      ///< the value of the expression `text`
        variable,  ///< a value supplied by the enclosing loop
        effect,    ///< the statement `text`
        loop,      ///< runs `region` `immediate` times
        branch,    ///< runs an arm of `region`
    };
    Kind kind = Kind::operation;
    expr::Op op = expr::Op::load;
    expr::Scalar type = {};
    /// Of an effect: it is visible in later cycles, but not in this one. Of a load: it reads data
    /// written by such effects.
    bool lasts = false;
    std::uint64_t immediate = 0; // of a variable: its largest value, if never negative
    std::vector<Id> operands = {};
    Id condition = no_id; // enables an effect, or selects the arm of a branch
    std::string text = {};
    Place place = {};
    std::string name = {};    // preferred name
    std::string comment = {}; // for the line above it
    std::uint32_t region = 0;

    bool is_value() const {
        return kind == Kind::operation || kind == Kind::load || kind == Kind::variable;
    }
};

/// The contents of a loop or a branch.
struct Region {
    std::vector<Id> first;  // of a loop: a step; of a branch: if the condition holds
    std::vector<Id> second; // of a branch: otherwise
    /// Of a branch: the selects or effects that it decides; they follow `first` and `second`.
    std::vector<Id> members;
    Id step = no_id; // of a loop: the step counter
    struct Carried {
        Id variable; // the value before a step; after the loop, the last one
        Id start;
        Id next;
    };
    std::vector<Carried> carried;
};

/// Gives each variable of a function a unique name.
class Names {
public:
    std::string unique(const std::string& wanted);

private:
    std::map<std::string, unsigned> taken_; // and the number of requests
};

/// The nodes of a C function, and the order in which it computes them. Each value is computed once,
/// and its operands are computed before it.
class Routine {
public:
    std::vector<Id> body; // without constants

    Id add(Node node);
    /// Keeps only these nodes of the body; the comment of a removed node moves to the next kept
    /// one.
    void set_body(std::vector<Id> kept);
    Id constant(expr::Scalar type, std::uint64_t value);
    Id operation(expr::Op op, expr::Scalar type, std::vector<Id> operands, std::string name);
    Id load(expr::Scalar type, std::string text, std::vector<Id> operands, Place place,
            std::string name);
    Id effect(std::string text, std::vector<Id> operands = {}, Place place = {});

    Node& operator[](Id id) { return nodes_[id]; }
    const Node& operator[](Id id) const { return nodes_[id]; }
    std::size_t size() const { return nodes_.size(); }

    /// Adds a loop or a branch.
    Id add(Node node, Region region);
    Region& region(const Node& node) { return regions_[node.region]; }
    const Region& region(const Node& node) const { return regions_[node.region]; }

    /// Calls visit(id) for each value that a node uses, also within its region.
    template <class Visit> void for_each_use(Id id, Visit visit) const {
        const Node& node = nodes_[id];
        for (const Id operand : node.operands)
            visit(operand);
        if (node.condition != no_id)
            visit(node.condition);
        if (node.kind != Node::Kind::loop && node.kind != Node::Kind::branch)
            return;
        const Region& inner = region(node);
        for (const Region::Carried& carried : inner.carried) {
            visit(carried.start);
            visit(carried.next);
        }
        for (const auto* const ids : {&inner.first, &inner.second, &inner.members})
            for (const Id each : *ids)
                for_each_use(each, visit);
    }

    /// Replaces the operands of a node, also within its region. Not for branches.
    void replace_uses(Id id, const std::unordered_map<Id, Id>& instead);

    Names names;

private:
    std::vector<Node> nodes_;
    std::vector<Region> regions_;
};

/// The largest value of a node that is never negative; `nullopt` if it may be negative. `depth`:
/// how many levels of operands are examined.
std::optional<std::uint64_t> largest(const Routine& routine, Id id, unsigned depth = 8);

} // namespace sme::native
