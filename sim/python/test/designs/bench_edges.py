# SPDX-License-Identifier: Apache-2.0
"""What keeps its value from one edge to the next, and what does not."""

import os

import cocotb
from cocotb.handle import Force, Release
from cocotb.triggers import Timer


@cocotb.test()
async def between_edges(dut):
    async def edge(i, unread):
        dut.i.value, dut.unread.value = i, unread
        await Timer(5, "ns")
        dut.clk.value = 1
        await Timer(5, "ns")
        dut.clk.value = 0
        values = [int(each.value) for each in (dut.rst, dut.i, dut.unread, dut.w, dut.total.sum)]
        with open(os.environ["SEEN"], "a") as file:
            print(*values, file=file)
        return values

    dut.clk.value = 0
    for reset in (1, 0, 0, 0, 1, 0):  # the memory of a process with 'reset' is reset, too
        dut.rst.value = reset
        await edge(10, 20)
    assert (await edge(10, 21))[2] == 21
    dut.total.sum.value = Force(100)
    assert (await edge(3, 22))[4] == 100
    await edge(4, 22)
    dut.total.sum.value = Release()  # it keeps its value until it is assigned
    assert [(await edge(k, 22))[4] for k in range(3)] == [101, 102, 103]
