// SPDX-License-Identifier: Apache-2.0
//
// Tests that are sequences: they feed the network, and say what they expect.
#include <doctest/doctest.h>

#include "../command.hpp"
#include "base/test/scratch.hpp"

using namespace sme::test;

namespace {

const std::string design = R"(network: n
buses: {start: bool, x: u8, y: u8, ready: bool, spare: u8, seen: u8}
inputs: {start: open, x: open, spare: {0: 3}}
processes:
  p:
    in: [start, x]
    out: [y, ready]
    state: {sum: u8}
    sequence:
      - wait: start
        then: {sum: x}
      - for k < 2:
          - {sum: sum + x}
      - {y: sum, ready: true}
  reader: {in: spare, out: seen, step: {seen: spare}}
run: {cycles: 4}
tests:
  adds[n < 2]:
    procedures:
      run:
        in: {a: u8}
        sequence:
          - {start: true, x: a}
          - {x: 10}
          - {x: 20}
          - wait: ready
            expect: y == a + 30
            within: 5
            else: [return]
    sequence:
      - call: run(1)
      - pause: 3
      - call: run(u8(n) * 100 + 7)
  wrong:
    inputs: {x: {0: 1}}
    sequence:
      - {start: true}
      - wait: ready
      - expect: y == 3
  spared:
    inputs: {x: {0: 1}, start: random}
    state: {n: u8}
    let: {more: n + 1}
    sequence:
      - for k < 4:
          - {spare: more, n: more}
    checks:
      - at 4: seen == 3
  endless:
    inputs: {x: {0: 1}, start: {0: false}}
    run: {cycles: 12}
    sequence:
      - wait: ready
)";

} // namespace

TEST_CASE("tests feed a network by sequences, and end with them") {
    const Scratch folder;
    folder.write("n.yaml", design);
    const std::string path = folder.path("n.yaml");
    const Command all{"test " + path};
    CAPTURE(all.out);
    CHECK(all.exit_code == 1);
    CHECK(contains(all.out, "5 tests: 3 passed, 2 failed"));
    CHECK(contains(all.out, "n.yaml:39:17: fault: in cycle"));
    CHECK(contains(all.out, "'y' is 0"));
    CHECK(contains(all.out, "not reached  the sequence of the test ends"));
    CHECK(Command{"run " + path + " --test 'adds[1]'"}.exit_code == 0);
    CHECK(Command{"check " + path}.exit_code == 0);
}

TEST_CASE("a sequence of a test that does not end fails it, whatever is named in the network") {
    const Scratch folder;
    folder.write("n.yaml", R"(network: n
buses: {x[2]: u8, test: u8, ended: u8}
inputs: [x]
constants: {test_ended: u8 = 3}
processes:
  p: {in: x, out: [test, ended], step: {test: 'x[1]', ended: test}}
tests:
  loops: {run: {cycles: 9}, sequence: [{'x[1]': 1}, while true: [pause: 1]]}
  rests: {run: {cycles: 9}, sequence: [{'x[1]': 1}, stop]}
  again: {run: {cycles: 9}, sequence: [{'x[1]': 1}, restart]}
  drawn:
    seeds: 1..2
    state: {r: u8}
    sequence:
      - {r: random(u8)}
      - {'x[1]': r}
      - pause: 1
      - expect: test == r
)");
    const std::string path = folder.path("n.yaml");
    const Command all{"test " + path};
    CAPTURE(all.out);
    CHECK(contains(all.out, "5 tests: 2 passed, 3 failed"));
    CHECK(contains(all.out, "not reached  the sequence of the test ends"));
    CHECK_FALSE(contains(all.out, "nothing in the network is random"));
    const Command printed{"check --print --test drawn " + path};
    CHECK(printed.exit_code == 0);
    CHECK(contains(printed.out, "assert: test == r"));
}

TEST_CASE("a file of tests has sequences, beside processes that have them") {
    const Scratch folder;
    folder.write("n.yaml", design);
    folder.write("t.yaml", R"(test: more
of: n.yaml
processes:
  feeder:
    out: x
    sequence:
      - {x: 4}
tests:
  fed:
    sequence:
      - pause: 2
      - {start: true}
      - wait: ready
        expect: y == 12
)");
    const Command all{"test " + folder.path("t.yaml")};
    CAPTURE(all.out);
    CHECK(all.exit_code == 0);
    CHECK(contains(all.out, "1 test: 1 passed"));
}
