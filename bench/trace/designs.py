# SPDX-License-Identifier: Apache-2.0
"""Four models, traced by us and by Verilator, which runs the Verilog that we export of them."""

import re
import shutil
import subprocess
from pathlib import Path

from support import build, measure, report

FORMATS = ("none", "vcd", "fst") # both sides
OURS = ("report", "watch")       # ours only: a page with the waves, and values during the run
NOT_TRACED = ("outputs", "checks", "cover", "run") # other consumers of time
# A halted processor changes nothing, so the programs run forever.
ENDLESS_RISCV = "00108093\n00114133\n00311193\n00118233\nff1ff06f\n"
CPU_HALT, CPU_AGAIN = " f000", " b035"             # halt; branch to the second instruction

# name: options, cycles
DESIGNS = {
    "ring": (["--set", "nodes=1000"], 5_000),
    "life": ([], 400_000),
    "cpu": ([], 400_000),
    "riscv": (["--set", "program=endless.hex"], 400_000),
}

WATCHED = {"ring": "token*", "life": "alive*", "cpu": "*", "riscv": "*"}


def without_sections(text: str) -> str:
    """A network without the top-level sections that do not belong to what is measured."""
    kept, skips = [], False
    for line in text.splitlines():
        if found := re.match(r"([a-z]+):", line):
            skips = found.group(1) in NOT_TRACED
        if not skips:
            kept.append(line)
    return "\n".join(kept) + "\n"


class Design:
    """A model, copied into a folder, and its Verilated programs."""

    def __init__(self, name: str, sme: Path, folder: Path, scale: float) -> None:
        self.name, self.sme = name, sme
        self.options, cycles = DESIGNS[name]
        self.cycles = max(int(cycles * scale), 100)
        self.folder = folder / "designs" / name
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(measure.ROOT / "models" / name, self.folder)
        network = self.folder / "network.yaml"
        network.write_text(without_sections(network.read_text()))
        if name == "riscv":
            (self.folder / "endless.hex").write_text(ENDLESS_RISCV)
        if name == "cpu":
            program = self.folder / "fibonacci.hex"
            program.write_text(program.read_text().replace(CPU_HALT, CPU_AGAIN, 1))
        self.network = network

    def ours(self, kind: str, file: Path) -> list:
        more = {"none": [], "report": ["--report", file, "--trace-state"],
                "watch": [f"--watch={WATCHED[self.name]}"]}.get(kind, ["--trace", file, "--trace-state"])
        return [self.sme, "run", self.network, *self.options, "--cycles", self.cycles, "--threads", "1",
                *more]

    def verilated(self, kind: str, file: Path) -> list:
        """The command of a program, which is built here; its last build is not kept."""
        if shutil.which("verilator") is None:
            raise measure.Skipped("Verilator was not found")
        target = self.folder / f"verilated_{kind}"
        verilog = target / "verilog"
        target.mkdir(parents=True)
        build.call([self.sme, "verilog", self.network, *self.options, "--cycles", "1", "-o", verilog],
                   target / "verilog.log")
        flags = ["--cc", "--exe", "--build", "-O3", "--x-assign", "fast", "--x-initial", "fast",
                 "--noassert", "--no-timing", "-Wno-fatal", "--prefix", "Design", "--top-module", self.name,
                 "--unroll-count", "1024", "--output-split", "5000", "--output-split-cfuncs", "500",
                 *build.VERILATOR_MAKE, "-j", "2"]
        if kind != "none":
            flags += ["--trace" if kind == "vcd" else "--trace-fst", "--trace-max-array", "5000", "-CFLAGS",
                      "-DDESIGN_TRACE=" + ("VerilatedVcdC" if kind == "vcd" else "VerilatedFstC")]
            flags += ["-CFLAGS", "-DDESIGN_FST"] if kind == "fst" else []
        sources = [verilog / line for line in (verilog / "files.f").read_text().split()]
        build.call(["verilator", *flags, "--Mdir", target / "made", *sources,
                    measure.ROOT / "bench/trace/verilator/driver.cpp"], target / "build.log")
        return [target / "made" / "Design", self.cycles, file]


class Peer:
    """A design, who runs it, and into which format."""

    def __init__(self, design: Design, who: str, kind: str, directory: Path) -> None:
        self.design, self.who, self.kind = design, who, kind
        self.name = f"{design.name} {who} {kind}"
        self.file = directory / f"{design.name}_{who}.{kind}"
        self.changes, self.size_mb = 0, 0.0
        self.command = self.problem = None
        try:
            self.command = getattr(design, who)(kind, self.file)
        except (measure.Failed, measure.Skipped) as problem:
            self.problem = problem

    def measure(self) -> float:
        """Seconds from the start of the program to its end."""
        if self.problem:
            raise self.problem
        try:
            done = measure.run(self.command)
            if self.kind == "report":
                self.size_mb = self.file.stat().st_size / 1e6
            if self.kind in ("vcd", "fst") and not self.changes:
                self.size_mb = self.file.stat().st_size / 1e6
                self.changes = changes_in(self.file)
                if self.changes < 2 * self.design.cycles: # changes of the clock alone
                    raise measure.Failed(f"only {self.changes} changes in the trace")
        finally:
            self.file.unlink(missing_ok=True)
        return done.seconds


def changes_in(path: Path) -> int:
    """The value changes of a file: of FST by fst2vcd."""
    if path.suffix == ".vcd":
        return count_changes(path.open("rb"))
    reader = subprocess.Popen(["fst2vcd", "-f", path], stdout=subprocess.PIPE)
    try:
        return count_changes(reader.stdout)
    finally:
        reader.stdout.close()
        if reader.wait() != 0:
            raise measure.Failed("fst2vcd cannot read the trace")


def count_changes(lines) -> int:
    """The value changes of the text of a VCD file, the values at its start included."""
    count, values = 0, False
    for line in lines:
        if values:
            count += line[:1] in b"bB01xXzZ" and line != b"\n"
        else:
            values = line.startswith(b"$enddefinitions")
    return count


def peers_of(sme: Path, folder: Path, directory: Path, scale: float) -> list:
    designs = [Design(name, sme, folder, scale) for name in DESIGNS]
    whose = [("ours", kind) for kind in FORMATS + OURS] + [("verilated", kind) for kind in FORMATS]
    return [Peer(design, who, kind, directory) for design in designs for who, kind in whose]


def cells(peer: Peer, sample, added) -> list:
    if not sample.values:
        return ["-", "-", "-", "-", "-"]
    ns = "" if added is None else f"{added:.1f}"
    size = f"{peer.size_mb * 1e6 / peer.changes:.3f}" if peer.changes else ""
    return [f"{sample.median:.3f}", peer.changes or "", ns, f"{peer.size_mb:.3f}" if peer.size_mb else "", size]


def table(peers: list, samples: dict) -> str:
    by_name = {peer.name: peer for peer in peers}
    rows = []
    for peer in peers:
        added = None if peer.kind == "none" else added_ns(by_name, samples, peer.design.name, peer.who, peer.kind)
        rows.append([peer.design.name, peer.design.cycles, peer.kind, peer.who,
                     *cells(peer, samples[peer.name], added)])
    header = ["design", "cycles", "trace", "who", "seconds", "changes", "ns added per change", "MB",
              "bytes per change"]
    return report.markdown(header, rows)


def csv_rows(peers: list, samples: dict) -> list:
    return [[peer.design.name, peer.design.cycles, peer.kind, peer.who, *samples[peer.name].columns(".4f"),
             peer.changes, f"{peer.size_mb:.3f}",
             samples[peer.name].note.splitlines()[0] if samples[peer.name].note else ""] for peer in peers]


def added_ns(by_name: dict, samples: dict, design: str, who: str, kind: str):
    """What a trace adds to the run without one, per change; None when it was not measured."""
    traced, plain = samples[f"{design} {who} {kind}"], samples[f"{design} {who} none"]
    changes = by_name[f"{design} {who} {kind}"].changes
    if not traced.values or not plain.values or not changes:
        return None
    return max(traced.median - plain.median, 0.0) * 1e9 / changes


def wanted(peers: list, samples: dict) -> list:
    """Per change: the two have names for different numbers of signals."""
    by_name = {peer.name: peer for peer in peers}
    rows = []
    for design in DESIGNS:
        for kind, limit in (("vcd", 2.0), ("fst", 1.5)):
            ours = added_ns(by_name, samples, design, "ours", kind)
            theirs = added_ns(by_name, samples, design, "verilated", kind)
            ratio = None if ours is None or theirs is None else theirs / max(ours, 0.1)
            rows.append(report.wanted_ratio(
                f"{design}, {kind.upper()}: what Verilator's trace adds per change, to ours", limit, ratio))
        fst, other = by_name[f"{design} ours fst"], by_name[f"{design} verilated fst"]
        if fst.changes and other.changes:
            measured = (fst.size_mb / fst.changes) / (other.size_mb / other.changes)
            rows.append(report.Wanted(f"{design}, FST: bytes per change of our file to Verilator's", "at most 1x",
                                      f"{measured:.2f}x", measured <= 1.0))
    return rows
