// SPDX-License-Identifier: Apache-2.0
//
// Tests inputs that come from outside the network, and '--input', which feeds them.
#include <doctest/doctest.h>

#include "../command.hpp"
#include "base/test/scratch.hpp"

using namespace sme::test;

namespace {

const std::string lamp = R"(network: lamp
buses: {button: bool, light: bool, level[2]: u8, seen: u16}
inputs: [button, level]
processes:
  switch:
    in: button
    out: light
    state: {was: bool}
    step:
      was: button
      light: if button and not was then not light else light
  meter:
    in: [level, light]
    out: seen
    step: {seen: 'u16(level[0]) + u16(level[1]) + u16(light)'}
checks:
  - always: seen < 600
tests:
  pressed_twice:
    inputs: {button: {0: false, 2: true, 3: false, 5: true}, 'level[0]': {0: 5}, 'level[1]': random}
    checks:
      - at 4: light and seen >= 5
      - at 7: not light
    run: {cycles: 8}
)";

} // namespace

TEST_CASE("an open input needs a source only where it runs") {
    const Scratch folder;
    folder.write("n.yaml", lamp);
    const std::string path = folder.path("n.yaml");
    CHECK(Command{"check --strict " + path}.exit_code == 0);
    CHECK(Command{"graph " + path}.exit_code == 0);
    CHECK(contains(Command{"vpi --list " + path}.out, "lamp.button input 1"));
    for (const char* const command : {"run", "validate", "view"}) {
        const Command refused{std::string{command} + " " + path + " --cycles 5"};
        CHECK(refused.exit_code == 2);
        CHECK(contains(refused.err, "n.yaml:3:10: error: nothing feeds the open input 'button'"));
        CHECK(contains(refused.err, "n.yaml:3:18: error: nothing feeds the open input 'level'"));
        CHECK(contains(refused.err, "'--input level=random'"));
    }
    CHECK(Command{"verilog " + path + " --cycles 5 -o " + folder.path("v")}.exit_code == 0);
    CHECK(contains(text_of(folder.path("v/lamp.v")), "input wire button"));
    CHECK(contains(text_of(folder.path("v/lamp.v")), "input wire [15:0] level"));
    const Command tested{"test " + path};
    CHECK(tested.exit_code == 0);
    CHECK(contains(tested.out, "1 test: 1 passed, 0 failed"));
    CHECK(contains(Command{"check --print " + path}.out, "button: open"));
    folder.write("again.yaml", Command{"check --print " + path}.out);
    const std::string fed = " --input button=random --input level=random --cycles 30 --show light";
    CHECK(Command{"run " + folder.path("again.yaml") + fed}.out ==
          Command{"run " + path + fed}.out);
}

TEST_CASE("--input feeds a bus from a file, at random, and from given cycles on") {
    const Scratch folder;
    folder.write("n.yaml", lamp);
    folder.write("pressed.csv", "button\n0\n1\n0\n0\n");
    const std::string run = "run " + folder.path("n.yaml") + " --show light ";
    const Command rows{run + "--input level=random --input button=" + folder.path("pressed.csv")};
    CHECK(contains(rows.out, "4 cycles"));
    CHECK(contains(rows.out, "light  ▁▁▁▁╱▔▔▔▔▔"));
    const Command changes{run + "--cycles 4 --input level='{0: 3}' "
                                "--input button='{0: false, 1: true}'"};
    CHECK(contains(changes.out, "light  ▁▁▁▁╱▔▔▔▔▔"));
    const std::string random = run + "--input button=random --input level=random --cycles 40 ";
    CHECK(Command{random + "--seed 3"}.out == Command{random + "--seed 3 --threads 2"}.out);
    CHECK(Command{random + "--seed 3"}.out != Command{random + "--seed 4"}.out);
    CHECK(contains(Command{run + "--cycles 4 --test pressed_twice --input level=random"}.out,
                   "light  ▁▁▁▁▁▁╱▔▔▔"));
    // It replaces any other source.
    CHECK(contains(Command{run + "--test pressed_twice --input button='{0: false}'"}.out,
                   "FAILED       at 4"));
}

TEST_CASE("a wrong --input says what to write") {
    const Scratch folder;
    folder.write("n.yaml", lamp);
    const auto error_of = [&](const std::string& input) {
        const Command refused{"run " + folder.path("n.yaml") +
                              " --cycles 5 --input level=random --input '" + input + "'"};
        CHECK(refused.exit_code == 2);
        return refused.err;
    };
    CHECK(contains(error_of("button"), "--input is given as BUS=SOURCE, as in x=rows.csv"));
    CHECK(contains(error_of("buton=random"), "did you mean 'button'?"));
    CHECK(contains(error_of("button=my file #1.csv"), "my file #1.csv': No such file"));
    CHECK(contains(error_of("button={0: 2}"), "--input:1:22: error: "));
    CHECK(contains(error_of("button="), "but this is 'button='"));
    CHECK(contains(error_of("=random"), "but this is '=random'"));
    CHECK(contains(error_of("light=random' --input 'button=random"), "[two-writers]"));
    CHECK(contains(error_of("button=open"), "[open-input]"));
}

TEST_CASE("open bundles, channels and members of families") {
    const Scratch folder;
    folder.write("s.yaml", R"(network: s
import: [std/stream.yaml]
channels: {raw: depth 2 u8}
buses: {rx: wire Stream(u8)}
inputs: {rx: open, raw: open}
processes:
  p: {in: rx, step: {rx.ready: true}}
  sum:
    in: raw
    state: {total: u16}
    step: {total: total + u16(raw)}
checks:
  - always: sum.total == 0
)");
    const std::string path = folder.path("s.yaml");
    CHECK(Command{"check --strict " + path}.err.empty());
    CHECK(contains(Command{"run " + path + " --cycles 9 --input rx=random --input raw=random"}.out,
                   "FAILED       always: sum.total == 0"));
    // An actor that waits for an open channel is no deadlock.
    CHECK(contains(Command{"verilog " + path + " --cycles 9 -o " + folder.path("v")}.out,
                   "a test bench of 9 cycles"));
    CHECK(contains(Command{"run --untimed " + path}.err, "takes messages from a file"));

    folder.write("n.yaml", "network: n\nbuses: {x[2]: u8}\ninputs: {'x[1]': open}\n"
                           "processes: {p: {in: x, step: {}}}\n");
    CHECK(contains(Command{"check " + folder.path("n.yaml")}.err,
                   "all members of a family are open, or none; write 'x: open'"));
    folder.write("w.yaml", "network: n\nbuses: {x: u8}\ninputs: [x]\n"
                           "processes: {p: {out: x, step: {x: 1}}}\n");
    CHECK(contains(Command{"check " + folder.path("w.yaml")}.err,
                   "bus 'x' is written by 'p.x' and by 'input x.x'"));
    folder.write("u.yaml", "network: n\nbuses: {x[3]: u8}\nprocesses: {p: {in: x, step: {}}}\n");
    CHECK(contains(Command{"check " + folder.path("u.yaml")}.err,
                   "if it comes from outside, write 'inputs: [x]'"));
}

TEST_CASE("an open input takes part in cosim, and can be set in the debugger") {
    const Scratch folder;
    folder.write("n.yaml", R"(network: n
buses: {x: u8, w: wire u8, y: u8}
inputs: [x, w]
files:
  either: {component: either, in: {x: u8, w: wire u8}, out: {y: u8}, step: {y: x | w}}
import: [either]
processes:
  p:
    in: [x, w]
    out: y
    step: {y: x ^ w}
    against: {use: either}
)");
    const std::string path = folder.path("n.yaml");
    CHECK(Command{"verilog " + path + " --cycles 5 -o " + folder.path("v")}.exit_code == 0);
    const Command compared{"cosim " + path + " --random 100"};
    CHECK(contains(compared.out, "DIFFER"));
    folder.write("commands", "step\nset x = 9\nset w = 4\nstep\nprint y\n");
    const Command set{"debug " + path + " --input w='{0: 4}' --commands " +
                      folder.path("commands")};
    CHECK(contains(set.out, "'w' is a wire"));
    CHECK(contains(set.out, "13"));
}
