#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the vectors that come from something else than a standard's page.

fir.hex      the samples and results of models/fir, which expected.py there computed
sha256.hex   NIST's example messages, padded, and their digests, which hashlib confirms
rounds.hex   the words of the 64 rounds of "abc", by the definition (FIPS 180-4, 6.2.2, step 1)
"""

import csv
import hashlib
from pathlib import Path

TEST = Path(__file__).resolve().parent
FIR = TEST.parent.parent.parent / "models/fir"
FIR_ROWS = 512
# From "Example values" of the Cryptographic Standards and Guidelines, and CAVP's SHA256ShortMsg.rsp.
PUBLISHED = {
    b"abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq":
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    b"": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
    b"hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu":
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
}


def fir():
    with (FIR / "samples.csv").open(newline="") as file:
        samples = [(int(row["valid"]), int(row["value"])) for row in csv.DictReader(file)]
    results = iter([int(line) for line in (FIR / "expected.csv").read_text().split()[1:]])
    yield "// The first rows of models/fir: x of a cycle in 17 bits and y of the next one in 33."
    for valid, value in samples[:FIR_ROWS]:
        y = 1 << 32 | next(results) & 0xffffffff if valid else 0
        yield f"{(valid << 16 | value & 0xffff) << 35 | y:013x}"


def blocks(message):
    """Returns the padded message in blocks of 64 bytes (FIPS 180-4, 5.1.1)."""
    padded = message + b"\x80" + bytes((55 - len(message)) % 64)
    padded += (8 * len(message)).to_bytes(8, "big")
    return [padded[k:k + 64] for k in range(0, len(padded), 64)]


def sha256():
    yield "// A row a block: 1 for a message's last, the block's 16 words from the left, the digest."
    for message, digest in PUBLISHED.items():
        if hashlib.sha256(message).hexdigest() != digest:
            raise ValueError(f"{digest} is not the digest of {message}")
        yield f"// {len(message) * 8} bits"
        for k, block in enumerate(parts := blocks(message)):
            last = k == len(parts) - 1
            yield f"{int(last)}_{block.hex()}_{digest if last else '0' * 64}"


def rounds():
    def rotated(x, n):
        return (x >> n | x << 32 - n) & 0xffffffff

    block = blocks(b"abc")[0]
    w = [int.from_bytes(block[k:k + 4], "big") for k in range(0, 64, 4)]
    for t in range(16, 64):
        small_0 = rotated(w[t - 15], 7) ^ rotated(w[t - 15], 18) ^ w[t - 15] >> 3
        small_1 = rotated(w[t - 2], 17) ^ rotated(w[t - 2], 19) ^ w[t - 2] >> 10
        w.append((small_1 + w[t - 7] + small_0 + w[t - 16]) & 0xffffffff)
    yield '// The words of the 64 rounds of "abc", by the definition.'
    for word in w:
        yield f"{word:08x}"


def main():
    for name, lines in (("fir", fir), ("sha256", sha256), ("rounds", rounds)):
        (TEST / f"{name}.hex").write_text("\n".join(lines()) + "\n")


main()
