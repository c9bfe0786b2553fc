# SPDX-License-Identifier: Apache-2.0
"""The thesis's worker queue with a lock and without (2.2.2), and what it supposes of its ring (4.2.1): that the
processor predicts badly which process it calls next, and that a second hardware thread gains from that."""

import os
import re
import shutil
from pathlib import Path

from peers import Answer, Setup, cell, measured, ours, thesis, times
from support import measure, report

LOADS = {"light": ("add", 10_000, 0), "heavy": ("divide", 100, 1000)}


def queues(setup: Setup, _results) -> Answer:
    answer, table = Answer("The thesis's worker queue", ""), []
    for name, load in LOADS.items():
        peers = {f"{queue}, {threads}": thesis(setup, load, queue, threads)
                 for queue in ("locked", "worker") for threads in (1, 2)}
        samples, rows, failed = measured("queues", load[1:], peers, setup.repetitions)
        answer.rows += rows
        answer.failed |= failed
        table.append([name, *(cell(sample) for sample in samples.values()),
                      *(times(measure.ratio(samples[f"locked, {n}"], samples[f"worker, {n}"])) for n in (1, 2))])
    answer.text = ("Light: 10,000 nodes that add one. Heavy: 100 that divide 1,000 times. ns per cycle, with a mutex and "
                   "with an atomic counter, on one and two threads:\n\n" + report.markdown(
                       ["ring", "lock, 1", "lock, 2", "atomic, 1", "atomic, 2", "lock ÷ atomic, 1", "2"], table) +
                   f"\n\nBranches that the processor predicts wrongly, of all, on one thread: {mispredicted(setup)}. "
                   f"Two threads on one core: {second_thread(setup)}.")
    return answer


def mispredicted(setup: Setup) -> str:
    """By `perf`, if this machine shows its counters."""
    if not shutil.which("perf"):
        return "not measured, perf is not installed"
    found = {}
    for name, peer in (("the thesis's", thesis(setup, LOADS["light"], "static", 1)),
                       ("ours", ours(setup, LOADS["light"], 1))):
        word, nodes, divisions = peer.load
        out = measure.run(["perf", "stat", "-x", ",", "-e", "branches,branch-misses", peer.program, word, nodes, 2000,
                           divisions, *peer.rest]).err
        counts = [re.search(rf"^(\d+),,{event}", out, re.MULTILINE) for event in ("branch-misses", "branches")]
        if not all(counts):
            return "not measured, this machine does not show its counters"
        misses, branches = (int(each[1]) for each in counts)
        found[name] = f"{name} ring {100 * misses / branches:.2f} %"
    return ", ".join(found.values())


def second_thread(setup: Setup) -> str:
    """How much a second hardware thread of the same core gains."""
    siblings = Path("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list")
    pair = re.split("[,-]", siblings.read_text().strip()) if siblings.exists() else []
    if len(pair) != 2 or not hasattr(os, "sched_setaffinity"):
        return "not measured, this machine has one hardware thread in each core"
    before = os.sched_getaffinity(0)
    try:
        found = {}
        for threads, on in ((1, pair[:1]), (2, pair)):
            os.sched_setaffinity(0, {int(each) for each in on})
            found[threads] = min(thesis(setup, LOADS["light"], "static", threads).measure() for _ in range(3))
    finally:
        os.sched_setaffinity(0, before)
    return times(found[1] / found[2])
