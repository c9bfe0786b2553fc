// SPDX-License-Identifier: Apache-2.0
//
// Ranges of many steps: loops give the same results as the unrolled network, and as arithmetic in
// this file.
#include <functional>
#include <numeric>

#include <doctest/doctest.h>

#include "interpret/test/yaml_run.hpp"

using namespace sme;
using sme::test::Texts;
using sme::test::Values;
using sme::test::YamlRun;

namespace {

yaml::LoadOptions loops_from(std::uint64_t steps) {
    yaml::LoadOptions options;
    options.loops_from = steps;
    return options;
}

/// A process over a memory of `n` words, which are initially 0 and get 3k + tick in each cycle.
std::string over_memory(std::uint64_t n, const std::string& type, const std::string& value) {
    return "network: test\n"
           "parameters: {n: " +
           std::to_string(n) +
           "}\n"
           "buses: {y: " +
           type +
           ", tick: u32}\n"
           "processes:\n"
           "  p:\n"
           "    out: [y, tick]\n"
           "    state:\n"
           "      mem: u32[n]\n"
           "    step:\n"
           "      tick: tick + 1\n"
           "      mem[k < n]: 3 * u32(k) + tick\n"
           "      y: " +
           value + "\n";
}

/// The value of `y` in cycle 3, when mem[k] was 3k + 1.
std::int64_t in_cycle_3(std::uint64_t n, const std::string& type, const std::string& value,
                        std::uint64_t from) {
    YamlRun run{over_memory(n, type, value), "", loops_from(from)};
    INFO(value);
    INFO(render(run.diagnostics));
    REQUIRE(run.loaded());
    run.run(3);
    return run.at("y");
}

using Reduction = std::function<std::int64_t(const std::vector<std::int64_t>&)>;

} // namespace

TEST_CASE("reducers over many steps give what a loop in C++ gives, and what they give unrolled") {
    struct Case {
        const char* type;
        const char* value;
        Reduction expected;
    };
    const std::vector<Case> cases{
        {"u32", "sum(k < n, mem[k])",
         [](const auto& m) { return std::accumulate(m.begin(), m.end(), std::int64_t{0}); }},
        {"u8", "u8(sum(k < n, u8(mem[k])))",
         [](const auto& m) { return std::accumulate(m.begin(), m.end(), std::int64_t{0}) & 255; }},
        {"u32", "max(k < n, mem[k] ^ 37)",
         [](const auto& m) {
             std::int64_t best = 0;
             for (const auto x : m)
                 best = std::max(best, x ^ 37);
             return best;
         }},
        {"i16", "min(k < n, i16(mem[k]) - 77)",
         [](const auto& m) {
             std::int64_t best = 1 << 20;
             for (const auto x : m)
                 best = std::min<std::int64_t>(best, static_cast<std::int16_t>(x - 77));
             return best;
         }},
        {"u32", "xor(k < n, mem[k] * 2654435761)",
         [](const auto& m) {
             std::uint32_t all = 0;
             for (const auto x : m)
                 all ^= static_cast<std::uint32_t>(x) * 2654435761u;
             return std::int64_t{all};
         }},
        {"u32", "u32(count(k < n, mem[k][0]))",
         [](const auto& m) {
             return std::count_if(m.begin(), m.end(), [](auto x) { return (x & 1) != 0; });
         }},
        {"u32", "u32(first(k < n, mem[k] > 50))",
         [](const auto& m) {
             return std::find_if(m.begin(), m.end(), [](auto x) { return x > 50; }) - m.begin();
         }},
        {"u32", "u32(first(k < n, mem[k] == 5))",
         [](const auto& m) { return static_cast<std::int64_t>(m.size()); }},
        {"bool", "any(k < n, mem[k] == 31)",
         [](const auto& m) { return std::find(m.begin(), m.end(), 31) != m.end(); }},
        {"bool", "all(k < n, mem[k] < 100000 and mem[k] >= 1)", [](const auto&) { return 1; }},
        {"u32", "fold(k < n, acc = u32(7), acc * 31 + mem[k])",
         [](const auto& m) {
             std::uint32_t all = 7;
             for (const auto x : m)
                 all = all * 31 + static_cast<std::uint32_t>(x);
             return std::int64_t{all};
         }},
        {"u32", "fold(k < n, acc = 7, acc ^ (mem[k] << u3(k % 8)))",
         [](const auto& m) {
             std::uint32_t all = 7;
             for (std::size_t k = 0; k < m.size(); ++k)
                 all ^= static_cast<std::uint32_t>(m[k]) << (k % 8);
             return std::int64_t{all};
         }},
        {"u32", "u32(sum(k < n, if mem[k][1] then 3 else 1))",
         [](const auto& m) {
             std::int64_t all = 0;
             for (const auto x : m)
                 all += (x & 2) != 0 ? 3 : 1;
             return all;
         }},
        {"u32", "sum(i < n / 4, j < 4, mem[i * 4 + j] * u32(j))",
         [](const auto& m) {
             std::int64_t all = 0;
             for (std::size_t k = 0; k < m.size(); ++k)
                 all += m[k] * static_cast<std::int64_t>(k % 4);
             return all;
         }},
        {"u32", "sum(k < n, mem[k] * u32((k & 6) | (k - 20 ^ 3)))",
         [](const auto& m) {
             std::int64_t all = 0;
             for (std::int64_t k = 0; k < static_cast<std::int64_t>(m.size()); ++k)
                 all += m[static_cast<std::size_t>(k)] * ((k & 6) | ((k - 20) ^ 3));
             return all;
         }},
        {"u32", "sum(i < n, if mem[i] > 20 then u32(0) else sum(j < n, mem[j] & mem[i]))",
         [](const auto& m) {
             std::int64_t all = 0;
             for (const auto x : m)
                 for (const auto y : m)
                     all += x > 20 ? 0 : x & y;
             return all;
         }},
    };
    for (const std::uint64_t n : {40u, 1200u}) {
        std::vector<std::int64_t> memory;
        for (std::uint64_t k = 0; k < n; ++k)
            memory.push_back(static_cast<std::int64_t>(3 * k + 1));
        for (const Case& each : cases) {
            const std::int64_t expected =
                static_cast<std::int64_t>(static_cast<std::uint32_t>(each.expected(memory)));
            const auto seen = [&](std::uint64_t from) {
                const auto found = in_cycle_3(n, each.type, each.value, from);
                return static_cast<std::int64_t>(static_cast<std::uint32_t>(found));
            };
            INFO(each.value);
            CHECK(seen(1) == expected);
            CHECK(seen(1000) == expected);
            if (n < 100)
                CHECK(seen(0) == expected);
        }
    }
}

TEST_CASE("a line over a range reads all words as they were") {
    for (const std::uint64_t from : {std::uint64_t{0}, std::uint64_t{1}}) {
        YamlRun run{"network: test\n"
                    "parameters: {n: 12}\n"
                    "buses:\n  y: u8[n]\n"
                    "processes:\n"
                    "  p:\n"
                    "    out: y\n"
                    "    state:\n"
                    "      mem: u8[n] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]\n"
                    "      other: u8[n]\n"
                    "    step:\n"
                    "      mem[k < n]: mem[n - 1 - k]\n"
                    "      other: mem\n"
                    "      y: other\n",
                    "", loops_from(from)};
        INFO(render(run.diagnostics));
        run.run(2);
        CHECK(run.at("y[0]") == 1);
        run.run(1);
        CHECK(run.at("y[0]") == 12);
        CHECK(run.at("y[3]") == 9);
        run.run(1);
        CHECK(run.at("y[0]") == 1);
    }
}

TEST_CASE("bits of a word go into what a range gave it") {
    for (const std::uint64_t from : {std::uint64_t{0}, std::uint64_t{1}}) {
        YamlRun run{"network: test\n"
                    "buses:\n  y: u8[4]\n"
                    "processes:\n"
                    "  p:\n"
                    "    out: y\n"
                    "    state:\n"
                    "      mem: u8[4]\n"
                    "    step:\n"
                    "      mem[k < 4]: u8(16 + k)\n"
                    "      if y[0] < 100:\n"
                    "        mem[1][7]: true\n"
                    "      y: mem\n",
                    "", loops_from(from)};
        INFO(render(run.diagnostics));
        REQUIRE(run.loaded());
        run.run(2);
        CHECK(run.at("y[0]") == 16);
        CHECK(run.at("y[1]") == 128 + 17);
        CHECK(run.at("y[2]") == 18);
    }
}

namespace {

/// A process with a memory of 8 words, a bus that selects the direction, and another bus that shows
/// the final contents of the memory.
Texts faults_of(const std::string& step, std::uint64_t from, std::uint64_t cycles = 4) {
    YamlRun run{"network: test\n"
                "buses: {tick: u8}\n"
                "processes:\n"
                "  p:\n"
                "    out: tick\n"
                "    state:\n"
                "      mem: u8[8] = [3, 1, 0, 9, 200, 7, 5, 2]\n"
                "      other: u8[8]\n"
                "      sum8: u8\n"
                "    step:\n"
                "      tick: tick + 1\n" +
                    step,
                "", loops_from(from)};
    INFO(render(run.diagnostics));
    REQUIRE(run.loaded());
    run.engine().run(cycles);
    Texts found = run.faults();
    for (const Diagnostic& fault : run.engine().faults())
        found.push_back(std::to_string(fault.where.begin));
    found.push_back(std::to_string(run.engine().cycle()));
    return found;
}

} // namespace

TEST_CASE("in a loop faults what would unrolled: what is selected, and the first of it") {
    for (const char* const step : {
             "      sum8: sum(k < 8, 100 / mem[k])\n",
             "      sum8: sum(k < 8, if mem[k] == 0 then u8(0) else 100 / mem[k])\n",
             "      sum8: sum(k < 8, other[mem[k]])\n",
             "      sum8: sum(k < 8, other[mem[k]] + 3 / mem[k])\n",
             "      sum8: sum(k < 8, 3 / mem[k] + other[mem[k]])\n",
             "      sum8: u8(first(k < 8, 6 / mem[k] > 5))\n",
             "      sum8: u8(first(k < 8, 6 / mem[k] > 7))\n",
             "      sum8: if tick > 1 then sum(k < 8, 3 / mem[k]) else u8(1)\n",
             "      sum8: fold(k < 8, a = u8(0), if mem[k] == 9 then 1 else a + 8 / mem[k])\n",
             "      sum8: fold(k < 8, a = u8(0), if mem[k] == 1 then 1 else a + 8 / mem[k])\n",
             "      sum8: fold(k < 4, acc = 9 / mem[2], if k == 1 then u8(1) else acc)\n",
             "      sum8: fold(k < 4, acc = 9 / mem[2], if mem[k] == 77 then u8(1) else acc)\n",
             "      sum8: u8(count(k < 8, any(j < 8, mem[j] / mem[k] == 3)))\n",
             "      sum8: u8(count(k < 8, k != 2 and any(j < 8, mem[j] / mem[k] == 3)))\n",
             "      other[k < 8]: 100 / mem[k]\n",
             "      other[k < 8]: 100 / mem[k] when mem[k] != 0\n",
             "      other[k < 8]: 100 / mem[k] when tick == 2\n",
             "      other[k < 8]: other[mem[k]]\n",
             "      other[k < 8]: other[mem[k]]\n      mem[k < 8]: mem[k] / mem[k]\n",
             "      mem[k < 8]: mem[k] / mem[k]\n      other[k < 8]: other[mem[k]]\n",
             "      other[k < 8]: 1\n      other[tick]: 2\n",
             "      other[k < 8]: 1 when k > 3\n      other[tick]: 2\n",
             "      other[k < 8]: 1 when k == 2\n      other[tick]: 2 when tick == 3\n",
             "      if tick == 2:\n        other[k < 8]: 1\n      else:\n        other[tick]: 2\n",
         }) {
        INFO(step);
        CHECK(faults_of(step, 1) == faults_of(step, 0));
    }
    CHECK(faults_of("      sum8: sum(k < 8, 100 / mem[k])\n", 1)[0] == "p: divide-by-zero");
    CHECK(faults_of("      other[k < 8]: 1 when k == 2\n      other[tick]: 2\n", 1)[0] ==
          "p: write-conflict");
}

TEST_CASE("later lines override words that a loop writes, and loops override words") {
    for (const char* const step : {
             "      mem[k < 8]: u8(k)\n      if tick[0]:\n        mem[3]: 77\n",
             "      mem[3]: 77\n      if tick[0]:\n        mem[k < 8]: u8(k)\n",
             "      mem[k < 8]: u8(k)\n      if tick[0]:\n        mem[2 <= k < 5]: 9\n",
             "      mem[k < 8]: mem[7 - k]\n      if tick[0]:\n        mem[k < 8]: mem[k] + 1\n",
             "      mem[k < 4]: u8(k)\n      mem[4 <= k < 8]: mem[k - 4]\n",
             "      mem[k < 7]: mem[k + 1]\n      mem[7]: mem[0]\n",
             ("      mem[k < 8]:\n        - 1 when tick == 1 and k > 2\n"
              "        - mem[k] + 1 when mem[k] < 50\n"),
             ("      match tick[0]:\n        true:\n          mem[k < 8]: mem[k] + 2\n"
              "        false:\n          mem[k < 8]: mem[k] * 3\n"),
             "      mem[k < 8][3:0]: u4(k)\n",
             "      mem: other\n      other: mem\n",
             "      mem: if tick[1] then other else mem\n      other[k < 8]: mem[k] + u8(k)\n",
         }) {
        INFO(step);
        std::vector<Values> seen;
        for (const std::uint64_t from : {0u, 1u}) {
            YamlRun run{"network: test\n"
                        "buses:\n  tick: u8\n  y: u8[8]\n"
                        "processes:\n"
                        "  p:\n"
                        "    out: [tick, y]\n"
                        "    reset: tick == 6\n"
                        "    state:\n"
                        "      mem: u8[8] = [3, 1, 0, 9, 200, 7, 5, 2]\n"
                        "      other: u8[8]\n"
                        "    step:\n"
                        "      tick: tick + 1\n"
                        "      y[k < 8]: mem[k]\n" +
                            std::string{step},
                        "", loops_from(from)};
            INFO(render(run.diagnostics));
            REQUIRE(run.loaded());
            Values& values = seen.emplace_back();
            for (unsigned cycle = 0; cycle < 9; ++cycle) {
                run.run(1);
                for (unsigned k = 0; k < 8; ++k)
                    values.push_back(run.at("y[" + std::to_string(k) + "]"));
            }
            CHECK(run.faults().empty());
        }
        CHECK(seen[0] == seen[1]);
    }
}

TEST_CASE("instances of a family run their loops side by side") {
    for (const std::uint64_t from : {std::uint64_t{0}, std::uint64_t{1}}) {
        YamlRun run{"network: test\n"
                    "buses:\n  y[40]: u16\n"
                    "processes:\n"
                    "  p[i < 40]:\n"
                    "    out:\n      y: y[i]\n"
                    "    state:\n"
                    "      mem: u16[6]\n"
                    "    step:\n"
                    "      mem[k < 6]: mem[5 - k] + u16(k * i)\n"
                    "      y: sum(k < 6, mem[k] * u16(k + 1))\n",
                    "", loops_from(from)};
        INFO(render(run.diagnostics));
        REQUIRE(run.loaded());
        run.run(4);
        for (unsigned i = 0; i < 40; ++i) {
            std::vector<unsigned> memory(6), next(6);
            unsigned y = 0;
            for (unsigned cycle = 0; cycle < 4; ++cycle) {
                y = 0;
                for (unsigned k = 0; k < 6; ++k) {
                    y += memory[k] * (k + 1);
                    next[k] = memory[5 - k] + k * i;
                }
                memory = next;
            }
            CHECK(run.at("y[" + std::to_string(i) + "]") == y % 65536);
        }
    }
}

TEST_CASE("what a loop cannot do is unrolled, or said") {
    using test::errors_of;
    // the bounds of a slice are known before the run
    CHECK(in_cycle_3(1200, "u32", "u32(count(k < 1200, cat(mem[k])[k - k + 1:k - k] == 1))",
                     1000) == 300);
    const Texts slices =
        errors_of(over_memory(60000, "u32", "u32(count(k < n, mem[k][k - k:0] == 1))"));
    REQUIRE(slices.size() == 1);
    CHECK(slices[0].find("1000 steps and more are a loop") != std::string::npos);
    const Texts many = errors_of(over_memory(100, "u32", "sum(k < 1000000000, u32(k) + tick)"));
    REQUIRE(many.size() == 1);
    CHECK(many[0].starts_with("too-large: this takes 1000000000 steps in each cycle"));
    CHECK(errors_of(over_memory(9000, "u32", "sum(i < n, j < n, mem[i] ^ mem[j])")).size() == 1);
    CHECK(errors_of(over_memory(9000000, "u32", "tick"))[0].starts_with(
        "too-large: this takes 9000000 steps that write a word in each cycle, but all loops "
        "together may take 8388608;"));
    CHECK(errors_of(over_memory(100, "u32", "sum(i < 60000, sum(j < 60000, tick))")).empty());
    CHECK(errors_of(over_memory(2000, "u32", "mem[k]"))[0].starts_with("unknown-name"));
    CHECK(
        errors_of(over_memory(2000, "u16", "sum(k < n, mem[k])"))[0].starts_with("width-mismatch"));
}

TEST_CASE("checks reduce whole memories, and say what they looked at") {
    YamlRun run{over_memory(60000, "u32", "tick") +
                "checks:\n"
                "  - after 1: all(k < n, p.mem[k] == u32(3 * k) + tick - 1)\n"
                "  - always: max(k < n, p.mem[k]) < 180000\n"};
    INFO(render(run.diagnostics));
    REQUIRE(run.loaded());
    CHECK(run.engine().run(20) == RunEnd::check_failed);
    REQUIRE(run.verdicts().size() == 2);
    CHECK(run.verdicts()[0].kind != CheckResult::Kind::failed);
    CHECK(run.verdicts()[1].kind == CheckResult::Kind::failed);
}

TEST_CASE("loops over indices alone are not unrolled, and values from outside count once") {
    YamlRun nested{"network: n\nbuses: {y: u32}\nprocesses:\n  p:\n    out: y\n    step:\n"
                   "      y: sum(i < 1000, sum(j < 1000, u32(i) ^ u32(j)))\n"};
    REQUIRE(nested.loaded());
    nested.run(1);
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < 1000; ++i)
        for (std::uint32_t j = 0; j < 1000; ++j)
            sum += i ^ j;
    CHECK(nested.at("y") == sum);
    // 20 million steps, each with the same 50 additions: those are charged once
    YamlRun once{"network: n\nfunctions:\n  f(v): sum(k < 20000000, v ^ u32(k))\n"
                 "buses: {y: u32}\nprocesses:\n  p:\n    out: y\n    state: {m: u32[50]}\n"
                 "    step:\n      y: f(sum(k < 50, m[k]))\n"};
    INFO(render(once.diagnostics));
    CHECK(once.loaded());
}
