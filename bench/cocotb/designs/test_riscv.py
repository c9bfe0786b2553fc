# SPDX-License-Identifier: Apache-2.0
"""Looks at the retired instruction in each cycle."""

import os
import time

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge

CYCLES = int(os.environ["CYCLES"])


@cocotb.test()
async def instructions(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    await ClockCycles(dut.clk, 2)
    dut.rst.value = 0
    await RisingEdge(dut.clk)
    seen, begin = set(), time.perf_counter()
    for cycle in range(CYCLES):
        await RisingEdge(dut.clk)
        if cycle % 200 < 2:  # its program has 230 instructions
            dut.rst.value = int(cycle % 200 == 0)
        if dut.retired_valid.value == 1:
            seen.add(int(dut.retired_pc.value))
    assert len(seen) > 10 and min(seen) == 0x10000
    with open(os.environ["RESULT"], "w") as file:
        file.write(f"cycles_per_s {CYCLES / (time.perf_counter() - begin):.0f}\n")
