#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seconds from the command to the first cycle, and to the full speed of native code."""

import argparse
import re
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import peers  # noqa: E402
from support import build, measure, report  # noqa: E402

FIRST_MOST, REGULAR_MOST, LARGE_MOST = 0.2, 1.0, 3.0    # wanted maxima in seconds
SIZES = [10, 1_000, 100_000, 1_000_000]                 # of the ring
LASTING_S = 8.0     # interpreted: longer than any compiler takes here
NATIVE = re.compile(r"^engine: native(?: from cycle \d+ on, ([\d.]+) s after the first)?;"
                    r".* written in ([\d.]+) s, (compiled|taken from the cache) in ([\d.]+) s;", re.MULTILINE)
FIRST, NATIVE_AT_ONCE, SWAPPED = "first cycle", "--engine native", "--engine auto"
EMPTY, WARM = "empty", "warm"


class Network:
    """One network of the table, a kind of design with a size."""

    def __init__(self, kind, nodes: int = 0) -> None:
        self.kind, self.options = kind, ("--set", f"nodes={nodes}") if nodes else ()
        self.name = f"{kind.name}, {nodes:,} nodes" if nodes else kind.name
        self.native_most = LARGE_MOST if kind.items == 1 else REGULAR_MOST

    def prepare(self, sme: peers.Sme, folder: Path) -> None:
        self.sme, self.network = sme, self.kind(sme, folder / "native").network
        self.warm = folder / "native/cache"
        self.cycles = None      # of a run that becomes native while it runs

    def run(self, engine: str, cycles: int, variables: dict | None = None) -> measure.Finished:
        return self.sme.run(self.network, engine, 1, "--cycles", cycles, "--set", "recorded=0", *self.options,
                            variables=variables)

    def lasting(self) -> int:
        """As many cycles as take the interpreter LASTING_S."""
        if self.cycles is None:
            cycles, seconds = 1, 0.0
            while seconds < 0.05:
                cycles *= 4
                seconds = float(measure.stats(self.run("interpreted", cycles))["run_s"])
            self.cycles = int(LASTING_S / seconds * cycles)
        return self.cycles


class Start:
    """Seconds from the command to a moment: of the program that does nothing, and what the run says of itself."""

    def __init__(self, network: Network, moment: str, cache: str, program: measure.Samples) -> None:
        self.network, self.moment, self.cache, self.program = network, moment, cache, program
        self.writing, self.compiling, self.is_filled = [], [], cache == EMPTY

    def __call__(self) -> float:
        if self.cache == WARM:
            if not self.is_filled:
                self.once(self.network.warm)
                self.is_filled = True
            return self.once(self.network.warm)
        with tempfile.TemporaryDirectory() as folder:
            return self.once(Path(folder))

    def once(self, cache: Path) -> float:
        engine = {FIRST: "auto", NATIVE_AT_ONCE: "native", SWAPPED: "auto"}[self.moment]
        cycles = self.network.lasting() if self.moment == SWAPPED else 1
        done = self.network.run(engine, cycles, {"XDG_CACHE_HOME": str(cache)})
        stats = measure.stats(done)
        seconds = self.program.median + float(stats["load_s"]) + float(stats["build_s"])
        return seconds if self.moment == FIRST else seconds + self.native(done.err)

    def native(self, said: str) -> float:
        """Seconds from the first cycle to the first native one."""
        found = NATIVE.search(said)
        if not found:
            lines = [line for line in said.splitlines() if line.startswith("engine: ")]
            raise measure.Failed(lines[0] if lines else "no line 'engine:'")
        after, writing, how, compiling = found.groups()
        if self.is_filled:
            if (how == "compiled") != (self.cache == EMPTY):
                raise measure.Failed(f"with the cache {self.cache}, native code was {how}")
            self.writing.append(float(writing))
            self.compiling.append(float(compiling))
        return float(after or 0)

    def columns(self) -> list:
        """What writing the code, and compiling or loading it, took of that."""
        return [f"{measure.Samples(each).median:.4f}" if each else "" for each in (self.writing, self.compiling)]


def networks() -> list:
    return [*(Network(peers.Ring, nodes) for nodes in SIZES), *map(Network, (peers.Riscv, peers.Aes, peers.Life))]


def all_measures(chosen: list, program: measure.Samples) -> dict:
    """By (network, moment, cache)."""
    measures = {}
    for network in chosen:
        measures[network.name, FIRST, EMPTY] = Start(network, FIRST, EMPTY, program)
        for moment in (NATIVE_AT_ONCE, SWAPPED):
            for cache in (EMPTY, WARM):
                measures[network.name, moment, cache] = Start(network, moment, cache, program)
    return measures


def wanted(chosen: list, samples: dict) -> list:
    results = []
    for network in chosen:
        for moment, most in ((FIRST, FIRST_MOST), (SWAPPED, network.native_most)):
            if moment == FIRST and network.kind.items == 1:
                continue    # only regular networks
            sample = samples[network.name, moment, EMPTY]
            seconds = sample.median if sample.values else None
            what = "to the first cycle" if moment == FIRST else "to native speed"
            results.append(report.Wanted(f"{network.name}, {what}", f"< {most:g} s",
                                         "" if seconds is None else f"{seconds:.3f} s",
                                         seconds is not None and seconds < most))
    return results


def write(folder: Path, chosen: list, measures: dict, samples: dict) -> str:
    """Writes all results; returns the tables for the terminal."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for key, sample in samples.items():
        note = sample.note.splitlines()[0] if sample.note else ""
        rows.append([*key, *sample.columns(".4f"), *measures[key].columns(), note])
    report.write_csv(folder / "starting.csv", ["network", "to", "cache", "median_s", "min_s", "max_s", "repetitions",
                                               "writing_s", "compiling_s", "note"], rows)
    table = report.markdown(["network", "to", "cache", "median s", "min s", "max s", "writing s", "compiling s"],
                            [[*row[:6], *row[7:9]] for row in rows])
    verdicts = report.markdown(report.WANTED_HEADER, [want.row() for want in wanted(chosen, samples)])
    report.write_readme(folder, "Native: starting", "Medians, in seconds from the command on; all took turns.",
                        [table, verdicts], "starting.md", "starting.py")
    return f"{table}\n\n{verdicts}"


def main() -> int:
    kinds = [kind.name for kind in peers.DESIGNS if kind in {network.kind for network in networks()}]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="3 repetitions")
    parser.add_argument("--repetitions", type=int, default=21)
    parser.add_argument("--designs", nargs="+", choices=kinds, default=kinds)
    parser.add_argument("--build", type=Path, default=measure.ROOT / "build/bench")
    parser.add_argument("--program", type=Path, help="a command that is there, instead of building one")
    parser.add_argument("--results", type=Path, default=HERE / "results")
    options = parser.parse_args()
    folder = options.build.resolve()
    if options.program and not options.program.is_file():
        parser.error(f"'{options.program}' is no program")
    if not options.program:
        try:
            build.targets(folder, "sme")
        except measure.Failed as reason:
            print(reason, file=sys.stderr)
            return 3
    sme = peers.Sme((options.program or folder / "sim/cli/sme").resolve())
    repetitions = 3 if options.quick else options.repetitions
    chosen = [network for network in networks() if network.kind.name in options.designs]
    for network in chosen:
        network.prepare(sme, folder)
    program = measure.interleaved({"": lambda: measure.run([sme.program, "--version"]).seconds}, repetitions)[""]
    if program.note:
        print(program.note, file=sys.stderr)
        return 1
    measures = all_measures(chosen, program)
    samples = measure.interleaved(measures, repetitions)
    for key, sample in samples.items():
        if sample.note:
            print(f"{', '.join(key)}: {sample.note}", file=sys.stderr)
    print(write(options.results, chosen, measures, samples))
    return 1 if any(sample.failed for sample in samples.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
