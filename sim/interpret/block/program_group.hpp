// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "expr/program/program.hpp"
#include "interpret/block/evaluator.hpp"
#include "runtime/abilities.hpp"
#include "sme/internal/group.hpp"
#include "sme/threads.hpp"

namespace sme::interpret {

/// The addresses of the ports and memories of a family.
SlotMap places_of(const Build& build);

/// Counts of one program: how often each result of its counting part was true, and how often the
/// part ran, over instances and cycles. Each thread has separate counts, so that sums do not depend
/// on the distribution of work.
class CoverCounts final : public EventCounts {
public:
    explicit CoverCounts(std::shared_ptr<const expr::Program> program)
        : program_{std::move(program)}, results_{
                                            program_->parts[program_->cover.part].results.size()} {}

    const expr::Program& program() const { return *program_; }

    /// The counters of a thread: the results, then the runs. Only that thread may call this while a
    /// network runs.
    std::uint64_t* of(unsigned thread) {
        std::unique_ptr<std::uint64_t[]>& own = counts_[thread];
        if (!own)
            own = std::make_unique<std::uint64_t[]>(results_ + 1);
        return own.get();
    }
    std::size_t runs() const { return results_; }

    /// Saves or restores the sums. Call it while the network is stopped.
    void state(Archive& archive);
    std::vector<std::uint64_t> take() override;
    void add(const std::vector<std::uint64_t>& sums) override;

    /// The count of each point of the program. Call it while the network is stopped.
    std::vector<std::uint64_t> points() const;

private:
    std::vector<std::uint64_t> sums() const;

    std::shared_ptr<const expr::Program> program_;
    std::size_t results_;
    std::array<std::unique_ptr<std::uint64_t[]>, max_threads> counts_{};
};

/// The counts of all programs of a network.
using CoveredPrograms = std::vector<std::shared_ptr<CoverCounts>>;

/// The instances of a YAML process, stepped by the interpreter. Native code works on the same slots
/// and memories, and leaves rare events to this group.
class ProgramGroup final : public SteadyGroup {
public:
    ProgramGroup(std::shared_ptr<const expr::Program> program, const Build& build,
                 std::shared_ptr<CoverCounts> counts);

    void step(unsigned part, Range range, const Frame& frame) override;
    void add_abilities(Abilities& abilities) override {
        abilities.program = this;
        abilities.steady = this;
        abilities.counts = counts_.get();
        abilities.may_end =
            std::any_of(program_->parts.begin(), program_->parts.end(), [](const auto& part) {
                return !part.faults.empty() || !part.halts.empty();
            });
    }
    std::optional<Needs> needs(unsigned part) const override;
    std::uint8_t* wrote(unsigned part) override;

    const expr::Program& program() const { return *program_; }
    const SlotMap& places() const { return places_; }
    /// True if memory writes wait for a separate part at the end of the cycle: the last one.
    bool commits_later() const { return commits_later_; }
    /// True if a part only counts events.
    bool counts(unsigned part) const { return counts_ != nullptr && part == program_->cover.part; }
    /// The counters of a thread (CoverCounts); null if nothing is counted.
    std::uint64_t* counters(unsigned thread) const {
        return counts_ ? counts_->of(thread) : nullptr;
    }

private:
    void commit();

    std::shared_ptr<const expr::Program> program_;
    SlotMap places_;
    std::deque<Evaluator> evaluators_;
    bool commits_later_ = false;
    std::vector<std::uint8_t> wrote_; // by position
    std::mutex mutex_;
    std::vector<PendingWrite> pending_;
    std::shared_ptr<CoverCounts> counts_; // null: nothing is counted
};

/// The kind of a YAML process: steps its program with the interpreter. The program's parts are
/// those of the process family, in order; a commit part may follow them.
std::shared_ptr<const GroupFactory> program_factory(std::shared_ptr<const expr::Program> program);

/// As `program_factory`, for a program with counting code; `build` adds its counts to `covered`.
std::shared_ptr<const GroupFactory>
counted_program_factory(std::shared_ptr<const expr::Program> program,
                        std::shared_ptr<CoveredPrograms> covered);

} // namespace sme::interpret
