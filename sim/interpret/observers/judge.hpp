// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "expr/process/observe.hpp"
#include "interpret/observers/checks.hpp"
#include "interpret/observers/pending_sequences.hpp"
#include "interpret/observers/results_group.hpp"

namespace sme::interpret {

/// The properties of a check needed for a verdict; kept small, so that many are close in memory.
struct Rule {
    explicit Rule(const expr::Check& check)
        : kind{check.kind}, reads_wire{check.reads_wire}, is_sequence{check.sequence},
          cycle{check.cycle}, first{check.sequence.first}, last{check.sequence.last} {}

    expr::Check::Kind kind;
    bool reads_wire;
    bool is_sequence;
    std::uint64_t cycle;
    std::uint64_t first, last;
};

/// Each takes the result of a check in a cycle, before it has failed, and returns true if it fails
/// in that cycle.

bool judge_condition(const Rule& rule, bool holds, std::uint64_t cycle, CheckResult& verdict);

/// `begins`: a holds; `follows`: b holds; `words`: the obligations of this check.
bool judge_sequence(const Rule& rule, std::span<std::uint64_t> words, bool begins, bool follows,
                    std::uint64_t cycle, CheckResult& verdict);

/// For how many cycles from this one on a check only counts, while the active guards (one for a,
/// one for b of a sequence) see the wanted values.
std::uint64_t guard_condition(const Rule& rule, std::uint64_t cycle, const CheckResult& verdict,
                              Guard& guard);
std::uint64_t guard_sequence(const Rule& rule, std::uint64_t cycle, const CheckResult& verdict,
                             Guard& begins, Guard& follows);
/// Records the result of such cycles, at least one.
void skip_condition(const Rule& rule, std::uint64_t cycle, std::uint64_t cycles, const Guard& guard,
                    CheckResult& verdict);
void skip_sequence(const Rule& rule, std::span<std::uint64_t> words, std::uint64_t last_cycle,
                   const Guard& follows);

} // namespace sme::interpret
