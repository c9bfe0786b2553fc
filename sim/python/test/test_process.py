# SPDX-License-Identifier: Apache-2.0
import warnings

import pytest
import sme

NETWORK = """
network: mixed
types: {Colour: [red, green], Pair: {low: u8, high: i16}}
buses:
  n: u16
  twice: u32
  same: wire u32
  lane[3]: u8
  copied[3]: u8
  pair: Pair
  colour: Colour
  x: u8
  sum: u32
processes:
  count: {in: n, out: {next: n}, step: {next: n + 1}}
  adds: {in: [twice, same, sum], out: {next: sum}, step: {next: sum + twice + same}}
  passes: {in: [pair, colour], step: {}}
  lanes[k < 3]: {out: {l: "lane[k]"}, step: {l: "u8(cycle) + k"}}
checks:
  - always: same == 3 * u32(n)
"""


@pytest.fixture
def path(tmp_path):
    (tmp_path / "n.yaml").write_text(NETWORK.replace("cycle", "c").replace("\"u8(c) + k\"", '"k"'))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield tmp_path / "n.yaml"


class Twice:
    def __init__(self):
        self.calls = 0

    def step(self, n):
        self.calls += 1
        return 2 * n


def mixed(n, lane):
    return lane[::-1], {"low": n % 256, "high": -n}, "green" if n % 2 else None


def processes(twice):
    def thrice():
        (n,) = yield
        while True:
            (n,) = yield 3 * n

    return [
        sme.Process(twice, reads="n", writes="twice"),
        sme.Process(thrice(), reads=["n"], writes=["same"], name="wired"),
        sme.Process(mixed, reads=["n", "lane"], writes=["copied", "pair", "colour"]),
    ]


@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"engine": "native"}])
def test_processes_in_python(path, options):
    twice = Twice()
    sim = sme.load(path, processes=processes(twice), **options)
    assert sim.inputs == ["x"]  # no process reads or writes it
    assert sim.run(300) == 300 and twice.calls == 300
    assert sim["twice"] == 2 * 299 and sim["copied"].tolist() == [2, 1, 0]
    assert sim["pair.low"] == 299 % 256 and sim["pair.high"] == -299 and sim["colour"] == "green"
    assert sim["sum"] == sum(2 * (k - 1) for k in range(1, 300)) + sum(3 * k for k in range(300))
    sim.run(1)
    assert sim["colour"] == "red"  # not written
    with pytest.raises(sme.CheckpointError, match="'python Twice' is in Python"):
        sim.save(path.parent / "c")


def test_exceptions_end_the_run(path):
    def fails(n):
        if n == 7:
            raise KeyError("seven")
        return n

    def wrong(value):
        return lambda n: value

    others = processes(Twice())[1:]
    sim = sme.load(path, processes=[sme.Process(fails, reads="n", writes="twice"), *others])
    with pytest.raises(sme.Fault, match="in cycle 7, process 'python fails': KeyError: 'seven'") as f:
        sim.run(1000)
    assert isinstance(f.value.__cause__, KeyError) and f.value.cycle == 7
    for value, says in [(-1, "'twice' is u32"), ("a", "this is a str"), ([1, 2], "this is a list")]:
        process = sme.Process(wrong(value), reads="n", writes="twice", name="w")
        with pytest.raises(sme.Fault, match=says):
            sme.load(path, processes=[process, *others]).run(1)

    def interrupted(n):
        raise KeyboardInterrupt

    sim = sme.load(path, processes=[sme.Process(interrupted, reads="n", writes="twice"), *others])
    with pytest.raises(KeyboardInterrupt):
        sim.run(5)
    ends = sme.Process((x for x in [None, 1]), reads="n", writes="twice", name="ends")
    with pytest.raises(sme.Fault, match="'ends': StopIteration"):
        sme.load(path, processes=[ends, *others]).run(5)
    few = sme.Process(lambda n: (1,), reads="n", writes=["twice", "x"], name="few")
    with pytest.raises(sme.Fault, match="returns a tuple of 2 values"):
        sme.load(path, processes=[few, *others]).run(1)


def test_mistakes(path):
    def made(**ends):
        return sme.load(path, processes=[sme.Process(lambda *values: 0, name="p", **ends)])

    with pytest.raises(sme.NetworkError, match="no bus 'm'"):
        made(reads="m")
    with pytest.raises(sme.NetworkError, match="'pair.low' is part of 'pair'"):
        made(writes="pair.low")
    with pytest.raises(sme.NetworkError, match="two-writers"):
        made(writes="n")
    with pytest.raises(TypeError, match="a process is a function"):
        sme.Process(3)
