#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assembles program.asm, and writes what must stand in memory at the end and what each instruction must have done.

Both come from the instruction-level simulator in ../cpu/machine.py, which knows of no stages; the sums, the largest and
the number of odd ones are also computed directly.
"""
import argparse
import sys
from itertools import accumulate
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent / "cpu"))
from machine import assemble, hex_text, run

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", nargs="?", type=Path, default=here, help="where to write (default: here)")
folder = parser.parse_args().folder

image = assemble((here / "program.asm").read_text())
memory, steps = run(image)
numbers = [word - 65536 if word >> 15 else word for word in image[192:212]]
assert memory[216:236] == [total % 65536 for total in accumulate(numbers)]
assert memory[240:245] == [max(numbers), sum(number % 2 for number in numbers), 0, max(numbers), 0]

(folder / "program.hex").write_text(hex_text(image, "program.asm, assembled"))
(folder / "memory.hex").write_text(hex_text(memory, f"memory after {len(steps)} instructions"))
rows = ((step.pc, 0 if step.to is None else step.to, 0 if step.to is None else step.value) for step in steps)
(folder / "expected.csv").write_text("pc,to,value\n" + "".join(f"{pc},{to},{value}\n" for pc, to, value in rows))
