# SPDX-License-Identifier: Apache-2.0
"""Which thread runs what: uneven nodes, and nodes whose costs change."""

from peers import Answer, Setup, at_most, cell, measured, ours, thesis, times
from support import measure, plot, report

POLICIES = ("blocks", "round-robin", "monte-carlo", "optimize")
ADAPTIVE = ("optimize+adaptive", "monte-carlo+adaptive")
CHANGING_CYCLES = 50_000


def policy_peers(setup: Setup, load: tuple, names: tuple, cycles: int = 0) -> dict:
    return {name: ours(setup, load, 2, "static", name, cycles=cycles) for name in names}


def uneven(setup: Setup, results) -> Answer:
    """The second half of the nodes costs a quarter."""
    load = ("uneven", 100, 10_000)
    peers = {"1 thread": ours(setup, load, 1), **policy_peers(setup, load, (*POLICIES, ADAPTIVE[0])),
             "atomic queue": ours(setup, load, 2, "atomic"),
             "atomic queue, one at a time": ours(setup, load, 2, "atomic", "", "auto", 1),
             "stealing queue": ours(setup, load, 2, "stealing", "blocks"),
             "thesis worker": thesis(setup, load, "worker"),
             "thesis static": thesis(setup, load, "static")}
    for peer in peers.values():
        peer.target_s *= 2  # a cycle takes milliseconds
    samples, rows, failed = measured("uneven", load[1:], peers, setup.repetitions)
    one = samples["1 thread"]

    def of_ideal(name: str):
        ratio = measure.ratio(samples[name], one)
        return None if ratio is None else 2 * ratio

    table = [[name, cell(sample), times(of_ideal(name))] for name, sample in samples.items()]
    text = ("100 nodes: 50 divide 10,000 times, 50 divide 2,500 times. The ideal is half of what one "
            "thread takes.\n\n" + report.markdown(["", "ns per cycle", "of the ideal"], table))
    wanted = [at_most("uneven: optimize, of the ideal", 1.03, of_ideal("optimize")),
              at_most("uneven: optimize+adaptive, of the ideal", 1.03, of_ideal(ADAPTIVE[0]))]
    return Answer("Uneven", text + picture(results / "uneven.svg", samples), rows, wanted, failed)


def changing(setup: Setup, results) -> Answer:
    """Two nodes work; which ones changes 20 times in a run."""
    load = ("changing", 100, 1000)
    names = (*POLICIES, *ADAPTIVE)
    peers = {"1 thread": ours(setup, load, 1, cycles=CHANGING_CYCLES),
             **policy_peers(setup, load, names, CHANGING_CYCLES),
             "atomic queue": ours(setup, load, 2, "atomic", cycles=CHANGING_CYCLES),
             "stealing queue": ours(setup, load, 2, "stealing", "blocks", cycles=CHANGING_CYCLES),
             "thesis worker": thesis(setup, load, "worker", cycles=CHANGING_CYCLES),
             "thesis static": thesis(setup, load, "static", cycles=CHANGING_CYCLES)}
    samples, rows, failed = measured("changing", load[1:], peers, setup.repetitions)
    one = samples["1 thread"]
    table = [[name, cell(sample), times(measure.ratio(one, sample))] for name, sample in samples.items()]
    once = [samples[name] for name in POLICIES if samples[name].values]
    best = min(once, key=lambda sample: sample.median) if once else measure.Samples()
    text = (f"100 nodes, of which two divide 1,000 times; which two changes 20 times in "
            f"{CHANGING_CYCLES:,} cycles. The whole run counts.\n\n"
            + report.markdown(["", "ns per cycle", "faster than 1 thread"], table))
    wanted = [report.wanted_ratio("changing: optimize+adaptive, faster than any policy applied once",
                                  1.3, measure.ratio(best, samples[ADAPTIVE[0]]))]
    return Answer("Changing", text + picture(results / "changing.svg", samples), rows, wanted, failed)


def picture(path, samples: dict) -> str:
    values = {name: (sample.median / 1000, min(sample.values) / 1000, max(sample.values) / 1000)
              for name, sample in samples.items() if sample.values}
    drawn = plot.bars(path, values, "µs per cycle")
    return f"\n\n![µs per cycle]({path.name})" if drawn else ""
