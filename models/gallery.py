#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the pictures and sizes of the gallery in models/README.md.

    python3 models/gallery.py [--check] [SME]

Each row with a network gets NAME/graph.svg, drawn by 'sme graph', and its size. With --check nothing is
written: ends with 1 for a model without a row and for a row or picture that is not as its network is.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

HOME = Path(__file__).resolve().parent
ROW = re.compile(r"^\| \[(\w+)\]\(\1/README\.md\) \|(.*)$", re.M)


def sme(command, *words):
    run = subprocess.run([command, *words], capture_output=True, text=True, check=False, cwd=HOME.parent)
    if run.returncode:
        sys.exit(f"gallery: sme {' '.join(map(str, words))} ended with {run.returncode}\n{run.stderr}")
    return run.stdout


def size(command, network: Path):
    """Returns '4 processes, 7 buses, 90 lines', without empty lines and comments."""
    said = sme(command, "check", network.relative_to(HOME.parent)).splitlines()[0]
    parts = re.search(r"\d+ process(es)?, \d+ bus(es)?", said)[0]
    lines = [line for line in network.read_text().splitlines() if line.strip() and line.strip()[0] != "#"]
    return f"{parts}, {len(lines)} lines"


def texts(picture: str):
    """Returns an SVG's content without the layout, which depends on Graphviz and fonts."""
    return sorted(re.findall(r">\s*([^<>\s][^<>]*)<", re.sub(r"<!--.*?-->", "", picture, flags=re.S)))


def row(command, name: str, shows: str):
    network = HOME / name / "network.yaml"
    return (f"| [{name}]({name}/README.md) | {shows}<br>{size(command, network)}<br>"
            f"`sme run models/{name}/network.yaml --stats` | <a href=\"{name}/graph.svg\">"
            f"<img src=\"{name}/graph.svg\" height=\"120\" alt=\"graph of {name}\"></a> |")


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    checks = len(words) + 1 < len(sys.argv)
    command = words[0] if words else "sme"
    document = HOME / "README.md"
    text = old = document.read_text()
    networks = {path.parent.name for path in HOME.glob("*/network.yaml")}
    wrong = []
    shown = set()
    for match in ROW.finditer(old):
        name = match[1]
        if name not in networks or name in shown:  # a program in C++
            continue
        shown.add(name)
        text = text.replace(match[0], row(command, name, re.split(r"<br>| \|", match[2])[0].strip()), 1)
        picture = HOME / name / "graph.svg"
        with tempfile.TemporaryDirectory() as folder:
            drawn = Path(folder) / "graph.svg"
            sme(command, "graph", f"models/{name}/network.yaml", "-o", drawn)
            if not picture.exists() or texts(picture.read_text()) != texts(drawn.read_text()):
                wrong.append(f"models/{name}/graph.svg is not the graph of its network")
                if not checks:
                    picture.write_text(drawn.read_text())
    if text != old:
        wrong.append("models/README.md has a row that is not as its network is")
        if not checks:
            document.write_text(text)
    missing = [f"models/README.md has no row for {name}" for name in sorted(networks - shown)]
    if missing or (checks and wrong):
        print("\n".join(missing + wrong + ["run python3 models/gallery.py"]))
        sys.exit(1)
    print(f"{len(shown)} models, rows and pictures are as their networks are")


main()
