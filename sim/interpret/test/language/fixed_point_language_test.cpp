// SPDX-License-Identifier: Apache-2.0
//
// Fixed-point numbers wherever a type can be, and signed numbers of more than 64 bits. Expected
// values are calculated by hand or with bc; random expressions are followed in lib/yaml/test.
#include "interpret/test/yaml_run.hpp"

using sme::test::YamlRun;

TEST_CASE("a fixed-point number is kept in structs, arrays, memories, families and sequences") {
    YamlRun run{R"(
network: n
types:
  Q: fixed(4, 12)
  Pair(T): {valid: bool, value: T}
constants:
  table: Q[3] = [0.5, -8, 7.999755859375]
functions:
  twice(x): x * 2
buses:
  pair: Pair(Q)
  row: Q[3]
  lane[2]: Q
  y: hold Q = -1.5
processes:
  p[k < 2]:
    out: {v: "lane[k]"}
    step: {v: 0.25 * k}
  q:
    in: {was: y}
    out: {pair: pair, row: row, y: y}
    state: {t: u8, words: "Q[4]", total: 'fixed(6, 12)'}
    let:
      index: t[1:0]
    step:
      t: t + 1
      words[index]: table[t % 3]
      pair: {valid: t[0], value: if t[0] then 0.75 else 0}
      row: array(i < 3, wrap(twice(table[i]), Q))
      total: sum(i < 3, table[i])
  s:
    state: {x: Q = 0.5, n: u8}
    procedures:
      grow:
        in: {by: Q}
        sequence:
          - {x: saturate(x + by, Q)}
    sequence:
      - repeat: 3
        do:
          - call: grow(1.5)
      - {n: n + 1}
      - stop
checks:
  - after 1: lane[1] == 0.25 and lane[0] == 0
  - at 2: pair.valid and pair.value == 0.75
  - at 3: not pair.valid and pair.value == 0.0
  - after 1: row[0] == 1 and row[1] == 0 and row[2] == -0.00048828125
  - at 4: q.words[0] == 0.5 and q.words[1] == -8.0 and q.words[2] == 7.999755859375
  - at 3: q.total == 0.499755859375
  - at 9: s.x == 5
  - after 1: y == -1.5
)"};
    run.run(10);
    run.check_all_passed();
}

TEST_CASE("rounding names say which way halves go, and limits hold at both ends") {
    YamlRun run{R"(
network: n
types: {Q: 'fixed(4, 2)', whole: 'fixed(4, 0)', small: 'ufixed(2, 0)'}
buses: {x: Q}
inputs: {x: {0: 2.5, 1: -2.5, 2: 3.5, 3: -3.25, 4: -8, 5: 7.75}}
processes:
  p:
    in: x
    step: {}
checks:
  - at 0: round(x, whole) == 2 and round(x, whole, nearest) == 3 and round(x, whole, even) == 2 and round(x, whole, zero) == 2
  - at 1: round(x, whole) == -3 and round(x, whole, nearest) == -2 and round(x, whole, even) == -2 and round(x, whole, zero) == -2
  - at 2: round(x, whole, even) == 4 and round(x, whole, zero) == 3
  - at 3: round(x, whole) == -4 and round(x, whole, nearest) == -3 and round(x, whole, zero) == -3
  - at 4: saturate(x, small, zero) == 0 and wrap(x, small, zero) == 0 and abs(x) == 8 and -x == 8
  - at 5: saturate(x, small, nearest) == 3 and wrap(x, small, floor) == 3 and saturate(x, whole, nearest) == 7
  - at 5: round(x, whole, nearest) == 8 and x * x == 60.0625 and x - -8 == 15.75
  - always: width(x * x) == 12 and width(x + 0.125) == 8 and width(u6(x)) == 6 and u6(x)[5] == (x < 0)
)"};
    run.run(6);
    run.check_all_passed();
}

TEST_CASE("signed and unsigned numbers of more than 64 bits are multiplied, divided and compared") {
    YamlRun run{R"(
network: n
buses: {a: i128, b: i128 = 1, c: u200, big: 'fixed(40, 60)'}
processes:
  p:
    out: {a: a, b: b, c: c, big: big}
    step:
      a: i128(-123456789012345678901234567890)
      b: i128(987654321987654321)
      c: u200(1) << 199
      big: -1.5
checks:
  - at 1: a * b == -9753243530976908593469267443699498802
  - at 1: a / b == -124999998748 and a % b == -432099904777777782
  - at 1: a < b and b > a and -a > b and abs(a) == -a and (a >> u7(64)) == -6692605943
  - at 1: c / 3 == 267823007376498379256993682056860433753700498963798805883562 and c % 3 == 2
  - at 1: c % 255 == 128 and c > 0 and i200(c) < 0
  - at 1: saturate(big * big * 1000000000000, ufixed(40, 30), floor) == 1099511627776 - 0.000000000931322574615478515625
  - at 1: saturate(big * 1000000000000, fixed(40, 60)) == -549755813888 and saturate(big * -1000000000000, fixed(40, 60)) > 549755813887
  - at 1: big * big == 2.25 and width(big * big) == 200 and round(big, fixed(8, 0), nearest) == -1
)"};
    run.run(3);
    run.check_all_passed();
}
