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

/// A family of processes to be written as C.
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
        random,   ///< of linked steps: what random(T) depends on in a family
        pending,  ///< of fused steps: the waiting memory writes of a family
        places,   ///< of linked steps: the offsets of irregular instances of a part
        results,  ///< of observers: the destination of results
        waiting,  ///< of cycle kernels: waiting memory writes of a family
        guards,   ///< of cycle kernels: the conditions that observers wait for
        moved,    ///< of cycle kernels: the ring or the rows of a step that copies values
        model,    ///< of cycle kernels: the pointers of a model
        next,     ///< of cycle kernels: the next row of such a step
        meeting,  ///< of cycle kernels: the meeting of the threads
        function, ///< of linked steps: a function of that number, in another file
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
    /// A pointer to the first entry for waiting memory writes of this instance. The entries of
    /// writes in loops follow those of the part's other writes.
    virtual std::string collected() = 0;
};

} // namespace sme::native
