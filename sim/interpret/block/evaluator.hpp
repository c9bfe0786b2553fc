// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "expr/program/program.hpp"
#include "interpret/block/kernels.hpp"
#include "network/build.hpp"
#include "sme/internal/group.hpp"

namespace sme::interpret {

/// The addresses of a program's ports and memories.
struct SlotMap {
    std::vector<Segments> ports;           // position → offset
    std::vector<std::uint32_t> slot_bytes; // by port
    std::vector<MemorySlots> memories;     // its own, then those that it observes
    std::size_t own_memories = 0;
    Segments order; // position → instance
    /// Initial words of its own memories: empty (zero), those of one instance, or of each.
    std::vector<const std::vector<std::byte>*> initial;
    std::uint8_t* wrote = nullptr;   // by position: set when a memory is written; may be null
    std::uint64_t random_family = 0; // seeds random(T); see expr/program/random.hpp
};

/// A memory write that waits for its commit: a scalar, or all words of an instance.
struct PendingWrite {
    std::byte* at;
    std::size_t bytes;
    std::uint64_t value = 0;
    bool all_words = false;
    const std::byte* from = nullptr; // for all words; null: zero

    void make() const;
};

class ScalarCode;

/// Runs one part of a program over ranges of instances: one block of lanes at a time, each
/// operation over the whole block, so that the block shares the cost of interpreting.
///
/// A column holds one value of each lane. Loads of adjacent slots are not copied: the arena itself
/// is the column. A value that fills a port's adjacent slots is computed directly in them. A range
/// that is too short for blocks runs instance by instance (scalar_code.hpp).
class Evaluator {
public:
    Evaluator(const expr::Program& program, const expr::PartProgram& part, const SlotMap& places);
    ~Evaluator();

    /// Steps the instances of a range. Memory writes are appended to `pending`, or, if it is null,
    /// made after the block has been computed. Thread-safe for ranges that do not overlap.
    void run(Range range, const Frame& frame, std::vector<PendingWrite>* pending);

    /// Adds the number of instances of a range in which each result is true; results are bools.
    /// Thread-safe for ranges that do not overlap, with separate counts per thread.
    void count(Range range, const Frame& frame, std::uint64_t* counts);

    /// The results of the single instance at position 0, sign-extended. Memory writes as in `run`.
    void results(const Frame& frame, std::vector<std::uint64_t>& values,
                 std::vector<PendingWrite>* pending = nullptr);

    /// Another implementation of `results`, for the single instance; false: it changed nothing, and
    /// the evaluator must run.
    using Results =
        std::function<bool(const Frame&, std::vector<std::uint64_t>&, std::vector<PendingWrite>*)>;
    /// From now on, calls `results` first.
    void swap_results(Results results) { exchanged_ = std::move(results); }

private:
    using Register = std::uint32_t;
    struct Load {
        Register to;
        std::uint32_t port;
        std::uint32_t offset;
        unsigned bytes;
    };
    struct Instruction {
        expr::Op op;
        Kernel kernel; // null for what `compute_special` computes
        Register d, a, b, c;
        std::uint64_t immediate;
        std::uint32_t number; // of a port, a memory or a table
        unsigned bytes;
    };
    struct StoreTo {
        Register from;
        Register fallback;
        std::uint32_t port;
        std::uint32_t offset;
        unsigned bytes;
        bool direct; // computed in place where slots are adjacent
    };
    struct WriteTo {
        Register enable, word, value;
        std::uint32_t memory;
        std::uint32_t offset;
        unsigned bytes;
    };
    /// The loop of an instruction Op::loop; its steps are the instructions that follow.
    struct LoopOf {
        Register step;
        std::uint64_t count;
        std::size_t end;                                   // the first instruction after the loop
        std::vector<std::pair<Register, Register>> starts; // to, from
        std::vector<std::pair<Register, Register>> nexts;
        std::vector<WriteTo> writes;
        std::optional<Register> until = std::nullopt; // true: no further step changes anything
    };
    struct Workspace;
    class Compiler;

    bool are_singles(Range range) const;
    ScalarCode* single(std::uint64_t position);
    Workspace* take(unsigned thread);
    void give_back(Workspace* workspace, unsigned thread);
    void block(Workspace& workspace, Range range, const Frame& frame,
               std::vector<PendingWrite>* pending);
    void load(Workspace& workspace, Range range, const Frame& frame) const;
    void compute(Workspace& workspace, Range range, const Frame& frame) const;
    void compute(Workspace& workspace, Range range, const Frame& frame, std::size_t first,
                 std::size_t end) const;
    void run_loop(const LoopOf& loop, std::size_t first, Workspace& workspace, Range range,
                  const Frame& frame) const;
    void move(const std::vector<std::pair<Register, Register>>& moves, Workspace& workspace,
              std::size_t count) const;
    std::optional<PendingWrite> write_of(const WriteTo& write, const Workspace& workspace,
                                         Range range, std::size_t lane) const;
    std::uint32_t site_of(std::size_t fault, const Workspace& workspace, std::size_t lane) const;
    void compute_special(const Instruction& instruction, Workspace& workspace, Range range,
                         const Frame& frame) const;
    void fill_index(std::byte* column, unsigned bytes, std::uint64_t dimension, Range range) const;
    void fill_random(std::byte* column, const Instruction& instruction, Range range,
                     std::uint64_t cycle) const;
    bool find_faults(Workspace& workspace, Range range, const Frame& frame) const;
    void store(Workspace& workspace, Range range, const Frame& frame, bool faulted) const;
    void write_memories(Workspace& workspace, Range range, bool faulted,
                        std::vector<PendingWrite>* pending) const;
    void effects(Workspace& workspace, Range range, const Frame& frame, bool faulted,
                 std::vector<PendingWrite>* pending);
    void effects(const ScalarCode& code, std::uint64_t position, const Frame& frame,
                 std::vector<PendingWrite>* pending);
    template <class Get>
    void reset_memories(std::uint64_t position, std::vector<PendingWrite>* pending, Get get) const;
    void halt(const Workspace& workspace, Range range, const Frame& frame, bool faulted) const;
    void print(const Workspace& workspace, Range range, const Frame& frame, bool faulted) const;
    void print(const ScalarCode& code, std::uint64_t position, const Frame& frame) const;
    template <class Get>
    void print_line(std::uint32_t number, std::uint64_t position, const Frame& frame,
                    Get get) const;

    const expr::Program& program_;
    const expr::PartProgram& part_;
    const SlotMap& places_;
    std::vector<Load> loads_;
    std::vector<Instruction> instructions_;
    std::vector<StoreTo> stores_;
    std::vector<WriteTo> writes_;
    std::vector<LoopOf> loops_;
    struct FaultOf {
        Register bad, selected;
        Register which; // 64 bits; unused if the site is known
    };
    std::vector<FaultOf> faults_;
    std::vector<Register> halts_;
    std::vector<Register> resets_; // conditions of memory resets
    struct PrintOf {
        Register enable;
        std::vector<std::pair<Register, expr::Scalar>> values;
    };
    std::vector<PrintOf> prints_;
    std::vector<std::pair<Register, expr::Scalar>> results_;
    std::vector<std::size_t> column_offsets_; // by register, in the scratch memory
    std::vector<std::pair<Register, std::uint64_t>> constants_;
    std::vector<unsigned> column_bytes_;
    std::size_t scratch_bytes_ = 0;
    std::size_t block_lanes_ = 0;
    std::once_flag compiled_;

    Results exchanged_;                                // may be empty
    std::vector<std::unique_ptr<ScalarCode>> singles_; // by position, created on demand
    static constexpr unsigned at_hand = 8;
    std::array<std::atomic<Workspace*>, at_hand> idle_{};
    std::mutex overflow_mutex_;
    std::vector<std::unique_ptr<Workspace>> overflow_;
};

} // namespace sme::interpret
