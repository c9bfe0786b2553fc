#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests verilog/rv32.v with rv32_test.v in Icarus; Verilator must find nothing to warn of. Exit code 77: a
tool is missing, nothing was tested."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORE = HERE.parent / "verilog/rv32.v"


def run(*command):
    """What the command prints; ends with that when it fails."""
    done = subprocess.run([str(word) for word in command], cwd=HERE, text=True, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


for tool in ("iverilog", "verilator"):
    if shutil.which(tool) is None:
        print(f"skipped: there is no {tool}")
        sys.exit(77)
# Newer Verilators end with a report.
warned = [line for line in run("verilator", "--lint-only", "-Wall", CORE).splitlines() if not line.startswith("- ")]
with tempfile.TemporaryDirectory() as folder:
    warned += [run("iverilog", "-g2005", "-Wall", "-s", "rv32_test", "-o", f"{folder}/test", "rv32_test.v", CORE)]
    said = run("vvp", "-n", f"{folder}/test")
# Icarus warns of files that do not fill a memory.
said = [line for line in said.splitlines() if not line.startswith("WARNING: ")]
warned = [line for line in warned if line]
print(*warned, *said, sep="\n")
sys.exit(bool(warned) or len(said) != 1 or not said[0].startswith("passed: "))
