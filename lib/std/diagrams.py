#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the timing diagrams of README.md from real runs.

    diagrams.py SME                      draws them all again
    diagrams.py SME --check              draws nothing; fails when one is not what the run shows
    diagrams.py SME --readme DOCUMENT    the same of another document

SME is the sme command, which has WaveDrom draw (--wavedrom); tools/test installs that in build/venv. Exit code 3: it
is not there. Where a diagram belongs, the document has a line
    <!-- diagram FILE.svg NETWORK.yaml FIRST..LAST SIGNAL... -->
and an image below it. Both files are as seen from the document; without a network it is the one in the last block of
YAML above. Signals are those of --show, states included.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
MARK = re.compile(r"^<!-- diagram (\S+\.svg)(?: (\S+\.yaml))? (\d+)\.\.(\d+) (.+) -->$")


class Diagram(NamedTuple):
    file: Path
    network: Path | str  # a file, or the text of one
    first: int
    last: int
    signals: list[str]


def fail(message, code=1):
    print(f"diagrams: {message}", file=sys.stderr)
    sys.exit(code)


def diagrams(document):
    lines = document.read_text().splitlines()
    for k, line in enumerate(lines):
        mark = MARK.match(line)
        if not mark:
            continue
        if f"]({mark[1]})" not in lines[k + 1]:
            fail(f"the line behind '{line}' does not show {mark[1]}")
        if mark[2]:
            network = document.parent / mark[2]
        else:
            begin = max(at for at in range(k) if lines[at] == "```yaml") + 1
            network = "\n".join(lines[begin : lines.index("```", begin)]) + "\n"
        yield Diagram(document.parent / mark[1], network, int(mark[3]), int(mark[4]), mark[5].split())


def drawn(sme, diagram):
    """The SVG; where there is none, what the command said and its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        svg, network = Path(folder) / "drawn.svg", Path(folder) / "network.yaml"
        if isinstance(diagram.network, str):
            network.write_text(diagram.network)
        else:  # runs write files next to their networks
            copy = shutil.copytree(diagram.network.parents[1], Path(folder) / "copy")
            network = copy / diagram.network.parent.name / diagram.network.name
        shown = [option for signal in diagram.signals for option in ("--show", signal)]
        window = ["--from", str(diagram.first), "--to", str(diagram.last + 1)]
        path = f"{HERE.parents[1] / 'build/venv/bin'}:{os.environ['PATH']}"
        run = subprocess.run(
            [sme, "run", network, "--wavedrom", svg, "--trace-state", *shown, *window],
            capture_output=True, text=True, env={**os.environ, "PATH": path},
        )
        return (svg.read_text(), 0) if svg.exists() else (run.stderr, run.returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sme", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--readme", type=Path, default=HERE / "README.md")
    arguments = parser.parse_args()
    asked = list(diagrams(arguments.readme))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = list(pool.map(lambda diagram: drawn(arguments.sme, diagram), asked))
    for diagram, (text, code) in zip(asked, made):
        if code:
            fail(f"{diagram.file.name} is not drawn:\n{text}", code)
        if not arguments.check:
            diagram.file.parent.mkdir(exist_ok=True)
            diagram.file.write_text(text)
        elif not diagram.file.exists() or diagram.file.read_text() != text:
            fail(f"{diagram.file.name} is not what the run gives")


main()
