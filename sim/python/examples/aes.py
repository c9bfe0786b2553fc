# SPDX-License-Identifier: Apache-2.0
"""The AES of `models/aes`, tested against the package `cryptography` with random keys and blocks.

    python3 sim/python/examples/aes.py
"""

import pathlib
import random

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import sme

NETWORK = pathlib.Path(__file__).parents[3] / "models" / "aes" / "network.yaml"


def expected(mode, key, counter, blocks):
    """What `cryptography` makes of these blocks."""
    chosen = modes.ECB() if mode == "ecb" else modes.CTR(counter)
    return Cipher(algorithms.AES(key), chosen).encryptor().update(b"".join(blocks))


async def encrypt(dut, mode, key, counter, blocks):
    """Sends the blocks of a message one after the other; returns what comes out."""
    result = b""
    for number, block in enumerate(blocks):
        dut.request.value = {
            "valid": True,
            "mode": mode,
            "first": number == 0,
            "key": list(key),
            "counter": list(counter),
            "text": list(block),
        }
        await dut.cycles(1)
        dut.request.value = {}  # all fields 0: there is no other request
        await dut.rising(dut.result.valid)
        result += bytes(dut.result.text.value)
        await dut.falling(dut.result.valid)
    return result


async def messages(dut, chance, count):
    for _ in range(count):
        mode = chance.choice(["ecb", "ctr"])
        key, counter = chance.randbytes(16), chance.randbytes(16)
        blocks = [chance.randbytes(16) for _ in range(chance.randint(1, 4))]
        found = await encrypt(dut, mode, key, counter, blocks)
        assert found == expected(mode, key, counter, blocks), (mode, key.hex())


def run(count=50):
    sim = sme.load(NETWORK, drive="request", checks=False)
    sim.bench(messages, random.Random(1), count)
    return sim.cycle


def test_aes():
    assert run() > 1000


if __name__ == "__main__":
    print(f"50 messages are the same; {run()} cycles")
