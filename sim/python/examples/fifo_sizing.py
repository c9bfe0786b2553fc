# SPDX-License-Identifier: Apache-2.0
"""How deep must a FIFO be? Sweeps the depth of the one in `models/reconvergent`, for blocks of
several sizes, and plots in how many cycles all samples are through, and how many wait in the FIFO.

    python3 sim/python/examples/fifo_sizing.py sizing.png
"""

import pathlib
import sys

import matplotlib
import numpy
import pandas

import sme

NETWORK = pathlib.Path(__file__).parents[3] / "models" / "reconvergent" / "network.yaml"


def run(block, places):
    sizes = {"block": block, "places": places}
    sim = sme.load(NETWORK, parameters=sizes, checks=False)
    try:
        rows = sim.run(record=["held.count", "levelled"]).frame()
    except sme.Fault as fault:
        assert fault.findings[0].code == "deadlock"
        return sizes | {"cycles": numpy.nan, "fill": numpy.nan}
    return sizes | {"cycles": len(rows), "fill": rows["held.count"].mean()}


def sweep():
    return pandas.DataFrame(
        [run(block, places) for block in (2, 4, 8) for places in range(1, 13)]
    )


def test_sizing():
    table = sweep()
    # A FIFO without room for a block is a deadlock: the two paths wait for each other.
    assert table[table.places < table.block].cycles.isna().all()
    # With room for two samples more than a block, no sample waits: deeper FIFOs are not faster.
    best = table.groupby("block").cycles.min()
    enough = table[table.places == table.block + 2].set_index("block").cycles
    assert (enough == best).all()


def plot(table, path):
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    for each, column, label in zip(axes, ("cycles", "fill"), ("cycles", "mean fill")):
        table.pivot(index="places", columns="block", values=column).plot(ax=each, marker="o")
        each.set_xlabel("depth of the FIFO")
        each.set_ylabel(label)
        each.grid(alpha=0.3)
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    plot(sweep(), sys.argv[1] if len(sys.argv) > 1 else "sizing.png")
