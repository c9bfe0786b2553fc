#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Huffman-codes the symbols that the network recorded, and writes them as a JPEG file.

The codes are those of ITU-T T.81, tables K.3 to K.6; the file has the headers of T.81, annex B, and of JFIF 1.01.
"""
import argparse
import csv
from pathlib import Path

HERE = Path(__file__).parent


def coefficients(beginning):
    """Returns run << 4 | size of K.5 and K.6: the frequent ones, then all others in order."""
    first = list(bytes.fromhex(beginning))
    every = [0x00, 0xF0] + [run << 4 | size for run in range(16) for size in range(1, 11)]
    return first + sorted(set(every) - set(first))


TABLES = {   # class (0: DC, 1: AC) and number: number of codes of 1, 2, … bits; symbols in order
    0x00: ("00010501010101010100000000000000", list(range(12))),
    0x01: ("00030101010101010101010000000000", list(range(12))),
    0x10: ("0002010303020403050504040000017d", coefficients(
        "01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a")),
    0x11: ("00020102040403040705040400010277", coefficients(
        "000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f1"))}


def codes(counts, symbols):
    """Returns the bits of each symbol, as text (T.81, annex C)."""
    made, code, left = {}, 0, iter(symbols)
    for length, count in enumerate(bytes.fromhex(counts), 1):
        for _ in range(count):
            made[next(left)] = f"{code:0{length}b}"
            code += 1
        code <<= 1
    return made


def blocks(rows):
    """Yields (component, symbols) of each block."""
    symbols, place = [], 0         # place: position of the next value
    for row in rows:
        run, size, value = (int(row[name]) for name in ("run", "size", "value"))
        ends = symbols and (run, size) == (0, 0) or place + run == 63
        symbols.append((run, size, value))
        place += run + 1
        if ends:
            yield row["component"], symbols
            symbols, place = [], 0


def bits(component, symbols):
    """Encodes a block: each symbol, followed by the bits of its value."""
    number = component != "Y"
    for k, (run, size, value) in enumerate(symbols):
        yield CODES[0x10 | number if k else number][run << 4 | size]
        if size:
            yield f"{value if value > 0 else value + (1 << size) - 1:0{size}b}"


def segment(marker, content):
    return bytes([0xFF, marker]) + (len(content) + 2).to_bytes(2, "big") + content


def steps(number, name):
    """Returns a quantisation table, which the file stores in zig-zag order."""
    return segment(0xDB, bytes([number]) + bytes(map(int, (HERE / name).read_text().replace(",", " ").split())))


def jpeg(coded, width):
    """Returns the file of a picture: blocks of Y, Cb and Cr in turn."""
    height = 64 * len(coded) // 3 // width
    size = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    scan = "".join(bit for block in coded for bit in bits(*block))
    scan += "1" * (-len(scan) % 8)
    data = int(scan, 2).to_bytes(len(scan) // 8, "big").replace(b"\xff", b"\xff\x00")
    return b"".join([
        b"\xff\xd8", segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0"), steps(0, "luminance.csv"), steps(1, "chrominance.csv"),
        segment(0xC0, bytes([8]) + size + bytes([3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1])),
        *(segment(0xC4, bytes([number]) + bytes.fromhex(counts) + bytes(symbols))
          for number, (counts, symbols) in TABLES.items()),
        segment(0xDA, bytes([3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0])), data, b"\xff\xd9"])


CODES = {number: codes(*table) for number, table in TABLES.items()}
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("file", nargs="?", type=Path, default=HERE / "picture.jpg", help="what to write (default: picture.jpg here)")
parser.add_argument("--symbols", type=Path, default=HERE / "output.csv", help="what was recorded (default: output.csv here)")
parser.add_argument("--width", type=int, default=64, help="of the picture (default: 64)")
arguments = parser.parse_args()

with arguments.symbols.open(newline="") as recorded:
    arguments.file.write_bytes(jpeg(list(blocks(csv.DictReader(recorded))), arguments.width))
