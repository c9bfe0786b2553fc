// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interpret/block/evaluator.hpp"

namespace sme::interpret {

/// One part of a program as straight code for one instance: each value has a 64-bit register, and
/// each operation is a step on registers. With few lanes this is several times faster than one loop
/// per operation.
///
/// Registers hold canonical values: zero- or sign-extended to 64 bits. Nothing is stored, written
/// or halted before all steps have computed, so a fault leaves all state unchanged.
class ScalarCode {
public:
    /// Creates the code of the instance at `position`; `program` and `places` must outlive it.
    ScalarCode(const expr::Program& program, const expr::PartProgram& part, const SlotMap& places,
               std::uint64_t position);

    /// Runs one cycle; memory writes as in Evaluator::run. False on a fault: nothing has changed,
    /// and the evaluator's block must run to report it. One call at a time.
    bool run(const Frame& frame, std::vector<PendingWrite>* pending);

    /// An effect of the part in the last run: the conditions of memory resets, then the condition
    /// and the values of each print.
    std::uint64_t effect(std::size_t number) const { return registers_[effects_[number]]; }

    /// The results of the last run.
    void results(std::vector<std::uint64_t>& values) const;
    /// Adds each result to a sum.
    void add_results(std::uint64_t* sums) const {
        for (std::size_t k = 0; k < results_.size(); ++k)
            sums[k] += registers_[results_[k]];
    }

private:
    enum class Code : std::uint8_t {
        load_u8,
        load_u16,
        load_u32,
        load_u64,
        load_i8,
        load_i16,
        load_i32,
        load_at,
        load_at_signed,
        read_u8,
        read_u16,
        read_u32,
        read_u64,
        read_i8,
        read_i16,
        read_i32,
        cycle,
        random,
// by the sign of the first operand, if it matters
#define SME_CODES_bits(name) name, name##_signed = name, // NOLINT(bugprone-macro-parentheses)
#define SME_CODES_wrapped(name) name, name##_signed,
#define SME_CODES_number(name) SME_CODES_wrapped(name)
#define SME_OPERATION(name, operands, types, sign, ...) SME_CODES_##sign(name)
#include "expr/program/operations.def"
        shift_left_by,
        shift_right_by,
        shift_right_signed_by,
        rotate_by,
        select,
        narrow,
        narrow_signed,
        move,
        again,   // the next step of a loop
        collect, // a memory write that waits for the commit
        fault,
        commit,
        flush,
        store_8,
        store_16,
        store_32,
        store_64,
        write,
        halt,
        end,
    };
    /// One operation: register d from registers a and b.
    struct Step {
        Code code;
        std::uint8_t small; // a bit count
        std::uint32_t d = 0;
        std::uint32_t a = 0;
        std::uint32_t b = 0;
        std::uint64_t immediate = 0; // a mask, spare bits, an offset, or a third register
    };
    /// Words indexed at run time: of a memory or a table.
    struct Words {
        std::byte* base; // of the scalar in word 0
        std::uint64_t count;
        std::uint64_t stride;
        unsigned bytes; // of the scalar
    };
    class Compiler;

    std::uint64_t load_at(const Step& step, const std::byte* read) const;
    template <class T> std::uint64_t read_word(const Step& step) const;
    PendingWrite write_of(const Step& step) const;
    void write_word(const Step& step, std::vector<PendingWrite>* pending) const;
    void flush(std::vector<PendingWrite>* pending);

    std::vector<Step> steps_;
    std::vector<std::uint64_t> registers_;
    std::vector<Words> words_;
    std::vector<const Segments*> slots_; // of ports that an index selects from
    std::vector<std::uint32_t> results_;
    std::vector<std::uint32_t> effects_;
    std::vector<PendingWrite> collected_; // by loops
    std::uint8_t* wrote_ = nullptr;       // set when a memory is written; may be null
};

} // namespace sme::interpret
