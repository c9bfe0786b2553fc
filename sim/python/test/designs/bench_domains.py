# SPDX-License-Identifier: Apache-2.0
"""A network with several clocks, which drives them itself."""

import os

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge


@cocotb.test()
async def clocks(dut):
    dut.fast_rst.value = dut.slow_rst.value = 1
    for _ in range(4):
        await RisingEdge(dut.fast_clk)
    dut.fast_rst.value = dut.slow_rst.value = 0
    for cycle in range(60):
        await RisingEdge(dut.fast_clk)
        if cycle == 10:
            dut.slow_clk.value = 1 - int(dut.slow_clk.value)
        await ReadOnly()
        number = str(dut.b_data.value)[:16]  # the first field is leftmost
        with open(os.environ["SEEN"], "a") as file:
            file.write(f"{dut.producer.number.value} {dut.b_valid.value} {number} {dut.slow_clk.value}\n")
