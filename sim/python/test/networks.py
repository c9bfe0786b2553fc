# SPDX-License-Identifier: Apache-2.0
"""Networks of the tests, and how they are loaded."""

import warnings

import pytest
import sme

KINDS = """
network: kinds
import: [std/stream.yaml, std/fifo.yaml]
types:
  Colour: [red, green, blue = 5]
  Sample: {valid: bool, value: i12}
  Packet: {colour: Colour, wide: u200, parts: "Sample[3]"}
buses:
  x: u8
  flag: bool
  colour: Colour
  packet: Packet
  lane[4]: i16
  grid[2, 3]: u8
  doubled: wire u9
  echo: Packet
  other: Colour
  sums[4]: i17
  total: u32
  a: Stream(u16)
  b: Stream(u16)
processes:
  double:
    in: x
    out: doubled
    step:
      doubled: u9(x) * 2
  passes:
    in: [packet, colour, flag, grid]
    out: {e: echo, o: other}
    step:
      e: packet
      o: if flag then colour else red
  adder[k < 4]:
    in: {l: "lane[k]", g: "grid[1, 0]"}
    out: {s: "sums[k]"}
    step:
      s: i17(l) + k
  counter:
    in: [x, doubled, total]
    out: {next: total}
    state:
      seen: u8[16]
      at: u4
    step:
      next: total + u32(doubled)
      seen[at]: x
      at: at + 1
  queue:
    use: fifo
    with: {depth: 4, T: u16}
    in: {x: a}
    out: {y: b}
checks:
  - never: total == 1_000_000
"""


def counter(check="always: n != 300", step="assert: n != 40_000"):
    return f"""
network: counter
buses: {{n: u16}}
processes:
  count:
    in: n
    out: {{next: n}}
    step:
      next: n + 1
      {step}
checks:
  - {check}
  - cover: n == 5
run: {{cycles: 20}}
"""


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def loaded(folder, text, **options):
    path = folder / "network.yaml"
    path.write_text(text)
    return sme.load(path, **options)
