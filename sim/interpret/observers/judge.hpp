// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "expr/process/observe.hpp"
#include "interpret/observers/checks.hpp"
#include "interpret/observers/recorder.hpp"

namespace sme::interpret {

/// The pending temporal conditions of "a then b in first to last": the cycles in which a held,
/// while b can still follow. The caller owns the words of the state: the cycle below which none is
/// open, the number of open ones, then one bit for each of the last cycles.
///
/// A b in cycle t ends every condition that began in [t − last, t − first]; one that began in t −
/// last and is still open afterwards is late. So each beginning is examined once, and the cost of a
/// cycle is independent of the number of open temporal conditions.
class PendingConditions {
public:
    static std::uint64_t words(std::uint64_t last) { return 2 + (last + 64) / 64; }

    PendingConditions(std::span<std::uint64_t> words, std::uint64_t first, std::uint64_t last)
        : words_{words}, first_{first}, last_{last} {}

    std::uint64_t open() const { return words_[1]; }

    /// b holds in this cycle: ends all matching temporal conditions and returns their number.
    std::uint64_t meet(std::uint64_t cycle) {
        const std::uint64_t before = open();
        if (cycle >= first_)
            end_below(cycle - first_ + 1);
        return before - open();
    }

    /// Ends the one that began `last` cycles ago; true if there was one. Call it after `meet`.
    bool expire(std::uint64_t cycle) {
        const std::uint64_t before = open();
        if (cycle >= last_)
            end_below(cycle - last_ + 1);
        return open() != before;
    }

    /// The first cycle of the temporal conditions that the last call ended. Valid only if it ended
    /// any.
    std::uint64_t first_ended() const { return first_ended_; }

    /// a holds in this cycle. Call it after `expire`.
    void begin(std::uint64_t cycle) {
        bit_word(cycle) |= bit(cycle);
        ++words_[1];
    }

private:
    void end_below(std::uint64_t end) {
        const std::uint64_t before = open();
        for (std::uint64_t cycle = words_[0]; cycle < end && open() > 0; ++cycle)
            if ((bit_word(cycle) & bit(cycle)) != 0) {
                first_ended_ = open() == before ? cycle : first_ended_;
                bit_word(cycle) &= ~bit(cycle);
                --words_[1];
            }
        words_[0] = std::max(words_[0], end);
    }
    std::uint64_t place(std::uint64_t cycle) const { return cycle % (last_ + 1); }
    std::uint64_t& bit_word(std::uint64_t cycle) { return words_[2 + place(cycle) / 64]; }
    std::uint64_t bit(std::uint64_t cycle) const { return std::uint64_t{1} << place(cycle) % 64; }

    std::span<std::uint64_t> words_;
    std::uint64_t first_, last_;
    std::uint64_t first_ended_ = 0;
};

/// The properties of a check needed for a verdict; kept small, so that many are close in memory.
struct Rule {
    explicit Rule(const expr::Check& check)
        : kind{check.kind}, reads_wire{check.reads_wire},
          is_temporal{check.temporal}, cycle{check.cycle}, first{check.temporal.first},
          last{check.temporal.last}, instances{check.count()} {}

    expr::Check::Kind kind;
    bool reads_wire;
    bool is_temporal;
    std::uint64_t cycle;
    std::uint64_t first, last;
    std::uint64_t instances; // that a condition covers
};

/// Each takes the result of a check in a cycle, before it has failed, and returns true if it fails
/// in that cycle.

bool judge_condition(const Rule& rule, bool holds, std::uint64_t cycle, Verdict& verdict);

/// `begins`: a holds; `follows`: b holds; `words`: the obligations of this check.
bool judge_temporal(const Rule& rule, std::span<std::uint64_t> words, bool begins, bool follows,
                    std::uint64_t cycle, Verdict& verdict);

/// Takes a fault of the evaluation instead of a result; true if the check needed one.
bool judge_fault(const Rule& rule, std::uint64_t cycle, Verdict& verdict);

/// For how many cycles from this one on a check only counts, while the active guards (one for a,
/// one for b of a temporal condition) see the wanted values.
std::uint64_t guard_condition(const Rule& rule, std::uint64_t cycle, const Verdict& verdict,
                              Guard& guard);
std::uint64_t guard_temporal(const Rule& rule, std::uint64_t cycle, const Verdict& verdict,
                             Guard& begins, Guard& follows);
/// Records the result of such cycles, at least one.
void skip_condition(const Rule& rule, std::uint64_t cycle, std::uint64_t cycles, const Guard& guard,
                    Verdict& verdict);
void skip_temporal(const Rule& rule, std::span<std::uint64_t> words, std::uint64_t last_cycle,
                   const Guard& follows);

} // namespace sme::interpret
