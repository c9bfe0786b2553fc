# SPDX-License-Identifier: Apache-2.0
"""The plug-in for pytest: the tests of network files are items, beside those in Python.

A file .yaml or .yml that says `network:` or `test:` is collected; each of its tests, with each of
its seeds, is an item, and so is a network without tests that says how long it runs. It fails as in
`sme test`: by a fault, a check, an output, or a check that is not reached. Covers are not judged
here, as they count over all tests.

`--sme-traces FOLDER` runs what failed again and keeps its waveform there.
"""

from __future__ import annotations

import os
import pathlib
import re
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import sme
from sme import _sme


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("sme", "networks of sme")
    group.addoption(
        "--sme-traces", metavar="FOLDER", help="keep the waveforms of networks that failed there"
    )


def pytest_collect_file(file_path: pathlib.Path, parent: pytest.Collector) -> NetworkFile | None:
    if file_path.suffix not in (".yaml", ".yml"):
        return None
    try:
        text = file_path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    if re.search(r"^network:", text, re.MULTILINE) or (
        re.search(r"^test:", text, re.MULTILINE) and re.search(r"^of:", text, re.MULTILINE)
    ):
        return NetworkFile.from_parent(parent, path=file_path)
    return None


class NetworkFile(pytest.File):
    """A network, or a file of tests."""

    def collect(self) -> Iterator[NetworkTest]:
        try:
            tests = _sme.tests(os.fspath(self.path), {"verilog": True})
        except sme.NetworkError as error:
            raise self.CollectError(str(error)) from None
        for name, first, last in tests:
            for seed in range(first, last + 1):
                label = name if first == last else f"{name}-seed{seed}"
                yield NetworkTest.from_parent(self, name=label, test=name, seed=seed)
        if not tests:
            yield NetworkTest.from_parent(self, name="run", test="", seed=0)


class NetworkTest(pytest.Item):
    """A run of a network that must pass its checks."""

    def __init__(self, *, test: str, seed: int, **more: Any) -> None:
        super().__init__(**more)
        self.test = test
        self.seed = seed
        self.strict = False  # only what was not reached is wrong

    def runtest(self) -> None:
        try:
            self._run()
        except (sme.Fault, sme.CheckFailed):
            folder = self.config.getoption("--sme-traces")
            if folder:
                os.makedirs(folder, exist_ok=True)
                name = re.sub(r"[^\w.-]+", "_", self.nodeid.strip("/")) + ".vcd"
                trace = os.path.join(folder, name)
                try:
                    self._run(trace=trace, trace_state=True)
                except (sme.Fault, sme.CheckFailed):
                    self.add_report_section("call", "waveform", trace)
            raise

    def _run(self, **options: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sim = sme.load(self.path, test=self.test, seed=self.seed, **options)
        if sim.cycles is None and not sim.ends_by_itself:
            pytest.skip("the network does not say how long it runs")
        try:
            sim.run()
        finally:
            sim.finish()
        wrong = [
            f"{check.place}: {check.state}: {check.text}"
            for check in sim.checks()
            if check.state == "failed"
            or (check.state == "not reached" and not check.text.startswith("cover:"))
        ]
        for output in sim.outputs():
            if output.difference or output.problem:
                wrong.append(f"{output.path}: {output.difference or output.problem}")
            elif output.expected_rows is not None and output.rows < output.expected_rows:
                wrong.append(f"{output.path}: {output.rows} of {output.expected_rows} rows")
        if wrong:
            self.strict = not any(check.state == "failed" for check in sim.checks())
            raise sme.CheckFailed("\n".join(wrong), sim.cycle, sim.checks())

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, (sme.Fault, sme.CheckFailed, sme.NetworkError)):
            options = f" --test '{self.test}'" if self.test else ""
            options += f" --seed {self.seed}" if self.seed else ""
            options += " --strict" if self.strict else ""
            return f"{excinfo.value}\nagain: sme run {self.path}{options}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[pathlib.Path, int, str]:
        return self.path, 0, f"{self.path.name}: {self.name}"
