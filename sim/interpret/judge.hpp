// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "expr/observe.hpp"
#include "interpret/checks.hpp"
#include "interpret/obligations.hpp"

namespace sme::interpret {

/// Each takes what a check, which has not failed yet, came to in a cycle, and says whether it fails
/// in it.

bool judge_condition(const expr::Check& check, bool holds, std::uint64_t cycle, Verdict& verdict);

/// `begins`: a holds; `follows`: b holds; `words`: the obligations of this check.
bool judge_sequence(const expr::Check& check, std::span<std::uint64_t> words, bool begins,
                    bool follows, std::uint64_t cycle, Verdict& verdict);

} // namespace sme::interpret
