# SPDX-License-Identifier: Apache-2.0
"""The test bench for cocotb: a source and a sink with random stalls, and a scoreboard."""
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
    rng = random.Random(1)
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value, dut.x_valid.value, dut.y_ready.value, dut.x_data.value = 1, 0, 0, 0
    await RisingEdge(dut.clk)
    await RisingEdge(dut.clk)
    dut.rst.value = 0
    x_valid, x_data, x_ready = dut.x_valid, dut.x_data, dut.x_ready
    y_valid, y_data, y_ready = dut.y_valid, dut.y_data, dut.y_ready
    waiting, offers, received = deque(), False, 0
    begin = time.perf_counter()
    for _ in range(CYCLES):
        if not offers and rng.randrange(100) < 70:
            offers = True
            x_data.value = rng.getrandbits(32)
        x_valid.value = int(offers)
        y_ready.value = int(rng.randrange(100) < 60)
        await ReadOnly()
        pushed = offers and x_ready.value == 1
        if pushed:
            waiting.append(int(x_data.value))
        if y_valid.value == 1 and y_ready.value == 1:
            assert waiting.popleft() == int(y_data.value)
            received += 1
        await RisingEdge(dut.clk)
        offers = offers and not pushed
    seconds = time.perf_counter() - begin
    with open(os.environ["RESULT"], "w") as file:
        file.write(f"cycles_per_s {CYCLES / seconds:.0f} received {received}\n")
