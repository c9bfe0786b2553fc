#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes expected.csv: the number on 'newer' in the cycles 0 to 1000, which is F(t + 1) modulo 2^bits.

Each Fibonacci number is computed by itself, by fast doubling:
F(2k) = F(k) (2 F(k+1) - F(k)) and F(2k+1) = F(k)^2 + F(k+1)^2.
"""
import argparse
from pathlib import Path


def fibonacci(n):
    """Returns F(n) and F(n + 1)."""
    if n == 0:
        return 0, 1
    a, b = fibonacci(n // 2)
    even, odd = a * (2 * b - a), a * a + b * b
    return (even, odd) if n % 2 == 0 else (odd, even + odd)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="where to write (default: here)")
parser.add_argument("--bits", type=int, default=32)
parser.add_argument("--cycles", type=int, default=1000)
arguments = parser.parse_args()

numbers = [fibonacci(cycle + 1)[0] % 2**arguments.bits for cycle in range(arguments.cycles + 1)]
(arguments.folder / "expected.csv").write_text("value\n" + "".join(f"{n}\n" for n in numbers))
