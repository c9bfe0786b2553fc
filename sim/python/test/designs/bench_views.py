# SPDX-License-Identifier: Apache-2.0
"""Signals inside a Verilog module, its reset, and forced wires."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.handle import Force, Immediate, Release
from cocotb.triggers import (ClockCycles, FallingEdge, ReadOnly, RisingEdge, Timer, ValueChange,
                             with_timeout)


def note(dut, what):
    signals = [dut.x, dut.sum, dut.next, dut.after, dut.kept, dut.tally.ahead, dut.tally.seen]
    with open(os.environ["SEEN"], "a") as file:
        file.write(" ".join([what, *(str(signal.value) for signal in signals)]) + "\n")


async def start(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    dut.x.value = 0
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0


@cocotb.test()
async def inside_and_reset(dut):
    await start(dut)
    for cycle in range(40):
        await RisingEdge(dut.clk)
        note(dut, "rise")
        dut.x.value = random.randrange(256)
        if cycle in (20, 24):
            dut.rst.value = int(cycle == 20)
        await ReadOnly()
        note(dut, "read only")
        await FallingEdge(dut.clk)
        note(dut, "fall")


@cocotb.test()
async def forced_wires(dut):
    await start(dut)
    for cycle in range(30):
        await RisingEdge(dut.clk)
        dut.x.value = random.randrange(256)
        if cycle == 3:
            dut.after.value = Force(77)
        if cycle == 9:
            dut.after.value = Release()
        if cycle == 12:
            dut.next.value = Force(5)  # written by the module
        if cycle == 14:
            dut.next.value = Force(6)
        if cycle == 20:
            dut.next.value = Release()
        await ReadOnly()
        note(dut, "read only")


@cocotb.test()
async def a_release_of_what_is_not_forced(dut):
    await start(dut)
    await FallingEdge(dut.clk)
    change = cocotb.start_soon(first_change(dut.next))
    await Timer(1, "ns")
    dut.x.value = Immediate(9)
    note(dut, "at once")
    dut.kept.value = Release()
    await with_timeout(change, 2, "ns")


async def first_change(signal):
    await ValueChange(signal)


@cocotb.test(skip="MEMBERS" not in os.environ)
async def fields_and_members(dut):
    await start(dut)
    dut.x.value = 1
    await ClockCycles(dut.clk, 2)
    await FallingEdge(dut.clk)
    assert [int(dut.lane[k].valid.value) for k in range(3)] == [1, 0, 0]
    assert [int(dut.lane[k].at.x.value) for k in range(3)] == [1, 2, 3]
    assert [dut.lane[k].at.y.value.to_signed() for k in range(3)] == [0, 1, 2]
    assert [[int(dut.wide[i][j].value) for j in range(3)] for i in range(2)] == [[1, 2, 3], [4, 5, 6]]
    assert [int(each.value) for each in dut.list_] == [1, 2, 3, 4, 5]
    assert len(dut.lane_at) == 3 and len(dut.wide) == 2 and not hasattr(dut.lane, "valid")
    dut.wide[1][2].value = 99
    dut.lane[1].at.x.value = 88
    await ReadOnly()
    assert int(dut.wide[1][2].value) == 99 and int(dut.wide[1][1].value) == 5
    assert int(dut.lane_at[1].value) == 88 << 4 | 1


@cocotb.test(skip="PACKED" not in os.environ)
async def packed_structs(dut):
    await start(dut)
    dut.x.value = 2
    await ClockCycles(dut.clk, 2)
    await FallingEdge(dut.clk)
    assert [each.value.to_unsigned() for each in dut.lane] == [
        1 << 12 | 2 << 4, 1 << 12 | 3 << 4 | 1, 4 << 4 | 2,
    ]  # fmt: skip
    dut.lane[1].value = 88 << 4 | 15
    await ReadOnly()
    assert dut.lane_valid.value.to_unsigned() == 1
    assert dut.lane_at.value.to_unsigned() == (4 << 4 | 2) << 24 | (88 << 4 | 15) << 12 | 2 << 4
