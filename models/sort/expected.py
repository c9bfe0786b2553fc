#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes numbers.csv, n numbers of 32 bits in no order, some of them alike, and expected.csv: Python's sorted()."""
import argparse
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="where to write (default: here)")
parser.add_argument("--n", type=int, default=64, help="how many numbers (default: 64)")
arguments = parser.parse_args()


def numbers(count):
    """Knuth's 64-bit linear congruential generator, its high bits; every fifth is one of three values."""
    state = 1
    for k in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield (-(2**31), 0, 2**31 - 1)[state >> 62 if state >> 62 < 3 else 0] if k % 5 == 4 else (state >> 32) - 2**31


unsorted = list(numbers(arguments.n))
for name, values in (("numbers", unsorted), ("expected", sorted(unsorted))):
    (arguments.folder / f"{name}.csv").write_text("value\n" + "".join(f"{value}\n" for value in values))
