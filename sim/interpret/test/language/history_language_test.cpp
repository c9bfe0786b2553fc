// SPDX-License-Identifier: Apache-2.0
//
// Checks over several cycles: past, stable, rose, fell, and temporal conditions.
#include "interpret/test/yaml_run.hpp"

#include <random>

#include <fmt/format.h>

#include "interpret/observers/judge.hpp"

namespace {

using namespace sme;
using interpret::Verdict;
using test::YamlRun;

/// Two buses that follow rows of 0 and 1: cycle k reads character k, from cycle 1 on.
std::string pattern(const std::string& a, const std::string& b) {
    const auto list = [](const std::string& bits) {
        std::string result;
        for (const char bit : bits.substr(1))
            result += result.empty() ? fmt::format("{}", bit) : fmt::format(", {}", bit);
        return result;
    };
    return fmt::format(R"(
network: pattern
constants:
  as: u1[] = [{}]
  bs: u1[] = [{}]
buses:
  a: bool
  b: bool
processes:
  p:
    out: [a, b]
    state:
      k: u32 = 0
    step:
      k: k + 1
      a: as[k] == 1
      b: bs[k] == 1
)",
                       list(a), list(b));
}

/// The result of one check over all cycles of two patterns.
Verdict judged(const std::string& a, const std::string& b, const std::string& check) {
    YamlRun run{pattern(a, b) + "checks:\n  - " + check + "\n"};
    REQUIRE(run.loaded());
    run.run(a.size() - 1);
    run.finish();
    return run.verdicts()[0];
}

std::string text_of(const Verdict& verdict) {
    constexpr const char* kinds[] = {"not reached", "passed", "failed", "pending"};
    return fmt::format("{} {}", kinds[static_cast<int>(verdict.kind)], verdict.cycle);
}

} // namespace

TEST_CASE("every beginning of a temporal condition is followed to its own end") {
    const auto always = [](const std::string& a, const std::string& b, const std::string& when) {
        return text_of(judged(a, b, "always: a then b " + when));
    };
    // begun in 1; b may come in 2, 3 or 4
    CHECK(always("0100000", "0010000", "within 3").starts_with("passed"));
    CHECK(always("0100000", "0000100", "within 3").starts_with("passed"));
    CHECK(always("0100000", "0000010", "within 3") == "failed 4");
    CHECK(always("0100000", "0100000", "within 3") == "failed 4"); // not in the same cycle
    // two overlap: one b ends both, or only the second is late
    CHECK(always("0110000", "0001000", "within 3").starts_with("passed"));
    CHECK(always("0110000", "0010000", "within 3") == "failed 5");
    CHECK(always("0110000", "0001000", "in 2") == "failed 4");
    CHECK(always("0110000", "0001100", "in 2").starts_with("passed"));
    CHECK(always("0100000", "0011100", "in 4") == "failed 5");
    CHECK(always("0100000", "0010010", "in 3 to 4").starts_with("passed"));
    CHECK(always("0100000", "0011000", "in 3 to 4") == "failed 5");
}

TEST_CASE("what has not ended with the run is pending, and what never began is not reached") {
    Verdict verdict = judged("0100010", "0010000", "always: a then b within 3");
    CHECK(verdict.kind == CheckResult::Kind::pending);
    CHECK(verdict.evaluated == 2);
    CHECK(verdict.held == 1);
    CHECK(verdict.open == 1);
    verdict = judged("0000000", "0010000", "always: a then b within 3");
    CHECK(verdict.kind == CheckResult::Kind::not_reached);
    CHECK(judged("0000010", "0000000", "never: a then b within 3").kind ==
          CheckResult::Kind::pending);
    CHECK(text_of(judged("0101010", "0001000", "never: a then b within 3")) == "failed 3");
    CHECK(judged("0101010", "0001000", "never: a then b within 3").began == 1);
    CHECK(judged("0100000", "0000000", "never: a then b within 3").kind ==
          CheckResult::Kind::passed);
    CHECK(text_of(judged("0101000", "0010100", "cover: a then b in 1")) == "passed 2");
    CHECK(judged("0101000", "0010100", "cover: a then b in 1").held == 2);
    CHECK(text_of(judged("0101000", "0000100", "cover: a then b in 2")) == "not reached 0");
    CHECK(text_of(judged("0100010", "0000000", "at 1: a then b in 2")) == "failed 3");
    CHECK(text_of(judged("0100010", "0001000", "at 2: a then b in 2")) == "not reached 0");
    CHECK(text_of(judged("0101000", "0000010", "after 2: a then b in 2")).starts_with("passed"));
    CHECK(text_of(judged("0101000", "0000010", "after 3: a then b in 2")).starts_with("passed"));
    CHECK(text_of(judged("0101000", "0000010", "after 1: a then b in 2")) == "failed 3");
    CHECK(text_of(judged("0001000", "0000010", "after 4: a then b in 2")) == "not reached 0");
    CHECK(text_of(judged("0100010", "0010000", "eventually by 4: a then b in 1")) == "passed 2");
    CHECK(text_of(judged("0100010", "0001000", "eventually by 4: a then b in 1")) == "failed 4");
}

TEST_CASE("random temporal conditions come out as a search through all cycles says") {
    std::mt19937 random{5};
    for (int n = 0; n < 60; ++n) {
        std::string a = "0", b = "0";
        const unsigned rare = 1 + random() % 4;
        for (int k = 0; k < 40; ++k) {
            a += random() % rare == 0 ? '1' : '0';
            b += random() % rare == 0 ? '1' : '0';
        }
        const std::size_t last = 1 + random() % 9, first = 1 + random() % last;
        std::size_t failed = a.size(), met = 0, open = 0;
        for (std::size_t begin = 0; begin < a.size(); ++begin) {
            bool found = false;
            for (std::size_t t = begin + first; t <= std::min(begin + last, a.size() - 1); ++t)
                found = found || b[t] == '1';
            if (a[begin] == '0')
                continue;
            met += found;
            if (!found && begin + last < a.size())
                failed = std::min(failed, begin + last);
            open += !found && begin + last >= a.size();
        }
        CAPTURE(a);
        CAPTURE(b);
        CAPTURE(first);
        CAPTURE(last);
        const Verdict verdict =
            judged(a, b, fmt::format("always: a then b in {} to {}", first, last));
        if (failed < a.size()) {
            CHECK(text_of(verdict) == fmt::format("failed {}", failed));
            CHECK(verdict.began == failed - last);
        } else {
            CHECK(verdict.held == met);
            CHECK(verdict.open == open);
            CHECK((verdict.kind == CheckResult::Kind::pending) == (open > 0));
        }
    }
}

TEST_CASE("the longest window is followed as the shortest is") {
    constexpr std::uint64_t last = 65'536;
    std::vector<std::uint64_t> words(interpret::PendingConditions::words(last));
    interpret::PendingConditions open{words, 1, last};
    for (std::uint64_t cycle = 0; cycle < 2 * last; ++cycle) {
        REQUIRE(open.expire(cycle) == (cycle >= last));
        open.begin(cycle);
    }
    CHECK(open.open() == last);
    CHECK(open.meet(2 * last) == last);
    CHECK(open.first_ended() == last);
    CHECK(open.open() == 0);
}

TEST_CASE("past, stable, rose and fell see zeroes before cycle 0, and what was read after it") {
    const std::string text = R"(
network: history
types:
  Mode: [idle, run, stop]
  Pair: {a: i7, m: Mode, w: u130}
buses:
  x: u8 = 5
  p: Pair
  f: wire bool
  v[3]: i16
processes:
  s:
    out: [x, p, f, v]
    state:
      k: u8 = 0
      mem: u8[2] = 0
    step:
      k: k + 1
      x: k * 3
      p.a: -i7(k)
      p.m: if k[1] then Mode.run else Mode.stop
      p.w: u130(k) << 100
      f: k[1:0] == 2
      v[i < 3]: i16(k) - i
      mem[k[0:0]]: k
checks:
  - at 0: past(x) == 0 and not stable(x)
  - at 1: past(x) == 5 and past(x, 2) == 0
  - at 7: past(x, 3) == 9 and past(x, 7) == 5 and past(x, 8) == 0
  - at 7: past(p) == Pair(a = -5, m = Mode.stop, w = u130(5) << 100)
  - at 7: past(p, 6).w == 0 and past(p, 5).w == u130(1) << 100
  - at 0: stable(p)
  - after 1: not stable(p)
  - always: rose(f) == (cycle % 4 == 2)
  - always: fell(f) == (cycle % 4 == 3)
  - at 9: past(v[1], 4) == 3 and all(i < 3, past(v[i], 2) == 6 - i16(i))
  - at 9: past(past(x, 2), 3) == past(x, 5)
  - after 5: past(s.mem[0], 2) == u8(cycle - 3) & 0xfe
  - after 1: past(s.k) + 1 == s.k
  - always: past(u8(cycle), 4) == (if cycle < 4 then 0 else u8(cycle - 4))
)";
    YamlRun run{text};
    REQUIRE(run.loaded());
    run.run(20);
    run.finish();
    for (std::size_t k = 0; k < run.verdicts().size(); ++k) {
        CAPTURE(run.design().checks->checks[k].text);
        CHECK(run.verdicts()[k].kind == CheckResult::Kind::passed);
    }
}

TEST_CASE("a check in a process and in a component remembers for each instance by itself") {
    YamlRun run{R"(
network: many
buses:
  x[3]: u8
processes:
  p[k < 3]:
    out:
      y: x[k]
    state:
      n: u8 = 0
    let:
      next: n + u8(k)
    step:
      n: next
      y: next
    checks:
      - after 1: n == past(next)
      - always: n == past(n) + u8(k) or cycle == 0
      - always: y == past(y) then y == past(y) within 1
)"};
    REQUIRE(run.loaded());
    run.run(6);
    run.finish();
    for (std::size_t k = 0; k < run.verdicts().size(); ++k)
        CHECK(run.verdicts()[k].kind == (k % 3 < 2 ? CheckResult::Kind::passed
                                         : k == 2  ? CheckResult::Kind::pending
                                                   : CheckResult::Kind::failed));
}

TEST_CASE("a failure shows what the check looked at in its cycle, and '?' for what has no value") {
    YamlRun run{R"(
network: shown
types:
  Pair: {a: u8, b: bool}
buses:
  x: u8
  p: Pair
  arr: u8[4]
parameters:
  limit: 6
processes:
  s:
    out: [x, p, arr]
    state:
      k: u8 = 0
    step:
      k: k + 1
      x: k
      p: {a: k, b: true}
      arr[i < 4]: k + i
checks:
  - always: (x > 3 or arr[x] != 77) and (past(x, 2) < limit or not (p.b and fell(x[0])))
)"};
    REQUIRE(run.loaded());
    run.run(20);
    const Verdict& verdict = run.verdicts()[0];
    REQUIRE(verdict.kind == CheckResult::Kind::failed);
    CHECK(verdict.cycle == 9); // x is 8, and was 7
    std::string shown;
    for (const interpret::Shown& operand : verdict.operands)
        shown += operand.text + "=" + operand.value + " ";
    CHECK(shown == "x=8 arr[x]=? past(x, 2)=6 p.b=true x[0]=false past(x[0])=true ");
}
