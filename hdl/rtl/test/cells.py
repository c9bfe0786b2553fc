# SPDX-License-Identifier: Apache-2.0
"""Counts the cells of a design on FPGA families, by Yosys."""

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Family:
    """A family's name, and the counted cells: their labels and the prefixes of their types."""
    name: str
    kinds: list


FAMILIES = {
    "ice40": Family("iCE40", [("LUT4", "SB_LUT4"), ("FF", "SB_DFF"), ("carry", "SB_CARRY"),
                              ("RAM 4k", "SB_RAM40"), ("DSP", "SB_MAC16")]),
    "ecp5": Family("ECP5", [("LUT4", "LUT4"), ("FF", "TRELLIS_FF"), ("carry", "CCU2C"),
                            ("LUT RAM", "TRELLIS_DPR16X4"), ("RAM 16k", "DP16KD"),
                            ("DSP", "MULT18X18D")])}


def count(run, files, top, family):
    """Returns (label, number) per kind of cell; `top` may have parameters: "fifo -chparam …"."""
    name = top.split()[0]
    with tempfile.TemporaryDirectory() as folder:
        run(["yosys", "-q", "-p", f"read_verilog {' '.join(map(str, files))}; "
             f"hierarchy -top {top}; synth_{family} -top {name}; "
             f"check -assert; select -assert-none t:$dlatch t:$_DLATCH*; "
             f"tee -o stat.txt stat"], folder)
        text = (Path(folder) / "stat.txt").read_text()
    found = [(kind, int(number)) for kind, number in
             re.findall(r"^ +([A-Z]\w+) +(\d+)$", text, re.MULTILINE)]
    return [(label, sum(number for kind, number in found if kind.startswith(prefix)))
            for label, prefix in FAMILIES[family].kinds]


def text(cells):
    return ", ".join(f"{number} {label}" for label, number in cells if number)


def ratio(ours, theirs):
    """Returns the ratio of the LUT counts."""
    return f"{dict(ours)['LUT4'] / max(dict(theirs)['LUT4'], 1):.2f}"
