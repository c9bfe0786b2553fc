#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes expected.csv: what 'total' shows in the cycles 0 to 8.

A value needs two cycles from the counter to 'total', so in cycle t the sum is 0 + 1 + ... + (t - 2),
for which Gauss's formula is used; nothing is added up here.
"""
import argparse
from pathlib import Path


def total(cycle):
    last = cycle - 2
    return (1, last * (last + 1) // 2 % 2**16) if last >= 0 else (0, 0)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="where to write (default: here)")
parser.add_argument("--cycles", type=int, default=8)
arguments = parser.parse_args()

rows = [total(cycle) for cycle in range(arguments.cycles + 1)]
text = "valid,value\n" + "".join(f"{valid},{value}\n" for valid, value in rows)
(arguments.folder / "expected.csv").write_text(text)
