# SPDX-License-Identifier: Apache-2.0
"""Compares WaveJSON with a CSV trace of the same run: read_wavejson.py FILE.json FILE.csv

Each signal of the one must be a column of the other, and have its value in each cycle of the
diagram. Prints how many signals and cycles were compared.
"""
import csv
import json
import sys


def signals_of(rows, scopes):
    """Each signal by its whole name, as WaveDrom reads groups."""
    for row in rows:
        if isinstance(row, list):
            yield from signals_of(row[1:], [*scopes, row[0]])
        else:
            yield ".".join([*scopes, row["name"]]), row


def values_of(row):
    """The value in each cycle; None for x."""
    data = iter(row.get("data", []))
    value = None
    for character in row["wave"]:
        if character == "=":
            value = next(data)
        elif character in "01":
            value = character
        elif character == "x":
            value = None
        elif character != ".":
            sys.exit(f"{row['name']}: there is a '{character}' in its wave")
        yield value
    if next(data, None) is not None:
        sys.exit(f"{row['name']} has more data than its wave takes")


def number(text):
    """Numbers in any base are numbers; names of enumerations stay."""
    try:
        return int(text, 0)
    except ValueError:
        return text


diagram = json.load(open(sys.argv[1], encoding="utf-8"))
trace = list(csv.DictReader(open(sys.argv[2], newline="", encoding="utf-8")))
first = diagram["head"]["tick"]
clock, *signals = signals_of(diagram["signal"], [])
cycles = len(clock[1]["wave"])
assert clock[0] == "clock" and clock[1]["wave"] == "p" + "." * (cycles - 1), clock
for name, row in signals:
    values = list(values_of(row))
    assert len(values) == cycles, f"{name} has {len(values)} cycles"
    for cycle, value in enumerate(values, first):
        expected = trace[cycle][name]
        if (None if value is None else number(value)) != (number(expected) if expected else None):
            sys.exit(f"{name} is {value} in cycle {cycle}, but the trace has '{expected}'")
missing = set(trace[0]) - {"cycle"} - {name for name, _ in signals}
assert not missing, f"not drawn: {missing}"
print(f"{len(signals)} signals, {cycles} cycles from {first}")
