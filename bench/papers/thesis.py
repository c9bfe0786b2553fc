# SPDX-License-Identifier: Apache-2.0
"""Asheim, "Implementing high performance Synchronous Message Exchange": its two rings."""

from claims import Part, Setup, claim, gain, times
from support import measure, report

import peers  # of bench/threads

LIGHT = ("add", 100_000, 0)
HEAVY = ("divide", 100, 10_000)


def ring(setup: Setup, part: Part, name: str, load: tuple, queue: str) -> dict:
    """ns per cycle with one and two threads, ours and on the thesis's own queues rebuilt."""
    threads = peers.Setup(setup.folder, setup.repetitions, pairs=1, target_s=0.05 if setup.quick else 0.25)
    word = {"static": "static", "worker": "atomic"}[queue]
    grain = [] if queue == "static" else ["auto", "1"]  # one process at a time
    made = {}
    for count in (1, 2):
        made[f"ours, {count}"] = peers.ours(threads, load, count, word, "optimize", *grain)
        made[f"thesis, {count}"] = peers.thesis(threads, load, queue, count)
    return setup.samples(part, f"thesis: {name}", {name: peer.measure for name, peer in made.items()})


def run(setup: Setup) -> Part:
    setup.targets("bench_threads_ours", "bench_threads_thesis")
    part = Part("Asheim: Synchronous Message Exchange on several processors")
    table = []
    found = {}
    for name, load, queue in (("light, static", LIGHT, "static"), ("light, atomic", LIGHT, "worker"),
                              ("heavy, static", HEAVY, "static"), ("heavy, atomic", HEAVY, "worker")):
        samples = ring(setup, part, name, load, queue)
        found[name] = samples
        both = [measure.ratio(samples[f"{who}, 1"], samples[f"{who}, 2"]) for who in ("ours", "thesis")]
        table.append([name, *(sample.columns(".0f")[0] for sample in samples.values()), *map(times, both)])
    part.pages.append("Rings of 100,000 light nodes (they add one) and 100 heavy ones (they divide 10,000 times). "
                      "ns per cycle with one and two threads, ours and the thesis's queues as it describes them:\n\n" +
                      report.markdown(["ring, queue", "ours, 1", "thesis, 1", "ours, 2", "thesis, 2",
                                       "ours: 2 against 1", "thesis: 2 against 1"], table))

    def two_threads(name: str, who: str = "ours") -> list:
        return gain(found[name][f"{who}, 1"], found[name][f"{who}, 2"])

    def rebuilt(name: str) -> str:
        return times(measure.ratio(found[name]["thesis, 1"], found[name]["thesis, 2"])) or "not measured"

    part.claims.append(claim(
        "4.2", "light ring, static queues: two threads against one", 1.9, 2.0, two_threads("light, static"),
        "100,000 nodes, neighbours on one thread, so that all that two threads wait for is memory, in which this "
        "machine has noisy neighbours. With 1,000 nodes a cycle takes a third of a microsecond and two threads gain "
        f"nothing. The thesis's queues, dealt in turns: {rebuilt('light, static')}."))
    own = two_threads("light, atomic", "thesis") or [None, None]
    part.claims.append(claim(
        "4.2", "light ring, atomic queue, a process at a time: two threads against one", *own,
        two_threads("light, atomic"),
        "Two threads fetch the line of one counter from each other for each process, which takes longer than the "
        "process; one thread of ours passes over all nodes in one loop, so it loses more.",
        theirs=f"significantly less than 1x; its queue here: {rebuilt('light, atomic')}"))
    part.claims.append(claim(
        "4.3", "heavy ring: two threads against one", 1.9, 2.0, two_threads("heavy, static"),
        "The thesis expects more than with the light ring; its plot is lost. The atomic queue is as fast here: "
        f"{times(measure.ratio(found['heavy, atomic']['ours, 1'], found['heavy, atomic']['ours, 2'])) or 'not measured'}."))
    return part
