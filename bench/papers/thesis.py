# SPDX-License-Identifier: Apache-2.0
"""Asheim, "Implementing high performance Synchronous Message Exchange": its two rings."""

from claims import HERE, Claim, Part, Setup, claim_of_ratio, compared, times
from support import build, measure, report

import peers  # of bench/threads

LIGHT = ("add", 100_000, 0)
HEAVY = ("divide", 100, 10_000)


def ring(setup: Setup, load: tuple, queue: str) -> dict:
    """ns per cycle with one and two threads, ours and on the thesis's own queues rebuilt."""
    threads = peers.Setup(setup.folder, setup.repetitions, pairs=1, target_s=0.05 if setup.quick else 0.25)
    word = {"static": "static", "worker": "atomic"}[queue]
    grain = [] if queue == "static" else ["auto", "1"]  # one process at a time
    made = {}
    for count in (1, 2):
        made[f"ours, {count}"] = peers.ours(threads, load, count, word, "optimize", *grain)
        made[f"thesis, {count}"] = peers.thesis(threads, load, queue, count)
    return setup.interleaved({name: peer.measure for name, peer in made.items()})


def gains(samples: dict) -> list:
    """How many times faster two threads are: ours, the thesis's."""
    return [measure.ratio(samples[f"{who}, 1"], samples[f"{who}, 2"]) for who in ("ours", "thesis")]


def run(setup: Setup) -> Part:
    build.targets(setup.folder, "bench_threads_ours", "bench_threads_thesis")
    part = Part("Asheim: Synchronous Message Exchange on several processors")
    table = []
    found = {}
    for name, load, queue in (("light, static", LIGHT, "static"), ("light, atomic", LIGHT, "worker"),
                              ("heavy, static", HEAVY, "static"), ("heavy, atomic", HEAVY, "worker")):
        samples = ring(setup, load, queue)
        part.keep(f"thesis: {name}", samples)
        found[name] = gains(samples)
        table.append([name, *(sample.columns(".0f")[0] for sample in samples.values()), *map(times, found[name])])
    part.pages.append("Rings of 100,000 light nodes (they add one) and 100 heavy ones (they divide 10,000 times). "
                      "ns per cycle with one and two threads, ours and the thesis's queues as it describes them:\n\n" +
                      report.markdown(["ring, queue", "ours, 1", "thesis, 1", "ours, 2", "thesis, 2",
                                       "ours: 2 against 1", "thesis: 2 against 1"], table))
    ours, rebuilt = found["light, static"]
    part.claims.append(claim_of_ratio(
        "4.2", "light ring, static queues: two threads against one", 1.9, 2.0, ours,
        "100,000 nodes, neighbours on one thread, so that all that two threads wait for is memory, in which this "
        "machine has noisy neighbours. With 1,000 nodes a cycle takes a third of a microsecond and two threads gain "
        "nothing. The thesis's queues, dealt in turns: "
        f"{times(rebuilt) or 'not measured'}."))
    ours, rebuilt = found["light, atomic"]
    part.claims.append(Claim(
        "4.2", "light ring, atomic queue, a process at a time: two threads against one", "significantly less than 1x",
        times(ours), compared(0, 1, ours), HERE,
        "Two threads fetch the line of one counter from each other for each process, which takes longer than the "
        "process; one thread of ours passes over all nodes in one loop. "
        f"The thesis's queue here: {times(rebuilt) or 'not measured'}."))
    ours, rebuilt = found["heavy, static"]
    part.claims.append(claim_of_ratio(
        "4.3", "heavy ring: two threads against one", 1.9, 2.0, ours,
        "The thesis expects more than with the light ring; its plot is lost. The atomic queue is as fast here: "
        f"{times(found['heavy, atomic'][0]) or 'not measured'}."))
    return part
