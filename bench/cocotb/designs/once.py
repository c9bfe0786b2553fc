# SPDX-License-Identifier: Apache-2.0
"""Builds a design and runs its test bench. Arguments: simulator, design, top module, folder, cycles, files."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python/designs")]  # test_queue is there

from cocotb_tools.runner import get_runner  # noqa: E402

SIMULATOR, DESIGN, TOP, WORK, CYCLES, *SOURCES = sys.argv[1:]

runner = get_runner(SIMULATOR)
runner.build(sources=SOURCES, hdl_toplevel=TOP, build_dir=WORK, always=True, timescale=("1ns", "1ps"),
             build_args=["-Wno-fatal", "-O3"] if SIMULATOR == "verilator" else [],
             log_file=Path(WORK) / "build.log")  # fmt: skip
result = Path(WORK) / "result.txt"
results = runner.test(hdl_toplevel=TOP, test_module=f"test_{DESIGN}", build_dir=WORK, test_dir=WORK,
                      extra_env={"CYCLES": CYCLES, "RESULT": os.fspath(result)},
                      log_file=Path(WORK) / "test.log")  # fmt: skip
if "<failure" in Path(results).read_text():
    sys.exit(f"the test bench failed; see {WORK}/test.log")
print(result.read_text())
