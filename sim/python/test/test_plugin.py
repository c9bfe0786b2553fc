# SPDX-License-Identifier: Apache-2.0
"""The tests of networks under pytest, in a pytest of their own."""

import os
import pathlib
import subprocess
import sys

import sme
from networks import counter

PACKAGE = pathlib.Path(sme.__file__).absolute().parents[1]

TESTED = """
network: tested
parameters: {most: 100}
buses: {n: u8}
processes:
  count:
    in: n
    out: {next: n}
    step:
      next: n + 1
checks:
  - always: n < most
  - cover: n == 200
run: {cycles: 20}
tests:
  plain:
  seeds: {seeds: 1..2}
  low[k < 2]: {set: {most: 5 + 50 * k}}
"""


def pytest_on(folder, *options):
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "sme.pytest_plugin", "-p", "no:cacheprovider", *options],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(PACKAGE)},
    )


def test_networks_are_items(tmp_path):
    (tmp_path / "tested.yaml").write_text(TESTED)
    (tmp_path / "plain.yaml").write_text(counter())
    (tmp_path / "open.yaml").write_text(counter().replace("run: {cycles: 20}", ""))
    (tmp_path / "late.yaml").write_text(counter("eventually by 30: n == 25"))
    (tmp_path / "part.yaml").write_text("component: part\nin: {x: u8}\nout: {}\nstep: {}\n")
    (tmp_path / "wrong.yaml").write_text(counter().replace("n + 1", "m + 1"))
    (tmp_path / "test_bench.py").write_text(
        "import sme\n\n\ndef test_it():\n    sim = sme.load('plain.yaml')\n    sim.run(5)\n"
        "    assert sim['n'] == 5\n"
    )
    ran = pytest_on(tmp_path, "-v", "--sme-traces", "kept", "--continue-on-collection-errors")
    out = ran.stdout
    assert "2 failed, 6 passed, 1 skipped, 1 error" in out, out + ran.stderr
    for line in [
        "tested.yaml::plain PASSED",
        "tested.yaml::seeds-seed1 PASSED",
        "tested.yaml::seeds-seed2 PASSED",
        "tested.yaml::low[0] FAILED",
        "tested.yaml::low[1] PASSED",
        "plain.yaml::run PASSED",
        "late.yaml::run FAILED",
        "open.yaml::run SKIPPED",
        "test_bench.py::test_it PASSED",
    ]:
        assert line in out, (line, out)
    assert "the check 'always: n < most' failed in cycle 5: 'n' is 5" in out
    assert "--test 'low[0]'" in out and "not reached: eventually by 30: n == 25" in out
    assert "nothing is named 'm' here" in out
    kept = sorted(path.name for path in pathlib.Path(tmp_path / "kept").iterdir())
    assert kept == ["late.yaml_run.vcd", "tested.yaml_low_0_.vcd"]
    assert pytest_on(tmp_path, "-k", "plain", "--ignore", "wrong.yaml").returncode == 0
