# SPDX-License-Identifier: Apache-2.0
import gc
import os
import pathlib
import shutil
import signal
import threading
import time

import numpy as np
import pytest
import sme
from networks import KINDS, counter, loaded, quiet  # noqa: F401


def test_inputs_are_what_no_process_writes(tmp_path):
    sim = loaded(tmp_path, KINDS)
    assert sim.inputs == ["x", "flag", "colour", "packet", "lane", "grid", "a", "b.ready"]
    assert sim.cycle == 0 and sim.state == "running" and sim.name == "kinds"
    with pytest.raises(sme.NetworkError, match="'total' is written by the network; inputs are: x"):
        sim["total"] = 3
    with pytest.raises(sme.NetworkError, match="no bus 'totl', did you mean 'total'"):
        sim["totl"]


@pytest.mark.parametrize("engine", ["interpreted", "native"])
def test_inputs_keep_what_is_set(tmp_path, engine):
    sim = loaded(tmp_path, """
network: n
buses: {s: u8, unread: u8, late: delay 2 u8, o: u8}
processes: {p: {in: [s, late], out: o, step: {o: s + late}}}
""", engine=engine)  # fmt: skip
    assert sim.inputs == ["s", "unread", "late"]
    for value, cycles in enumerate([0, 1, 2, 3, 4, 10, 1, 4, 2]):
        sim["s"], sim["unread"], sim["late"] = value, value + 1, value + 2
        sim.run(cycles)
        assert (sim["s"], sim["unread"], sim["late"]) == (value, value + 1, value + 2)
        assert sim["o"] == (2 * value + 2 if cycles else 0)


def test_scalars(tmp_path):
    sim = loaded(tmp_path, KINDS)
    sim["x"], sim["flag"], sim["colour"] = 200, True, "blue"
    assert (sim["x"], sim["flag"], sim["colour"]) == (200, True, "blue")
    assert sim.run(1) == 1
    assert sim["total"] == 400 and type(sim["total"]) is int
    assert sim["other"] == "blue" and sim["flag"] is True
    sim["colour"] = 1
    assert sim["colour"] == "green"
    sim["x"] = np.int64(7)
    assert sim["x"] == 7
    for name, value, error, says in [
        ("x", 256, ValueError, "'x' is u8, which holds 0 to 255, but this is 256"),
        ("x", -1, ValueError, "but this is -1"),
        ("x", 1 << 70, ValueError, "which holds 0 to 255"),
        ("x", "3", TypeError, "'x' is u8, but this is a str"),
        ("x", 1.5, TypeError, "this is a float"),
        ("colour", "bleu", ValueError, "Colour has no member 'bleu', did you mean 'blue'"),
        ("colour", 3, ValueError, "no member with the value 3"),
        ("lane[2]", 1 << 15, ValueError, r"i16, which holds -2\^15 to 2\^15 - 1"),
        ("flag", 2, ValueError, "which holds 0 to 1"),
    ]:
        with pytest.raises(error, match=says):
            sim[name] = value
    assert sim["x"] == 7 and sim["colour"] == "green"


def test_wires_settle_without_a_cycle(tmp_path):
    sim = loaded(tmp_path, KINDS)
    for value in (3, 100, 255):
        sim["x"] = value
        assert sim["doubled"] == 2 * value
    assert sim.cycle == 0 and sim["total"] == 0
    sim.run(3)
    assert sim["total"] == 3 * 510
    sim["x"] = 4
    sim.run(1)
    assert sim["doubled"] == 8
    seen = sim.run(2, feed={"x": [5, 6]}, record=["doubled"])
    assert seen["doubled"].tolist() == [10, 12]


def test_wires_show_the_next_cycle(tmp_path):
    text = """
network: shows
buses: {n: u8, next: wire u8, row: wire u8, m: u8}
processes:
  count: {in: n, out: {n2: n}, step: {n2: n + 1}}
  follow: {in: n, out: next, step: {next: n + 100}}
  use: {in: [next, row], out: m, step: {m: next + row}}
inputs: {row: {0: 7, 2: 9}}
"""
    sim = loaded(tmp_path, text)
    for cycle in range(4):
        assert (sim["n"], sim["next"]) == (cycle, cycle + 100)
        assert sim["row"] == (7 if cycle < 2 else 9)
        sim.run(1)


def test_memories_and_views(tmp_path):
    sim = loaded(tmp_path, KINDS)
    for value in (5, 6, 7):
        sim["x"] = value
        sim.run(1)
    assert sim["counter.seen"].tolist() == [5, 6, 7] + 13 * [0]
    assert sim["counter.seen[1]"] == 6 and sim["counter.at"] == 3
    view = sim.view("counter.seen")
    assert view[2] == 7 and len(view) == 16 and view.shape == (16,)
    array = np.asarray(view)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1
    assert not sim.view("counter.seen")._array.flags.owndata
    sim.run(1)
    with pytest.raises(RuntimeError, match="this view of 'counter.seen' is from before the last"):
        view[0]
    view = sim.view("counter.seen")
    del sim
    gc.collect()
    assert view[0] == 5  # a view keeps what it shows


def test_rows(tmp_path):
    sim = loaded(tmp_path, KINDS)
    rows = np.array([1, 2, 3, 4, 250])
    seen = sim.run(5, feed={"x": rows}, record=["x", "doubled", "total", "lane"])
    assert seen["x"].tolist() == rows.tolist()
    assert seen["doubled"].tolist() == (2 * rows).tolist()
    assert seen["total"].tolist() == [0, 2, 6, 12, 20]
    assert seen["lane"].shape == (5, 4) and seen["x"].dtype == np.uint8
    with pytest.raises(ValueError, match="'x' has 2 rows, but 3 cycles are to run"):
        sim.run(3, feed={"x": [1, 2]})
    with pytest.raises(sme.NetworkError, match="'total' is no input"):
        sim.run(1, feed={"total": [1]})


def test_runs_end(tmp_path):
    sim = loaded(tmp_path, counter())
    assert sim.run() == 20 and sim["n"] == 20
    assert sim.run_until(lambda: sim["n"] == 30, 100) and sim.cycle == 30
    assert not sim.run_until(lambda: False, 7) and sim.cycle == 37
    with pytest.raises(ValueError, match="0 cycles or more"):
        sim.run(-1)
    with pytest.raises(
        sme.CheckFailed, match="'always: n != 300' failed in cycle 300: 'n' is 300"
    ) as failed:
        sim.run(1000)
    assert failed.value.cycle == 300 and failed.value.checks[0].values == [("n", "300")]
    assert sim.state == "check failed" and sim.cycle == 301
    with pytest.raises(RuntimeError, match="this run has ended"):
        sim.run(1)
    checks = sim.checks()
    assert [check.state for check in checks] == ["failed", "passed"]
    assert checks[0].cycle == 300 and checks[0].values == [("n", "300")]
    assert checks[0].place.endswith("network.yaml:12:13")
    sim = loaded(tmp_path, counter("always: n < 50_000"))
    with pytest.raises(sme.Fault, match="cycle 40000") as fault:
        sim.run(100_000)
    assert fault.value.cycle == 40_000
    finding = fault.value.findings[0]
    assert finding.code == "assert-failed" and finding.place.endswith("network.yaml:10:15")
    assert sim.state == "faulted" and sim.cycle == 40_001
    sim.finish()
    for use in (lambda: sim.run(1), sim.finish, lambda: sim.save(tmp_path / "c")):
        if use == sim.finish:
            use()
        else:
            with pytest.raises(RuntimeError, match="has finished|has ended"):
                use()


def test_engines_agree(tmp_path):
    values = []
    for options in ({"engine": "interpreted"}, {"engine": "native"}, {"threads": 2}):
        sim = loaded(tmp_path, KINDS, **options)
        sim["x"] = 9
        sim.run(1000)
        sim["x"] = 11
        assert sim["doubled"] == 22
        sim.run(500)
        values.append((sim["total"], sim["counter.seen"].tolist()))
    assert values[0] == values[1] == values[2] and values[0][0] == 18_000 + 11_000
    with pytest.raises(ValueError, match="engine is 'auto', 'interpreted' or 'native'"):
        loaded(tmp_path, KINDS, engine="fast")


def test_checkpoints_and_traces(tmp_path):
    text = counter("always: n < 50_000")
    sim = loaded(tmp_path, text)
    sim.run(123)
    sim.save(tmp_path / "state")
    again = loaded(tmp_path, text)
    again.restore(tmp_path / "state")
    assert again.cycle == 123 and again["n"] == 123
    with loaded(tmp_path, text, trace=tmp_path / "wave.vcd") as traced:
        traced.run(10)
        assert not (tmp_path / "wave.vcd").exists()
    assert "$enddefinitions" in (tmp_path / "wave.vcd").read_text()
    for path, options in [
        ("network.yaml", "a trace is a file .vcd or .fst"),
        ("mine.vcd", "'.*mine.vcd' exists and is not a VCD file"),
    ]:
        (tmp_path / "mine.vcd").write_text("my own")
        with pytest.raises(ValueError, match=options):
            loaded(tmp_path, text, trace=tmp_path / path)
    with pytest.raises(ValueError, match="is the network that runs, not a checkpoint"):
        sim.save(tmp_path / "network.yaml")
    with pytest.raises(ValueError, match="exists and is not a checkpoint"):
        sim.save(tmp_path / "mine.vcd")
    assert (tmp_path / "mine.vcd").read_text() == "my own"
    assert (tmp_path / "network.yaml").read_text() == text
    sim.save(tmp_path / "state")
    with pytest.raises(sme.CheckpointError):
        loaded(tmp_path, counter().replace("u16", "u17")).restore(tmp_path / "state")


def test_parameters_tests_and_inputs_that_one_drives(tmp_path):
    text = """
network: given
parameters: {step: 1}
buses: {x: u8, y: u8}
processes:
  p:
    in: x
    out: y
    step:
      y: x + step
inputs: {x: {0: 7}}
tests:
  big: {set: {step: 100}}
"""
    assert loaded(tmp_path, text, parameters={"step": 3}).run(2) == 2
    sim = loaded(tmp_path, text, test="big")
    sim.run(1)
    assert sim["y"] == 107 and sim.inputs == []
    sim = loaded(tmp_path, text, drive="x", parameters={"step": 5})
    sim["x"] = 50
    sim.run(1)
    assert sim["y"] == 55
    with pytest.raises(sme.NetworkError, match="unknown-name|no parameter"):
        loaded(tmp_path, text, parameters={"stop": 3})


def test_mistakes_have_places(tmp_path):
    with pytest.raises(sme.NetworkError, match=r"network.yaml:9:13: error"):
        loaded(tmp_path, counter().replace("n + 1", "m + 1"))
    with pytest.raises(sme.NetworkError, match="cannot read"):
        sme.load(tmp_path / "none.yaml")


def test_wrong_options(tmp_path):
    for option, value in [("seed", -1), ("threads", "two"), ("test", 3), ("drive", 5)]:
        with pytest.raises(TypeError):
            loaded(tmp_path, counter(), **{option: value})
    with pytest.raises(TypeError, match="the option 'seed' has a value of another kind"):
        loaded(tmp_path, counter(), seed="x")


def test_several_simulators_and_threads(tmp_path):
    sims = [loaded(tmp_path, counter("never: n == 65_535"), engine="interpreted") for _ in range(3)]
    threads = [threading.Thread(target=sim.run, args=(20_000 + k,)) for k, sim in enumerate(sims)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [sim["n"] for sim in sims] == [20_000, 20_001, 20_002]


def test_one_thread_at_a_time(tmp_path):
    sim = loaded(tmp_path, counter("always: true", "halt: false"), engine="interpreted")
    runs = threading.Thread(target=sim.run, args=(5_000_000,))
    runs.start()
    time.sleep(0.05)
    if runs.is_alive():
        with pytest.raises(RuntimeError, match="in use by another thread"):
            sim.run(1)
        with pytest.raises(RuntimeError, match="in use by another thread"):
            sim["n"]
    runs.join()
    assert sim.cycle == 5_000_000


def test_interrupts(tmp_path):
    sim = loaded(tmp_path, counter("always: true", "halt: false"), engine="interpreted")
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sim.run(1 << 40)
    cycle = sim.cycle
    assert sim.run(10) == 10 and sim.cycle == cycle + 10  # it can go on


def test_verilog_modules():
    if not shutil.which("verilator"):
        pytest.skip("Verilator was not found")
    models = pathlib.Path(__file__).parents[3] / "models"
    sim = sme.load(models / "tutorial/5_verilog/network.yaml")
    sim.run()
    assert all(check.state != "failed" for check in sim.checks())
    with pytest.raises(sme.NetworkError, match="verilog"):
        sme.load(models / "tutorial/5_verilog/network.yaml", verilog=False)


def test_it_prints_between_cycles(tmp_path, capsys):
    sim = loaded(tmp_path, counter(step='print: "n is {n}" when n == 3'))
    sim.run(10)
    assert capsys.readouterr().out == "n is 3\n"
