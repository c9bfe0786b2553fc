// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "expr/program/program.hpp"
#include "interpret/block/evaluator.hpp"
#include "runtime/abilities.hpp"
#include "sme/group.hpp"

namespace sme::interpret {

/// The addresses of the ports and memories of a family.
SlotMap places_of(const Build& build);

class CoverCounts;

/// The instances of a YAML process, stepped by the interpreter. Native code works on the same slots
/// and memories, and leaves rare events to this group.
class ProgramGroup final : public Group {
public:
    ProgramGroup(std::shared_ptr<const expr::Program> program, const Build& build,
                 std::shared_ptr<CoverCounts> counts);

    void step(unsigned part, Range range, const Frame& frame) override;
    void offer(Abilities& abilities) override { abilities.program = this; }

    const expr::Program& program() const { return *program_; }
    const SlotMap& places() const { return places_; }
    /// True if memory writes wait for a separate part at the end of the cycle: the last one.
    bool commits_later() const { return commits_later_; }
    /// True if a part only counts events.
    bool counts(unsigned part) const { return counts_ != nullptr && part == program_->cover.part; }

private:
    void commit();

    std::shared_ptr<const expr::Program> program_;
    SlotMap places_;
    std::deque<Evaluator> evaluators_;
    bool commits_later_ = false;
    std::mutex mutex_;
    std::vector<PendingWrite> pending_;
    std::shared_ptr<CoverCounts> counts_; // null: nothing is counted
};

/// The kind of a YAML process: steps its program with the interpreter. The program's parts are
/// those of the process family, in order; a commit part may follow them.
std::shared_ptr<const GroupFactory> program_factory(std::shared_ptr<const expr::Program> program);

} // namespace sme::interpret
