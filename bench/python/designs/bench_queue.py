# SPDX-License-Identifier: Apache-2.0
"""The test bench of test_queue.py as a coroutine of sme. Arguments: the number of cycles."""
import random
import sys
import time
import warnings
from collections import deque
from pathlib import Path

import sme

CYCLES = int(sys.argv[1])


async def stalls(dut):
    rng = random.Random(1)
    x_valid, x_data, x_ready = dut.a.valid, dut.a.data, dut.a.ready
    y_valid, y_data, y_ready = dut.b.valid, dut.b.data, dut.b.ready
    waiting, offers, received = deque(), False, 0
    for _ in range(CYCLES):
        if not offers and rng.randrange(100) < 70:
            offers = True
            x_data.value = rng.getrandbits(32)
        x_valid.value = offers
        y_ready.value = rng.randrange(100) < 60
        pushed = offers and x_ready.value
        if pushed:
            waiting.append(x_data.value)
        if y_valid.value and y_ready.value:
            assert waiting.popleft() == y_data.value
            received += 1
        await dut.cycles()
        offers = offers and not pushed
    return received


warnings.simplefilter("ignore")
sim = sme.load(Path(__file__).parent / "queue.yaml")
begin = time.perf_counter()
received = sim.bench(stalls)
seconds = time.perf_counter() - begin
print(f"cycles_per_s {CYCLES / seconds:.0f} received {received}")
