# SPDX-License-Identifier: Apache-2.0
"""100 tests of fifo.vhd under VUnit. The arguments are those of VUnit."""
from pathlib import Path

from vunit import VUnit

HERE = Path(__file__).resolve().parent
tests = VUnit.from_argv(compile_builtins=False)
tests.add_vhdl_builtins()
library = tests.add_library("designs")
library.add_source_files([HERE / "fifo.vhd", HERE / "tb_fifo.vhd"])
bench = library.test_bench("tb_fifo")
for depth in range(2, 12):
    for seed in range(1, 11):
        bench.add_config(f"depth_{depth}_seed_{seed}", generics={"depth": depth, "seed": seed})
tests.main()
