#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Native code of many different processes: when its parts go live, and what a cycle takes before and after."""

import argparse
import random
import re
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from support import build, measure, report  # noqa: E402

SIZES = [1_000, 10_000]
PART = re.compile(r"^  C file \d+ of \d+: (\d+) processes native from cycle \d+ on, ([\d.]+) s after the first;",
                  re.MULTILINE)
WHOLE = re.compile(r"^engine: native.* written in ([\d.]+) s, compiled in ", re.MULTILINE)
LIMIT_S = 600.0


def network(processes: int) -> str:
    """Each process has a step of its own: about ten operations on two inputs and its state."""
    choose = random.Random(1)
    operations = ["+", "-", "^", "|", "&"]
    lines = ["network: many", "buses:"]
    lines += [f"  b{k}: u32" for k in range(processes)]
    lines.append("processes:")
    for k in range(processes):
        near, far = (k + 1) % processes, choose.randrange(processes)
        one, two, three = (choose.choice(operations) for _ in range(3))
        a, b, c = (choose.randrange(1, 1 << 32) for _ in range(3))
        lines += [f"  p{k}:", f"    in: {{a: b{near}, b: b{far}}}" if near != far else f"    in: {{a: b{near}, b: b{k}}}",
                  f"    out: {{y: b{k}}}", "    state:", f"      n: u32 = {k}", "    step:",
                  f"      n: n * {a | 1} + (a {one} {b})",
                  f"      y: if n < {c} then (a {two} b) >> {choose.randrange(32)} else (n {three} b) * {k | 1}"]
    return "\n".join(lines) + "\n"


class Many:
    """A run of one network that lasts until all processes are native."""

    def __init__(self, program: Path, processes: int, folder: Path) -> None:
        self.program, self.processes = program, processes
        self.network = folder / f"many{processes}.yaml"
        self.network.write_text(network(processes))

    def run(self, engine: str, cycles: int, cache: str) -> measure.Finished:
        return measure.run([self.program, "run", self.network, "--engine", engine, "--threads", 1, "--cycles", cycles,
                            "--stats"], LIMIT_S, {"XDG_CACHE_HOME": cache})

    def ns(self, engine: str, seconds: float, cache: str) -> float:
        """Of a cycle, in a run that takes about so long."""
        cycles, run_s = 100, 0.0
        while run_s < seconds:
            cycles = int(cycles * min(max(1.2 * seconds / max(run_s, 1e-3), 1.2), 20))
            run_s = float(measure.stats(self.run(engine, cycles, cache))["run_s"])
        return run_s / cycles * 1e9

    def measured(self, lasting_s: float) -> list:
        with tempfile.TemporaryDirectory() as cache:
            interpreted = self.ns("interpreted", 1.0, cache)
            done = self.run("auto", int(lasting_s / interpreted * 1e9), cache)
            whole = WHOLE.search(done.err)
            live = [(int(processes), float(after)) for processes, after in PART.findall(done.err)]
            if not whole or live[-1][0] < self.processes:
                raise measure.Failed(f"only {live[-1][0] if live else 0} processes became native")
            moments = [next(after for native, after in live if native >= wanted)
                       for wanted in (1, self.processes / 2, self.processes)]
            native = self.ns("native", 1.0, cache)
        return [f"{self.processes:,}", whole[1], *(f"{moment:.1f}" for moment in moments),
                f"{interpreted / self.processes:.1f}", f"{native / self.processes:.1f}"]


HEADER = ["processes", "writing s", "first live s", "half live s", "all live s", "interpreted ns", "native ns"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the smaller network only")
    parser.add_argument("--lasting", type=float, default=240.0, help="seconds that the run would take interpreted")
    parser.add_argument("--build", type=Path, default=measure.ROOT / "build/bench")
    parser.add_argument("--program", type=Path, help="a command that is there, instead of building one")
    parser.add_argument("--results", type=Path, default=HERE / "results")
    options = parser.parse_args()
    if not options.program:
        try:
            build.targets(options.build.resolve(), "sme")
        except measure.Failed as reason:
            print(reason, file=sys.stderr)
            return 3
    program = (options.program or options.build / "sim/cli/sme").resolve()
    rows, failed = [], False
    with tempfile.TemporaryDirectory() as folder:
        for processes in SIZES[:1] if options.quick else SIZES:
            try:
                rows.append(Many(program, processes, Path(folder)).measured(options.lasting))
            except (measure.Failed, measure.Skipped, OSError) as problem:
                print(f"{processes} processes: {problem}", file=sys.stderr)
                failed = True
    table = report.markdown(HEADER, rows)
    options.results.mkdir(parents=True, exist_ok=True)
    report.write_csv(options.results / "many.csv", HEADER, rows)
    report.write_readme(options.results, "Native: many different processes",
                        "One run each, on one thread; seconds from the first cycle on, nanoseconds of a process in a cycle.",
                        [table], "many.md", "many.py")
    print(table)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
