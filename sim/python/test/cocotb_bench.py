# SPDX-License-Identifier: Apache-2.0
"""A test bench of cocotb, which runs on a network and on its Verilog and notes what it sees."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.handle import Force, Immediate, Release
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly, RisingEdge, Timer, ValueChange
from cocotb.utils import get_sim_time

SIGNALS = ["sum", "twice", "lane", "x", "later", "oldest"]


def note(dut, what):
    values = " ".join(f"{name}={getattr(dut, name).value}" for name in SIGNALS)
    with open(os.environ["SEEN"], "a") as file:
        file.write(f"{what} {get_sim_time('ps')} {values}\n")


async def start(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    dut.x.value = 0
    dut.enable.value = 0
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0


@cocotb.test()
async def values_of_all_regions(dut):
    await start(dut)
    for cycle in range(60):
        await RisingEdge(dut.clk)
        note(dut, "rise")
        dut.x.value = 99 if cycle == 10 else random.randrange(256)  # 99 halts a process
        dut.enable.value = random.random() < 0.7
        await ReadOnly()
        note(dut, "read only")
        await FallingEdge(dut.clk)
        note(dut, "fall")
        if cycle in (30, 33):  # it goes back to the first cycle, but not its memory
            dut.rst.value = int(cycle == 30)
    await Timer(3, "ns")
    note(dut, "end")


@cocotb.test()
async def hierarchy(dut):
    await start(dut)
    dut.x.value = 5
    dut.enable.value = 1
    await ClockCycles(dut.clk, 5)
    assert [int(dut.lanes[k].unit.y.value) for k in range(4)] == [5, 6, 7, 8]
    assert int(dut.lane.value) == 0x08070605
    assert int(dut.add.mem[2].value) == 5 and len(dut.add.mem) == 16
    assert int(dut.add.at.value) == 4 and int(dut.add.x.value) == 5
    assert dut.add.clk.value == dut.clk.value and dut.lane[9].value == 1
    assert {child._name for child in dut} >= {"clk", "rst", "x", "sum", "add", "double", "lanes"}
    assert not hasattr(dut, "nothing") and dut.sum.value.range.left == 15
    note(dut, "hierarchy")
    dut.add.at.value = 9
    dut.add.mem[12].value = 77
    await ClockCycles(dut.clk, 3)
    assert [int(dut.add.mem[k].value) for k in (9, 10, 12)] == [5, 5, 77]
    note(dut, f"written {dut.add.at.value}")
    dut.twice.value = 3  # it follows sum, so this is an error in the log
    await ClockCycles(dut.clk, 2)
    assert int(dut.twice.value) == 2 * int(dut.sum.value)


@cocotb.test()
async def kinds_of_writes(dut):
    await start(dut)
    dut.enable.value = 1
    dut.x.value = Force(9)
    await ClockCycles(dut.clk, 2)
    dut.x.value = 3
    await ClockCycles(dut.clk, 2)
    note(dut, "forced")
    dut.x.value = Release()
    dut.x.value = 4
    await ValueChange(dut.sum)
    dut.x.value = Immediate(33)
    assert int(dut.x.value) == 33
    await ReadOnly()
    note(dut, "at once")
    await ClockCycles(dut.clk, 2)
    note(dut, "later")


@cocotb.test(expect_fail=True)
async def a_failure(dut):
    await start(dut)
    assert dut.sum.value == 1


@cocotb.test(timeout_time=100, timeout_unit="ns", expect_error=cocotb.triggers.SimTimeoutError)
async def a_timeout(dut):
    await start(dut)
    await RisingEdge(dut.enable)


@cocotb.test(skip="ENDLESS" not in os.environ)
async def endless(dut):
    await start(dut)
    print("running", flush=True)
    while True:
        await ClockCycles(dut.clk, 100)


@cocotb.test(skip="FAULT" not in os.environ)
async def a_fault_of_the_network(dut):
    await start(dut)
    dut.x.value = 255
    dut.enable.value = 1
    await ClockCycles(dut.clk, 100)


@cocotb.test(skip="STARVED" not in os.environ)
async def nothing_happens_any_more(dut):
    await RisingEdge(dut.clk)
