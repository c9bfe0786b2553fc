#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a.csv, b.csv and c.csv, sorted lists of different lengths, and expected.csv: Python's sorted()."""
import argparse
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="where to write (default: here)")
folder = parser.parse_args().folder


def numbers(count, state):
    """Knuth's 64-bit linear congruential generator, high bits, from -500 to 499: some are equal."""
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield (state >> 33) % 1000 - 500


lists = {"a": sorted(numbers(60, 1)), "b": sorted(numbers(25, 2)), "c": sorted(numbers(90, 3))}
for name, values in (*lists.items(), ("expected", sorted(sum(lists.values(), [])))):
    (folder / f"{name}.csv").write_text("value\n" + "".join(f"{value}\n" for value in values))
