# SPDX-License-Identifier: Apache-2.0
"""A test bench of cocotb for the lamp. `pytest models/tutorial/8_cocotb` runs it."""

import pathlib
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge

NETWORK = pathlib.Path(__file__).parent / "network.yaml"


@cocotb.test()
async def presses(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.button.value = 0
    dut.rst.value = 1
    await ClockCycles(dut.clk, 2)
    dut.rst.value = 0
    light, before = 0, 0
    for _ in range(100):
        await FallingEdge(dut.clk)
        assert dut.light.value == light
        button = random.randrange(2)
        dut.button.value = button
        light ^= button & ~before
        before = button


def test_lamp(tmp_path):
    from cocotb_tools.runner import get_runner

    runner = get_runner("sme")
    runner.build(sources=[NETWORK], hdl_toplevel="lamp", build_dir=tmp_path)
    runner.test(hdl_toplevel="lamp", test_module="test_lamp", build_dir=tmp_path, waves=True)
