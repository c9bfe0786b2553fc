#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes programs/NAME.hex and NAME.csv from each programs/NAME.s.

hex   the words of memory, made by the RISC-V assembler and linker (binutils-riscv64-unknown-elf)
csv   a row for each instruction that QEMU (qemu-user: qemu-riscv32) executes: its address, the register it
      writes and the value there afterwards; 0, 0 for instructions that write none
"""
import argparse
import re
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
BASE = 0x10000
WRITES_NONE = {0x63, 0x23, 0x0F, 0x73}          # branches, stores, fence, ecall and ebreak
TOOLS = "riscv64-unknown-elf-"


def run(*command, code=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if code is not None and done.returncode != code:
        raise SystemExit(f"{command[0]}: exit code {done.returncode}\n{done.stderr}")


def words_of(source, scratch):
    """Returns the program as an ELF file for QEMU, and its words for our memory."""
    run(f"{TOOLS}as", "-march=rv32i", "-mabi=ilp32", "-o", scratch / "o", source)
    run(f"{TOOLS}ld", "-m", "elf32lriscv", "-z", "max-page-size=4096", "--no-warn-rwx-segments", "-T", HERE / "programs/memory.ld", "-o", scratch / "elf", scratch / "o")
    run(f"{TOOLS}objcopy", "-O", "binary", scratch / "elf", scratch / "bin")
    image = (scratch / "bin").read_bytes()
    image += bytes(-len(image) % 4)
    return [int.from_bytes(image[at:at + 4], "little") for at in range(0, len(image), 4)]


def registers_before_each(scratch):
    """Yields (pc, 32 registers) before each instruction, from the log of QEMU single-stepping."""
    run("qemu-riscv32", "-singlestep", "-d", "cpu,nochain", "-D", scratch / "log", scratch / "elf", code=None)
    states = []
    for line in (scratch / "log").read_text().splitlines():
        if found := re.match(r"\s*pc\s+([0-9a-f]{8})$", line):
            states.append((int(found[1], 16), []))
        elif re.match(r"\s*x\d+/", line):
            states[-1][1].extend(int(value, 16) for value in re.findall(r"x\d+/\w+\s+([0-9a-f]{8})", line))
    assert all(len(registers) == 32 for _, registers in states)
    return states


def rows(words, states):
    for (pc, _), (_, after) in zip(states, states[1:] + [(0, [])]):
        word = words[(pc - BASE) // 4]
        rd = 0 if word % 128 in WRITES_NONE else word >> 7 & 31
        yield f"1,{pc:#x},{rd},{after[rd] if rd else 0:#x}\n"


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", nargs="?", type=Path, default=HERE / "programs", help="where to write (default: programs)")
folder = parser.parse_args().folder
for source in sorted((HERE / "programs").glob("*.s")):
    with tempfile.TemporaryDirectory() as scratch:
        words = words_of(source, Path(scratch))
        states = registers_before_each(Path(scratch))
    assert len(words) <= 4096, f"{source.name}: {len(words)} words"
    assert words[(states[-1][0] - BASE) // 4] == 0x73, f"{source.name} does not end with ecall"
    lines = [" ".join(f"{word:08x}" for word in words[at:at + 8]) for at in range(0, len(words), 8)]
    (folder / source.name).with_suffix(".hex").write_text("\n".join(lines) + "\n")
    (folder / source.name).with_suffix(".csv").write_text("valid,pc,rd,value\n" + "".join(rows(words, states)))
    print(f"{source.name}: {len(words)} words, {len(states)} instructions, a0 = {states[-1][1][10]:#x}")
