#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes glider.hex, a torus with one glider, and expected.csv, a number for each of its boards.

The board is the set of its living cells. A board's number is the sum of the squares of the cells' numbers,
which run from 1, row by row.
"""
import argparse
from collections import Counter
from pathlib import Path

GLIDER = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}       # (x, y), y down


def next_board(living, w, h):
    neighbours = Counter(
        ((x + dx) % w, (y + dy) % h)
        for x, y in living
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if (dx, dy) != (0, 0)
    )
    return {cell for cell, n in neighbours.items() if n == 3 or (n == 2 and cell in living)}


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="where to write (default: here)")
parser.add_argument("--width", type=int, default=8, help="5 or more")
parser.add_argument("--height", type=int, default=6, help="5 or more")
parser.add_argument("--cycles", type=int, default=192)
arguments = parser.parse_args()
w, h = arguments.width, arguments.height

board = "".join(" ".join(str(int((x, y) in GLIDER)) for x in range(w)) + "\n" for y in range(h))
(arguments.folder / "glider.hex").write_text(board)

numbers, living = [], GLIDER
for _ in range(arguments.cycles + 1):
    numbers.append(sum((y * w + x + 1) ** 2 for x, y in living))
    living = next_board(living, w, h)
(arguments.folder / "expected.csv").write_text("value\n" + "".join(f"{n}\n" for n in numbers))
