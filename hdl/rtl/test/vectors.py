#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes fir.hex from the samples and results of models/fir, which expected.py there computed."""

import csv
from pathlib import Path

TEST = Path(__file__).resolve().parent
FIR = TEST.parent.parent.parent / "models/fir"
ROWS = 512


def main():
    with (FIR / "samples.csv").open(newline="") as file:
        samples = [(int(row["valid"]), int(row["value"])) for row in csv.DictReader(file)][:ROWS]
    results = iter([int(line) for line in (FIR / "expected.csv").read_text().split()[1:]])
    lines = ["// The first rows of models/fir: x of a cycle in 17 bits and y of the next one in 33."]
    for valid, value in samples:
        y = 1 << 32 | next(results) & 0xffffffff if valid else 0
        lines.append(f"{(valid << 16 | value & 0xffff) << 35 | y:013x}")
    (TEST / "fir.hex").write_text("\n".join(lines) + "\n")


main()
