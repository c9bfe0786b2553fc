// SPDX-License-Identifier: Apache-2.0
//
// Tests components from the user's view: in the summary and in the waveform.
#include <doctest/doctest.h>

#include "command.hpp"

namespace {

using sme::test::Command;
using sme::test::contains;
using sme::test::Scratch;
using sme::test::text_of;

/// Four stages, each a register with valid and ready; `limit` determines whether its check holds.
struct Stages : Scratch {
    std::string network = path("network.yaml");
    explicit Stages(const std::string& limit) {
        write("stream.yaml", "types:\n  Stream(T): {valid: bool, data: T, back ready: bool}\n");
        write("stage.yaml", R"(component: stage
import: [stream.yaml]
in:
  x: Stream(u8)
out:
  y: Stream(u8)
buses:
  kept: u8
processes:
  pass:
    in: x
    out: [y, kept]
    step:
      x.ready: y.ready
      y.valid: x.valid
      y.data: x.data + 1
      kept: x.data
checks:
  - always: kept < )" + limit + "\n");
        write("network.yaml", R"(network: stages
import: [stream.yaml, stage.yaml]
buses:
  lane[3]: Stream(u8)
processes:
  source:
    out: {o: "lane[0]"}
    step:
      o.valid: true
      o.data: 10
  part[k < 2]:
    use: stage
    in: {x: "lane[k]"}
    out: {y: "lane[k + 1]"}
  sink:
    in: {i: "lane[2]"}
    step:
      i.ready: i.valid
checks:
  - at 2: part[1].kept == 11
run: {cycles: 3}
)");
    }
};

} // namespace

TEST_CASE("a stream from a file comes through, and the run ends when all of it has come out") {
    const Scratch scratch;
    const auto network = [&](const char* input, const char* output, const char* header) {
        scratch.write("network.yaml", std::string{R"(network: through
import: [std/stream.yaml, std/fifo.yaml]
buses:
  a: Stream(u8)
  b: Stream(u8)
processes:
  buffer:
    use: fifo
    with: {depth: 4, T: u8}
    in: {x: a}
    out: {y: b}
  reader:
    in: b
    state:
      n: u2
    step:
      n: if n == 2 then 0 else n + 1
      b.ready: n == 2
inputs:
  a: )"} + input + R"(
outputs:
  y.csv:
    record: b.data
    when: b.valid and b.ready
    expect: want.csv
)" + output);
        scratch.write("want.csv", std::string{header} + "5\n6\n7\n");
        scratch.write("rows.csv", "data\n5\n6\n7\n");
        return Command{"cd " + scratch.path() +
                           " && " SME_COMMAND " run network.yaml --engine interpreted 2>&1",
                       Command::any_program};
    };
    for (const char* header : {"value\n", "y\n", "b.data\n", ""}) {
        CAPTURE(header);
        const Command whole = network("rows.csv", "    halt_after: expect\n", header);
        CHECK_MESSAGE(whole.exit_code == 0, whole.out);
        CHECK(text_of(scratch.path("y.csv")) == "value\n5\n6\n7\n");
        CHECK(contains(whole.out, "9 cycles"));
    }
    CHECK(network("rows.csv", "    halt_after: 1 + 2\n", "y\n").exit_code == 0);
    const Command idles = network("rows.csv", "run: {cycles: 100}\n", "y\n");
    CHECK(idles.exit_code == 0);
    CHECK(contains(idles.out, "100 cycles"));
    // the run ends when the last row is taken, before that row reaches the output
    const Command halts = network("{file: rows.csv, at_end: halt}", "", "y\n");
    CHECK(halts.exit_code == 1);
    CHECK(contains(halts.out, " came, but 3 are expected"));
    const Command few = network("rows.csv", "    halt_after: 2\n", "y\n");
    CHECK(contains(few.out, "2 rows came, but 3 are expected"));
    for (const char* wrong : {"0", "expected", "[3]"}) {
        CAPTURE(wrong);
        CHECK(network("rows.csv", ("    halt_after: " + std::string{wrong} + "\n").c_str(), "")
                  .exit_code == 2);
    }
    const Command other = network("rows.csv", "    halt_after: 3\n", "other\n");
    CHECK(contains(other.out, "has the columns 'other', but a recorded row has 'value'"));
}

TEST_CASE("a check of a component is reported once for all instances in which it held") {
    const Stages folder{"12"};
    const Command run{"run " + folder.network};
    CHECK(run.out == "stages: 3 cycles of 4 processes, 8 buses\n"
                     "  passed       at 2: part[1].kept == 11\n"
                     "  passed       always: kept < 12 (in 2 instances, evaluated 8 times)\n");
    CHECK(run.exit_code == 0);
}

TEST_CASE("a check of a component that fails names the instance") {
    const Stages folder{"11"};
    const Command run{"run " + folder.network};
    // the check sees in cycle 0 the value that the second stage shows in cycle 1: it tests the next
    // value
    CHECK(run.out == "stages: 2 cycles of 4 processes, 8 buses, ended by a failed check\n"
                     "  passed       at 2: part[1].kept == 11\n"
                     "  FAILED       part[1]: always: kept < 11 (in cycle 1, evaluated 2 times)\n"
                     "  passed       part[0]: always: kept < 11 (evaluated 3 times)\n");
    CHECK(run.exit_code == 1);
}

TEST_CASE("in the waveform an instance is a scope, and a bundle has its ready beside its data") {
    const Stages folder{"12"};
    const Command run{"run " + folder.network + " --trace " + folder.path("t.vcd")};
    CHECK(run.exit_code == 0);
    const std::string vcd = text_of(folder.path("t.vcd"));
    CHECK(vcd.substr(0, vcd.find("$enddefinitions")) == R"($version sme $end
$timescale 1 ns $end
$scope module stages $end
$comment sme clock $end
$var wire 1 ! clock $end
$comment lane[0] is lane_0 $end
$scope module lane_0 $end
$var wire 1 " valid $end
$var wire 8 # data [7:0] $end
$var wire 1 $ ready $end
$upscope $end
$comment lane[1] is lane_1 $end
$scope module lane_1 $end
$var wire 1 % valid $end
$var wire 8 & data [7:0] $end
$var wire 1 ' ready $end
$upscope $end
$comment lane[2] is lane_2 $end
$scope module lane_2 $end
$var wire 1 ( valid $end
$var wire 8 ) data [7:0] $end
$var wire 1 * ready $end
$upscope $end
$comment part[0] is part_0 $end
$scope module part_0 $end
$var wire 8 + kept [7:0] $end
$upscope $end
$comment part[1] is part_1 $end
$scope module part_1 $end
$var wire 8 , kept [7:0] $end
$upscope $end
$upscope $end
)");
}

TEST_CASE("one instance of a family can be selected for the waveform") {
    const Stages folder{"12"};
    const Command run{"run " + folder.network + " --trace " + folder.path("t.vcd") +
                      " --trace-select 'part[1].*'"};
    const std::string vcd = text_of(folder.path("t.vcd"));
    CHECK(vcd.find("module part_1") != std::string::npos);
    CHECK(vcd.find("module part_0") == std::string::npos);
}

TEST_CASE("members with parameters of their own are covered, compared, judged and printed") {
    const Scratch scratch;
    scratch.write("amplifier.yaml", R"(component: amplifier
parameters: {gain: 1}
in: {x: u16}
out: {y: u16}
step:
  y: u16(gain) * x
checks:
  - always: y == u16(gain) * past(x)
)");
    scratch.write("shifter.yaml", R"(component: shifter
parameters: {gain: 1}
in: {x: u16}
out: {y: u16}
step:
  y:
    if gain == 1: x
    elif gain == 2: x << 1
    else: (x << 1) + x
)");
    const std::string network = scratch.path("network.yaml");
    scratch.write("network.yaml", R"(network: gains
import: [amplifier.yaml, shifter.yaml]
buses: {x: u16, "y[3]": u16}
processes:
  source: {out: x, step: {x: x + 1}}
  part[k < 3]:
    use: amplifier
    with: {gain: k + 1}
    in: {x: x}
    out: {y: "y[k]"}
    against: {use: shifter, with: {gain: k + 1}}
checks:
  - at 10: y[2] == 27
run: {cycles: 50}
)");
    const std::string info = scratch.path("c.info");
    CHECK(Command{"run " + network + " --coverage " + info}.exit_code == 0);
    CHECK(contains(text_of(info), "DA:6,150\n")); // three members in 50 cycles
    for (const char* option : {"", " --random 100"}) {
        CAPTURE(option);
        const Command compared{"cosim " + network + option};
        CHECK(compared.exit_code == 0);
        CHECK(contains(compared.out, "3 of 3 outputs moved"));
    }
    CHECK(Command{"validate " + network + " --orders 2"}.exit_code == 0);
    const Command printed{"check --print " + network};
    CHECK(printed.exit_code == 0);
    CHECK(printed.err.empty()); // a compared value counts as read
    scratch.write("printed.yaml", printed.out);
    CHECK(Command{"cosim " + scratch.path("printed.yaml")}.exit_code == 0);
}
