#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes k.hex, start.hex, blocks.csv and expected.csv.

k, start   the first 32 bits of the fractional parts of the roots of primes (FIPS 180-4, 4.2.2 and 5.3.3), in integers
blocks     the messages, padded (5.1.1): a row "valid,last,bits" a cycle, the 16 words of a block and 48 rows of silence
expected   their digests by Python's hashlib (OpenSSL); those that NIST publishes are compared with what it says
"""
import argparse
import hashlib
import math
from pathlib import Path

# Message and digest: csrc.nist.gov, "Cryptographic Standards and Guidelines: Example Values", SHA-256, and
# the 896-bit message and the empty one of the SHA-2 "additional" examples.
PUBLISHED = [
    (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    (b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
     "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
    (b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
]
# around the lengths where the padding needs another block
LENGTHS = [1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 300]


def primes(count):
    found = []
    candidate = 2
    while len(found) < count:
        if all(candidate % p for p in found):
            found.append(candidate)
        candidate += 1
    return found


def cube_root(n):
    root = round(n ** (1 / 3))
    while root**3 > n:
        root -= 1
    while (root + 1) ** 3 <= n:
        root += 1
    return root


def made_up(length):
    """Returns the high bits of Knuth's 64-bit linear congruential generator as bytes."""
    state, made = length, bytearray()
    for _ in range(length):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        made.append(state >> 56)
    return bytes(made)


def padded(message):
    zeros = -(len(message) + 9) % 64
    return message + b"\x80" + bytes(zeros) + (8 * len(message)).to_bytes(8, "big")


def rows(message):
    blocks = padded(message)
    for at in range(0, len(blocks), 64):
        last = int(at + 64 == len(blocks))
        for word in range(at, at + 64, 4):
            yield f"1,{last},{int.from_bytes(blocks[word:word + 4], 'big'):#010x}\n"
        yield from ["0,0,0\n"] * 48


def hex_lines(words):
    return "".join(" ".join(f"{word:08x}" for word in words[at:at + 8]) + "\n" for at in range(0, len(words), 8))


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="where to write (default: here)")
folder = parser.parse_args().folder

for message, digest in PUBLISHED:
    assert hashlib.sha256(message).hexdigest() == digest, message
messages = [message for message, _ in PUBLISHED] + [made_up(length) for length in LENGTHS]
digests = [hashlib.sha256(message).digest() for message in messages]

(folder / "k.hex").write_text(hex_lines([cube_root(p << 96) % 2**32 for p in primes(64)]))
(folder / "start.hex").write_text(hex_lines([math.isqrt(p << 64) % 2**32 for p in primes(8)]))
silence = "0,0,0\n" * 2                # until the last digest is recorded
(folder / "blocks.csv").write_text("valid,last,bits\n" + "".join(row for m in messages for row in rows(m)) + silence)
(folder / "expected.csv").write_text(",".join(f"[{i}]" for i in range(8)) + "\n" + "".join(
    ",".join(str(int.from_bytes(d[at:at + 4], "big")) for at in range(0, 32, 4)) + "\n" for d in digests))
