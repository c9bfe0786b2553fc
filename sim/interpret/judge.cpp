// SPDX-License-Identifier: Apache-2.0
#include "interpret/judge.hpp"

namespace sme::interpret {

namespace {

using expr::Check;
using Kind = Verdict::Kind;

/// Whether a check looks at what holds, or begins, in a cycle.
bool counts(const Rule& rule, std::uint64_t cycle) {
    switch (rule.kind) {
    case Check::Kind::at: return cycle == rule.cycle;
    case Check::Kind::after: return cycle > rule.cycle;
    case Check::Kind::eventually: return cycle <= rule.cycle;
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

bool judge_condition(const Rule& rule, bool holds, std::uint64_t cycle, Verdict& verdict) {
    const bool settled = verdict.kind == Kind::passed;
    if (!counts(rule, cycle) || (settled && rule.kind == Check::Kind::eventually))
        return false;
    ++verdict.evaluated;
    verdict.held += holds;
    switch (rule.kind) {
    case Check::Kind::cover:
        if (holds)
            reached(cycle, verdict);
        return false;
    case Check::Kind::eventually:
        if (holds)
            reached(cycle, verdict);
        return !holds && cycle == rule.cycle && fails(cycle, verdict);
    default: break;
    }
    if (holds == (rule.kind == Check::Kind::never))
        return fails(cycle, verdict);
    verdict.kind = Kind::passed;
    verdict.cycle = cycle;
    return false;
}

bool judge_sequence(const Rule& rule, std::span<std::uint64_t> words, bool begins, bool follows,
                    std::uint64_t cycle, Verdict& verdict) {
    Obligations open{words, rule.first, rule.last};
    const std::uint64_t met = follows ? open.meet(cycle) : 0;
    verdict.held += met;
    const std::uint64_t first_met = open.first_ended();
    const bool late = open.expire(cycle);
    if (begins && counts(rule, cycle)) {
        open.begin(cycle);
        ++verdict.evaluated;
    }
    verdict.open = open.open();
    switch (rule.kind) {
    case Check::Kind::cover:
        if (met > 0)
            reached(cycle, verdict);
        return false;
    case Check::Kind::eventually:
        if (met > 0 && cycle <= rule.cycle)
            reached(cycle, verdict);
        return verdict.kind != Kind::passed && cycle == rule.cycle && fails(cycle, verdict);
    default: break;
    }
    const bool never = rule.kind == Check::Kind::never;
    if (never ? met > 0 : late) {
        verdict.began = never ? first_met : cycle - rule.last;
        return fails(cycle, verdict);
    }
    if (verdict.open > 0)
        verdict.kind = Kind::pending;
    else if (verdict.evaluated > 0)
        verdict.kind = Kind::passed;
    return false;
}

} // namespace sme::interpret
