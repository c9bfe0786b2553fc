#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes samples.csv, and expected.csv: each sample less the largest of its block."""
import argparse
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="where to write (default: here)")
parser.add_argument("--block", type=int, default=4, help="samples in a block (default: 4)")
arguments = parser.parse_args()


def numbers(count):
    """Knuth's 64-bit linear congruential generator, its high bits."""
    state = 1
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield (state >> 48) - 2**15


samples = list(numbers(120))
blocks = [samples[k : k + arguments.block] for k in range(0, len(samples), arguments.block)]
levelled = [sample - max(block) for block in blocks for sample in block]
for name, values in (("samples", samples), ("expected", levelled)):
    (arguments.folder / f"{name}.csv").write_text("value\n" + "".join(f"{value}\n" for value in values))
