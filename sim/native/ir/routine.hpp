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

    /// Whether they have a byte in common.
    bool meet(const Words& other) const {
        const std::less<const std::byte*> before{};
        return before(other.begin, begin + bytes) && before(begin, other.begin + other.bytes);
    }
    bool operator==(const Words&) const = default;
};

/// What a node reads or writes besides its operands, as far as passes ask.
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
    std::size_t scalars = 0; // of a memory: in all its words
    std::string base = {};   // of a memory: C, a pointer to its first word
};

/// One step of a computation.
///
/// C texts hold `$0`, `$1` and so on where the values of the operands stand.
struct Node {
    enum class Kind : std::uint8_t {
        constant,  ///< `immediate`
        operation, ///< `op` of the operands
        load,      ///< the value of the expression `text`
        variable,  ///< a value that the loop around it gives
        effect,    ///< the statement `text`
        loop,      ///< `region` of the routine, `immediate` times
        branch,    ///< `region` of the routine
    };
    Kind kind = Kind::operation;
    expr::Op op = expr::Op::load;
    expr::Scalar type = {};
    /// Of an effect: later cycles see it, and none of this one does. Of a load: it reads what such
    /// effects leave.
    bool lasts = false;
    std::uint64_t immediate = 0; // of a variable: the largest value, where it is not negative
    std::vector<Id> operands = {};
    Id condition = no_id; // of an effect: it happens when this holds; of a branch
    std::string text = {};
    Place place = {};
    std::string name = {};    // the wanted one
    std::string comment = {}; // a line above it
    std::uint32_t region = 0;

    bool is_value() const {
        return kind == Kind::operation || kind == Kind::load || kind == Kind::variable;
    }
};

/// What stands within a loop or a branch.
struct Region {
    std::vector<Id> first;  // of a loop: a step; of a branch: when the condition holds
    std::vector<Id> second; // of a branch: when it does not
    /// Of a branch: the selects, or the effects, that it decides, behind `first` and `second`.
    std::vector<Id> members;
    Id step = no_id; // of a loop: the variable that counts steps
    struct Carried {
        Id variable; // the value before a step, and behind the loop the last one
        Id start;
        Id next;
    };
    std::vector<Carried> carried;
};

/// Gives each variable of a function a name of its own.
class Names {
public:
    std::string unique(const std::string& wanted);

private:
    std::map<std::string, unsigned> taken_; // and how many wanted it
};

/// The nodes of a C function, and the order in which it computes them. Each value is computed once;
/// the operands of a node stand before it.
class Routine {
public:
    std::vector<Id> body; // without constants

    Id add(Node node);
    /// Keeps only these nodes of the body; a comment goes to the next one that stays.
    void set_body(std::vector<Id> kept);
    Id constant(expr::Scalar type, std::uint64_t value);
    Id operation(expr::Op op, expr::Scalar type, std::vector<Id> operands, std::string name);
    Id load(expr::Scalar type, std::string text, std::vector<Id> operands, Place place,
            std::string name);
    Id effect(std::string text, std::vector<Id> operands = {}, Place place = {});

    Node& operator[](Id id) { return nodes_[id]; }
    const Node& operator[](Id id) const { return nodes_[id]; }
    std::size_t size() const { return nodes_.size(); }

    /// A loop or a branch.
    Id add(Node node, Region region);
    Region& region(const Node& node) { return regions_[node.region]; }
    const Region& region(const Node& node) const { return regions_[node.region]; }

    /// Calls visit(id) for each value that a node uses, those within its region included.
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

    /// Uses other values instead of the operands of a node, those within its region included.
    /// Not of a branch.
    void replace_uses(Id id, const std::unordered_map<Id, Id>& instead);

    Names names;

private:
    std::vector<Node> nodes_;
    std::vector<Region> regions_;
};

/// The largest value that a node can have which is never negative; nothing: it may be.
/// `depth`: how many operands behind operands are looked at.
std::optional<std::uint64_t> largest(const Routine& routine, Id id, unsigned depth = 8);

} // namespace sme::native
