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
#include "interpret/block/program_group.hpp"
#include "interpret/observers/recorder.hpp"
#include "network/graph.hpp"

namespace sme::native {

/// An integer type of the generated C: u8 … u64, i8 … i64.
struct CType {
    unsigned bytes = 8;
    bool is_signed = false;

    std::string name() const;
    /// The type of a scalar in a slot.
    static CType in_slot(expr::Scalar type) { return {type.bytes(), type.is_signed}; }
    bool operator==(const CType&) const = default;
};

/// The name of the type of a scalar in a slot.
inline std::string slot_type(expr::Scalar type) {
    return CType::in_slot(type).name();
}

/// Converts a name of a network to a C name: "total.value" becomes "n_total_value". No keyword,
/// macro, built-in function or library of a C compiler, and no other generated name, begins with
/// this prefix.
std::string c_name(const std::string& name);

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
    Id until = no_id; // of a loop: the carried bool after which it may end
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

/// A family of processes to be written as C.
struct Subject {
    const ProcessFamily& family;
    const expr::Program& program;
    const interpret::SlotMap& places;
    bool commits_later; // memory writes wait for the end of the cycle
    const SteadyGroup* steady = nullptr;
    unsigned counting = ~0U; // the part that counts coverage

    Subject(const ProcessFamily& of, const interpret::ProgramGroup& group)
        : family{of}, program{group.program()}, places{group.places()},
          commits_later{group.commits_later()}, steady{&group} {
        if (group.counts(program.cover.part))
            counting = program.cover.part;
    }
    Subject(const ProcessFamily& of, const interpret::ResultsGroup& group)
        : family{of}, program{group.program()}, places{group.places()}, commits_later{true} {}

    /// The words of a memory that the instance at a position sees; with no position, those of all
    /// instances.
    Words words(std::uint32_t memory, std::uint64_t position) const;
    Words words(std::uint32_t memory) const;
};

/// A waiting memory write of a part: it has one entry per instance, or one per step of its loop.
struct WaitingWrite {
    const expr::MemoryWrite* write;
    std::uint64_t first; // first entry
    std::uint64_t count;
};
/// Lists the writes in the order in which they are made. Those of loops come first and have the
/// last entries.
std::vector<WaitingWrite> waiting_writes(const expr::Program& program,
                                         const expr::PartProgram& part);
/// The number of entries of one instance.
std::uint64_t waiting_places(const expr::Program& program, const expr::PartProgram& part);

/// An entry of a kernel's `data`.
struct Datum {
    enum class Kind : std::uint8_t {
        memory,
        table,
        kept,
        wrote,    ///< which instances wrote memories
        random,   ///< of linked steps: what random(T) depends on in a family
        pending,  ///< of fused steps: the waiting memory writes of a family
        places,   ///< of linked steps: the offsets of irregular instances of a part
        results,  ///< of observers: the destination of results
        counts,   ///< of linked steps: the counters of a family with one instance
        waiting,  ///< of cycle kernels: waiting memory writes of a family
        guards,   ///< of cycle kernels: the conditions that observers wait for
        moved,    ///< of cycle kernels: the ring or the rows of a step that copies values
        model,    ///< of cycle kernels: the pointers of a model
        next,     ///< of cycle kernels: the next row of such a step
        meeting,  ///< of cycle kernels: the meeting of the threads
        function, ///< of linked steps: a function of that number, in another file
        held,     ///< of fused steps: which guarded steps both arenas hold
    };
    Kind kind;
    std::uint32_t number = 0;
    auto operator<=>(const Datum&) const = default;
};

/// The addresses of the instances for which a part is written, as C: constants, or variables of the
/// enclosing function, which has a block `b`.
class Addressing {
public:
    virtual ~Addressing() = default;
    /// A pointer to the scalar in the slot at a port, and its offset in the arenas if constant.
    struct Slot {
        std::string pointer;
        std::optional<std::uint64_t> at;
    };
    virtual Slot slot(std::uint32_t port, std::uint32_t offset, bool write) = 0;
    /// A pointer to the arena with this cycle's value at an offset, for `load_at`: it occurs only
    /// in loops of observers, so neither in kernels of processes nor in those of whole cycles.
    virtual std::string arena(std::uint64_t at) = 0;
    /// The words of a memory that this instance sees; without bytes if they are not constant.
    struct Memory {
        std::string pointer;
        Words words;
    };
    virtual Memory memory(std::uint32_t number) = 0;
    /// A pointer to the values of a table.
    virtual std::string table(std::uint32_t number) = 0;
    /// The number of the instance in source order, u64; then its position among all index values.
    virtual std::string instance() = 0;
    virtual std::string place() = 0;
    virtual std::string cycle() { return "b->cycle"; }
    /// The family's source of random(T) numbers.
    virtual std::string random_family() = 0;
    /// An lvalue where memory write `number` of the part waits for the end of the cycle; empty if
    /// it does not wait.
    virtual std::string pending(std::size_t number) = 0;
    /// The statement that notes that a scalar of an output slot differs from `$0`, its new value;
    /// empty: it is not needed.
    virtual std::string compare(std::uint32_t port, std::uint32_t offset, const std::string& type) {
        static_cast<void>(port), static_cast<void>(offset), static_cast<void>(type);
        return {};
    }
    /// An lvalue that becomes 1 when the instance writes a memory; empty: it is not
    /// needed.
    virtual std::string wrote() { return {}; }
    /// An lvalue, the counter of a result of a part that counts; after those of the results, the
    /// number of times that the part ran.
    virtual std::string counter(std::size_t number) = 0;
    /// A pointer to the first entry for waiting memory writes of this instance. The entries of
    /// writes in loops follow those of the part's other writes.
    virtual std::string collected() = 0;
};

} // namespace sme::native
