# SPDX-License-Identifier: Apache-2.0
"""The sentences of documents that hold measured figures, and where these come from; tools/claims reads this."""

import csv
import functools
from dataclasses import dataclass
from pathlib import Path

BENCH = Path(__file__).resolve().parent


@functools.cache
def rows(table: str) -> list:
    """The rows of a file of results: 'ring/ring' is bench/ring/results/ring.csv."""
    folder, name = table.split("/")
    with (BENCH / folder / "results" / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def figure(table: str, column: str, **where) -> float:
    """The number in a column of the one row whose columns are as `where` says."""
    found = [row for row in rows(table) if all(row[key] == str(value) for key, value in where.items())]
    if len(found) != 1 or not found[0][column]:
        raise SystemExit(f"claims: {table}.csv has no figure '{column}' where {where}")
    return float(found[0][column])


@dataclass
class Claim:
    """A sentence of a document, with a place for each figure."""

    document: str
    sentence: str
    figures: tuple

    def text(self) -> str:
        return " ".join(self.sentence.format(*self.figures).split())


CLAIMS = []


def claim(document: str, sentence: str, *figures: float) -> None:
    CLAIMS.append(Claim(document, sentence, figures))


def ring(peer: str, nodes: int = 1000, column: str = "median_ns") -> float:
    return figure("ring/ring", column, nodes=nodes, peer=peer)


def threads(nodes: int, peer: str, question: str = "add") -> float:
    return figure("threads/threads", "median_ns", question=question, nodes=nodes, peer=peer)


def mpi(design: str, peer: str) -> float:
    return figure("mpi/mpi", "median_cycles_per_s", design=design, peer=peer)


def language(peer: str, design: str) -> float:
    return figure("language/language", "median", question=f"design {design}", peer=peer)


def native(design: str, peer: str = "native", column: str = "ns_per_item") -> float:
    return figure("native/native", column, design=design, peer=peer)


def cosim(question: str) -> float:
    """How many times longer a network takes than the bare loop."""
    return figure("cosim/cosim", "median", question=question, peer="network") / figure(
        "cosim/cosim", "median", question=question, peer="bare")


def traced(design: str, who: str = "ours", kind: str = "vcd", column: str = "median_s") -> float:
    return figure("trace/designs", column, design=design, who=who, trace=kind)


def fst_percent(design: str) -> float:
    return 100 * traced(design, kind="fst", column="file_mb") / traced(design, column="file_mb")


def irregular(design: str, peer: str = "native") -> float:
    return figure("irregular/irregular", "median_ns", design=design, peer=peer)


def predicted_percent(network: str) -> float:
    """How much less `sme predict` says than two threads take."""
    def median(peer):
        return figure("threads/threads", "median_ns", question=f"predict {network}", peer=peer)
    return 100 * (1 - median("predict") / median("2"))


PACKAGED = "verilator 5.006"
NEWER = next(row["peer"] for row in rows("native/native") if row["peer"].startswith("verilator") and PACKAGED not in row["peer"])
TRACED = ("ring", "life", "cpu", "riscv")
SINGLE = ("cpu", "sha256", "aes", "fir", "riscv") # designs of one process

README = "README.md"
claim(README, "which took from {:.2f} % to {:.1f} % of the size of VCD for four models",
      min(map(fst_percent, TRACED)), max(map(fst_percent, TRACED)))
claim(README, "a ring of a million nodes has run ten cycles {:.0f} ms after the command",
      1000 * figure("start/start", "median_s", question="ten cycles", peer="yaml", nodes=1_000_000))
claim(README, "| SystemC 2.3.4 | {:.1f} | {:.1f} times slower |", ring("systemc"), ring("systemc") / ring("thesis"))
claim(README, "(the thesis's design) | {:.2f} | 1 |", ring("thesis"))
claim(README, "| our C++ classes | {:.2f} | {:.1f} times faster |", ring("ours"), ring("thesis") / ring("ours"))
claim(README, "| our YAML, interpreted | {:.2f} | {:.1f} times faster |", ring("yaml"), ring("thesis") / ring("yaml"))
claim(README, "| a plain loop over two arrays | {:.3f} | {:.0f} times faster |", ring("loop"), ring("thesis") / ring("loop"))
claim(README, "| Verilator 5.006, after {:.1f} s of building | {:.3f} | {:.0f} times faster |",
      ring("verilator", column="build_s"), ring("verilator"), ring("thesis") / ring("verilator"))
claim(README, "Two threads run the ring {:.1f} times faster at 10,000 nodes; at 100,000, where memory is the limit, {:.1f} times "
      "in one measurement and {:.1f} in another", threads(10_000, "1 thread") / threads(10_000, "2 threads"),
      threads(100_000, "1 thread") / threads(100_000, "2 threads"),
      figure("papers/papers", "median", question="thesis: light, static", peer="ours, 1") /
      figure("papers/papers", "median", question="thesis: light, static", peer="ours, 2"))
claim(README, "run {:.0f} (uart), {:.0f} (riscv) and {:.0f} (sha256) times faster interpreted than the same designs",
      *(language("ours", design) / language("icarus", design) for design in ("uart", "riscv", "sha256")))
claim(README, "`ring` {:.2f}, `cpu` {:.2f}, `sha256` {:.2f}, `aes` {:.2f}, `fir` {:.2f}, `riscv` {:.2f}.",
      *(native(design) / native(design, PACKAGED) for design in ("ring", *SINGLE)))
IRREGULAR = ("all_200", "all_2000", "guarded_200", "guarded_2000", "mesh_1", "mesh_5", "mesh_20", "mesh_100", "processors_5")
claim(README, "large irregular designs and idle ones take, of the time of Verilator 5.006: " +
      ", ".join(f"`{design}` {{:.2f}}" for design in IRREGULAR) + " ([bench/irregular]",
      *(irregular(design) / irregular(design, PACKAGED) for design in IRREGULAR))
TWO_THREADS = [irregular(design) / irregular(design, "native, 2 threads") for design in IRREGULAR]
claim(README, "on two threads they run {:.2f} to {:.2f} times as fast as on one", min(TWO_THREADS), max(TWO_THREADS))
claim(README, "takes {:.2f} (`aes`), {:.2f} (`fifo` with its drivers), {:.2f} (`rv32` with its memory) and {:.2f} (`ring`) times as "
      "long as in the loop", *map(cosim, ("aes", "fifo", "rv32", "ring")))
claim(README, "a run takes {:.2f} of the time of Verilator with its own VCD for the ring by hand; against the Verilog that we "
      "export, it is {:.2f} for `life`, {:.2f} for `cpu` and {:.2f} for `riscv`",
      figure("trace/trace", "median_s", peer="ours") / figure("trace/trace", "median_s", peer="verilator"),
      *(traced(design) / traced(design, "verilated") for design in ("life", "cpu", "riscv")))

claim("sim/cli/README.md", "the files of the two processor models take {:.1f} % (`riscv`) and {:.1f} % (`cpu`) of the size of VCD",
      fst_percent("riscv"), fst_percent("cpu"))

NATIVE = "bench/native/README.md"
claim(NATIVE, "against Verilator's own choice for the ring, native code is {:.1f} times as fast; with a function a node, as "
      "Verilator writes it where modules stay apart, it is {:.0f} times.", native("ring", PACKAGED) / native("ring"),
      native("ring", f"{PACKAGED}, modules") / native("ring"))
claim(NATIVE, "as of ours: {:.3f} ns a node and cycle here, {:.3f} in the loop by hand", native("ring"), native("ring", "loop"))
claim(NATIVE, "a cycle of the designs of one process takes {:.0f} to {:.0f} ns more than with 5.006",
      min(native(design, NEWER) - native(design, PACKAGED) for design in SINGLE),
      max(native(design, NEWER) - native(design, PACKAGED) for design in SINGLE))

THREADS = "bench/threads/README.md"
claim(THREADS, "Here they take {:.1f} ns a node at 1,000 nodes and {:.1f} at 10,000; its design on one thread takes {:.1f} in",
      threads(1000, "thesis static") / 1e3, threads(10_000, "thesis static") / 1e4, ring("thesis"))
claim(THREADS, "about {:.0f} ns a node, {:.0f} times the time of one thread without a queue",
      threads(1000, "thesis worker") / 1e3, threads(1000, "thesis worker") / 1e3 / ring("thesis"))
claim(THREADS, "when costs are uneven ({:.1f} times)", threads(100, "blocks", "uneven") / threads(100, "thesis worker", "uneven"))
claim(THREADS, "gains {:.1f} times at 10,000 nodes and {:.1f} at 100,000; our engine gains {:.1f} and {:.1f}",
      *(threads(nodes, one) / threads(nodes, two) for one, two in (("loop 1", "loop 2"), ("1 thread", "2 threads"))
        for nodes in (10_000, 100_000)))
claim(THREADS, "because a cycle takes {:.0f} ns", threads(100, "1 thread"))
SLOWER = [predicted_percent(network) for network in ("ring, 100,000 nodes", "divide, 100 nodes", "riscv x 64")]
claim(THREADS, "gives {:.0f} to {:.0f} % less than two threads take", min(SLOWER), max(SLOWER))
claim(THREADS, "so two threads gain {:.1f} times", figure("threads/threads", "median_ns", question="predict life 128 x 128", peer="1") /
      figure("threads/threads", "median_ns", question="predict life 128 x 128", peer="2"))

claim("README.md", "On two ranks of Open MPI, the game of life on 2000 × 2000 cells runs {:.2f} times as fast as on one, "
      "and a ring of 10^8 processes takes {:.0f} MB on each of four ranks, {:.0f} MB in all, instead of {:.0f} MB on one",
      mpi("life of 2000 x 2000", "Open MPI") / mpi("life of 2000 x 2000", "one thread"),
      figure("mpi/memory", "mb_a_rank", processes=10**8, ranks=4),
      4 * figure("mpi/memory", "mb_a_rank", processes=10**8, ranks=4),
      figure("mpi/memory", "mb_a_rank", processes=10**8, ranks=1))

def tests_s(peer: str, run: str = "cold") -> float:
    return figure("tests/tests", "median_s", run=run, peer=peer)


TESTERS = ("cocotb, Verilator", "cocotb, Icarus", "VUnit, GHDL")
claim("sim/cli/TESTING.md", "100 such tests with other depths and seeds take {:.1f} s from the command to the verdict",
      tests_s("sme test"))
claim("sim/cli/TESTING.md", "take {:.0f} s with cocotb in Verilator, {:.0f} s in Icarus Verilog, and {:.0f} s with VUnit in GHDL",
      *map(tests_s, TESTERS))
claim("sim/cli/TESTING.md", "When they run again, with all of it built, they take {:.1f} s, {:.0f} s, {:.0f} s and {:.0f} s.",
      *(tests_s(peer, "again") for peer in ("sme test", *TESTERS)))


def python_median(of: str) -> float:
    return figure("python/python", "median", of=of)


claim("sim/python/README.md", "a value is read in {:.0f} ns and set in {:.0f} ns", python_median("a peek"),
      python_median("a poke"))


def cocotb(simulator: str, column: str, design: str = "registers") -> float:
    return figure("cocotb/cocotb", column, design=design, simulator=simulator)


def thousands(*figures: float):
    return (round(each, -3) for each in figures)


claim("sim/python/README.md", "ran {:,.0f} cycles a second; with the same one, cocotb 2.1 reached {:,.0f} with Verilator and "
      "{:,.0f} with Icarus Verilog",
      *thousands(*(cocotb(each, "cycles_per_s", "queue") for each in ("a coroutine of sme", "verilator", "icarus"))))
claim("sim/python/README.md", "verdict of its test bench: {:.1f} s, {:.1f} s with Verilator, which has to compile it, and {:.1f} s "
      "with Icarus Verilog", *(cocotb(each, "verdict_s") for each in ("sme", "verilator", "icarus")))
claim("sim/python/README.md", "runs {:,.0f} cycles a second, {:,.0f} with Verilator and {:,.0f} with Icarus Verilog",
      *thousands(*(cocotb(each, "cycles_per_s") for each in ("sme", "verilator", "icarus"))))

# Figures that are not measured here: settings, limits, values of a paper, a modelled machine or an earlier version.
SETTINGS = {
    "CHANGELOG.md": ["takes a third of the processor time for 300,000 signals"],
    "lib/base/catalogue/file-too-large.md": ["may have 16 MiB and a data file 256 MiB"],
    "lib/base/catalogue/network-too-large.md": ["2 GiB", "1 GiB"],
    NATIVE: ["in a run that would take the interpreter 8 s"],
    THREADS: ["so that a measurement takes 0.25 s. It measures the peers in turn, 7 times", "waits for more than 5 µs yields the CPU",
              "The thesis reports almost twice the speed",
              "a factor of 100 between the cheapest and the most expensive way"],
    "bench/irregular/README.md": ["as many cycles as native code does in a fifth of a second"],
    "bench/ring/README.md": ["so that a measurement takes about 0.2 s", "needs more than 120 s"],
    "bench/validate/README.md": ["256 MiB"],
    "hdl/systemc/README.md": ["of SystemC time (10 ns)"],
    "lib/std/README.md": ["a clock of a third of its rate"],
    "lib/vcd/README.md": ["any length of time (244 ns)"],
    "models/pipeline/README.md": ["needs about three times as many"],
    "models/cmmp/README.md": ["in a cycle of 10 µs", "half the speed", "| primitive | ms | the paper | |", "for 1 to 15 ms each time (3.4.3)"],
    "models/tutorial/README.md": ["The whole tutorial takes an hour"],
    "models/rings/README.md": ["10,000 times per cycle"],
    "models/uart/README.md": ["It is 6 % slower than the transmitter"],
    "sim/cli/README.md": ["would take longer than 0.3 s", "(less than 1 % of the time)",
                          "changes in 61.3 % of the cycles, the operands in 21.9 %"],
    "sim/cli/RANKS.md": ["after ten minutes (`--patience S`"],
    "sim/cli/SAFETY.md": ["it may take 2 minutes and 4 GiB of memory, write a file of 256 MiB and print 16 MiB"],
    "sim/debug/README.md": ["at most 64 times"],
    "sim/engine/README.md": ["the overhead is below 1 % of the time"],
    "sim/kahn/README.md": ["take more than about 6 µs"],
    "sim/native/README.md": ["longer than 256 KiB"],
    "sim/report/README.md": ["takes at most 64 MiB of memory during the run, about 4 million changes, which take 5 to 15 MB"],
}
