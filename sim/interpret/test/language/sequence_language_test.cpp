// SPDX-License-Identifier: Apache-2.0
//
// Sequences beside lets, checks and steps. Random ones are followed in lib/yaml/test.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "interpret/test/yaml_run.hpp"

using sme::test::YamlRun;

TEST_CASE("lets, checks and the step see the index of a loop as the items do") {
    YamlRun run{R"(
network: n
buses: {go: bool, y: u8, z: u8, w: u8}
processes:
  source: {out: go, state: {t: u8}, step: {t: t + 1, go: t % 5 > 2}}
  p:
    in: go
    out: [y, z, w]
    let: {twice: u8(k) * 2}
    step: {w: if at == set_y then twice else 0}
    sequence:
      - for k < 4:
          - {y: u8(k) * 2, z: twice}
          - if go:
              - break
      - pause: 2
    checks:
      - always: y == z and y == w
      - always: at != pause or k == 0
checks:
  - always: p.at != pause or p.k == 0
  - cover: y == 6
run: {cycles: 60}
)"};
    run.run(60);
    run.check_all_passed();
}

TEST_CASE("an item that several ports end takes each value once, and replaces what lasts") {
    YamlRun run{R"(
network: n
types:
  Stream(T): {valid: bool, data: T, back ready: bool}
buses: {a: Stream(u8), b: Stream(u8), y: u8}
processes:
  first: {out: a, state: {t: u8}, step: {a.valid: t % 3 == 0, a.data: t + 10, t: t + 1}}
  second: {out: b, state: {t: u8}, step: {b.valid: t % 4 == 1, b.data: t + 10, t: t + 1}}
  p:
    in: [a, b]
    out: y
    state: {v: u8, w: u8}
    sequence:
      - receive: {v: a, w: b}
        set: {y: 1}
      - {y: v + w}
checks:
  - at 2: y == 1
  - at 3: y == 21
  - at 5: y == 1
  - at 7: y == 28
run: {cycles: 10}
)"};
    run.run(10);
    run.check_all_passed();
}

TEST_CASE("loops end where their conditions are known, and names do not collide") {
    YamlRun run{R"(
network: n
parameters: {fast: 1}
buses: {y: u8}
processes:
  p:
    out: y
    state: {set_y: u8}
    sequence:
      - while true:
          - if fast == 1:
              - {y: 5, name: entry}
            else:
              - pause: 100
          - {y: 6}
          - while fast == 2:
              - {y: 7}
          - pause: 1
            name: type
          - if set_y == 3:
              - break
          - {set_y: set_y + 1}
      - {y: 9}
      - stop
checks:
  - cover: p.at == set_y_2
  - cover: p.at == entry
  - eventually by 40: y == 9
run: {cycles: 40}
)"};
    run.run(40);
    run.check_all_passed();
}

TEST_CASE("a procedure is the same wherever it is called, shared or inline") {
    const std::string network = R"(
network: n
types:
  Op u2: [idle, load = 2]
  Pair: {op: Op, v: u8}
buses: {y: u8, z: u8, t: u8}
processes:
  clock: {out: t, step: {t: t + 1}}
  p:
    in: t
    out: {y: y, z: z}
    procedures:
      emit:
        in: {value: u8, pair: Pair}
        sequence:
          - {y: value, z: pair.v}
          - for k < 3:
              - if k == 1 and pair.op == load:
                  - return
              - {y: value + u8(k)}
      pause_twice: [pause: 2]
    sequence:
      - CALL: emit(t, {op: load, v: 7})
      - CALL: pause_twice
      - for k < 2:
          - CALL: emit(pair=Pair(op=idle, v=9), value=u8(k) + 20)
      - CALL: pause_twice
checks:
  - at 1: y == 0 and z == 7
  - at 2: y == 0
  - at 3: y == 0
  - at 5: y == 20 and z == 9
  - at 8: y == 22
  - at 9: y == 21 and z == 9
  - at 12: y == 23
  - at 15: y == 14 and z == 7
run: {cycles: 20}
)";
    for (const char* const word : {"call", "inline"}) {
        CAPTURE(word);
        std::string text = network;
        for (std::size_t at = 0; (at = text.find("CALL")) != text.npos;)
            text.replace(at, 4, word);
        YamlRun run{text};
        run.run(20);
        run.check_all_passed();
    }
}

TEST_CASE("parallel sequences begin in one cycle, and it ends when all have ended") {
    YamlRun run{R"(
network: n
buses: {go: bool, t: u8, x: u8, y: u8, z: u8}
processes:
  clock: {out: [t, go], step: {t: t + 1, go: t % 4 == 2}}
  p:
    in: [go, t]
    out: [x, y, z]
    procedures:
      put_x:
        in: {v: u8}
        sequence:
          - {x: v}
          - {x: v + 1}
    sequence:
      - call: put_x(1)
      - for k < 2:
          - parallel:
              - - call: put_x(u8(k) * 10)
                - call: put_x(u8(k) * 10 + 2)
              - - wait: go
                  then: {y: t}
                - if k == 1:
                    - pause: 2
              - - parallel:
                    - [{z: 1}]
                    - [pause: 5]
          - {x: 99}
    checks:
      - always: at != parallel or k == 0 or t > 7
checks:
  - at 1: x == 1
  - at 3: x == 0 and z == 1
  - at 4: x == 1 and y == 3
  - at 6: x == 3
  - at 7: x == 0
  - at 8: x == 99
  - at 9: x == 10 and z == 1
  - at 12: x == 13 and y == 11
  - at 15: x == 99
run: {cycles: 16}
)"};
    run.run(16);
    run.check_all_passed();
}

TEST_CASE("a condition that never holds only ends what has a limit") {
    const std::string network = R"(
network: n
buses: {y: u8, z: u8}
processes:
  p:
    out: [y, z]
    sequence:
      - parallel:
          - - wait: false
              LIMIT
            - {y: 1}
          - - {z: 2}
      - {z: 3}
checks:
  - at 4: y == 1
  - at 5: z == 3
)";
    const auto with = [&](const std::string& limit) {
        std::string text = network;
        return text.replace(text.find("LIMIT"), 5, limit);
    };
    YamlRun run{with("within: 3")};
    run.run(6);
    run.check_all_passed();
    const sme::test::Texts errors = sme::test::errors_of(with("set: {y: 1}"));
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].starts_with("bad-sequence: this waits for what never holds"));
}

TEST_CASE("copies of procedures are limited") {
    std::string text =
        "network: n\nbuses: {y: u8}\nprocesses:\n  p:\n    out: y\n    procedures:\n";
    for (int k = 0; k < 30; ++k)
        text += fmt::format("      f{0}: [inline: f{1}, inline: f{1}]\n", k, k + 1);
    text += "      f30: [{y: 1}]\n    sequence: [call: f0]\n";
    const sme::test::Texts errors = sme::test::errors_of(text);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].starts_with("too-large"));
}

TEST_CASE("what an item expects is a fault in the cycle in which it ends") {
    YamlRun run{R"(
network: n
buses: {t: u8, y: u8}
processes:
  clock: {out: t, step: {t: t + 1}}
  p:
    in: t
    out: y
    sequence:
      - wait: t == 3
        expect: t == 3
        then: {y: 1}
      - {y: 2, expect: t == 4}
      - expect: t == 7
)"};
    CHECK(run.run(5) == sme::RunEnd::completed);
    CHECK(run.run() == sme::RunEnd::faulted);
    CHECK(run.engine().faults()[0].message == "in cycle 5, process 'p': the assert does not hold: "
                                              "'t' is 5");
}

TEST_CASE("too many ways through decisions are an error") {
    std::string text = "network: g\nbuses: {y: u8}\nprocesses:\n  p:\n    out: y\n    sequence:\n"
                       "      - for k < 200:\n          - {y: 3}\n";
    for (int k = 0; k < 14; ++k)
        text += fmt::format("          - if k == {}:\n              - if k == {}: [{{y: {}}}]\n",
                            2 * k, 2 * k, 100 + k);
    const YamlRun run{text + "          - {y: 4}\n"};
    CHECK_FALSE(run.loaded());
    CHECK(render(run.diagnostics).find("on more than 10000 ways") != std::string::npos);
}
