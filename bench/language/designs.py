# SPDX-License-Identifier: Apache-2.0
"""The designs that are measured: as a network of ours, and as Verilog in Icarus."""

import shutil
import time
from pathlib import Path

from support import build, measure

HERE = Path(__file__).resolve().parent
MODELS = measure.ROOT / "models"
VERILOG = HERE / "verilog"


class Design:
    """One design. `results` are texts that both must give for the same number of cycles."""

    name = ""
    modules = []
    parameters = {}

    def __init__(self, sme: Path, folder: Path) -> None:
        self.sme, self.folder = sme, folder / self.name
        self.network = self.folder / "network.yaml"
        self.program = self.folder / "simulation"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.prepare()

    def prepare(self) -> None:
        raise NotImplementedError

    def settings(self, cycles: int) -> list:
        return []

    def plusargs(self) -> list:
        return []

    def ours(self, cycles: int) -> float:
        """Cycles per second of a run of ours."""
        done = measure.run([self.sme, "run", self.network, "--cycles", cycles, "--threads", 1, "--engine",
                            "interpreted", "--stats", *self.settings(cycles)])
        return float(measure.stats(done)["cycles_per_s"])

    def our_result(self, cycles: int) -> str:
        self.ours(cycles)
        return (self.folder / "last.csv").read_text().splitlines()[-1]

    def compile(self) -> None:
        """Raises Skipped where there is no Icarus."""
        if shutil.which("iverilog") is None:
            raise measure.Skipped("Icarus Verilog (iverilog) was not found")
        sources = [VERILOG / f"{module}.v" for module in (*self.modules, f"{self.name}_bench")]
        given = [f'-P{self.name}_bench.{key}="{value}"' for key, value in self.parameters.items()]
        build.call(["iverilog", "-g2005", "-o", self.program, *given, *sources], self.folder / "iverilog.log")

    def simulate(self, cycles: int) -> tuple:
        """Cycles per second of Icarus from the start of its program to the end, and what it printed last."""
        start = time.perf_counter()
        done = measure.run(["vvp", "-n", self.program, f"+cycles={cycles}", *self.plusargs()])
        seconds = time.perf_counter() - start
        last = [line for line in done.out.splitlines() if line.startswith("last ")]
        if len(last) != 1:
            raise measure.Failed(f"{self.name}: {done.out.strip()}")
        return cycles / seconds, last[0].removeprefix("last ")

    def icarus(self, cycles: int) -> float:
        return self.simulate(cycles)[0]

    def icarus_result(self, cycles: int) -> str:
        return ",".join(self.simulate(cycles)[1].split())


class Uart(Design):
    name = "uart"
    modules = ["uart_transmitter", "uart_receiver"]

    def prepare(self) -> None:
        shutil.copy(HERE / "uart.yaml", self.network)

    def settings(self, cycles: int) -> list:
        return ["--set", f"last={cycles}"]


class Sha256(Design):
    """The messages of the model, again and again."""

    name = "sha256"
    modules = ["sha256_schedule", "sha256_compress"]
    parameters = {"K": MODELS / "sha256/k.hex", "START": MODELS / "sha256/start.hex"}

    def prepare(self) -> None:
        model = MODELS / "sha256"
        for name in ("k.hex", "start.hex", "blocks.csv"):
            shutil.copy(model / name, self.folder)
        self.network.write_text(build.edited(model / "network.yaml", {
            "message: blocks.csv": "message: {file: blocks.csv, at_end: repeat}",
            "output.csv:": "last.csv:", "    expect: expected.csv\n": ""}))
        rows = [line.split(",") for line in (model / "blocks.csv").read_text().splitlines()[1:]]
        self.rows = len(rows)
        words = [int(valid) << 33 | int(last) << 32 | int(bits, 0) for valid, last, bits in rows]
        (self.folder / "blocks.hex").write_text("".join(f"{word:09x}\n" for word in words))

    def plusargs(self) -> list:
        return [f"+blocks={self.folder / 'blocks.hex'}", f"+rows={self.rows}"]

    def our_result(self, cycles: int) -> str:
        words = super().our_result(cycles).split(",")
        rows = (self.folder / "last.csv").read_text().count("\n") - 1
        return f"{rows}," + "".join(f"{int(word):08x}" for word in words)


class Riscv(Design):
    """A program without an end; what its last instruction did."""

    name = "riscv"
    modules = ["riscv"]

    def prepare(self) -> None:
        shutil.copy(HERE / "programs/checksum.hex", self.folder)
        text = build.edited(MODELS / "riscv/network.yaml", {
            "programs/fibonacci.hex": "checksum.hex",
            "  expected: file = programs/fibonacci.csv\n": "  last: 0\n"})
        head, rest = text.split("outputs:\n")
        checks = "\n".join(line for line in rest[rest.index("checks:"):].splitlines() if "eventually" not in line)
        recorded = "  last.csv:\n    record: retired\n    when: cycle == last\n"
        self.network.write_text(f"{head}outputs:\n{recorded}{checks}\n")

    def settings(self, cycles: int) -> list:
        return ["--set", f"last={cycles}"]

    def our_result(self, cycles: int) -> str:
        return super().our_result(cycles).removeprefix("1,")        # valid

    def plusargs(self) -> list:
        return [f"+program={HERE / 'programs/checksum.hex'}"]


DESIGNS = [Uart, Sha256, Riscv]


def different_processes(count: int) -> str:
    """A network of `count` processes, no two of which have the same program."""
    lines = ["network: different", "buses:"]
    lines += [f"  b{k}: u{8 + k % 57}" for k in range(count)]
    lines.append("processes:")
    for k in range(count):
        lines += [
            f"  p{k}:",
            f"    in: {{x: b{(k * 7919 + 13) % count}}}",
            f"    out: {{y: b{k}}}",
            "    state:",
            f"      n: u{1 + k % 64} = {k % 2}",
            "    let:",
            f"      sum: u{8 + k % 57}(x) + {k % 200}",
            "    step:",
            f"      n: n + 1 when x[{k % 8}]",
            f"      y: if sum > {k % 150} then sum ^ {k % 256} else u{8 + k % 57}(n)",
        ]
    return "\n".join([*lines, "run: {cycles: 1}", ""])
