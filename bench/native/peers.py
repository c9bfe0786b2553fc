# SPDX-License-Identifier: Apache-2.0
"""The designs, as networks of ours and as what they are measured against."""

import shutil
import sys
from pathlib import Path

from support import build, measure
from support.peers import Sme, Speed, Verilator, verilators  # noqa: F401 (for the scripts beside this one)

HERE = Path(__file__).resolve().parent
MODELS = measure.ROOT / "models"
RTL = measure.ROOT / "hdl/rtl"
LANGUAGE = measure.ROOT / "bench/language"


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
                                  [HERE / "driver/stream.cpp", HERE / "driver/driver.hpp"])
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
        return [verilator.built(self.folder, flags, sources, [HERE / "driver/cpu.cpp", HERE / "driver/driver.hpp"]), self.folder / "answers.hex"]


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
                               [LANGUAGE / "verilog/riscv.v"], [HERE / "driver/riscv.cpp", HERE / "driver/driver.hpp"])


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
