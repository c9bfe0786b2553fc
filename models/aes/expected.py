#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes sbox.hex, requests.csv and expected.csv.

sbox       the inverse in GF(2^8) and the affine map of FIPS 197, 5.1.1
requests   a row for each cycle: a block, then ten cycles of silence while it goes through the rounds
expected   what the standards say must come out (FIPS 197, appendices B and C.1; SP 800-38A, F.1.1 and F.5.1),
           and for made-up blocks what the command openssl makes of them
"""
import argparse
import subprocess
from pathlib import Path

NIST_KEY = "2b7e151628aed2a6abf7158809cf4f3c"
NIST_TEXT = ["6bc1bee22e409f96e93d7e117393172a", "ae2d8a571e03ac9c9eb76fac45af8e51",
             "30c81c46a35ce411e5fbc1191a0a52ef", "f69f2445df4f9b17ad2b417be66c3710"]
NIST_COUNTER = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
PUBLISHED = [   # mode, key, first counter, text, result
    ("ecb", NIST_KEY, "", ["3243f6a8885a308d313198a2e0370734"], ["3925841d02dc09fbdc118597196a0b32"]),
    ("ecb", "000102030405060708090a0b0c0d0e0f", "", ["00112233445566778899aabbccddeeff"],
     ["69c4e0d86a7b0430d8cdb78070b4c55a"]),
    ("ecb", NIST_KEY, "", NIST_TEXT, ["3ad77bb40d7a3660a89ecaf32466ef97", "f5d3d58503b9699de785895a96fdbaaf",
                                      "43b1cd7f598ece23881b00e3ed030688", "7b0c785e27e8ad3f8223207104725dd4"]),
    ("ctr", NIST_KEY, NIST_COUNTER, NIST_TEXT, ["874d6191b620e3261bef6864990db6ce", "9806f66b7970fdff8617187bb9fffdff",
                                                "5ae4df3edbd5d35e5b4f09020db03eab", "1e031dda2fbe03d1792170a0f3009cee"]),
]
ROUNDS = 10
MODES = {"ecb": 0, "ctr": 1}


def product(a, b):
    """Multiplies in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1."""
    result = 0
    for k in range(8):
        result ^= (a << k) * (b >> k & 1)
    for k in range(15, 7, -1):
        result ^= (0x11B << (k - 8)) * (result >> k & 1)
    return result


def substituted(value):
    inverse = next((x for x in range(256) if product(value, x) == 1), 0)
    bits = [sum(inverse >> (k + d) % 8 & 1 for d in (0, 4, 5, 6, 7)) % 2 for k in range(8)]
    return sum(bit << k for k, bit in enumerate(bits)) ^ 0x63


def made_up(seed, length):
    """Returns the high bits of Knuth's 64-bit linear congruential generator as bytes."""
    state, made = seed, bytearray()
    for _ in range(length):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        made.append(state >> 56)
    return bytes(made)


def by_openssl(mode, key, counter, text):
    options = ["-iv", counter.hex()] if mode == "ctr" else ["-nopad"]
    return subprocess.run(["openssl", "enc", f"-aes-128-{mode}", "-K", key.hex(), *options], input=text,
                          capture_output=True, check=True).stdout


def blocks_of(text):
    return [text[at:at + 16] for at in range(0, len(text), 16)]


def messages():
    """Yields (mode, key, counter, blocks, expected blocks) of all messages, as bytes."""
    for mode, key, counter, text, expected in PUBLISHED:
        key, counter, text, expected = (bytes.fromhex(part) for part in (key, counter, "".join(text), "".join(expected)))
        assert by_openssl(mode, key, counter, text) == expected
        yield mode, key, counter.rjust(16, b"\0"), blocks_of(text), blocks_of(expected)
    for seed, mode in enumerate(["ecb", "ctr"] * 6):
        key, counter, text = made_up(3 * seed, 16), made_up(3 * seed + 1, 16), made_up(3 * seed + 2, 48)
        if seed == 1:
            counter = b"\xff" * 15 + b"\xfe"       # the whole counter wraps
        yield mode, key, counter, blocks_of(text), blocks_of(by_openssl(mode, key, counter, text))


def row(*parts):
    return ",".join(str(number) for part in parts for number in part) + "\n"


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="where to write (default: here)")
folder = parser.parse_args().folder

table = [substituted(value) for value in range(256)]
silence = row([0] * 51)
requests, expected = [], []
for mode, key, counter, texts, results in messages():
    for number, (text, result) in enumerate(zip(texts, results)):
        requests += [row((1, MODES[mode], int(number == 0)), key, counter, text)] + [silence] * ROUNDS
        expected.append(row(result))
requests += [silence] * 3              # until the last result is recorded

columns = ["valid", "mode", "first"] + [f"{part}[{k}]" for part in ("key", "counter", "text") for k in range(16)]
(folder / "sbox.hex").write_text("".join(" ".join(f"{s:02x}" for s in table[at:at + 16]) + "\n" for at in range(0, 256, 16)))
(folder / "requests.csv").write_text(row(columns) + "".join(requests))
(folder / "expected.csv").write_text(row([f"[{k}]" for k in range(16)]) + "".join(expected))
