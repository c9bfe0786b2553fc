// SPDX-License-Identifier: Apache-2.0
//
// Tests the judge on real networks, through the command.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"
#include "../running.hpp"

using sme::test::Command;
using sme::test::contains;
using sme::test::RunningOnTerminal;
using sme::test::Scratch;

TEST_CASE("no model breaks an invariant, and every order gives the same") {
    for (const char* model : {"ring", "running_sum", "fir", "life", "ripple", "traffic", "sort",
                              "merge", "reconvergent", "token_ring", "jpeg", "cpu", "pipeline",
                              "uart", "sha256", "aes", "riscv", "validator", "game"}) {
        CAPTURE(model);
        const Scratch scratch;
        scratch.copy(std::string{SME_SOURCE_DIR} + "/models/" + model);
        const Command run{"validate " + scratch.path("network.yaml") + " --orders 6" +
                          (model == std::string{"ring"} ? " --set nodes=64 --cycles 300" : "")};
        CAPTURE(run.out);
        CHECK(run.exit_code == 0);
        CHECK(contains(run.out, "  judged       "));
        CHECK(contains(run.out, "no invariant is broken\n"));
        CHECK(contains(run.out, "  same         6 orders on "));
    }
}

TEST_CASE("orders have no more threads than there are CPUs, unless that is asked for") {
    const std::string network = std::string{SME_SOURCE_DIR} + "/models/ring/network.yaml";
    const std::string line = "validate --orders 6 --set nodes=64 --cycles 50 " + network;
    const Command one{"taskset -c 0 " SME_COMMAND " " + line, Command::any_program};
    CHECK(one.exit_code == 0);
    CHECK(
        contains(one.out, "  same         6 orders on 1 thread: 64 buses in each of 50 cycles\n"));
    const Command five{"taskset -c 0 " SME_COMMAND " " + line + " --threads 5",
                       Command::any_program};
    CHECK(contains(five.out, "  same         6 orders on up to 5 threads: "));
}

TEST_CASE("orders run as long as the run that they are compared with") {
    const Scratch scratch;
    const std::string network =
        "network: n\nbuses: {x: u8}\nprocesses:\n"
        "  p: {out: x, state: {k: u8}, step: {x: k, k: k + 1}}\n"
        "outputs: {x.csv: {record: x, halt_after: 5}}\nrun: {cycles: 400}\n";
    scratch.write("halts.yaml", network);
    // row 4 belongs to cycle 4
    CHECK(contains(Command{"validate " + scratch.path("halts.yaml") + " --force"}.out,
                   "1 bus in each of 5 cycles\n"));
    scratch.write("fails.yaml", network + "checks:\n  - always: x < 2\n");
    // x is 2 in cycle 3, the last of the run
    const Command fails{"validate " + scratch.path("fails.yaml") + " --force"};
    CAPTURE(fails.out);
    CHECK(contains(fails.out, "n: 4 cycles"));
    CHECK(contains(fails.out, "1 bus in each of 4 cycles\n"));
}

TEST_CASE("on a terminal, orders that take longer than a second say how far they are") {
    RunningOnTerminal run{"validate " SME_SOURCE_DIR "/models/ring/network.yaml"
                          " --set nodes=64 --cycles 300 --orders 1000000"};
    const bool shown = run.shows(" of 1000000, cycle ");
    CAPTURE(run.seen());
    CHECK(shown);
}

TEST_CASE("what the judge says is in the results, too") {
    const Scratch scratch;
    const std::string network = std::string{SME_SOURCE_DIR} + "/models/validator/network.yaml";
    const std::string wanted =
        fmt::format("--results {} --junit {}", scratch.path("r.json"), scratch.path("r.xml"));
    CHECK(Command{"run --cycles 7 " + network + " --validate " + wanted}.exit_code == 0);
    const std::string json = sme::test::text_of(scratch.path("r.json"));
    CHECK(contains(json, "\"judge\": {\n    \"result\": \"passed\",\n    \"cycles\": 7,"));
    CHECK(contains(json, "\"violations\": []"));
    CHECK(contains(sme::test::text_of(scratch.path("r.xml")), "name=\"invariants\""));
    CHECK(Command{"run --cycles 7 " + network + " " + wanted}.exit_code == 0);
    CHECK(!contains(sme::test::text_of(scratch.path("r.json")), "judge"));
    CHECK(!contains(sme::test::text_of(scratch.path("r.xml")), "invariants"));
}

TEST_CASE("every rule, delay and shape of bus is judged in a network of its own") {
    const Scratch scratch;
    scratch.write("rows.csv", "1\n2\n3\n4\n5\n6\n7\n8\n");
    scratch.write("network.yaml", R"(network: shapes
types:
  Mode: [idle, run, stop]
  Part: {mode: Mode, level: i12}
  Value:
    valid: bool
    part: Part
    wide: u130
    list: u5[3]
  Stream(T): {valid: bool, data: T, back ready: bool}
buses:
  row: u8
  plain: Value
  held: hold Value
  strict: error u8
  late: delay 3 Value
  later: delay 7 hold u8 = 9
  follow: wire Value
  ready: Stream(u8)
processes:
  source:
    in: row
    out: [plain, held, strict, late, later]
    state:
      time: u8 = 0
      mem: u16[16]
    step:
      time: time + 1
      mem[time[3:0]]: cat(row, time)
      strict: time
      plain.valid: time % 3 == 0
      plain.part.mode: Mode.run when time % 5 == 0
      plain.part.level: i12(0) - i12(time)
      plain.wide: cat(u65(time), u65(row)) when time % 2 == 0
      plain.list[time % 3]: time[4:0]
      held.part.level: i12(time) when time % 4 == 0
      held.list[1]: time[4:0] when time % 7 == 0
      late.valid: true when time % 2 == 1
      later: time when time % 6 == 0
  wires:
    in: [plain, strict]
    out: follow
    step:
      follow.valid: plain.valid and strict != 3
      follow.part: plain.part
      follow.list[0]: plain.list[2]
  give:
    in: follow
    out: ready
    state:
      next: u8 = 0
    step:
      ready.valid: follow.valid
      ready.data: next
      next: next + 1 when ready.valid and ready.ready
  take:
    in: [ready, held, late, later]
    state:
      sum: u16 = 0
    step:
      ready.ready: later != 12
      sum: sum + u16(ready.data) + u16(held.list[1]) + u16(late.valid) when ready.valid
inputs:
  row: {file: rows.csv, at_end: repeat}
run: {cycles: 400}
)");
    const Command run{"validate " + scratch.path("network.yaml") + " --orders 9"};
    CAPTURE(run.out);
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "judged       400 cycles"));
    CHECK(contains(run.out, "same         9 orders"));
    // the judge does not affect the run
    const Command plain{"run " + scratch.path("network.yaml") + " --trace-state --trace " +
                        scratch.path("a.vcd")};
    const Command judged{"run " + scratch.path("network.yaml") +
                         " --validate --threads 2 --trace-state --trace " + scratch.path("b.vcd")};
    CHECK(judged.exit_code == 0);
    CHECK(sme::test::text_of(scratch.path("a.vcd")) == sme::test::text_of(scratch.path("b.vcd")));
}

TEST_CASE("other orders run for as many cycles as a run that faulted") {
    const Scratch scratch;
    // x is 3, 2, 1 and then 0, at the end of 3 cycles or one cycle later
    scratch.write("n.yaml",
                  "network: n\nbuses: {x: u8 = 3}\nprocesses:\n  p: {out: x, state: {n: u8 "
                  "= 3}, step: {n: n - 1, x: n - 1}}\nchecks:\n  - always: 10 / x < 11\n");
    for (const auto& [cycles, ran] : {std::pair{3, 3}, std::pair{9, 4}}) {
        const Command fault{
            fmt::format("validate {} --orders 2 --cycles {}", scratch.path("n.yaml"), cycles)};
        CHECK(fault.exit_code == 1);
        CHECK(contains(fault.out, fmt::format("1 bus in each of {} cycles\n", ran)));
    }
}

TEST_CASE("a failed check, a fault and a bad option are what they are without a judge") {
    const Scratch scratch;
    scratch.write("network.yaml", "network: n\nbuses:\n  y: u8\nprocesses:\n  p:\n    out: y\n    "
                                  "step:\n      y: y + 1 when 10 / (5 - y) != 99\n");
    const Command fault{"validate " + scratch.path("network.yaml") + " --cycles 20"};
    CHECK(fault.exit_code == 1);
    CHECK(contains(fault.err, "[divide-by-zero]"));
    const Command none{"validate " + scratch.path("network.yaml")};
    CHECK(none.exit_code == 2);
    CHECK(contains(none.err, "nothing says how many cycles to run"));
    const Command many{"validate " + scratch.path("network.yaml") + " --cycles 5 --orders many"};
    CHECK(many.exit_code == 2);
    CHECK(contains(many.err, "--orders is a whole number from 0"));
    const Command zero{"validate " + scratch.path("network.yaml") + " --cycles 3 --orders 0"};
    CHECK(contains(zero.out, "judged"));
    CHECK_FALSE(contains(zero.out, "same"));
}
