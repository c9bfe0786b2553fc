# SPDX-License-Identifier: Apache-2.0
"""The types of the package, and those that a program sees. It takes 5 s, as mypy reads NumPy's."""

import os
import pathlib
import subprocess
import sys

import pytest

import sme

PROGRAM = """
import sme

sim = sme.load("n.yaml", parameters={"n": 3})
reveal_type(sim.run(3))
reveal_type(sim.run(record=["x"]))
reveal_type(sim.run(record="x")["x"])
reveal_type(sim.dut)
reveal_type(sim.checks()[0].state)
reveal_type(sme.compiled("x.c"))

async def bench(dut: sme.Dut) -> int:
    await dut.cycles(2)
    return 3

reveal_type(sim.bench(bench))
sim.cycle = 3
sme.Process(lambda x: x, reads=3)
"""


def test_types(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(PROGRAM)
    package = pathlib.Path(sme.__file__).parent
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", "program.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=os.environ | {"MYPYPATH": os.fspath(package.parent)},
    )
    lines = [line.split(": ", 2)[2] for line in ran.stdout.splitlines() if line.startswith("program.py")]
    revealed = [line.split('"')[1] for line in lines if line.startswith("Revealed")]
    assert revealed[:2] == ["builtins.int", "sme.rows.Rows"]
    assert revealed[2].startswith("numpy.ndarray[")
    assert revealed[3:] == ["sme.bench.Dut", "builtins.str", "sme.process.Compiled", "builtins.int"]
    wrong = [line for line in lines if not line.startswith("Revealed")]
    assert len(wrong) == 2 and 'Property "cycle"' in wrong[0] and '"reads"' in wrong[1]
    assert [line for line in ran.stdout.splitlines() if not line.startswith("program.py")][:-1] == []
