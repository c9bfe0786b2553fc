// SPDX-License-Identifier: Apache-2.0
#include "interpret/observers/judge.hpp"

namespace sme::interpret {

namespace {

using expr::Check;
using Kind = CheckResult::Kind;

/// True if a check evaluates a condition, or a beginning, in this cycle.
bool counts(const Rule& rule, std::uint64_t cycle) {
    switch (rule.kind) {
    case Check::Kind::at: return cycle == rule.cycle;
    case Check::Kind::after: return cycle >= rule.cycle;
    case Check::Kind::eventually: return cycle <= rule.cycle;
    default: return true;
    }
}

bool fails(std::uint64_t cycle, Verdict& verdict) {
    verdict.kind = Kind::failed;
    verdict.cycle = cycle;
    return true;
}

/// The condition holds; once is enough.
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
    verdict.evaluated += rule.instances;
    verdict.held += holds ? rule.instances : 0;
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

bool judge_temporal(const Rule& rule, std::span<std::uint64_t> words, bool begins, bool follows,
                    std::uint64_t cycle, Verdict& verdict) {
    PendingConditions open{words, rule.first, rule.last};
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

bool judge_fault(const Rule& rule, std::uint64_t cycle, Verdict& verdict) {
    const bool once = rule.kind == Check::Kind::cover || rule.kind == Check::Kind::eventually;
    const bool settled = once && verdict.kind == Kind::passed;
    if (settled || (verdict.open == 0 && !counts(rule, cycle)))
        return false;
    verdict.kind = Kind::faulted;
    verdict.cycle = cycle;
    return true;
}

namespace {

constexpr std::uint64_t for_ever = ~std::uint64_t{0};

} // namespace

std::uint64_t guard_condition(const Rule& rule, std::uint64_t cycle, const Verdict& verdict,
                              Guard& guard) {
    const bool settled = verdict.kind == Kind::passed;
    guard = {};
    if (verdict.is_final())
        return for_ever;
    switch (rule.kind) {
    case Check::Kind::at: return cycle <= rule.cycle ? rule.cycle - cycle : for_ever;
    case Check::Kind::after:
        if (cycle < rule.cycle)
            return rule.cycle - cycle;
        break;
    case Check::Kind::cover: guard.active = settled ? 0 : 1; return for_ever;
    case Check::Kind::eventually:
        if (settled || cycle > rule.cycle)
            return for_ever;
        guard.active = 1;
        return rule.cycle - cycle;
    default: break;
    }
    guard.active = 1;
    guard.wanted = rule.kind == Check::Kind::never ? 0 : 1;
    return for_ever;
}

std::uint64_t guard_temporal(const Rule& rule, std::uint64_t cycle, const Verdict& verdict,
                             Guard& begins, Guard& follows) {
    begins = follows = {};
    if (verdict.is_final())
        return for_ever;
    if (verdict.open > 0)
        return 0;
    begins.active = 1; // b has nothing to end
    const bool may_end = rule.kind == Check::Kind::eventually && verdict.kind != Kind::passed;
    return may_end && cycle <= rule.cycle ? rule.cycle - cycle : for_ever;
}

void skip_condition(const Rule& rule, std::uint64_t cycle, std::uint64_t cycles, const Guard& guard,
                    Verdict& verdict) {
    const bool settled = verdict.kind == Kind::passed;
    if (verdict.is_final() || !counts(rule, cycle) ||
        (settled && rule.kind == Check::Kind::eventually))
        return;
    verdict.evaluated += cycles * rule.instances;
    switch (rule.kind) {
    case Check::Kind::cover: verdict.held += guard.held; return;
    case Check::Kind::eventually: return;
    case Check::Kind::never: break;
    default: verdict.held += cycles * rule.instances;
    }
    verdict.kind = Kind::passed;
    verdict.cycle = cycle + cycles - 1;
}

void skip_temporal(const Rule& rule, std::span<std::uint64_t> words, std::uint64_t last_cycle,
                   const Guard& follows) {
    PendingConditions open{words, rule.first, rule.last};
    if (follows.last > 0)
        open.meet(follows.last - 1);
    open.expire(last_cycle);
}

} // namespace sme::interpret
