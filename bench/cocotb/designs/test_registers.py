# SPDX-License-Identifier: Apache-2.0
"""Random words, by the AXI-Lite master of cocotbext-axi."""

import os
import random
import time

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiLiteBus, AxiLiteMaster

CYCLES = int(os.environ["CYCLES"])


@cocotb.test()
async def words(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
    master.write_if.log.setLevel("WARNING")
    master.read_if.log.setLevel("WARNING")
    dut.rst.value = 1
    await ClockCycles(dut.clk, 5)
    dut.rst.value = 0
    chance, memory = random.Random(1), {}
    start, begin = get_sim_time("ns"), time.perf_counter()
    while get_sim_time("ns") - start < 10 * CYCLES:
        address = 4 * chance.randrange(64)
        memory[address] = chance.randbytes(4)
        await master.write(address, memory[address])
        address = chance.choice(list(memory))
        assert (await master.read(address, 4)).data == memory[address]
    cycles = (get_sim_time("ns") - start) / 10
    with open(os.environ["RESULT"], "w") as file:
        file.write(f"cycles_per_s {cycles / (time.perf_counter() - begin):.0f}\n")
