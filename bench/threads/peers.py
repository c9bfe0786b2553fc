# SPDX-License-Identifier: Apache-2.0
"""How the programs are started and what they print."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from support import build, measure, report

HERE = Path(__file__).resolve().parent
MODELS = measure.ROOT / "models"
CYCLES_MIN, CYCLES_MAX = 20, 2**31 - 2  # the token is a 32-bit number
LOOK_S = 0.02  # minimum duration of the first measurement


@dataclass
class Setup:
    """What the questions are given."""

    folder: Path  # of the build
    repetitions: int
    pairs: int  # pairs of measurements: `auto` and its peer
    target_s: float = 0.25  # what one measurement should take


@dataclass
class Answer:
    """One question: its tables as text, its rows for the CSV file, what was wanted."""

    title: str
    text: str
    rows: list = field(default_factory=list)
    wanted: list = field(default_factory=list)
    failed: bool = False


class Peer:
    """Something with cycles. `cycles` 0: so many as take `target_s`."""

    def __init__(self, target_s: float, cycles: int = 0) -> None:
        self.target_s, self.cycles = target_s, cycles
        self.most = CYCLES_MAX

    def once(self, cycles: int) -> float:
        """Nanoseconds a cycle, over `cycles` cycles."""
        raise NotImplementedError

    def calibrate(self) -> None:
        cycles = CYCLES_MIN
        while (ns := self.once(cycles)) * cycles < LOOK_S * 1e9 and cycles < self.most:
            more = LOOK_S * 1.5e9 / max(ns * cycles, 1)
            cycles = min(int(cycles * min(max(more, 2), 1000)), self.most)
        self.cycles = min(max(int(self.target_s * 1e9 / ns), CYCLES_MIN), self.most)

    def measure(self) -> float:
        if not self.cycles:
            self.calibrate()
        return self.once(self.cycles)


class Ring(Peer):
    """A program of this folder: `load` is its load, nodes and divisions; `rest` comes behind.
    `late`: only the second half of the run counts, when all is decided that is measured."""

    def __init__(self, setup: Setup, name: str, load: tuple, *rest, late: bool = False,
                 cycles: int = 0) -> None:
        super().__init__(setup.target_s, cycles)
        self.program = setup.folder / f"bench/threads/bench_threads_{name}"
        self.load, self.rest, self.late = load, rest, late

    def once(self, cycles: int) -> float:
        if not self.program.exists():
            raise measure.Skipped("not part of this build")
        word, nodes, divisions = self.load
        done = measure.run([self.program, word, nodes, cycles, divisions, *self.rest])
        return peer_ns(done, cycles, self.late)


def ours(setup: Setup, load: tuple, threads, *rest, cycles: int = 0) -> Ring:
    """Ours; `rest` is queue, policy, wait, grain. With given cycles the whole run counts."""
    return Ring(setup, "ours", load, threads, *rest, late=not cycles, cycles=cycles)


def thesis(setup: Setup, load: tuple, queue: str, threads: int = 2, cycles: int = 0) -> Ring:
    return Ring(setup, "thesis", load, threads, queue, cycles=cycles)


def peer_ns(done: measure.Finished, cycles: int, late: bool) -> float:
    """From the lines `ns_per_cycle X check TOKEN` and `late_ns_per_cycle X`."""
    found = re.search(r"^ns_per_cycle (\S+) check (-?\d+)$", done.out, re.MULTILINE)
    late_found = re.search(r"^late_ns_per_cycle (\S+)$", done.out, re.MULTILINE)
    if not found or (late and not late_found):
        raise measure.Failed("no line 'ns_per_cycle'")
    if int(found[2]) != cycles:
        raise measure.Failed(f"the token is {found[2]} after {cycles} cycles")
    return float(late_found[1] if late else found[1])


class Memory(Peer):
    """The plain loop over two arrays."""

    def __init__(self, setup: Setup, nodes: int, threads: int) -> None:
        super().__init__(setup.target_s)
        self.program = setup.folder / "bench/threads/bench_threads_memory"
        self.nodes, self.threads = nodes, threads

    def once(self, cycles: int) -> float:
        return peer_ns(measure.run([self.program, self.nodes, cycles, self.threads]), cycles, False)


class Verilator(Peer):
    """The Verilated ring of add-one."""

    MOST = 10_000  # nodes; more take Verilator and the compiler too long to build

    def __init__(self, setup: Setup, nodes: int, threads: int) -> None:
        super().__init__(setup.target_s)
        self.setup, self.nodes, self.threads = setup, nodes, threads

    def once(self, cycles: int) -> float:
        if self.nodes > self.MOST:
            raise measure.Skipped(f"not built for more than {self.MOST} nodes")
        program, _ = build.verilated_ring(self.setup.folder, self.nodes, traced=False,
                                          threads=self.threads)
        return measure.peer_ns(measure.run([program, self.nodes, cycles]), cycles) * self.nodes


class Network(Peer):
    """A network in YAML, run by `sme run`; keeps how much of their time its threads worked."""

    def __init__(self, setup: Setup, network: Path, threads, *settings: str) -> None:
        super().__init__(2 * setup.target_s)
        self.command = [setup.folder / "sim/cli/sme", "run", network, "--threads", threads, "--engine",
                        "interpreted", "--stats"]
        for setting in settings:
            self.command += ["--set", setting]
        self.in_use = ""

    def once(self, cycles: int) -> float:
        done = measure.run([*self.command, "--cycles", cycles])
        uses = re.findall(r"^  thread \d+ .* (\S+)%$", done.err, re.MULTILINE)
        self.in_use = ", ".join(f"{float(use):.0f} %" for use in uses)
        return float(measure.stats(done)["run_s"]) * 1e9 / cycles


def riscv(folder: Path, cores: int) -> Path:
    """The model riscv with so many cores, all of which run a program without an end."""
    program = HERE.parent / "language/programs/checksum.hex"
    text = build.edited(MODELS / "riscv/network.yaml", {
        "programs/fibonacci.hex": str(program),
        "  expected: file = programs/fibonacci.csv\n": f"  cores: {cores}\n",
        "  retired: Retired  ": "  retired[cores]: Retired  ",
        "  core:\n    out: retired\n": "  core[k < cores]:\n    out:\n      retired: retired[k]\n"})
    check = "checks:\n  - at 1000: all(k < cores, core[k].pc == core[0].pc)\n"
    path = folder / f"threads/riscv{cores}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.split("outputs:\n")[0] + check)
    return path


def measured(question: str, load: tuple, peers: dict, repetitions: int) -> tuple:
    """Measures peers by name, interleaved. Samples by name, rows for the CSV file, and whether
    one failed."""
    samples = measure.interleaved({name: peer.measure for name, peer in peers.items()}, repetitions)
    rows = []
    for name, sample in samples.items():
        if sample.note:
            report_note(question, name, sample.note)
        note = sample.note.splitlines()[0] if sample.note else ""
        rows.append([question, *load, name, *sample.columns(".2f"), peers[name].cycles, note])
    return samples, rows, any(sample.failed for sample in samples.values())


def report_note(question: str, name: str, note: str) -> None:
    import sys
    print(f"  {question}, {name}: {note}", file=sys.stderr)


def at_most(what: str, limit: float, value, unit: str = "x") -> report.Wanted:
    """Wants `value` (None: not measured) to be at most `limit`."""
    text = "" if value is None else f"{value:.4g}{unit}"
    return report.Wanted(what, f"at most {limit:g}{unit}", text, value is not None and value <= limit)


def cell(sample: measure.Samples, form: str = ".0f") -> str:
    return str(sample.columns(form)[0])


def times(ratio) -> str:
    return "-" if ratio is None else f"{ratio:.2f}x"
