# SPDX-License-Identifier: Apache-2.0
"""What single calls cost: nanoseconds of a peek, a poke, a wire that follows, a run of one cycle, a view; and the
nanoseconds a cycle of a long run."""
import time
import warnings
from pathlib import Path

import sme

ROOT = Path(__file__).resolve().parents[3]
warnings.simplefilter("ignore")


def best_ns(call, count=200_000, rounds=5):
    """The least time of a call, without the loop around it."""
    def once(work):
        begin = time.perf_counter()
        for _ in range(count):
            work()
        return (time.perf_counter() - begin) / count * 1e9

    empty = min(once(lambda: None) for _ in range(rounds))
    return min(once(call) for _ in range(rounds)) - empty


sim = sme.load(Path(__file__).parent / "queue.yaml")
data, ready = sim.signal("a.data"), sim.signal("a.ready")


def poke():
    data.value = 5


def settled():
    data.value = 5
    return ready.value


print(f"peek_ns {best_ns(lambda: data.value):.0f}")
print(f"poke_ns {best_ns(poke):.0f}")
print(f"poke_and_wire_ns {best_ns(settled):.0f}")
print(f"run_ns {best_ns(lambda: sim.run(1)):.0f}")
many = sme.load(ROOT / "models/ring/network.yaml", parameters={"nodes": 1_000_000})
print(f"view_ns {best_ns(lambda: many.view('token'), 2000):.0f}")
print(f"copy_ns {best_ns(lambda: many['token'], 3):.0f}")
