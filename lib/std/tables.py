#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of parameters and ports in README.md from the heads of the components.

    tables.py            writes them again
    tables.py --check    writes nothing; fails when one is not that of its component

The table of a component is between the lines "<!-- table NAME -->" and "<!-- end -->". Its texts are the comments in
NAME.yaml, so each parameter and port needs one.
"""
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SECTION = re.compile(r"^(\w+):(?: *#.*)?$")
LINE = re.compile(r"^  (?:- (?P<rule>.+?)|(?P<name>\w+(?:\[\w+\])?): (?P<value>.+?))(?: +# (?P<text>.+))?$")
TABLE = re.compile(r"^<!-- table (\w+) -->\n.*?^<!-- end -->$", re.M | re.S)


def fail(message):
    print(f"tables: {message}", file=sys.stderr)
    sys.exit(1)


def head(file):
    """(section, match of a line) of the parameters, requires, types, in and out of a component."""
    section = None
    for line in file.read_text().splitlines():
        if begins := re.match(r"^\w+:", line):
            named = SECTION.match(line)
            section = named[1] if named else begins[0]
        elif section in ("parameters", "requires", "types", "in", "out"):
            found = LINE.match(line)
            if not found:
                fail(f"{file.name}: '{line.strip()}' is not a parameter, a port, a type or a rule on one line")
            yield section, found


def code(text):
    return f"`{text}`" if text else ""


def row(file, section, line, types):
    kind, default = line["value"], ""
    if section == "parameters":
        kind, _, default = kind.rpartition(" = ") if " = " in kind else ("number", "", kind)
    wire, name = ("wire ", kind[5:]) if kind.startswith("wire ") else ("", kind)
    shown = kind if kind in ("number", "type") else code(wire + types.get(name, name))
    if not line["text"]:
        fail(f"{file.name}: '{line['name']}' has no comment")
    what = "parameter" if section == "parameters" else section
    return f"| {what} | `{line['name']}` | {shown} | {code(default)} | {line['text']} |"


def table(file):
    lines = list(head(file))
    types = {line["name"]: line["value"] for section, line in lines if section == "types"}
    rows = [row(file, section, line, types) for section, line in lines if section in ("parameters", "in", "out")]
    rules = [code(line["rule"]) for section, line in lines if section == "requires"]
    domains = re.search(r"^domains: \[(.+)\]$", file.read_text(), re.M)
    notes = f"\n\nRequires {', '.join(rules)}." if rules else ""
    if domains:
        notes += f"\n\nClock domains: {', '.join(map(code, domains[1].split(', ')))}."
    return "\n".join(["| | name | type | default | |", "|---|---|---|---|---|", *rows]) + notes


def main():
    readme = HERE / "README.md"
    old = readme.read_text()
    components = {file.stem for file in HERE.glob("*.yaml") if re.search(r"^component:", file.read_text(), re.M)}
    if missing := components - set(TABLE.findall(old)):
        fail(f"README.md has no line '<!-- table {min(missing)} -->'")
    new = TABLE.sub(lambda mark: f"<!-- table {mark[1]} -->\n\n{table(HERE / f'{mark[1]}.yaml')}\n\n<!-- end -->", old)
    if "--check" not in sys.argv:
        readme.write_text(new)
    elif new != old:
        fail("README.md does not show the heads of the components; run lib/std/tables.py")


main()
