# SPDX-License-Identifier: Apache-2.0
"""The files that are compared."""

import random
import shutil
from pathlib import Path

from support import build, measure

RING_CYCLES = 5000
BITS = {"bits": (1000, 200, 100000), "many": (100000, 2000, 10000)}  # signals, changes a step, steps


def code(number: int) -> str:
    """The short name of a signal, as most simulators count."""
    text, number = "", number + 1
    while number > 0:
        text += chr(33 + (number - 1) % 94)
        number = (number - 1) // 94
    return text


def write_bits(path: Path, signals: int, changes: int, steps: int) -> None:
    """Signals of one bit that change at random, the same in every run."""
    chance = random.Random(1)
    codes = [code(k) for k in range(signals)]
    values = [0] * signals
    with path.open("w", encoding="ascii") as file:
        file.write("$timescale 1 ns $end\n$scope module top $end\n")
        file.writelines(f"$var wire 1 {codes[k]} s{k} $end\n" for k in range(signals))
        file.write("$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n")
        file.writelines(f"0{each}\n" for each in codes)
        file.write("$end\n")
        for step in range(1, steps):
            file.write(f"#{5 * step}\n")
            for k in chance.sample(range(signals), changes):
                values[k] ^= 1
                file.write(f"{values[k]}{codes[k]}\n")


def by_gtkwave(path: Path) -> None:
    """The same waveform as GTKWave's tools write it, or a copy where they are not."""
    other = path.with_name(path.stem + "_other.vcd")
    if shutil.which("vcd2fst") is None:
        shutil.copy(path, other)
        return
    compressed = path.with_suffix(".fst")
    measure.run(["vcd2fst", path, compressed], 600)
    build.call(["sh", "-c", 'fst2vcd "$0" > "$1"', compressed, other], path.with_suffix(".log"))


def make(folder: Path, sme: Path) -> dict:
    """Name -> the first and the second file. Those that are there are kept."""
    made = {}
    for name in ("ring", "ring4", *BITS):
        path = folder / f"{name}.vcd"
        other = path.with_name(path.stem + "_other.vcd")
        if not other.exists():
            if name.startswith("ring"):
                cycles = RING_CYCLES * (4 if name == "ring4" else 1)
                measure.run([sme, "run", "models/ring/network.yaml", "--cycles", cycles, "--trace", path], 600)
            else:
                write_bits(path, *BITS[name])
            by_gtkwave(path)
        made[name] = (path, other)
    return made


def beginning(path: Path, size: int) -> Path:
    """The first lines of a file."""
    cut = path.with_name(path.stem + "_beginning.vcd")
    with path.open("rb") as file:
        text = file.read(size)
    cut.write_bytes(text[:text.rindex(b"\n") + 1])
    return cut
