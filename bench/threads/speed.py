# SPDX-License-Identifier: Apache-2.0
"""What threads bring: rings with little and much work, networks in YAML, and what `auto` chooses."""

import statistics

from peers import (HERE, Answer, Memory, Network, Ring, Setup, Verilator, at_most, cell, measured, ours,
                   riscv, thesis, times)
from support import measure, plot, report

SIZES = [10, 100, 1000, 10_000, 100_000]
NONE = measure.Samples()
BAND = 1.03  # allowed ratio of `auto` to the best number of threads


def add_peers(setup: Setup, nodes: int) -> dict:
    load = ("add", nodes, 0)
    return {
        "1 thread": ours(setup, load, 1),
        "2 threads": ours(setup, load, 2),
        "8 threads": ours(setup, load, 8),
        "auto": ours(setup, load, "auto"),
        "thesis worker": thesis(setup, load, "worker"),
        "thesis static": thesis(setup, load, "static"),
        "SystemC": Ring(setup, "systemc", load),
        "Verilator 1": Verilator(setup, nodes, 1),
        "Verilator 2": Verilator(setup, nodes, 2),
        "loop 1": Memory(setup, nodes, 1),
        "loop 2": Memory(setup, nodes, 2),
    }


def synchronisation(setup: Setup, results) -> Answer:
    """The ring that adds one: nearly nothing but meetings and memory."""
    answer = Answer("Synchronisation-dominated", "")
    by_size = {}
    for nodes in SIZES:
        peers = add_peers(setup, nodes)
        by_size[nodes], rows, failed = measured("add", (nodes, 0), peers, setup.repetitions)
        answer.rows += rows
        answer.failed |= failed
    names = list(peers)
    table = [[str(nodes), *(cell(by_size[nodes][name]) for name in names)] for nodes in SIZES]
    ratios = [[str(nodes), *(times(measure.ratio(samples[slow], samples[fast])) for slow, fast in PAIRS)]
              for nodes, samples in by_size.items()]
    heads = ["nodes", *(f"{fast} against {slow}" for slow, fast in PAIRS)]
    series = {name: [(nodes, samples[name].median / nodes, min(samples[name].values) / nodes,
                      max(samples[name].values) / nodes)
                     for nodes, samples in by_size.items() if samples[name].values] for name in names}
    drawn = plot.lines(results / "add.svg", series, "nodes", "ns per node and cycle")
    answer.text = "\n\n".join([
        "Every node adds one. ns per cycle:", report.markdown(["nodes", *names], table),
        "How many times faster; the loop over two arrays does what no simulator can do with less:",
        report.markdown(heads, ratios), *(["![ns per node and cycle](add.svg)"] if drawn else [])])
    answer.wanted = add_wanted(by_size)
    return answer


PAIRS = [("1 thread", "2 threads"), ("loop 1", "loop 2"), ("thesis static", "2 threads"),
         ("thesis worker", "2 threads"), ("SystemC", "2 threads"), ("Verilator 2", "2 threads"),
         ("Verilator 1", "Verilator 2")]


def add_wanted(by_size: dict) -> list:
    wanted = []
    for nodes, least in ((10_000, 1.5), (100_000, 1.7)):
        samples = by_size[nodes]
        wanted.append(report.wanted_ratio(f"add, {nodes:,} nodes: 2 threads, faster than 1", least,
                                          measure.ratio(samples["1 thread"], samples["2 threads"])))
    for nodes, samples in by_size.items():
        wanted.append(at_most(f"add, {nodes:,} nodes: 8 threads on 2 cores, slower than 2", 3,
                              measure.ratio(samples["8 threads"], samples["2 threads"])))
    return wanted


def automatic(setup: Setup, _results) -> Answer:
    """`auto` against the best fixed number, in pairs."""
    answer = Answer("What `auto` chooses", "")
    table = []
    for load in [*(("add", nodes, 0) for nodes in SIZES), ("divide", 100, 100)]:
        peers = {threads: ours(setup, load, threads) for threads in ("1", "2", "auto")}
        samples, rows, failed = measured(f"auto {load[0]}", load[1:], peers, setup.pairs)
        answer.rows += rows
        answer.failed |= failed
        if any(not sample.values for sample in samples.values()):
            continue
        best = min(("1", "2"), key=lambda threads: samples[threads].median)
        pairs = [a / b for a, b in zip(samples["auto"].values, samples[best].values)]
        ratio = statistics.median(pairs)
        what = f"{load[0]}, {load[1]:,} nodes" + (f", {load[2]} divisions" if load[2] else "")
        table.append([what, *(cell(samples[threads]) for threads in ("1", "2", "auto")), best,
                      f"{ratio:.3f}", str(len(pairs))])
        answer.wanted.append(at_most(f"{what}: auto, slower than {best}", BAND, ratio))
    answer.text = "\n\n".join([
        "ns per cycle in the second half of the run, and the median of the pairs (auto, best):",
        report.markdown(["load", "1", "2", "auto", "best", "auto / best", "pairs"], table)])
    return answer


def cycle_dominated(setup: Setup, _results) -> Answer:
    """Nodes that divide."""
    load = ("divide", 100, 10_000)
    peers = {
        "1 thread": ours(setup, load, 1), "2 threads": ours(setup, load, 2),
        "auto": ours(setup, load, "auto"), "thesis worker": thesis(setup, load, "worker"),
        "thesis static": thesis(setup, load, "static"), "SystemC": Ring(setup, "systemc", load),
    }
    for peer in peers.values():
        peer.target_s *= 2  # a cycle takes milliseconds
    samples, rows, failed = measured("divide", load[1:], peers, setup.repetitions)
    one = samples["1 thread"]
    table = [[name, cell(sample), times(measure.ratio(one, sample))] for name, sample in samples.items()]
    text = "100 nodes, 10,000 divisions each:\n\n" + report.markdown(
        ["", "ns per cycle", "faster than our 1 thread"], table)
    wanted = [report.wanted_ratio("divide, 100 nodes: 2 threads, faster than 1", 1.95,
                                  measure.ratio(one, samples["2 threads"]))]
    return Answer("Cycle-dominated", text, rows, wanted, failed)


def networks(setup: Setup, _results) -> Answer:
    """Networks in YAML."""
    answer = Answer("Networks in YAML", "")
    table = []
    for name, path in (("life 128 x 128", HERE / "life.yaml"), ("riscv x 64", riscv(setup.folder, 64))):
        peers = {threads: Network(setup, path, threads) for threads in ("1", "2", "auto")}
        samples, rows, failed = measured(name, ("", ""), peers, setup.repetitions)
        answer.rows += rows
        answer.failed |= failed
        table += [[f"{name}, {threads}", cell(sample), times(measure.ratio(samples["1"], sample)),
                   peers[threads].in_use or "-"] for threads, sample in samples.items()]
    answer.text = "`sme run --stats`; in use is how much of its time each thread worked:\n\n"
    answer.text += report.markdown(["network, threads", "ns per cycle", "faster than 1", "in use"], table)
    return answer
