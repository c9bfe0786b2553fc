# SPDX-License-Identifier: Apache-2.0
"""Runs test_queue.py under cocotb. Arguments: the simulator, a folder to build in, the number of cycles."""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from cocotb.runner import check_results_file, get_runner  # noqa: E402

SIMULATOR, WORK, CYCLES = sys.argv[1], Path(sys.argv[2]), sys.argv[3]

runner = get_runner(SIMULATOR)
runner.build(verilog_sources=[HERE.parents[1] / "tests/designs/fifo.v"], hdl_toplevel="fifo",
             parameters={"DEPTH": 4}, build_dir=WORK,
             build_args=["-Wno-WIDTH", "-O3"] if SIMULATOR == "verilator" else [])
results = runner.test(hdl_toplevel="fifo", test_module="test_queue", build_dir=WORK, parameters={"DEPTH": 4},
                      extra_env={"CYCLES": CYCLES, "RESULT": str(WORK / "result.txt")}, results_xml="results.xml")
check_results_file(results)
print((WORK / "result.txt").read_text(), end="")
