// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sme::test {

// In cycle c: n is c, count is c - 1 (0 in cycle 0), twice is 2 * count in cycle 5 and else 0.
inline constexpr const char* counting = R"(network: t
buses:
  count: u8
  twice: wire u9
processes:
  counter:
    out: count
    state:
      n: u8 = 0
      seen: u8[4] = 0
    step:
      n: n + 1
      seen[n % 4]: n
      count: n
      print: "n is {n}" when n == 3 and seen[0] == 0
  doubler:
    in: count
    out: twice
    step:
      if count == 4:
        twice: u9(count) * 2
checks:
  - always: twice < 9
)";

// Instance k runs line 12 in cycle 2 + k, where the last one faults.
inline constexpr const char* staggered = R"(network: f
buses:
  y[4]: u8
processes:
  node[k < 4]:
    out: y[k]
    state:
      n: u8 = 0
    step:
      n: n + 1
      if n == 2 + u8(k):
        y: 12 / (3 - u8(k))
)";

} // namespace sme::test
