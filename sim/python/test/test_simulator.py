# SPDX-License-Identifier: Apache-2.0
import copy
import gc
import multiprocessing
import os
import pathlib
import pickle
import re
import shutil
import signal
import threading
import time
import warnings

import numpy as np
import pytest
import sme
from networks import KINDS, counter


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def loaded(folder, text, **options):
    path = folder / "network.yaml"
    path.write_text(text)
    return sme.load(path, **options)


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


def test_structs_and_families_are_numpy(tmp_path):
    sim = loaded(tmp_path, KINDS)
    wide = (1 << 199) + 12345
    sim["packet"] = {
        "colour": "green",
        "wide": wide,
        "parts": [{"valid": True, "value": -7}, {"value": 2047}, {}],
    }
    sim.run(1)
    echo = sim["echo"]
    assert echo["colour"] == 1 and echo["parts"]["value"].tolist() == [-7, 2047, 0]
    assert echo["parts"]["valid"].tolist() == [True, False, False]
    assert int.from_bytes(echo["wide"].tobytes(), "little") == wide == sim["echo.wide"]
    assert sim["echo.parts[1].value"] == 2047
    sim["packet"] = echo
    assert sim["packet"] == echo
    sim["lane"] = np.array([1, -2, 3, -4])
    sim["grid"] = np.arange(6).reshape(2, 3)
    assert sim["grid"].tolist() == [[0, 1, 2], [3, 4, 5]] and sim["grid"].dtype == np.uint8
    sim.run(1)
    assert sim["sums"].tolist() == [1, -1, 5, -1]
    copy = sim["sums"]
    copy[0] = 100
    assert sim["sums[0]"] == 1
    for value, error, says in [
        ({"colour": "pink"}, ValueError, "no member 'pink'"),
        ({"parts": [{}]}, ValueError, r"'packet.parts' has the shape \(3,\), .* have \(1,\)"),
        ({"part": []}, ValueError, "no field 'part', did you mean 'parts'"),
        ({"parts": [{}, {"value": 2048}, {}]}, ValueError, r"'packet.parts\[1\].value' is i12"),
        ({"wide": 1 << 200}, ValueError, "'packet.wide' is u200"),
        (3, TypeError, "give a dict of its fields"),
    ]:
        with pytest.raises(error, match=says):
            sim["packet"] = value
    assert sim["packet"] == echo
    with pytest.raises(ValueError, match=r"'lane' has the shape \(4,\), .* have \(3,\)"):
        sim["lane"] = [1, 2, 3]
    with pytest.raises(ValueError, match=r"'grid' has the shape \(2, 3\), but .* \(3, 2\)"):
        sim["grid"] = np.arange(6).reshape(3, 2)
    sim["grid"] = [[9, 8, 7], [6, 5, 4]]
    assert sim["grid"][1, 0] == 6 and sim["grid[0, 1]"] == 8
    bad = echo.copy()
    bad["parts"]["value"][2] = 5000
    with pytest.raises(ValueError, match=r"'packet.parts\[2\].value' is i12"):
        sim["packet"] = bad


SHAPES = """
network: shapes
types: {V: {valid: bool, data: i16}}
buses:
  m: i8[2, 3]
  a: u16[4]
  flags: bool[3]
  w: u70[2]
  wide: u70
  v: V
  vs[2]: V
  fg[2, 3]: u8
  b: bool
  n: u8
processes:
  reads:
    in: [m, a, flags, w, wide, v, vs, fg, b, n]
    step: {}
"""
V = [("valid", "?"), ("data", "i2")]


@pytest.mark.parametrize(
    "name, dtype, shape, others",
    [
        ("m", "i1", (2, 3), [(3, 2), (6,), (1, 2, 3), (2,), (2, 3, 1), (), (4, 3)]),
        ("a", "u2", (4,), [(2, 2), (4, 1), (1, 4), (3,)]),
        ("flags", "?", (3,), [(3, 1), (1, 3), (2,)]),
        ("w", "u8", (2, 2), [(4,), (1, 4), (2, 2, 1), (2, 3)]),
        ("wide", "u8", (2,), [(1,), (3,), (1, 2), (2, 1)]),
        ("v", V, (), [(1,), (1, 1)]),
        ("vs", V, (2,), [(2, 1), (1, 2), (1,), ()]),
        ("fg", "u1", (2, 3), [(3, 2), (6,), (1, 2, 3), (2,)]),
    ],
)
def test_arrays_have_the_shape_of_the_bus(tmp_path, name, dtype, shape, others):
    sim = loaded(tmp_path, SHAPES)
    for other in others:
        for each in [dtype] if dtype is V else [dtype, "i8"]:
            values = np.zeros(other, dtype=each)
            says = rf"^'{name}' has the shape \(.*\), but these values have {re.escape(str(other))}$"
            with pytest.raises(ValueError, match=says):
                sim[name] = values
            with pytest.raises(ValueError, match=says):
                sim.run(1, feed={name: values[None]})
    assert sim.cycle == 0
    values = np.ones(shape, dtype=dtype)
    sim[name] = values
    rows = sim.run(2, feed={name: np.array([values, values])}, record=name)
    again = sim.run(2, feed=rows, record=name)
    assert again[name].shape == (2, *shape) and (again[name] == values).all()
    # padding has no value
    assert again[name].astype(dtype).tobytes() == np.array([values, values]).tobytes()


def test_lists_have_the_shape_of_the_bus(tmp_path):
    sim = loaded(tmp_path, SHAPES)
    for name, value, says in [
        ("m", [[1, 2], [3, 4], [5, 6]], "'m' has the shape (2, 3), but these values have (3, 2)"),
        ("m", [[1, 2, 3], [4, 5]], "'m[1]' has the shape (3,), but these values have (2,)"),
        ("fg", [[1, 2], [3, 4, 5]], "'fg[0]' has the shape (3,), but these values have (2,)"),
        ("vs", [{}], "'vs' has the shape (2,), but these values have (1,)"),
        ("w", [1, 2, 3], "'w' has the shape (2,), but these values have (3,)"),
    ]:
        with pytest.raises(ValueError, match="^" + re.escape(says) + "$"):
            sim[name] = value
    sim["w"], sim["a"] = [1 << 69, 3], np.array([1, 2, 3, 4], dtype=">i8")
    assert sim["w"].tolist() == [[0, 32], [3, 0]] and sim["a"].tolist() == [1, 2, 3, 4]
    with pytest.raises(ValueError, match=r"'w\[1\]' is u6, which does not hold 64"):
        sim["w"] = np.array([[0, 0], [0, 64]], dtype="u8")  # beyond 70 bits


def test_what_numpy_holds(tmp_path):
    sim = loaded(tmp_path, SHAPES)
    sim["b"], sim["n"], sim["a"] = np.bool_(True), np.bool_(True), np.array([1, 0, 1, 1], bool)
    assert sim["b"] is True and sim["n"] == 1 and sim["a"].tolist() == [1, 0, 1, 1]
    for rows in (np.array([False, True]), [np.False_, np.True_], [False, True], [0, 1]):
        assert sim.run(2, feed={"b": rows}, record="b")["b"].tolist() == [False, True]
    with pytest.raises(TypeError, match="'b' is bool, but this is a float"):
        sim["b"] = np.float64(1)
    with pytest.raises(ValueError, match="'b' is bool, which holds 0 to 1, but this is 2"):
        sim["b"] = 2
    packed = np.array([(True, -7), (False, 300)], dtype=V)
    wider = np.zeros(2, [("data", ">i8"), ("valid", "u1")])
    wider["data"], wider["valid"] = packed["data"], packed["valid"]
    for rows in (packed, packed.astype(np.dtype(V, align=True)), wider, list(packed)):
        seen = sim.run(2, feed={"v": rows}, record="v")["v"]
        assert seen["valid"].tolist() == [True, False] and seen["data"].tolist() == [-7, 300]
        sim["v"], sim["vs"] = rows[0], rows
        assert sim["v.data"] == -7 and sim["vs"]["data"].tolist() == [-7, 300]
    sim["v"] = np.array((False, 5), dtype=V)
    assert sim["v.data"] == 5
    for rows, error, says in [
        (np.zeros(2, [("valid", "?"), ("dat", "i2")]), ValueError, "no field 'dat', did you mean"),
        (np.array([(1 << 15, 1)] * 2, wider.dtype), ValueError, "'v.data' is i16, which holds"),
        (np.zeros(2, "i4"), TypeError, "give a dict of its fields, or a structured value"),
    ]:
        with pytest.raises(error, match=says):
            sim.run(2, feed={"v": rows})
    assert sim["v.data"] == 5


def test_rows_of_the_fields_of_a_struct(tmp_path):
    sim = loaded(tmp_path, KINDS)
    parts = np.zeros((2, 3), [("valid", "?"), ("value", "i2")])
    parts["value"] = [[1, 2, 3], [4, 5, 6]]
    feed = {"colour": ["green", "blue"], "wide": [1 << 199, 7], "parts": parts}
    seen = sim.run(2, feed={"packet": feed}, record=["packet", "packet.wide"])
    assert seen["packet"]["colour"].tolist() == [1, 5]
    assert seen["packet"]["parts"]["value"].tolist() == parts["value"].tolist()
    assert seen["packet.wide"].tolist() == [[0, 0, 0, 128], [7, 0, 0, 0]]
    sim.run(2, feed={"packet": {"wide": seen["packet.wide"]}})
    assert sim["packet.wide"] == 7 and sim["packet.colour"] == "red"  # left out: 0
    for feed, error, says in [
        ({"packet": {"wide": [1]}}, ValueError, "'packet.wide' has 1 rows, but 2 cycles are to"),
        ({"packet": {"wides": [1, 2]}}, ValueError, "no field 'wides', did you mean 'wide'"),
        ({"packet": {"wide": 3}}, TypeError, "'packet.wide' is fed a row for each cycle; give"),
        ({"x": 3}, TypeError, "'x' is fed a row for each cycle; give an array or a list of rows"),
        ({"x": {"a": [1, 2]}}, TypeError, "'x' is u8, but this is a dict"),
        ({"x": [[1], [2]]}, TypeError, "'x' is u8, but this is a list"),
    ]:
        with pytest.raises(error, match=says):
            sim.run(2, feed=feed)
    assert sim.cycle == 4


def test_every_name_can_be_read_and_recorded(tmp_path):
    text = """
network: named
buses:
  f[4]: u32
  g[2, 2]: u32
processes:
  q[k < 4]:
    out: {y: "f[k]"}
    state: {m: "u32[5]", t: u8}
    step:
      y: y + u32(k)
      t: t + 1
      m[y % 5]: y + u32(k)
  r[a < 2, b < 2]:
    out: {y: "g[a, b]"}
    state: {m: "u8[2, 3]"}
    step:
      y: u32(a + 2 * b)
      m[1, a]: u8(b) + 1
  some[k < 5]:
    where: k % 2 == 1
    state: {t: u8, m: "u8[2]"}
    step:
      t: u8(k)
      m[1]: u8(k)
"""
    sim = loaded(tmp_path, text)
    assert sim.names[:2] == ["f", "g"] and {"q.m", "r.m", "some.m"} <= set(sim.names)
    seen = sim.run(9, record=sim.names)
    assert seen["q.m"].shape == (9, 4, 5) and seen["r.m"].shape == (9, 2, 2, 2, 3)
    before = {name: sim[name] for name in sim.names}
    now = sim.run(1, record=sim.names)
    for name, values in before.items():
        assert np.array_equal(now[name][0], values), name
    for k in range(4):
        assert sim["q.m"][k].tolist() == sim[f"q[{k}].m"].tolist() and sim["q.m"][k].any() == (k > 0)
    assert sim["r.m"][1, 1].tolist() == [[0, 0, 0], [0, 2, 0]] == sim["r[1, 1].m"].tolist()
    assert sim["some.t"].tolist() == [1, 3] and sim["some.m"].tolist() == [[0, 1], [0, 3]]
    assert sim.dut.q.m.value.tolist() == sim["q.m"].tolist()
    with pytest.raises(ValueError, match="the values of 'q.m' do not lie together"):
        sim.view("q.m")
    assert sim.view("q[2].m").shape == (5,)


def test_errors_and_results_can_be_sent_to_other_processes(tmp_path):
    fault = {"check": "always: true", "step": "assert: n != 7"}
    failed = {"check": "always: n != 7"}
    for kind, options in [(sme.Fault, fault), (sme.CheckFailed, failed)]:
        sim = loaded(tmp_path, counter(**options))
        with pytest.raises(kind) as caught:
            sim.run(9)
        caught.value.note = "kept"
        for again in (pickle.loads(pickle.dumps(caught.value)), copy.copy(caught.value)):
            assert type(again) is kind and str(again) == str(caught.value)
            assert again.cycle == 7 and again.note == "kept" and again.args == (str(again),)
        if kind is sme.Fault:
            assert again.findings == caught.value.findings and again.findings
        else:
            assert [check.values for check in again.checks] == [[("n", "7")]]
        checks = pickle.loads(pickle.dumps(sim.checks()))
        for one, other in zip(checks, sim.checks()):
            for name in ("state", "text", "owner", "place", "cycle", "evaluated", "values"):
                assert getattr(one, name) == getattr(other, name)
    error = pickle.loads(pickle.dumps(sme.CommandFailed(3, "it did not work")))
    assert error.exit_code == 3 and str(error) == "it did not work"


def run_in_a_worker(path):
    sme.load(path).run(9)


@pytest.mark.parametrize("kind, step", [(sme.Fault, "assert: n != 7"), (sme.CheckFailed, "")])
def test_a_pool_raises_what_a_worker_raises(tmp_path, kind, step):
    path = tmp_path / "network.yaml"
    path.write_text(counter("always: n != 8", step))
    with multiprocessing.get_context("fork").Pool(1) as pool:
        with pytest.raises(kind) as caught:
            pool.map_async(run_in_a_worker, [path]).get(timeout=20)
    assert caught.value.cycle == (7 if step else 8)


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
