# SPDX-License-Identifier: Apache-2.0
"""A register file, by the AXI-Lite master of cocotbext-axi, with random stalls."""

import itertools
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiLiteBus, AxiLiteMaster


@cocotb.test()
async def words(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
    dut.rst.value = 1
    await ClockCycles(dut.clk, 5)
    dut.rst.value = 0
    pauses = [random.random() < 0.3 for _ in range(97)]
    for channel in (master.write_if.aw_channel, master.write_if.w_channel, master.write_if.b_channel,
                    master.read_if.ar_channel, master.read_if.r_channel):  # fmt: skip
        channel.set_pause_generator(itertools.cycle(random.sample(pauses, len(pauses))))
    memory = bytearray(256)
    for _ in range(60):
        length = random.randrange(1, 20)
        address = random.randrange(0, 256 - length)
        if random.random() < 0.5:
            data = random.randbytes(length)
            memory[address : address + length] = data
            await master.write(address, data)
        else:
            found = await master.read(address, length)
            assert found.data == bytes(memory[address : address + length])
    with open(os.environ["SEEN"], "a") as file:
        file.write(f"{get_sim_time('ps')} {memory.hex()}\n")
