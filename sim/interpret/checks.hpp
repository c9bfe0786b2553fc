// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "expr/observe.hpp"
#include "sme/group.hpp"

namespace sme::interpret {

/// What became of one check.
struct Verdict {
    enum class Kind : std::uint8_t { not_reached, passed, failed };
    Kind kind = Kind::not_reached;
    std::uint64_t cycle = 0; // of the failure; of the first time for eventually and cover
};

/// What became of all checks of a run, in their order. Filled while the run goes on.
using Verdicts = std::vector<Verdict>;

/// The observer that evaluates checks. A check that fails ends the run after its cycle; one that
/// was never evaluated is not reached, never passed.
std::shared_ptr<const Kind> checks_kind(std::shared_ptr<const expr::CheckSet> checks,
                                        std::shared_ptr<Verdicts> verdicts);

} // namespace sme::interpret
