// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "expr/process/observe.hpp"
#include "sme/group.hpp"

namespace sme::interpret {

/// What became of one check.
struct CheckResult {
    enum class Kind : std::uint8_t {
        not_reached, ///< never evaluated; of a sequence: it never began
        passed,
        failed,
        pending, ///< of a sequence: some that began have neither ended well nor failed
    };
    Kind kind = Kind::not_reached;
    std::uint64_t cycle = 0; // of the failure; of the first time for eventually and cover
    /// In how many cycles it was looked at; of a sequence: how many began.
    std::uint64_t evaluated = 0;
    /// How often it held (cover, eventually); of a sequence: how often b followed a.
    std::uint64_t held = 0;
    std::uint64_t open = 0;  // of a sequence: how many are pending
    std::uint64_t began = 0; // of a sequence that failed: its first cycle
    /// Of a failure: what was looked at in that cycle, "total.value = 20".
    struct Shown {
        std::string text;
        std::string value;
    };
    std::vector<Shown> operands{};
};

/// What became of all checks of a run, in their order. Filled while the run goes on.
struct CheckResults : std::vector<CheckResult> {
    /// The sequences that are open, all checks' one behind the other; see obligations.hpp.
    std::vector<std::uint64_t> obligations{};
};

/// The observer that evaluates checks. A check that fails ends the run after its cycle; one that
/// was never evaluated is not reached, never passed. Its whole state: the verdicts, and the
/// memories of its process family. Without `verdicts` each group has its own (`verdicts_of`).
std::shared_ptr<const GroupFactory> checks_factory(std::shared_ptr<const expr::CheckSet> checks,
                                                   std::shared_ptr<CheckResults> verdicts);

/// Of a group that was built by such a kind; null for any other.
const CheckResults* verdicts_of(const Group& group);

} // namespace sme::interpret
