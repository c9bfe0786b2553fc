// SPDX-License-Identifier: Apache-2.0
#include "interpret/judge.hpp"

namespace sme::interpret {

namespace {

using expr::Check;
using Kind = Verdict::Kind;

/// Whether a check looks at what holds, or begins, in a cycle.
bool counts(const Check& check, std::uint64_t cycle) {
    switch (check.kind) {
    case Check::Kind::at: return cycle == check.cycle;
    case Check::Kind::after: return cycle > check.cycle;
    case Check::Kind::eventually: return cycle <= check.cycle;
    default: return true;
    }
}

bool fails(std::uint64_t cycle, Verdict& verdict) {
    verdict.kind = Kind::failed;
    verdict.cycle = cycle;
    return true;
}

/// It holds, which is once enough.
void reached(std::uint64_t cycle, Verdict& verdict) {
    if (verdict.kind != Kind::passed)
        verdict.cycle = cycle;
    verdict.kind = Kind::passed;
}

} // namespace

bool judge_condition(const Check& check, bool holds, std::uint64_t cycle, Verdict& verdict) {
    const bool settled = verdict.kind == Kind::passed;
    if (!counts(check, cycle) || (settled && check.kind == Check::Kind::eventually))
        return false;
    ++verdict.evaluated;
    verdict.held += holds;
    switch (check.kind) {
    case Check::Kind::cover:
        if (holds)
            reached(cycle, verdict);
        return false;
    case Check::Kind::eventually:
        if (holds)
            reached(cycle, verdict);
        return !holds && cycle == check.cycle && fails(cycle, verdict);
    default: break;
    }
    if (holds == (check.kind == Check::Kind::never))
        return fails(cycle, verdict);
    verdict.kind = Kind::passed;
    verdict.cycle = cycle;
    return false;
}

bool judge_sequence(const Check& check, std::span<std::uint64_t> words, bool begins, bool follows,
                    std::uint64_t cycle, Verdict& verdict) {
    Obligations open{words, check.sequence.first, check.sequence.last};
    const std::uint64_t met = follows ? open.meet(cycle) : 0;
    verdict.held += met;
    const std::uint64_t first_met = open.first_ended();
    const bool late = open.expire(cycle);
    if (begins && counts(check, cycle)) {
        open.begin(cycle);
        ++verdict.evaluated;
    }
    verdict.open = open.open();
    switch (check.kind) {
    case Check::Kind::cover:
        if (met > 0)
            reached(cycle, verdict);
        return false;
    case Check::Kind::eventually:
        if (met > 0 && cycle <= check.cycle)
            reached(cycle, verdict);
        return verdict.kind != Kind::passed && cycle == check.cycle && fails(cycle, verdict);
    default: break;
    }
    const bool never = check.kind == Check::Kind::never;
    if (never ? met > 0 : late) {
        verdict.began = never ? first_met : cycle - check.sequence.last;
        return fails(cycle, verdict);
    }
    if (verdict.open > 0)
        verdict.kind = Kind::pending;
    else if (verdict.evaluated > 0)
        verdict.kind = Kind::passed;
    return false;
}

} // namespace sme::interpret
