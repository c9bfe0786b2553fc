#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the modules of hdl/rtl: what they are and what belongs to them stands in modules.toml.

    rtl.py lint|bench|replay|synth|mutants [--sme COMMAND] [--table|--pairs|--hold] [MODULE]...

lint     Verilator finds nothing to warn of
bench    the module's own bench, with its vectors, passes in Icarus
replay   the module agrees with its YAML counterpart in every cycle of every run in modules.toml
synth    Yosys makes a netlist without latches, loops and other problems (--table: counts cells;
         --pairs: of each module and of its counterpart as sme verilog writes it;
         --hold: these are the cells in the table of hdl/export, within 3 %)
mutants  bench or replay finds each mistake of mutants.csv

Exit code 77: a tool is missing, nothing was tested.
"""

import argparse
import csv
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import cells
import replay

TEST = Path(__file__).resolve().parent
RTL = TEST.parent
ROOT = RTL.parent.parent
MODULES = tomllib.loads((TEST / "modules.toml").read_text().replace("ROOT/", f"{ROOT}/"))


class Failure(Exception):
    """An error of a module, or a message of a tool."""


class Unusable(Exception):
    """A source that does not compile, so that no test ran."""


def run(command, folder):
    """Returns the output of a command; raises Failure with it if the command fails."""
    command = [str(word) for word in command]
    done = subprocess.run(command, cwd=folder, text=True, errors="replace", timeout=600,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise Failure(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def sources(name, rtl):
    return [rtl / file for file in MODULES[name]["files"]]


def parameter_sets(name):
    return MODULES[name].get("parameters", [{}])


def lint(name, rtl, _):
    for parameters in parameter_sets(name):
        said = run(["verilator", "--lint-only", "-Wall", "--top-module", name]
                   + [f"-G{key}={value}" for key, value in parameters.items()]
                   + sources(name, rtl), RTL)
        # newer Verilators print a final report
        if any(not line.startswith("- ") for line in said.splitlines()):
            raise Failure(said)


def simulate(top, files, folder):
    """Returns the output of the top module in Icarus; a compiler warning raises Unusable."""
    try:
        said = run(["iverilog", "-g2005", "-Wall", "-I", TEST, "-s", top, "-o", folder / top] + files, TEST)
    except Failure as problem:
        raise Unusable(problem) from problem
    if "warning" in said or "error" in said:
        raise Unusable(said)
    return run(["vvp", "-n", folder / top], TEST)


def judge(said):
    # Icarus warns about files that do not fill a memory.
    lines = [line for line in said.splitlines() if not line.startswith("WARNING: ")]
    if any(not line.startswith("passed") for line in lines) or not lines:
        raise Failure(said or "the bench said nothing")
    return lines


def bench(name, rtl, _):
    with tempfile.TemporaryDirectory() as folder:
        file = TEST / f"{name}_test.v"
        return judge(simulate(f"{name}_test", [file] + sources(name, rtl), Path(folder)))


def replays(name, rtl, sme):
    lines = []
    for case in MODULES[name]["replay"]:
        with tempfile.TemporaryDirectory() as folder:
            rows = replay.recorded(case, sme, ROOT, run)
            file = replay.write_bench(name, case, rows, Path(folder))
            lines += judge(simulate("replay", [file] + sources(name, rtl), Path(folder)))
    return lines


def yosys(script, folder):
    return run(["yosys", "-q", "-p", script], folder)


def synth(name, rtl, _):
    """Synthesises a generic netlist, with small parameters where the table has them."""
    small = parameter_sets(name)[-1]
    chosen = " ".join(f"-chparam {key} {value}" for key, value in small.items())
    files = " ".join(str(file) for file in sources(name, rtl))
    with tempfile.TemporaryDirectory() as folder:
        said = yosys(f"read_verilog {files}; hierarchy -check -top {name} {chosen}; "
                     f"synth -flatten -top {name}; check -assert; "
                     f"select -assert-none t:$dlatch t:$_DLATCH*", folder)
    if "warning" in said.lower():
        raise Failure(said)


def by_hand(name, parameters):
    """Returns the files for Yosys, and the top of our module with these parameters."""
    chosen = "".join(f" -chparam {key} {value}" for key, value in parameters.items())
    return sources(name, RTL), f"{name}{chosen}"


def table(names):
    """Prints the README's table of cells."""
    print("| module | iCE40 | ECP5 |\n|---|---|---|")
    for name in names:
        files, top = by_hand(name, MODULES[name].get("counted", {}))
        texts = [cells.text(cells.count(run, files, top, family)) for family in cells.FAMILIES]
        print(f"| `{name}` | {' | '.join(texts)} |", flush=True)


def pairs(names, sme):
    """Yields the rows of the table of hdl/export: each counterpart as written, and the module."""
    for name in names:
        model = MODULES[name].get("model")
        if not model:
            continue
        with tempfile.TemporaryDirectory() as folder:
            run([sme, "verilog", ROOT / model["network"], "--top", model["top"], "--cycles", "1",
                 *model.get("arguments", []), "-o", Path(folder) / "written"], folder)
            files = [Path(folder) / "written" / file for file in
                     (Path(folder) / "written/files.f").read_text().split()]
            for family in cells.FAMILIES:
                ours = cells.count(run, files, model["top"], family)
                theirs = cells.count(run, *by_hand(name, model.get("by_hand", {})), family)
                yield (f"| `{name}` | {cells.FAMILIES[family].name} | {cells.text(ours)} | "
                       f"{cells.text(theirs)} | {cells.ratio(ours, theirs)} |")


def hold(names, sme):
    """Tests whether the table of hdl/export has these cells; prints rows more than 3 % off."""
    rows = (ROOT / "hdl/export/README.md").read_text().splitlines()
    held = True
    for row in pairs(names, sme):
        place = row.split("|")[1:3]
        written = next((each for each in rows if each.split("|")[1:3] == place), "")
        counts, known = ([int(number) for cell in each.split("|")[3:5]
                          for number in re.findall(r"(\d+) \w", cell)] for each in (row, written))
        fits = len(counts) == len(known) and all(abs(a - b) <= max(3, 0.03 * b)
                                                 for a, b in zip(counts, known))
        held = held and fits
        print("as in the table:" if fits else f"DIFFERS from '{written}':", row, flush=True)
    return held


def caught(name, rtl, sme):
    """Returns the name of the test that fails, or None."""
    for test in (bench, replays):
        try:
            test(name, rtl, sme)
        except (Failure, subprocess.TimeoutExpired):
            return test.__name__
    return None


def mutants(name, rtl, sme):
    lines = []
    with (TEST / "mutants.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["module"] == name]
    if len(rows) < 2:
        raise Failure(f"{name} has fewer than two mutants")
    for row in rows:
        with tempfile.TemporaryDirectory() as folder:
            broken = Path(shutil.copytree(rtl, Path(folder) / "rtl",
                                          ignore=shutil.ignore_patterns("test")))
            text = (broken / row["file"]).read_text()
            if text.count(row["old"]) != 1:
                raise Failure(f"'{row['old']}' stands {text.count(row['old'])} times in "
                              f"{row['file']}, not once")
            (broken / row["file"]).write_text(text.replace(row["old"], row["new"]))
            found = caught(name, broken, sme)
            if not found:
                raise Failure(f"{row['file']}: '{row['new']}' for '{row['old']}': no test fails")
            lines.append(f"caught by {found}: {row['file']}: {row['new']}")
    return lines


TESTS = {"lint": (lint, ["verilator"]), "bench": (bench, ["iverilog"]),
         "replay": (replays, ["iverilog"]), "synth": (synth, ["yosys"]),
         "mutants": (mutants, ["iverilog"])}


def main():
    parser = argparse.ArgumentParser(description="Tests the modules of hdl/rtl.")
    parser.add_argument("test", choices=TESTS)
    parser.add_argument("--sme", default=ROOT / "tools/sme", help="the sme command")
    parser.add_argument("--table", action="store_true", help="with synth: the README's table")
    parser.add_argument("--pairs", action="store_true", help="with synth: the table of hdl/export")
    parser.add_argument("--hold", action="store_true", help="with synth: compare that table")
    parser.add_argument("modules", nargs="*")
    arguments = parser.parse_args()
    test, tools = TESTS[arguments.test]
    for tool in tools:
        if not shutil.which(tool):
            print(f"skipped: no {tool}")
            sys.exit(77)
    names = arguments.modules or list(MODULES)
    if arguments.table:
        table(names)
        return
    sme = shutil.which(arguments.sme) and Path(shutil.which(arguments.sme)).resolve()
    if arguments.hold:
        sys.exit(0 if hold(names, sme) else 1)
    if arguments.pairs:
        print("| design | family | written by `sme verilog` | by hand | LUT4 |\n|---|---|---|---|---|")
        for row in pairs(names, sme):
            print(row, flush=True)
        return
    failed = False
    for name in names:
        try:
            lines = test(name, RTL, arguments.sme)
            print(f"{name}: {arguments.test} passed")
            print("".join(f"    {line}\n" for line in lines or []), end="", flush=True)
        except (Failure, Unusable, subprocess.TimeoutExpired, OSError) as problem:
            print(f"{name}: {arguments.test} FAILED\n{problem}", flush=True)
            failed = True
    sys.exit(1 if failed else 0)


main()
