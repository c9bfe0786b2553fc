#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assembles the programs into .hex files and writes what must stand in the last 64 words of memory at the end.

That is computed twice: by the instruction-level simulator of machine.py, and in Python (a sum, and sorted()).
"""
import argparse
from pathlib import Path

from machine import assemble, hex_text, run

here = Path(__file__).parent
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("folder", nargs="?", type=Path, default=here, help="where to write (default: here)")
folder = parser.parse_args().folder


def fibonacci(_):
    numbers = [1, 1]
    while len(numbers) < 28:
        numbers.append((numbers[-1] + numbers[-2]) % 65536)
    return numbers + [0] * 36


def sort(image):
    order = sorted(image[192:208], key=lambda word: word ^ 0x8000)  # signed
    return order + [0] * 48


for program in (fibonacci, sort):
    name = program.__name__
    image = assemble((here / f"{name}.asm").read_text())
    memory, steps = run(image)
    assert memory[192:] == program(image), name
    (folder / f"{name}.hex").write_text(hex_text(image, f"{name}.asm, assembled"))
    (folder / f"{name}_expected.hex").write_text(hex_text(memory[192:], f"the words 192 to 255 after {len(steps)} instructions of {name}.asm"))
