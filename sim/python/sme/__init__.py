# SPDX-License-Identifier: Apache-2.0
"""Clocked process networks, simulated fast and exactly.

    import sme
    sim = sme.load("network.yaml", parameters={"depth": 8})
    sim["x"] = 3
    sim.run(10)
    print(sim["y"])

A simulator is between two cycles. What it reads is what the processes of the network read in
the next cycle; a wire has the value that it will have then. What is set takes effect in that cycle.
"""

from __future__ import annotations

import os
from typing import Any

from sme._sme import (
    Check,
    CheckpointError,
    CompileError,
    NetworkError,
    Output,
    Signal,
    TraceError,
)
from sme.bench import Dut, Task
from sme.commands import (
    CommandFailed,
    History,
    Picture,
    TestResult,
    diff,
    fifos,
    graph,
    test,
    untimed,
    verilog,
    waves,
)
from sme.errors import CheckFailed, Fault, Finding
from sme.network import Network
from sme.process import Compiled, Process, compiled
from sme.rows import Rows
from sme.simulator import Simulator, View

__all__ = [
    "Check",
    "CheckFailed",
    "CheckpointError",
    "CommandFailed",
    "CompileError",
    "Compiled",
    "Dut",
    "Fault",
    "Finding",
    "History",
    "Network",
    "NetworkError",
    "Output",
    "Picture",
    "Process",
    "Rows",
    "Signal",
    "Simulator",
    "Task",
    "TestResult",
    "TraceError",
    "View",
    "compiled",
    "diff",
    "fifos",
    "graph",
    "load",
    "test",
    "untimed",
    "verilog",
    "waves",
]


def load(path: str | os.PathLike[str], **options: Any) -> Simulator:
    """Loads a network file and returns a `Simulator` before cycle 0; options as there."""
    return Simulator(path, **options)
