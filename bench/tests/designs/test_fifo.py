# SPDX-License-Identifier: Apache-2.0
"""The test bench of fifo.v for cocotb: a source and a sink with random stalls, and a scoreboard."""
import os
import random
from collections import deque

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge


@cocotb.test()
async def stalls(dut):
    rng = random.Random(int(os.environ["SEED"]))
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value, dut.x_valid.value, dut.y_ready.value, dut.x_data.value = 1, 0, 0, 0
    await RisingEdge(dut.clk)
    await RisingEdge(dut.clk)
    dut.rst.value = 0
    waiting, offers, received = deque(), False, 0
    for _ in range(2000):
        if not offers and rng.randrange(100) < 70:
            offers = True
            dut.x_data.value = rng.getrandbits(32)
        dut.x_valid.value = int(offers)
        dut.y_ready.value = int(rng.randrange(100) < 60)
        await ReadOnly()
        pushed = offers and dut.x_ready.value == 1
        if pushed:
            waiting.append(int(dut.x_data.value))
        if dut.y_valid.value == 1 and dut.y_ready.value == 1:
            assert waiting.popleft() == int(dut.y_data.value)
            received += 1
        await RisingEdge(dut.clk)
        offers = offers and not pushed
    assert received > 500
