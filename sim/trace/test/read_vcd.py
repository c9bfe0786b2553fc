#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a VCD or FST file with somebody else's reader and compares it with the values that were expected.

    read_vcd.py vcdvcd|pyvcd|wellen TRACE EXPECTED.csv PERIOD_TICKS

EXPECTED.csv: signal names in the first line, then a line of values (decimal, "x", or "" for any) for
each cycle; cycle t is looked at when it begins, at t * PERIOD_TICKS, and just before it ends.
Prints how many values were compared; ends with 1 at the first that differs.
"""

import bisect
import csv
import re
import sys


def read_vcdvcd(path: str) -> dict:
    """Name -> [(time, binary digits)]."""
    from vcdvcd import VCDVCD
    trace = VCDVCD(path)
    return {name: trace[name].tv for name in trace.signals}


def read_pyvcd(path: str) -> dict:
    from vcd.reader import TokenKind, tokenize
    names, changes, scopes, time = {}, {}, [], 0
    with open(path, "rb") as file:
        for token in tokenize(file):
            if token.kind is TokenKind.SCOPE:
                scopes.append(token.scope.ident)
            elif token.kind is TokenKind.UPSCOPE:
                scopes.pop()
            elif token.kind is TokenKind.VAR:
                names[".".join([*scopes, token.var.reference])] = token.var.id_code
                changes[token.var.id_code] = []
            elif token.kind is TokenKind.CHANGE_TIME:
                time = token.time_change
            elif token.kind is TokenKind.CHANGE_SCALAR:
                changes[token.scalar_change.id_code].append((time, token.scalar_change.value))
            elif token.kind is TokenKind.CHANGE_VECTOR:
                value = token.vector_change.value
                digits = value if isinstance(value, str) else f"{value:b}"
                changes[token.vector_change.id_code].append((time, digits))
    return {name: changes[code] for name, code in names.items()}


def read_wellen(path: str) -> dict:
    from pywellen import Waveform
    changes = {}
    for signal in Waveform(path=path).all_vars():
        changes[signal.full_name] = [
            (time, value if isinstance(value, str) else f"{value:b}") for time, value in signal.tv]
    return changes


def value_at(changes: list, time: int) -> str:
    """As the expected values are written: decimal, or "x"."""
    digits = changes[bisect.bisect_right(changes, time, key=lambda change: change[0]) - 1][1]
    return "x" if "x" in digits.lower() else str(int(digits, 2))


def main() -> int:
    reader, trace, expected, period = *sys.argv[1:4], int(sys.argv[4])
    signals = {"vcdvcd": read_vcdvcd, "pyvcd": read_pyvcd, "wellen": read_wellen}[reader](trace)
    signals = {re.sub(r" ?\[\d+:\d+\]$", "", name): changes for name, changes in signals.items()}
    with open(expected, newline="", encoding="ascii") as file:
        names, *rows = csv.reader(file)
    if set(names) != set(signals):
        print("signals differ:", sorted(set(names) ^ set(signals)))
        return 1
    compared = 0
    for cycle, row in enumerate(rows):
        last = cycle == len(rows) - 1  # the file ends where the last cycle begins
        times = [cycle * period] + ([] if last else [(cycle + 1) * period - 1])
        for name, value in zip(names, row, strict=True):
            for time in times if value else []:
                is_clock = name.endswith(".clock")
                wanted = "0" if is_clock and time % period else value
                if value_at(signals[name], time) != wanted:
                    print(f"{name} at {time}: {value_at(signals[name], time)}, not {wanted}")
                    return 1
                compared += 1
    print(compared)
    return 0


if __name__ == "__main__":
    sys.exit(main())
