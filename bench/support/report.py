# SPDX-License-Identifier: Apache-2.0
"""Writes results: CSV, the README beside it, and the table on the terminal."""

import csv
import hashlib
import os
import platform
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from support.build import PEER_FLAGS, verilator_version
from support.measure import ROOT


def machine() -> str:
    """The processor, its usable cores and the tools, without anything that names the machine."""
    model = platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        found = re.search(r"^model name\s*:\s*(.+)$", cpuinfo.read_text(), re.MULTILINE)
        model = found.group(1).strip() if found else model
    tools = [first_line("c++", "--version").split("(")[0].strip() + " " +
             first_line("c++", "-dumpfullversion")]
    if shutil.which("verilator"):
        tools.append(verilator_version())
    if shutil.which("iverilog"):
        tools.append(" ".join(first_line("iverilog", "-V").split("(")[0].split()))
    systemc = first_line("pkg-config", "--modversion", "systemc")
    if systemc:
        tools.append(f"SystemC {systemc}")
    return f"{model}, {len(os.sched_getaffinity(0))} cores; {', '.join(tools)}; commit {commit()}"


def commit() -> str:
    """What was measured; a plus: with changes that are in no commit. Results do not count."""
    changes = first_line("git", "-C", str(ROOT), "status", "--porcelain", "--untracked-files=no", "--", ".",
                         ":!bench/*/results/*")
    return first_line("git", "-C", str(ROOT), "rev-parse", "--short=8", "HEAD") + ("+" if changes else "")


def first_line(*command: str) -> str:
    """The first line a program prints, or nothing."""
    try:
        out = subprocess.run(command, capture_output=True, text=True).stdout
    except OSError:
        return ""
    return out.splitlines()[0] if out else ""


@dataclass
class Wanted:
    """Something the project wants of a measurement."""

    what: str
    limit: str
    measured: str  # empty if not measured
    reached: bool

    def row(self) -> list:
        verdict = ("yes" if self.reached else "no") if self.measured else "not measured"
        return [self.what, self.limit, self.measured or "-", verdict]


WANTED_HEADER = ["wanted", "limit", "measured", "reached"]


def wanted_ratio(what: str, least: float, ratio) -> Wanted:
    """Wants `ratio` (None: not measured) to be at least `least`."""
    if ratio is None:
        return Wanted(what, f"{least:g}x", "", False)
    return Wanted(what, f"{least:g}x", f"{ratio:.2f}x", ratio >= least)


EARLIER = ", of an earlier version"     # after a commit since which the folder of the measurement has changed
WRITTEN = []                            # the CSV files of this process


def check_sum(page: str, tables: list) -> str:
    """Of a page without its last paragraph and of its CSV files, whatever their note about the version."""
    found = hashlib.sha256(page.strip().rsplit("\n\n", 1)[0].replace(EARLIER, "").encode())
    for table in tables:
        found.update(table.read_bytes().replace(EARLIER.encode(), b""))
    return found.hexdigest()[:8]


def write_csv(path: Path, header: list, rows: list, where: str = "") -> None:
    """A CSV file whose first line is a comment that states the machine."""
    WRITTEN.append(path)
    with path.open("w", newline="") as file:
        file.write(f"# {where or machine()}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def read_csv(path: Path) -> tuple:
    """The rows of such a file, each a dict, and the machine."""
    with path.open(newline="") as file:
        where = file.readline()[2:].strip()
        return list(csv.DictReader(file)), where


def markdown(header: list, rows: list, left: tuple = ()) -> str:
    """A table that reads well on a terminal and in a README: numbers to the right; the first column and
    those named in `left` hold text."""
    cells = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(3, *(len(row[column]) for row in cells)) for column in range(len(header))]

    text = [column == 0 or name in left for column, name in enumerate(cells[0])]

    def line(row: list) -> str:
        padded = [cell.ljust(width) if is_text else cell.rjust(width)
                  for cell, width, is_text in zip(row, widths, text)]
        return f"| {' | '.join(padded)} |"

    rule = "|".join(":" + "-" * (w + 1) if is_text else "-" * (w + 1) + ":" for w, is_text in zip(widths, text))
    return "\n".join([line(cells[0]), f"|{rule}|", *map(line, cells[1:])])


def write_readme(folder: Path, title: str, about: str, parts: list, name: str = "README.md",
                 script: str = "run", where: str = "") -> None:
    """The README of a results folder, or another page of it, all of it generated."""
    text = [f"# {title}", about, f"Measured on: {where or machine()}. Peers in C++, and what Verilator writes, are compiled with "
            f"`{PEER_FLAGS}`; our command with `-O3`, its native code with `-O2 -march=native`.", *parts]
    tables = [path for path in WRITTEN if path.parent == folder]
    text.append(f"Written by the `{script}` script of the folder above; do not edit. Check sum with "
                f"{' '.join(path.name for path in tables)}: ")
    page = "\n\n".join(text)
    (folder / name).write_text(f"{page}{check_sum(page, tables)}.\n")
