// SPDX-License-Identifier: Apache-2.0
//
// print in a step: its output, time and order. Expected lines are written by hand.
#include <fmt/format.h>

#include "interpret/test/yaml_run.hpp"

using namespace sme::test;

namespace {

/// A process that steps a counter and prints; `lines` are part of its step.
std::string counting(const std::string& lines, const std::string& buses = "") {
    return "network: printing\n"
           "types:\n"
           "  Phase: [idle, run]\n"
           "  Pair: {a: u8, ok: bool}\n"
           "buses:\n"
           "  x: u8\n" +
           buses +
           "processes:\n"
           "  p:\n"
           "    out: x\n"
           "    state:\n"
           "      phase: Phase\n"
           "      level: i8 = -3\n"
           "      wide: u100 = 0xab\n"
           "      pair: Pair = Pair(a = 7, ok = true)\n"
           "      cells: u8[3] = [1, 2, 3]\n"
           "    step:\n"
           "      x: x + 1\n"
           "      phase: if x == 0 then run else idle\n"
           "      level: level + 1\n"
           "      wide: wide + 1\n"
           "      pair: Pair(pair, a = pair.a + 1)\n"
           "      cells[0]: x\n" +
           lines;
}

Texts printed(const std::string& lines, std::uint64_t cycles = 1) {
    YamlRun run{counting(lines)};
    INFO(sme::render(run.diagnostics));
    REQUIRE(run.loaded());
    run.run(cycles);
    return run.printed();
}

} // namespace

TEST_SUITE("print") {
    TEST_CASE("values of every kind as they are read at the start of the cycle") {
        CHECK(printed("      print: \"at {cycle}: {x} {phase} {level} {wide} {pair} {cells}\"\n",
                      2) ==
              Texts{"at 0: 0 idle -3 0x00000000000000000000000ab {a: 7, ok: true} [1, 2, 3]",
                    "at 1: 1 run -2 0x00000000000000000000000ac {a: 8, ok: true} [0, 2, 3]"});
    }

    TEST_CASE("styles: bits of negative numbers, widths, characters") {
        CHECK(printed(
                  "      print: \"{level:x} {level:4}|{level:04d} {x + 10:04b} {wide:x} {phase:d} "
                  "{u8(65):c}{u8(200):c} {x[7:4]:x} {cells:02x}\"\n") ==
              Texts{"fd   -3|-003 1010 ab 0 A\\xc8 0 [01, 02, 03]"});
    }

    TEST_CASE("braces, quotes and other characters that YAML or the language would take") {
        CHECK(printed(
                  "      print: \"{{x}} \\\" \\\\ \\t: # - [a, &b] *c 'd' é {x}\" # a comment\n") ==
              Texts{"{x} \" \\ \t: # - [a, &b] *c 'd' é 0"});
    }

    TEST_CASE("a condition, blocks and their conditions decide") {
        CHECK(printed("      print: \"x {x}\" when x > 1\n"
                      "      if x == 1:\n"
                      "        print: \"one\"\n"
                      "      match phase:\n"
                      "        run:\n"
                      "          print: \"runs\"\n"
                      "        else: {}\n",
                      4) == Texts{"one", "runs", "x 2", "x 3"});
    }

    TEST_CASE("lines of one cycle stand in the order of the text, whatever blocks they stand in") {
        CHECK(printed("      if true:\n"
                      "        print: \"first\"\n"
                      "      print: \"second\"\n") == Texts{"first", "second"});
    }

    TEST_CASE("the text may stand under its key, or in a block") {
        CHECK(printed("      print:\n        \"a {x}\" when x == 0\n") == Texts{"a 0"});
        CHECK(printed("      print: |\n        \"b {x}\" when\n          x == 0\n") ==
              Texts{"b 0"});
        CHECK(printed("      print: '\"c {x}\" when x == 0'\n") == Texts{"c 0"});
    }

    TEST_CASE("processes and instances stand in source order, in blocks and one by one") {
        for (const int members : {3, 40}) {
            YamlRun run{fmt::format("network: family\n"
                                    "buses:\n"
                                    "  x[{0}]: u8\n"
                                    "processes:\n"
                                    "  p[k < {0}]:\n"
                                    "    out: {{x: \"x[(k * 7) % {0}]\"}}\n"
                                    "    step:\n"
                                    "      x: x + 1\n"
                                    "      print: \"p {{k}}: {{x}}\" when x + k == {1}\n"
                                    "  last:\n"
                                    "    step:\n"
                                    "      print: \"end of {{cycle}}\"\n",
                                    members, members - 1)};
            INFO(sme::render(run.diagnostics));
            run.run(2);
            const std::string last = std::to_string(members - 1);
            const std::string before = std::to_string(members - 2);
            CHECK(run.printed() ==
                  Texts{"p " + last + ": 0", "end of 0", "p " + before + ": 1", "end of 1"});
        }
    }

    TEST_CASE("an instance that faults prints nothing, its neighbours do") {
        YamlRun run{"network: faults\n"
                    "buses:\n"
                    "  x[3]: u8\n"
                    "processes:\n"
                    "  p[k < 3]:\n"
                    "    out:\n      x: x[k]\n"
                    "    step:\n"
                    "      x: 6 / (u8(k) - 1)\n"
                    "      print: \"p {k}\"\n"};
        CHECK(run.run(1) == RunEnd::faulted);
        CHECK(run.printed() == Texts{"p 0", "p 2"});
    }

    TEST_CASE("a printed value is looked at only where it is printed") {
        const std::string text = "      print: \"{cells[x]}\" when x < 3\n";
        CHECK(printed(text, 5) == Texts{"1", "2", "3"});
        YamlRun run{counting("      print: \"{cells[x]}\"\n")};
        CHECK(run.run(5) == RunEnd::faulted);
        CHECK(run.faults() == Texts{"p: index-fault"});
        CHECK(run.printed().size() == 3);
    }

    TEST_CASE("a bus of one's own named cycle is that bus") {
        YamlRun run{"network: own\n"
                    "buses:\n"
                    "  cycle: u8 = 9\n"
                    "processes:\n"
                    "  p:\n"
                    "    out: cycle\n"
                    "    step:\n"
                    "      cycle: 5\n"
                    "      print: \"{cycle}\"\n"};
        run.run(2);
        CHECK(run.printed() == Texts{"9", "5"});
    }
}
