# SPDX-License-Identifier: Apache-2.0
"""A source and a sink with random stalls, and a scoreboard."""

import os
import random
import time
from collections import deque

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge

CYCLES = int(os.environ["CYCLES"])


@cocotb.test()
async def stalls(dut):
    chance = random.Random(1)
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value, dut.x_valid.value, dut.y_ready.value, dut.x_data.value = 1, 0, 0, 0
    await RisingEdge(dut.clk)
    await RisingEdge(dut.clk)
    dut.rst.value = 0
    waiting, offers = deque(), False
    begin = time.perf_counter()
    for _ in range(CYCLES):
        if not offers and chance.randrange(100) < 70:
            offers = True
            dut.x_data.value = chance.getrandbits(32)
        dut.x_valid.value = int(offers)
        dut.y_ready.value = int(chance.randrange(100) < 60)
        await ReadOnly()
        pushed = offers and dut.x_ready.value == 1
        if pushed:
            waiting.append(int(dut.x_data.value))
        if dut.y_valid.value == 1 and dut.y_ready.value == 1:
            assert waiting.popleft() == int(dut.y_data.value)
        await RisingEdge(dut.clk)
        offers = offers and not pushed
    with open(os.environ["RESULT"], "w") as file:
        file.write(str(CYCLES / (time.perf_counter() - begin)))
