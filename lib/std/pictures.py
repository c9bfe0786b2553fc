#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the timing pictures of README.md from real runs.

    pictures.py SME                      draws them all again
    pictures.py SME --check              draws nothing; fails when one is not what the run shows
    pictures.py SME --readme DOCUMENT    the same of another document

SME is the sme command. Where a picture belongs, the README has a line
    <!-- picture NETWORK FIRST..LAST WIDTH SIGNAL... -->
with the test network, the cycles, the characters a cycle, and signals by their names in the trace; a signal may be
written as text=signal, and with :x behind it when its values are hexadecimal, :i when they are signed. The block of text behind that line is the picture. A line
    <!-- diagram FILE.svg FIRST..LAST BUS... -->
asks for that file, as seen from the document, of the network in the last block of YAML above it. WaveDrom draws
these: tools/test installs it in build/venv. Exit code 3: it is not there.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DIAGRAM = re.compile(r"^<!-- diagram (\S+\.svg) (\d+)\.\.(\d+) (.+) -->$")
MARK = re.compile(r"^<!-- picture (\S+) (\d+)\.\.(\d+) (\d+) (.+) -->$")


def read_vcd(text):
    """Each signal by its dotted name without the network's: its width and its values, a list of (time, bits)."""
    head, _, body = text.partition("$enddefinitions $end")
    scopes, wires, values = [], {}, {}
    for kind, words in re.findall(r"\$(scope|upscope|var)\b(.*?)\$end", head, re.S):
        words = words.split()
        if kind == "scope":
            scopes.append(words[1])
        elif kind == "upscope":
            scopes.pop()
        else:
            wires[".".join(scopes[1:] + [words[3]])] = (int(words[1]), values.setdefault(words[2], []))
    time = 0
    for line in body.splitlines():
        if line.startswith("#"):
            time = int(line[1:])
        elif line.startswith("b"):
            bits, _, name = line[1:].partition(" ")
            values[name].append((time, bits))
        elif line[:1] in ("0", "1", "x"):
            values[line[1:]].append((time, line[0]))
    return wires


def value_at(values, time):
    last = "x"
    for at, bits in values:
        if at > time:
            break
        last = bits
    return last


def draw_level(levels, width):
    text, before = "", levels[0]
    for level in levels:
        edge = {("0", "1"): "/", ("1", "0"): "\\"}.get((before, level), "")
        body = {"0": "_", "1": "~"}.get(level, "?")
        text += (edge + body * width)[:width] if width > 1 else body
        before = level
    return text


def draw_values(numbers, width):
    text, before = "", None
    for number in numbers:
        if number == before:
            text += " " * width
        else:
            text += ("|" + number)[:width].ljust(width)
        before = number
    return text


def in_base(bits, base, width):
    """A value of a trace as a number; the trace leaves out leading zeros, so a signed one also needs its width."""
    if "x" in bits:
        return "x"
    number = int(bits, 2)
    if base == "i":
        return str(number - (1 << width if number >> width - 1 else 0))
    return format(number, base or "d")


def copied(network, folder):
    """The file of a test network in a copy of its folder: runs leave files beside their networks."""
    return shutil.copytree(HERE, folder / "std") / "test" / f"{network}.yaml"


def picture(sme, network, first, last, width, names):
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.vcd"
        copy = copied(network, Path(folder))
        # a run shorter than the network's own can leave checks open: its exit code is not what is asked here
        options = ["--cycles", str(last + 1), "--trace", trace, "--trace-state"]
        run = subprocess.run([sme, "run", copy, *options], capture_output=True, text=True)
        if not trace.exists():
            sys.exit(f"pictures: {network} does not run:\n{run.stderr}")
        wires = read_vcd(trace.read_text())
    period = 2 * next(at for at, bits in wires["clock"][1] if at)
    titles = [name.partition("=")[0].partition(":")[0] for name in names]
    margin = max(map(len, titles + ["cycle"])) + 2
    lines = ["cycle".ljust(margin) + ticks_of(first, last, width)]
    for title, name in zip(titles, names):
        signal, _, base = (name.partition("=")[2] or name).partition(":")
        if signal not in wires:
            sys.exit(f"pictures: {network} has no signal '{signal}'; there are {', '.join(wires)}")
        bits, values = wires[signal]
        seen = [value_at(values, t * period) for t in range(first, last + 1)]
        drawn = draw_level(seen, width) if bits == 1 else draw_values([in_base(v, base, bits) for v in seen], width)
        lines.append(title.ljust(margin) + drawn)
    return "".join(line.rstrip() + "\n" for line in lines)


def diagrams(text, sme):
    """Each diagram of a document, by the name of its file, as an SVG."""
    lines = text.splitlines()
    for k, line in enumerate(lines):
        mark = DIAGRAM.match(line)
        if not mark:
            continue
        if f"]({mark[1]})" not in lines[k + 1]:
            sys.exit(f"pictures: the line behind '{line}' does not show {mark[1]}")
        begin = max(at for at in range(k) if lines[at] == "```yaml") + 1
        yield mark[1], diagram(sme, lines[begin : lines.index("```", begin)], int(mark[2]), int(mark[3]), mark[4])


def diagram(sme, network, first, last, buses):
    with tempfile.TemporaryDirectory() as folder:
        svg, written = Path(folder) / "drawn.svg", Path(folder) / "network.yaml"
        written.write_text("\n".join(network) + "\n")
        shown = [option for bus in buses.split() for option in ("--show", bus)]
        path = f"{HERE.parents[1] / 'build/venv/bin'}:{os.environ['PATH']}"
        run = subprocess.run(
            [sme, "run", written, "--wavedrom", svg, *shown, "--from", str(first), "--to", str(last + 1)],
            capture_output=True, text=True, env={**os.environ, "PATH": path},
        )
        if run.returncode:
            print(f"pictures: {network[0]} is not drawn:\n{run.stderr}", file=sys.stderr)
            sys.exit(run.returncode)
        return svg.read_text()


def draw_diagrams(document, sme, check):
    """Writes the SVGs of a document, or fails where one is not what the run gives."""
    for name, svg in diagrams(document.read_text(), sme):
        path = document.parent / name
        if not check:
            path.write_text(svg)
        elif not path.exists() or path.read_text() != svg:
            sys.exit(f"pictures: {name} is not what the run gives")


def ticks_of(first, last, width):
    every = next(step for step in (1, 2, 5, 10, 20, 50) if step * width >= 4)
    text = ""
    for t in range(first, last + 1):
        if t % every == 0:
            text = text.ljust((t - first) * width) + str(t)
    return text


def redrawn(text, sme):
    """The README with every picture drawn anew."""
    lines, out, k = text.splitlines(), [], 0
    while k < len(lines):
        out.append(lines[k])
        mark = MARK.match(lines[k])
        k += 1
        if not mark:
            continue
        if k < len(lines) and lines[k] == "```text":
            k = lines.index("```", k) + 1
        network, first, last, width, names = mark[1], int(mark[2]), int(mark[3]), int(mark[4]), mark[5].split()
        out += ["```text", *picture(sme, network, first, last, width, names).splitlines(), "```"]
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sme", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--readme", type=Path, default=HERE / "README.md")
    arguments = parser.parse_args()
    old = arguments.readme.read_text()
    new = redrawn(old, arguments.sme)
    draw_diagrams(arguments.readme, arguments.sme, arguments.check)
    if not arguments.check:
        arguments.readme.write_text(new)
    elif old != new:
        for number, (is_now, must_be) in enumerate(zip(old.splitlines(), new.splitlines()), 1):
            if is_now != must_be:
                sys.exit(f"pictures: {arguments.readme.name}:{number} shows\n    {is_now}\nbut the run gives\n    {must_be}")
        sys.exit(f"pictures: {arguments.readme.name} has pictures of another length than the run gives")


main()
