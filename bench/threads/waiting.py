# SPDX-License-Identifier: Apache-2.0
"""What meeting costs: the barrier, the thesis's cross-over, and the table of the C.mmp thesis."""

import math
import re
from statistics import median

from peers import Answer, Peer, Setup, at_most, cell, measured, ours, thesis, times
from support import measure, plot, report

WAITS = ("spin", "auto", "block")
CROSS_OVER = [0, 10, 30, 100, 300, 1000, 3000, 10_000]  # divisions
USABLE = [0, 1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500]
USABLE_NODES = 32  # two cache lines of tokens, one per thread
AS_FAST = 1.02  # the ratio of two medians of the same quantity


class Barrier(Peer):
    """A meeting of threads that do nothing else."""

    def __init__(self, setup: Setup, threads: int, wait: str) -> None:
        super().__init__(setup.target_s, cycles=1)
        self.command = [setup.folder / "bench/threads/bench_threads_barrier", threads, wait]

    def once(self, _cycles: int) -> float:
        found = re.match(r"ns (\S+)$", measure.run(self.command).out.strip())
        if not found:
            raise measure.Failed("no line 'ns'")
        return float(found[1])


def barrier(setup: Setup, _results) -> Answer:
    peers = {f"{threads} threads, {wait}": Barrier(setup, threads, wait)
             for threads in (2, 8) for wait in WAITS}
    samples, rows, failed = measured("barrier", ("", ""), peers, setup.repetitions)
    table = [[name, *sample.columns(".0f")] for name, sample in samples.items()]
    two = samples["2 threads, auto"]
    wanted = [at_most("a barrier of 2 threads", 300, two.median if two.values else None, " ns")]
    text = "One meeting, in a loop of nothing else:\n\n" + report.markdown(
        ["", "median ns", "least", "greatest", "repetitions"], table)
    return Answer("Barrier", text, rows, wanted, failed)


def cross_over(setup: Setup, results) -> Answer:
    """Section 2.2.3 of the thesis: from which work on is the atomic queue as fast as the static?"""
    answer = Answer("The thesis's cross-over", "")
    table, series = [], {"ours": [], "thesis": []}
    for divisions in CROSS_OVER:
        load = ("divide", 100, divisions)
        peers = {"1 thread": ours(setup, load, 1),
                 "ours atomic": ours(setup, load, 2, "atomic", "", "auto", 1),
                 "ours static": ours(setup, load, 2, "static", "blocks"),
                 "thesis atomic": thesis(setup, load, "worker"),
                 "thesis static": thesis(setup, load, "static")}
        samples, rows, failed = measured("cross-over", load[1:], peers, setup.repetitions)
        answer.rows += rows
        answer.failed |= failed
        if any(not sample.values for sample in samples.values()):
            continue
        work = samples["1 thread"].median / load[1]
        table.append([str(divisions), f"{work:.0f}", *(cell(samples[name]) for name in list(peers)[1:])])
        for who, points in series.items():
            ratios = [a / b for a, b in zip(samples[f"{who} atomic"].values,
                                            samples[f"{who} static"].values)]
            points.append((work, median(ratios), min(ratios), max(ratios)))
            table[-1].append(f"{median(ratios):.2f}x")
    drawn = plot.lines(results / "cross_over.svg",
                       {f"{who}: atomic / static": points for who, points in series.items()},
                       "ns of work per process and cycle", "time, atomic / static")
    heads = ["divisions", "ns of work", "ours atomic", "ours static", "thesis atomic", "thesis static",
             "ours atomic / static", "thesis atomic / static"]
    answer.text = "\n\n".join([
        "100 nodes, 2 threads, one process a take, against lists in blocks. Work is what a process "
        "takes on one thread; all other columns are ns per cycle.", report.markdown(heads, table),
        *(f"{who.capitalize()}: {from_where(points)}." for who, points in series.items()),
        *(["![atomic / static](cross_over.svg)"] if drawn else [])])
    return answer


def from_where(points: list) -> str:
    """From which work on atomic stays as fast as static."""
    first = None
    for work, ratio, *_ in points:
        if ratio > AS_FAST:
            first = None
        elif first is None:
            first = work
    if first is None:
        return "the atomic queue is slower at all of these"
    return f"the atomic queue is as fast (within {AS_FAST - 1:.0%}) from {first:.0f} ns per process on"


def usable(setup: Setup, results) -> Answer:
    """Table 10 of the C.mmp thesis: from which work on do threads reach half of the ideal speed?"""
    answer = Answer("Table 10 of the C.mmp thesis, redone", "")
    series = {wait: [] for wait in WAITS}
    table = []
    for divisions in USABLE:
        load = ("divide", USABLE_NODES, divisions)
        peers = {"1 thread": ours(setup, load, 1),
                 **{wait: ours(setup, load, 2, "static", "blocks", wait) for wait in WAITS}}
        for peer in peers.values():
            peer.target_s *= 0.5
        samples, rows, failed = measured("usable", load[1:], peers, setup.repetitions)
        answer.rows += rows
        answer.failed |= failed
        if any(not sample.values for sample in samples.values()):
            continue
        work = samples["1 thread"].median / 2
        for wait, points in series.items():
            shares = [one / 2 / two for one, two in zip(samples["1 thread"].values, samples[wait].values)]
            points.append((work, median(shares), min(shares), max(shares)))
        table.append([str(divisions), f"{work:.0f}", *(f"{series[wait][-1][1]:.0%}" for wait in WAITS)])
    drawn = plot.lines(results / "usable.svg", series, "ns of work per thread between two meetings",
                       "share of the ideal speed")
    thresholds = [[wait, *threshold(points)] for wait, points in series.items()]
    answer.text = "\n\n".join([
        f"{USABLE_NODES} nodes on 2 threads. Work is what a thread has between two meetings; the ideal "
        "is half of the time of one thread, and half of the ideal speed, as fast as one thread, is the "
        "paper's threshold of usability.",
        report.markdown(["divisions", "ns of work", *WAITS], table),
        report.markdown(["wait", "usable from ns of work", "80 % of the ideal from"], thresholds),
        *(["![share of the ideal speed](usable.svg)"] if drawn else [])])
    return answer


def threshold(points: list) -> list:
    return [crossing(points, share) for share in (0.5, 0.8)]


def crossing(points: list, share: float) -> str:
    """The work from which a share of the ideal is reached for good, on a line between logarithms."""
    above = len(points)
    while above > 0 and points[above - 1][1] >= share:
        above -= 1
    if above == len(points):
        return "-"
    if above == 0:
        return f"less than {points[0][0]:.0f}"
    (x0, y0, *_), (x1, y1, *_) = points[above - 1], points[above]
    part = (share - y0) / (y1 - y0)
    return f"{math.exp(math.log(x0) + part * (math.log(x1) - math.log(x0))):.0f}"
