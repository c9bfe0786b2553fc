# SPDX-License-Identifier: Apache-2.0
"""A model in Python as the second implementation of a process in YAML: the filter of `models/fir`.
Both get the same inputs in every cycle, and the first difference ends the run.

    python3 sim/python/examples/second_model.py
"""

import pathlib

import numpy
import pytest

import sme

FOLDER = pathlib.Path(__file__).parents[3] / "models" / "fir"


class Filter:
    """A FIR filter as NumPy writes it."""

    def __init__(self, taps):
        self.taps = taps
        self.line = numpy.zeros(len(taps), dtype=numpy.int64)

    def step(self, x):
        if not x["valid"]:
            return {}  # all fields 0
        self.line = numpy.concatenate(([x["value"]], self.line[:-1]))
        return {"valid": True, "value": int(self.taps @ self.line)}


def run(taps):
    model = sme.Process(Filter(taps), reads="x", writes="y")
    with sme.load(FOLDER / "network.yaml", against=[model]) as sim:
        return sim.run()


def taps():
    return numpy.loadtxt(FOLDER / "taps.csv", dtype=numpy.int64, skiprows=1)


def difference():
    """What a wrong tap gives."""
    wrong = taps()
    wrong[5] += 1
    with pytest.raises(sme.CheckFailed) as error:
        run(wrong)
    return str(error.value)


def test_same():
    assert run(taps()) == 4096
    assert difference().startswith("in cycle 7, 'y' is ")


if __name__ == "__main__":
    print(f"{run(taps())} cycles are the same. With one tap changed:\n{difference()}")
