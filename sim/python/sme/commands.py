# SPDX-License-Identifier: Apache-2.0
"""Commands of `sme` as functions.

They call the command, so they do what it does; see its manual for what the words mean. A network is
a file, or a `Network` without processes in Python. A mistake in a network raises NetworkError, anything else that keeps the command from its work CommandFailed.
"""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any, Union
from xml.etree import ElementTree

from sme._sme import NetworkError
from sme.network import Network

Path = Union[str, os.PathLike[str]]

FAILED, MISTAKE = 1, 2  # exit codes: a check or a test failed; a file has mistakes


class CommandFailed(RuntimeError):
    """The command could not do its work; `exit_code` says why."""

    def __init__(self, exit_code: int, text: str) -> None:
        super().__init__(text)
        self.exit_code = exit_code

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.exit_code, str(self)), self.__dict__


@dataclasses.dataclass(frozen=True)
class TestResult:
    """A test of a network, as `sme test` runs it."""

    network: str
    name: str  # with its seed, if it has several
    state: str  # 'passed', 'failed', 'not run' or 'not loaded' (a network with errors)
    seconds: float
    text: str  # of a failure: what its run said, and how to repeat it; or the errors

    __test__ = False  # no test of pytest's


@dataclasses.dataclass(frozen=True)
class History:
    """What a channel has carried."""

    messages: int
    digest: str  # equal for equal messages in the same order


class Picture(str):
    """An SVG, as text; a notebook shows it."""

    def __repr__(self) -> str:
        return f"<sme.Picture: {len(self)} characters of SVG>"

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: Path) -> None:
        """Writes it into a file .svg."""
        pathlib.Path(path).write_text(self, encoding="utf-8")


def program() -> str:
    """The path of the command: the one in this package, or in PATH; SME_COMMAND overrides it."""
    inside = pathlib.Path(__file__).parent / "bin" / "sme"
    found = os.environ.get("SME_COMMAND") or (str(inside) if inside.exists() else shutil.which("sme"))
    if not found:
        raise FileNotFoundError("the command 'sme' is neither in this package nor in PATH")
    return found


def main() -> None:
    """Becomes the command `sme`."""
    found = program()
    if os.path.samefile(found, sys.argv[0]):
        sys.exit("sme: this package was installed without the command")
    os.execv(found, ["sme", *sys.argv[1:]])


def _run(*words: Any, accepted: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess[str]:
    scripts = sysconfig.get_path("scripts")  # programs of other packages, such as WaveDrom
    path = os.pathsep.join([scripts, os.environ.get("PATH", os.defpath)])
    with contextlib.ExitStack() as files:
        texts = [
            files.enter_context(word._file()) if isinstance(word, Network)
            else os.fspath(word) if hasattr(word, "__fspath__")
            else str(word)
            for word in words
        ]  # fmt: skip
        ran = subprocess.run(
            [program(), *texts],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env=os.environ | {"PATH": path},
        )
    if ran.returncode in accepted:
        return ran
    text = (ran.stderr or ran.stdout).strip()
    if ran.returncode == MISTAKE:
        raise NetworkError(text)
    raise CommandFailed(ran.returncode, text)


def _chosen(parameters: Mapping[str, Any] | None, test: str, seed: int) -> list[Any]:
    words: list[Any] = []
    for name, value in (parameters or {}).items():
        words += ["--set", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    if test:
        words += ["--test", test]
    if seed:
        words += ["--seed", seed]
    return words


def test(*paths: Path | Network, only: str = "", seed: int | None = None) -> list[TestResult]:
    """Runs the tests of networks, several at once; returns a list of `TestResult`.

    paths: networks and folders; without any, the working folder. only: names, as patterns. A cover
    that no test reaches is a failed result called 'cover'; a network with errors is one that is
    'not loaded'. Raises NetworkError if there is no test.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.xml"
        words: list[Any] = ["test", *paths, "--junit", report, "--allow", folder]
        if only:
            words += ["--only", only]
        if seed is not None:
            words += ["--seed", seed]
        ran = _run(*words, accepted=(0, FAILED, MISTAKE))
        cases = list(ElementTree.parse(report).iter("testcase")) if report.exists() else []
        if not cases:
            raise NetworkError((ran.stderr or ran.stdout).strip())
        return [_result(case) for case in cases]


setattr(test, "__test__", False)  # no test of pytest's


def _result(case: ElementTree.Element) -> TestResult:
    states = {"failure": "failed", "error": "not loaded", "skipped": "not run"}
    found = next((each for each in case if each.tag in states), None)
    state = "passed" if found is None else states[found.tag]
    text = (found.text or "") if found is not None else ""
    return TestResult(
        case.get("classname", ""), case.get("name", ""), state, float(case.get("time", 0)), text
    )


def untimed(
    path: Path | Network,
    *,
    parameters: Mapping[str, Any] | None = None,
    test: str = "",
    seed: int = 0,
) -> dict[str, History]:
    """Runs a network of actors without a clock; returns {channel: `History`}.

    Raises CommandFailed if an expected output differs, or the actors wait for each other.
    """
    with tempfile.TemporaryDirectory() as folder:
        rows = pathlib.Path(folder) / "histories.csv"
        _run("run", path, "--untimed", "--histories", rows, "--allow", folder,
             "--outputs", folder, *_chosen(parameters, test, seed))  # fmt: skip
        with rows.open(newline="") as file:
            return {
                row["channel"]: History(int(row["messages"]), row["digest"])
                for row in csv.DictReader(file)
            }


def fifos(
    path: Path | Network,
    *,
    parameters: Mapping[str, Any] | None = None,
    test: str = "",
    seed: int = 0,
) -> list[dict[str, int]]:
    """What cycles cost in bits of FIFOs: a list of dicts, from the fastest to the smallest.

    Each has 'cycles', 'bits', and the depth of each channel by its name.
    """
    with tempfile.TemporaryDirectory() as folder:
        rows = pathlib.Path(folder) / "front.csv"
        _run("fifos", path, "--pareto", rows, "--allow", folder, *_chosen(parameters, test, seed))
        with rows.open(newline="") as file:
            return [
                {name: int(value) for name, value in row.items()} for row in csv.DictReader(file)
            ]


def diff(first: Path, second: Path, **options: Any) -> str:
    """Compares two waveforms; returns '' if they are the same, else the text of the differences.

    Options are those of `sme diff`, such as select='bench.*', max_differences=1.
    """
    words: list[Any] = []
    for name, value in options.items():
        words += [f"--{name.replace('_', '-')}"] + ([] if value is True else [value])
    ran = _run("diff", first, second, *words, accepted=(0, FAILED))
    return ran.stdout if ran.returncode == FAILED else ""


def verilog(
    path: Path | Network,
    output: Path,
    *,
    top: str = "",
    parameters: Mapping[str, Any] | None = None,
    test: str = "",
) -> dict[str, Any]:
    """Writes a network as Verilog into a folder; returns the map of names.json: which bits of which
    signal carry each bus and state."""
    words: list[Any] = ["verilog", path, "--output", output, "--allow", output]
    if top:
        words += ["--top", top]
    _run(*words, *_chosen(parameters, test, 0))
    with open(pathlib.Path(output) / "names.json", encoding="utf-8") as file:
        result: dict[str, Any] = json.load(file)
        return result


def graph(
    path: Path | Network, *, parameters: Mapping[str, Any] | None = None, test: str = ""
) -> Picture:
    """Draws the processes and buses of a network, with Graphviz; returns a `Picture`."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "graph.svg"
        _run("graph", path, "--output", file, "--allow", folder, *_chosen(parameters, test, 0))
        return Picture(file.read_text(encoding="utf-8"))


def waves(
    path: Path | Network,
    select: str = "*",
    *,
    cycles: int = 20,
    first: int = 0,
    parameters: Mapping[str, Any] | None = None,
    test: str = "",
    seed: int = 0,
) -> Picture:
    """Draws the timing diagram of a run; returns a `Picture`.

    select: names of buses, as a pattern; cycles: how many are drawn, from the cycle `first` on. A run
    that fails is drawn as well. Needs the package yowasp-wavedrom.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "waves.svg"
        last = first + cycles
        _run("run", path, "--wavedrom", file, "--show", select, "--from", first, "--to", last,
             "--cycles", last, "--allow", folder, "--outputs", folder,
             *_chosen(parameters, test, seed), accepted=(0, FAILED))  # fmt: skip
        return Picture(file.read_text(encoding="utf-8"))
