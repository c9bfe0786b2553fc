// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "expr/process/observe.hpp"
#include "expr/program/program.hpp"
#include "interpret/block/shown.hpp"
#include "sme/internal/group.hpp"
#include "sme/results.hpp"
#include "sme/threads.hpp"

namespace sme::interpret {

/// The state of one check in a run.
struct Verdict {
    CheckResult::Kind kind = CheckResult::Kind::not_reached;
    std::uint64_t cycle =
        0; // of the failure or fault; for eventually and cover, of the first success
    /// The number of cycles in which it was evaluated; of a temporal condition: how many began.
    std::uint64_t evaluated = 0;
    /// How often it held (cover, eventually); of a temporal condition: how often b followed a.
    std::uint64_t held = 0;
    std::uint64_t open = 0;     // of a temporal condition: number pending
    std::uint64_t began = 0;    // of a failed one: its first cycle
    std::uint64_t instance = 0; // of a failed check of many instances: the first failure
    std::uint64_t failures = 1; // of a failed check: the number of instances that failed
    /// Of a failure or fault: the operands in that cycle.
    std::vector<Shown> operands{};

    bool is_final() const {
        return kind == CheckResult::Kind::failed || kind == CheckResult::Kind::faulted;
    }
};

/// The results of all checks of a run, in order. Updated during the run.
struct Verdicts : std::vector<Verdict> {
    /// The open temporal conditions of all checks, in order; see judge.hpp.
    std::vector<std::uint64_t> obligations{};
};

/// The observer that evaluates checks. A failing check ends the run after its cycle; a check that
/// was never evaluated counts as not reached, never as passed. Its complete state is the verdicts
/// and the memories of its process family. Without `verdicts` each group has its own
/// (`verdicts_of`).
std::shared_ptr<const GroupFactory> checks_factory(std::shared_ptr<const expr::CheckSet> checks,
                                                   std::shared_ptr<Verdicts> verdicts);

/// The verdicts of a group of this kind; null for any other group.
const Verdicts* verdicts_of(Group& group);

} // namespace sme::interpret
