// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/engine.hpp"

namespace sme::engine {

/// The only way in which anything outside a network reads and changes its values between two
/// cycles: programs in C++ and Python, test benches, a simulator around it, the debugger. What is
/// written counts in every engine and on every rank from the next cycle on. Call its functions
/// between runs only; those that write, on rank 0.
class Access {
public:
    /// `engine` must outlive it.
    explicit Access(Engine& engine) : engine_{engine} {}

    /// The slot that readers of a bus element see in the next cycle; of a wire, the value that it
    /// had in the last one, or the present one after `settle`.
    const std::byte* value(std::uint64_t element) const;
    /// The words of a memory of an instance, in source order, as the next cycle reads them.
    const std::byte* words(std::uint32_t family, std::size_t memory, std::uint64_t instance) const;

    /// Writes bytes of a value from `offset` on; each of its scalars that they touch counts as
    /// written. A bus that a process writes keeps them for one cycle.
    void write(std::uint64_t element, std::size_t offset, std::span<const std::byte> bytes);
    /// Writes bytes of the words of a memory from `offset` on.
    void write_words(std::uint32_t family, std::size_t memory, std::uint64_t instance,
                     std::size_t offset, std::span<const std::byte> bytes);

    /// Brings wires up to date: runs the parts that only compute wires, without prints, faults and
    /// halts, and shows traced signals inside Verilog modules. The next cycle runs them again. A
    /// process whose wires cannot be computed without changing its state keeps theirs. Does nothing
    /// if nothing has changed since, or after the end of the run. Call it with one rank and without
    /// an auditor.
    void settle();
    /// A rising edge under reset: buses, except inputs, and states get the values that they have
    /// before cycle 0; models, such as Verilog modules, run an edge with their resets active.
    /// Memories and other processes keep their values. Call it with one rank.
    void reset();

    /// What steps processes, or what they depend on, has changed in another way.
    void disturb();

private:
    friend class Engine;
    /// Bytes of a bus, or of the words of a memory.
    struct Change {
        std::uint64_t at; // the bus element, or the instance
        std::optional<std::uint32_t> family;
        std::size_t memory;
        std::size_t offset;
        std::vector<std::byte> bytes;
        template <class Archive> void state(Archive& archive) {
            archive(at, family, memory, offset, bytes);
        }
    };
    std::byte* place(std::byte* arena, std::uint64_t element) const;
    void make(const Change& change);
    void change(Change change);
    void find_items();

    Engine& engine_;
    std::optional<std::vector<std::uint32_t>> items_; // of `settle`
    std::vector<ModelGroup*> models_;                 // that show signals
    std::optional<std::uint64_t> settled_at_;         // the number of the next cycle
    std::vector<Change> changes_;                     // that the other ranks have not made yet
};

} // namespace sme::engine
