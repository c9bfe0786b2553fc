# SPDX-License-Identifier: Apache-2.0
"""100 tests of fifo.v under cocotb: one build for each depth. Arguments: the simulator, and a folder to build in."""
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from cocotb.runner import check_results_file, get_runner  # noqa: E402

SIMULATOR, WORK = sys.argv[1], Path(sys.argv[2])


def run(depth: int) -> None:
    runner, folder = get_runner(SIMULATOR), WORK / str(depth)
    runner.build(verilog_sources=[HERE / "fifo.v"], hdl_toplevel="fifo", parameters={"DEPTH": depth},
                 build_dir=folder, build_args=["-Wno-WIDTH"] if SIMULATOR == "verilator" else [])
    for seed in range(1, 11):
        results = runner.test(hdl_toplevel="fifo", test_module="test_fifo", build_dir=folder,
                              parameters={"DEPTH": depth}, extra_env={"SEED": str(seed)},
                              results_xml=f"seed_{seed}.xml")
        check_results_file(results)


with ThreadPoolExecutor(2) as pool:
    list(pool.map(run, range(2, 12)))
