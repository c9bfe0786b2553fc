// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpret/block/program_group.hpp"
#include "interpret/observers/results_group.hpp"
#include "native/ir/routine.hpp"
#include "network/graph.hpp"

namespace sme::native {

/// A family of processes whose code is written.
struct Subject {
    const ProcessFamily& family;
    const expr::Program& program;
    const interpret::SlotMap& places;
    bool commits_later; // memory writes wait for the end of the cycle

    Subject(const ProcessFamily& of, const interpret::ProgramGroup& group)
        : family{of}, program{group.program()}, places{group.places()},
          commits_later{group.commits_later()} {}
    Subject(const ProcessFamily& of, const interpret::ResultsGroup& group)
        : family{of}, program{group.program()}, places{group.places()}, commits_later{true} {}

    /// The words of a memory that the instance at a position sees; those of all instances.
    Words words(std::uint32_t memory, std::uint64_t position) const;
    Words words(std::uint32_t memory) const;
};

/// A memory write of a part, as it waits: in a place of each instance, or one for each step of its
/// loop.
struct WaitingWrite {
    const expr::MemoryWrite* write;
    std::uint64_t first; // place
    std::uint64_t count;
};
/// In the order in which they are made; those of loops, which come first, have the last places.
std::vector<WaitingWrite> waiting_writes(const expr::Program& program,
                                         const expr::PartProgram& part);
/// The places of one instance.
std::uint64_t waiting_places(const expr::Program& program, const expr::PartProgram& part);

/// What a kernel finds behind `data`.
struct Datum {
    enum class Kind : std::uint8_t {
        memory,
        table,
        kept,
        random,   ///< of linked steps: what the numbers of random(T) depend on in a family
        pending,  ///< of fused steps: the memory writes of a family that wait
        places,   ///< of linked steps: the tables of the places of irregular instances of a part
        results,  ///< of observers: where results go
        waiting,  ///< of cycle kernels: memory writes that wait, of a family
        guards,   ///< of cycle kernels: what observers wait for
        moved,    ///< of cycle kernels: the ring or the rows of a step that moves values
        model,    ///< of cycle kernels: the pointers of a model that they call
        next,     ///< of cycle kernels: the row that such a step offers
        meeting,  ///< of cycle kernels: where the threads meet
        function, ///< of linked steps: the function of that number, in another file
    };
    Kind kind;
    std::uint32_t number = 0;
    auto operator<=>(const Datum&) const = default;
};

/// Where the instances lie that a part is written for: C, by constants, or by variables of the
/// function around it, which has a block `b`.
class Addressing {
public:
    virtual ~Addressing() = default;
    /// A pointer to the scalar in the slot at a port, and its offset in the arenas where that is
    /// a constant.
    struct Slot {
        std::string pointer;
        std::optional<std::uint64_t> at;
    };
    virtual Slot slot(std::uint32_t port, std::uint32_t offset, bool write) = 0;
    /// The words of a memory that this instance sees. Without bytes where they are not constant.
    struct Memory {
        std::string pointer;
        Words words;
    };
    virtual Memory memory(std::uint32_t number) = 0;
    /// The values of a table: a pointer to them.
    virtual std::string table(std::uint32_t number) = 0;
    /// The number of the instance in source order, u64; its place among all that its indices count.
    virtual std::string instance() = 0;
    virtual std::string place() = 0;
    virtual std::string cycle() { return "b->cycle"; }
    /// Where the numbers of random(T) come from in this family.
    virtual std::string random_family() = 0;
    /// Where memory write `number` of the part waits for the end of the cycle: an lvalue; empty
    /// when it does not wait.
    virtual std::string pending(std::size_t number) = 0;
    /// The first place where the memory writes of loops of this instance wait, those of the part's
    /// other writes before them: a pointer.
    virtual std::string collected() = 0;
};

} // namespace sme::native
