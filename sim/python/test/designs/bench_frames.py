# SPDX-License-Identifier: Apache-2.0
"""A queue, by the AXI-Stream source and sink of cocotbext-axi, with random stalls."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiStreamBus, AxiStreamSink, AxiStreamSource


def stalls(seed):
    chance = random.Random(seed)
    while True:
        yield chance.random() < 0.4


@cocotb.test()
async def frames(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, dut.rst)
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst)
    dut.rst.value = 1
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    source.set_pause_generator(stalls(1))
    sink.set_pause_generator(stalls(2))
    sent = [random.randbytes(random.randrange(1, 30)) for _ in range(20)]
    for frame in sent:
        await source.send(frame)
    for frame in sent:
        found = await sink.recv()
        assert bytes(found.tdata) == frame
        with open(os.environ["SEEN"], "a") as file:
            file.write(f"{get_sim_time('ps')} {frame.hex()}\n")
