# SPDX-License-Identifier: Apache-2.0
"""An arithmetic unit, by pyuvm: a sequence, a driver, a monitor, a scoreboard and its coverage."""

import os
import random

import cocotb
import pyuvm
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge
from cocotb.utils import get_sim_time
from cocotb_coverage.coverage import CoverCross, CoverPoint, coverage_db

OPS = [lambda a, b: a + b, lambda a, b: a & b, lambda a, b: a ^ b, lambda a, b: a * b]


@CoverPoint("alu.op", xf=lambda command: command.op, bins=[0, 1, 2, 3])
@CoverPoint("alu.high", xf=lambda command: command.a > 127, bins=[True, False])
@CoverCross("alu.cross", items=["alu.op", "alu.high"])
def sample(command):
    pass


class Command(pyuvm.uvm_sequence_item):
    def __init__(self, name):
        super().__init__(name)
        self.a, self.b, self.op = random.randrange(256), random.randrange(256), random.randrange(4)


class Commands(pyuvm.uvm_sequence):
    async def body(self):
        for k in range(200):
            command = Command(f"command{k}")
            await self.start_item(command)
            await self.finish_item(command)


class Driver(pyuvm.uvm_driver):
    def build_phase(self):
        self.port = pyuvm.uvm_analysis_port("port", self)

    async def run_phase(self):
        dut = cocotb.top
        while True:
            command = await self.seq_item_port.get_next_item()
            dut.a.value, dut.b.value, dut.op.value = command.a, command.b, command.op
            dut.start.value = 1
            await FallingEdge(dut.clk)
            assert dut.done.value == 1
            self.port.write((command, int(dut.result.value)))
            self.seq_item_port.item_done()


class Scoreboard(pyuvm.uvm_subscriber):
    def build_phase(self):
        super().build_phase()
        self.seen = 0

    def write(self, pair):
        command, result = pair
        sample(command)
        self.seen += 1
        assert result == OPS[command.op](command.a, command.b)
        with open(os.environ["SEEN"], "a") as file:
            file.write(f"{get_sim_time('ps')} {result}\n")

    def check_phase(self):
        assert self.seen == 200 and coverage_db["alu.cross"].cover_percentage == 100


class Env(pyuvm.uvm_env):
    def build_phase(self):
        self.sequencer = pyuvm.uvm_sequencer("sequencer", self)
        self.driver = Driver("driver", self)
        self.scoreboard = Scoreboard("scoreboard", self)

    def connect_phase(self):
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
        self.driver.port.connect(self.scoreboard.analysis_export)


@pyuvm.test()
class AluTest(pyuvm.uvm_test):
    def build_phase(self):
        self.env = Env("env", self)

    async def run_phase(self):
        self.raise_objection()
        dut = cocotb.top
        cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
        dut.rst.value = 1
        await ClockCycles(dut.clk, 2)
        dut.rst.value = 0
        await FallingEdge(dut.clk)
        await Commands("commands").start(self.env.sequencer)
        self.drop_objection()
