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
