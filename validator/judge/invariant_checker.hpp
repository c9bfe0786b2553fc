// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "judge/violation.hpp"
#include "judge/wiring.hpp"

namespace sme::validator {

/// Checks the invariants of `violation.hpp` in every cycle of a run. A violation ends the run after
/// its cycle. The network's slots must have marks (Graph::mark_writes): without them the judge
/// cannot tell which fields a process wrote.
///
/// The judge keeps copies of both arenas: the values to be read in this cycle, and the values
/// written in it. Before a step it spoils the fields that the step must prepare, to reveal fields
/// left unprepared.
/// shows.
class InvariantChecker final : public Auditor {
public:
    /// Limit for one cycle; further ones are only counted.
    static constexpr std::size_t max_violations = 20;

    InvariantChecker();
    ~InvariantChecker() override;

    void open(const Audited& run) override;
    void begin_cycle(const Frame& frame) override;
    void before_step(const StepId& step, const Frame& frame) override;
    void after_step(const StepId& step, const Frame& frame) override;
    bool end_cycle(const Frame& frame, bool faulted) override;
    void close() override;

    /// Returns the violations of the first cycle with any, ordered by invariant, process and bus.
    const std::vector<Violation>& violations() const { return violations_; }
    /// Return the number of judged cycles, and of steps in them.
    std::uint64_t cycles() const { return cycles_; }
    std::uint64_t steps() const { return steps_; }

private:
    /// A port that a part reads or writes, and the used fields.
    struct Use {
        std::uint32_t port;
        std::uint64_t fields;
        bool covers(const Leaf& leaf) const {
            return (fields >> (leaf.field < 63 ? leaf.field : 63) & 1) != 0;
        }
    };
    struct PartPlan {
        std::vector<Use> reads;
        std::vector<Use> writes;
        std::vector<SlotAt> read_slots; // per position, one for each use
        std::vector<SlotAt> write_slots;
        bool judged = true;                                // false for a commit of memories
        std::unique_ptr<std::atomic<std::uint64_t>[]> ran; // by position: the last cycle it ran in,
                                                           // plus one
        std::atomic<std::uint64_t> runs{0};                // in this cycle
    };
    struct FamilyPlan {
        std::vector<std::unique_ptr<PartPlan>> parts;
        bool tells = true; // its marks tell which fields it wrote
    };
    /// A bus with a delay of two cycles or more, or without a writer.
    struct Special {
        std::uint64_t element;
        std::size_t read;
        std::size_t written;
        std::vector<std::byte> ring; // for delays: slots; cycle c has number c modulo their count
    };

    void make_parts();
    void make_specials();
    void expect_first(const Frame& frame);
    void expect_loaded(const Frame& frame);
    void expect(Special& special, std::uint64_t cycle, const Frame& frame);
    void expect_next(const Frame& frame);
    void check_layout();
    void check_read(const StepId& step, const Use& use, const SlotAt& slot, const Frame& frame);
    void poison(const StepId& step, const Use& use, const SlotAt& slot, const Frame& frame);
    void check_written(const StepId& step, const Use& use, const SlotAt& slot, const Frame& frame);
    void check_leaf(const StepId& step, const SlotAt& slot, const Leaf& leaf, std::size_t number,
                    const Frame& frame);
    bool is_canonical(const Leaf& leaf, const std::byte* value) const;
    void check_all_ran();
    void check_region(Invariant invariant, const std::byte* actual,
                      const std::vector<std::byte>& wanted, std::size_t begin, std::size_t end);
    std::byte* keep(const SlotAt& slot);
    void add(Invariant invariant, const StepId* step, std::optional<std::uint64_t> element,
             std::string text);

    std::unique_ptr<Wiring> wiring_;
    std::unique_ptr<Guard> guard_;
    std::vector<FamilyPlan> families_;
    std::vector<Special> specials_;
    std::vector<std::byte> expected_; // the values to be read; for wires, the written ones
    std::vector<std::byte> written_;  // the next values of registered slots
    std::size_t wires_begin_ = 0;
    std::uint64_t cycle_ = 0;
    std::uint64_t first_cycle_ = 0; // nonzero: the run continues from a checkpoint
    bool begun_ = false;
    std::uint64_t cycles_ = 0;
    std::atomic<std::uint64_t> steps_{0};
    std::mutex mutex_; // protects the violations
    std::vector<Violation> violations_;
};

} // namespace sme::validator
