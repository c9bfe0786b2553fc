# SPDX-License-Identifier: Apache-2.0
"""Values of every type and shape, and what may leave a process."""

import copy
import multiprocessing
import pickle
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sme
from networks import KINDS, counter, loaded, quiet  # noqa: F401


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


FIXED = """
network: fixed
types: {Q: "fixed(4, 12)"}
buses: {x: Q, far: "fixed(60, 20)", minus: i128, y: Q, z: "fixed(60, 20)", m: i128, row: "Q[2]"}
inputs: [x, far, minus]
processes:
  p:
    in: {x: x, far: far, minus: minus}
    out: {y: y, z: z, m: m, row: row}
    step: {y: "round(x * 0.5, Q)", z: far, m: minus, row: "array(k < 2, x)"}
"""


def test_fixed_point_numbers_are_fractions(tmp_path):
    sim = loaded(tmp_path, FIXED)
    sim["x"], sim["far"], sim["minus"] = -1.5, Fraction(-3, 2**20), -(1 << 127)
    sim.run(1)
    assert sim["y"] == Fraction(-3, 4) and isinstance(sim["y"], Fraction) and float(sim["y"]) == -0.75
    assert sim["z"] == Fraction(-3, 2**20) and sim["m"] == -(1 << 127)
    assert (sim["row"] / 2**12).tolist() == [-1.5, -1.5]  # in arrays, the bits
    sim["x"] = Decimal("7.999755859375")
    assert sim["x"] == 8 - Fraction(1, 2**12)
    for value, error, says in [
        (0.1, ValueError, "'x' is fixed\\(4, 12\\), but 0.1 is no multiple of 2\\^-12"),
        (8, ValueError, "'x' is fixed\\(4, 12\\), which holds -2\\^15 to 2\\^15 - 1 steps"),
        ("a", TypeError, "'x' is fixed"),
    ]:
        with pytest.raises(error, match=says):
            sim["x"] = value
    with pytest.raises(ValueError, match="'minus' is i128"):
        sim["minus"] = 1 << 127


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
