// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "half.hpp"

namespace sme::test {

/// The second implementation is wrong after three large numbers were taken and x exceeds 50.
inline constexpr const char* counting = R"(network: counting
import: [other.yaml]
types:
  Stream(T): {valid: bool, data: T, back ready: bool}
buses:
  a: Stream(u8)
  x: hold u8 = 7
  y: u16
  now: wire bool
processes:
  source:
    out: [a, x]
    step:
      a.valid: true
      a.data: 3
      x: 1
  p:
    in: [a, x]
    out: [y, now]
    state:
      total: u16
    step:
      a.ready: x != 5
      total: total + u16(a.data) when a.valid and a.ready
      y: total
      now: a.data > x
    against: {use: other}
assume:
  - x < 100          # and what the command says as well
checks:
  - cover: y > 50
run: {cycles: 300}
)";

inline constexpr const char* other = R"(component: other
types:
  Stream(T): {valid: bool, data: T, back ready: bool}
in: {a: Stream(u8), x: u8}
out: {y: u16, now: wire bool}
state: {total: u16, count: u8}
step:
  a.ready: x != 5
  total: total + u16(a.data) when a.valid and a.ready
  count: count + 1 when a.valid and a.ready and a.data > 200
  y: if count > 2 and x > 50 then total + 1 else total
  now: a.data > x
)";

inline Folder counted() {
    Folder folder;
    folder.with("network.yaml", counting).with("other.yaml", other);
    return folder;
}

} // namespace sme::test
