# SPDX-License-Identifier: Apache-2.0
"""Runs programs and collects what they measured."""

import os
import statistics
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Failed(Exception):
    """A peer ended badly or computed something wrong."""


class Skipped(Exception):
    """A peer is not there, or takes longer than it may."""


@dataclass
class Finished:
    """A program that has ended with code 0."""

    seconds: float  # wall clock, from the start of the program to its end
    processor_s: float  # of processor time, on all threads
    peak_mb: float  # largest resident set
    out: str
    err: str


def run(command: list, limit_s: float = 120.0, variables: dict | None = None) -> Finished:
    """Runs a program in the project's root, with more environment variables. Raises Failed and Skipped."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], cwd=ROOT, stdout=out, stderr=err,
                                   env={**os.environ, **(variables or {})})
        stopped = threading.Event()
        clock = threading.Timer(limit_s, lambda: (stopped.set(), process.kill()))
        clock.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            clock.cancel()
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        finished = Finished(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out.read(), err.read())
    if stopped.is_set():
        raise Skipped(f"more than {limit_s:.0f} s")
    if process.returncode != 0:
        words = (finished.err.strip() or finished.out.strip()).splitlines()
        last = words[-1] if words else "no message"
        raise Failed(f"exit code {process.returncode}: {last}")
    return finished


def peer_ns(finished: Finished, cycles: int) -> float:
    """Nanoseconds from a peer's line `ns_per_node_cycle <float> check <token of node 0>`."""
    for line in finished.out.splitlines():
        words = line.split()
        if len(words) == 4 and words[0] == "ns_per_node_cycle" and words[2] == "check":
            if int(words[3]) != cycles:
                raise Failed(f"the token is {words[3]} after {cycles} cycles")
            return float(words[1])
    raise Failed("no line 'ns_per_node_cycle'")


def stats(finished: Finished) -> dict:
    """The numbers of the line `stats: key=value ...` that `sme run --stats` prints."""
    for line in finished.err.splitlines():
        if line.startswith("stats: "):
            pairs = (word.split("=", 1) for word in line.split()[1:] if "=" in word)
            return dict(pairs)
    raise Failed("no line 'stats:'")


@dataclass
class Samples:
    """Repeated measurements of one thing. Without values: skipped, or failed when `failed`."""

    values: list = field(default_factory=list)
    note: str = ""
    failed: bool = False

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    def columns(self, form: str) -> list:
        """Median, least, greatest and number of repetitions, as written to a CSV file."""
        if not self.values:
            return ["failed" if self.failed else "skipped", "", "", 0]
        numbers = (self.median, min(self.values), max(self.values))
        return [*(format(number, form) for number in numbers), len(self.values)]


def guarded(make):
    """A measure; what keeps it from being made is said when it is called."""
    try:
        return make()
    except (Failed, Skipped, OSError) as reason:
        problem = reason

        def broken() -> float:
            raise problem
        return broken


def interleaved(measures: dict, repetitions: int) -> dict:
    """Calls every measure once a round (A B C A B C ...), so that all meet the same moods of the
    machine. `measures` maps a name to a function that returns a number. A measure that failed
    or was skipped is not called again. Returns Samples by name."""
    samples = {name: Samples() for name in measures}
    for _ in range(repetitions):
        for name, measure in measures.items():
            if samples[name].note:
                continue
            try:
                samples[name].values.append(measure())
            except (Failed, Skipped, OSError) as problem:
                samples[name] = Samples([], str(problem), not isinstance(problem, Skipped))
    return samples


def ratio(slow: Samples, fast: Samples):
    """How many times faster `fast` is by its median, or None when one was not measured."""
    return slow.median / fast.median if slow.values and fast.values else None
