# SPDX-License-Identifier: Apache-2.0
"""Networks that a program builds, and processes that are compiled."""

import subprocess
import sys

import numpy
import pytest

import sme

DOUBLE = """
#include <cstdint>
#include <stdexcept>
struct In { const uint16_t *n; const uint32_t *lanes; };
struct Out { uint32_t *twice; uint8_t *pair; };
extern "C" void step(const In *in, const Out *out, void *state) {
    uint64_t &calls = *static_cast<uint64_t *>(state);
    if (*in->n == 40)
        throw std::runtime_error{"forty"};
    *out->twice = 2u * *in->n + in->lanes[2];
    out->pair[0] = static_cast<uint8_t>(calls);
    out->pair[1] = static_cast<uint8_t>(calls++ + 1);
}
"""


def queue(depth=4):
    net = sme.Network("queue", imports=["std/stream.yaml", "std/fifo.yaml"])
    a, b = net.bus("a", "Stream(u16)"), net.bus("b", "Stream(u16)")
    net.instance("queue", "fifo", parameters={"depth": depth, "T": "u16"}, reads={"x": a}, writes={"y": b})
    return net


def test_components():
    async def test(dut):
        for value in range(4):
            await dut.send(dut.a, value)
        return [await dut.receive(dut.b) for _ in range(4)]

    assert queue().load().bench(test) == [0, 1, 2, 3]


def test_all_kinds(tmp_path):
    (tmp_path / "double.cpp").write_text(DOUBLE)
    (tmp_path / "add.v").write_text(
        "module add(input [31:0] a, output [31:0] y); assign y = a + 32'd1; endmodule\n"
    )
    net = sme.Network("kinds", folder=tmp_path)
    n, twice = net.bus("n", "u16 = 3"), net.bus("twice", "wire u32")
    pair, lanes, y = net.bus("pair[2]", "u8"), net.bus("lanes[k < 3]", "u32 = u32(k)"), net.bus("y", "wire u32")
    net.process("count", {"y": "y + 1"}, writes={"y": n})
    net.process("lane[k < 3]", {"y": "y"}, writes={"y": "lanes[k]"})
    double = sme.compiled(tmp_path / "double.cpp", state=8)
    net.process("double", double, reads=["n", "lanes"], writes=["twice", "pair"])
    net.verilog("add", "add.v", top="add", reads={"a": twice}, writes={"y": y})
    net.bus("odd", "bool")
    net.process("odd", lambda y: y % 2 == 1, reads=y, writes="odd")
    net["checks"] = [{"always": "twice == 2 * u32(n) + 2"}]
    net["constants"] = {"table": f"u8[4] = {numpy.arange(4).tolist()}"}
    sim = net.load()
    found = sim.run(10, record=["n", "twice", "pair", "y", "odd"])
    assert found["twice"].tolist() == [2 * n + 2 for n in range(3, 13)]
    assert found["y"].tolist() == [2 * n + 3 for n in range(3, 13)]
    assert found["pair"].tolist() == [[0, 0], *([k, k + 1] for k in range(9))]
    assert found["odd"].tolist() == [False, *[True] * 9]
    assert [check.text for check in sim.checks()] == ["always: twice == 2 * u32(n) + 2"]
    with pytest.raises(sme.Fault, match="forty") as error:
        sim.run(100)
    assert error.value.cycle == 37
    assert (lanes, pair) == ("lanes", "pair")


def test_compiled_state_is_in_checkpoints(tmp_path):
    source = tmp_path / "count.c"
    source.write_text(
        "void count(void **in, unsigned char **out, unsigned *state) { *out[0] = ++*state; }\n"
    )
    net = sme.Network("counted")
    x = net.bus("x", "u8")
    net.process("count", sme.compiled(source, function="count", state=4), writes=x)
    one, two = net.load(), net.load()
    one.run(5)
    one.save(tmp_path / "c")
    two.restore(tmp_path / "c")
    one.run(3)
    two.run(3)
    assert one["x"] == two["x"] == 8


def test_compiled_mistakes(tmp_path):
    bad = tmp_path / "bad.c"
    bad.write_text("void step( {\n")
    with pytest.raises(sme.CompileError, match="bad.c:1"):
        sme.compiled(bad)
    good = tmp_path / "good.c"
    good.write_text("void step(void) {}\n")
    with pytest.raises(AttributeError, match="stop"):
        sme.compiled(good, function="stop")


def test_mistakes_say_where_they_were_added():
    net = queue()
    line = sys._getframe().f_lineno + 1
    net.process("wrong", {"y": "y + missing"}, reads={"y": "a"}, writes={"y": "nothing"})
    with pytest.raises(sme.NetworkError) as error:
        net.load()
    assert f"{__file__}:{line}: " in str(error.value)
    assert "nothing" in str(error.value)
    with pytest.raises(ValueError, match="'a' is in buses already"):
        net.bus("a", "u8")
    net["processes"] = []
    with pytest.raises(TypeError, match="to which 'p' cannot be added"):
        net.process("p", {"y": "1"})
    with pytest.raises(TypeError, match="no step of the language"):
        net.process("p", lambda x: x, reads={"y": "a"})


def test_text_is_a_network_file(tmp_path):
    net = sme.Network("saved")
    x = net.bus("x", "u8")
    net.process("count", {"x": "x + 1"}, writes="x")
    net["checks"] = [{"at 5": "x == 5"}]
    net["run"] = {"cycles": 6}
    net.save(tmp_path / "saved.yaml")
    with pytest.raises(FileExistsError):
        net.save(tmp_path / "saved.yaml")
    assert sme.test(tmp_path / "saved.yaml")[0].state == "passed"
    sim = net.load()
    sim.run()
    assert sim["x"] == 6
    assert "<svg" in sme.graph(net) and "<svg" in net._repr_svg_()
    net.bus("y", "u8")
    net.process("python", lambda x: x, reads=x, writes="y")
    with pytest.raises(ValueError, match="'python' is not in its text"):
        sme.graph(net)
    assert net._repr_svg_() is None


def test_against():
    def running(total=0):
        (x,) = yield
        while True:
            total += x if total < 1000 else x + 1
            (x,) = yield total

    net = sme.Network("sum")
    x, total = net.bus("x", "u16 = 1"), net.bus("total", "u32")
    net.process("next", {"x": "x + 1"}, writes=x)
    net.process("adds", {"total": "total + u32(x)"}, reads=x, writes=total)
    sim = net.load(against=[sme.Process(running(), reads=x, writes=total)])
    assert sim.run(20) == 20
    with pytest.raises(sme.CheckFailed, match="'total' is 1081, but 1082 by the other") as error:
        sim.run(100)
    assert error.value.cycle == 46
    sim.finish()


def test_mistakes_of_processes():
    net = sme.Network("mistakes")
    lane = net.bus("lane[3]", "u8")
    net.bus("x", "u8")
    net.process("p", {"y": "1"}, writes={"y": "x"})
    with pytest.raises(sme.NetworkError, match="nothing in the network writes 'lane'"):
        net.load(against=[sme.Process(lambda: [1, 2, 3], writes=lane)])
    shape = r"'lane' has the shape \(3,\), but these values have \(2,\)"
    for values, what in (([1, 2], shape), (7, "a sequence of 3 values")):
        with pytest.raises(sme.Fault, match=what):
            net.load(processes=[sme.Process(lambda: values, writes=lane)]).run(1)
    with pytest.raises(ValueError, match="0 bytes or more"):
        sme.compiled("x.c", state=-1)


def test_against_in_the_last_values():
    net = sme.Network("last")
    x = net.bus("x", "u8")
    net.process("count", {"x": "x + 1"}, writes=x)
    sim = net.load(against=[sme.Process(lambda x: x + 1 if x < 4 else 9, reads=x, writes=x)])
    sim.run(5)
    with pytest.raises(sme.CheckFailed, match="in cycle 5, 'x' is 5, but 9"):
        sim.finish()


def test_a_bus_that_must_be_written_is_by_python():
    net = sme.Network("strict")
    x = net.bus("x", "error u8 = 7")
    net.bus("y", "u8")
    net.process("reads", {"y": "x"}, reads=x, writes="y")
    values = iter([1, 2, 3, None])
    net.process("python", lambda: next(values), writes=x)
    sim = net.load()
    sim.run(3)


def test_a_process_may_refer_to_its_simulator():
    program = """
import gc, weakref, sme
net = sme.Network("cycle")
net.bus("x", "u8")
holder = []
net.process("p", lambda: holder[0].cycle, writes="x")
sim = net.load()
holder.append(sim)
sim.run(3), sim["x"], sim.dut.x.value
gone = weakref.ref(sim)
del sim, net, holder
gc.collect()
print(gone())
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("None\n", "")


CHANNELS = """
network: channels
types: {Pair: {low: u8, parts: "u4[2]"}}
channels: {numbers: depth 4 u8, "link[2]": depth 3 u16}
buses: {"lane[2]": Pair}
processes:
  source: {out: numbers, state: {k: u8}, step: {numbers: k, k: k + 1}}
  square: {in: {x: numbers}, out: {y: "link[0]", z: "link[1]"}, step: {y: u16(x), z: u16(x)}}
  sink: {in: {a: "link[0]", b: "link[1]"}, state: {sum: u16}, step: {sum: sum + a + b}}
  lanes: {out: {l: "lane[1]"}, step: {l.low: l.low + 1}}
"""


def test_frames_and_occupancy(tmp_path):
    pytest.importorskip("pandas")
    (tmp_path / "n.yaml").write_text(CHANNELS)
    sim = sme.load(tmp_path / "n.yaml")
    assert sim.dut.numbers.count.value == sim["link[1].count"] == 0
    sim.run(2)
    rows = sim.run(4, record=["numbers.count", "link.count", "lane"])
    frame = rows.frame()
    assert list(frame.index) == [2, 3, 4, 5] and frame.index.name == "cycle"
    assert list(frame.columns) == [
        "numbers.count", "link.count[0]", "link.count[1]",
        "lane[0].low", "lane[0].parts[0]", "lane[0].parts[1]",
        "lane[1].low", "lane[1].parts[0]", "lane[1].parts[1]",
    ]  # fmt: skip
    assert frame["lane[1].low"].tolist() == [2, 3, 4, 5]
    assert frame["numbers.count"].tolist() == [1, 1, 1, 1]
    assert "<table" in rows._repr_html_()
    with pytest.raises(sme.NetworkError, match="no bus 'other.count'"):
        sim.signal("other.count")


def test_open_inputs_are_set(tmp_path):
    (tmp_path / "n.yaml").write_text(
        "network: n\nbuses: {x: u8, w: wire u8, y: u8}\ninputs: [x, w]\n"
        "processes:\n  p: {in: [x, w], out: y, step: {y: x ^ w}}\n"
    )
    sim = sme.load(tmp_path / "n.yaml")
    assert sim.inputs == ["x", "w"]
    sim["x"] = 9
    sim["w"] = 4
    sim.run(2)
    assert sim["y"] == 13


def test_a_channel_is_driven(tmp_path):
    (tmp_path / "n.yaml").write_text(
        "network: n\nchannels: {a: u8, b: u8}\n"
        "processes:\n  next: {in: {x: a}, out: {y: b}, step: {y: x + 1}}\n"
        "inputs: {a: rows.csv}\noutputs: {out.csv: {record: b, expect: rows.csv}}\n"
    )
    (tmp_path / "rows.csv").write_text("7\n7\n")
    sim = sme.load(tmp_path / "n.yaml", drive="a", checks=False)
    assert sim.inputs == ["a.in"] and sim.outputs() == []

    async def test(dut):
        taken = []

        async def monitor():
            while True:
                await dut.cycles()
                if dut.b.valid.value:
                    taken.append(dut.b.data.value)

        dut.start(monitor())
        for value in range(5):
            await dut.send(dut["a.in"], value)
        await dut.cycles(3)
        return taken

    assert sim.bench(test) == [1, 2, 3, 4, 5]
    with pytest.raises(sme.CheckFailed, match="8, but 7 is expected"):
        sme.load(tmp_path / "n.yaml").run(10)
    b = sme.load(tmp_path / "n.yaml", checks=False).run(record="b")["b"]  # to the end of the input
    assert b["data"][b["valid"]].tolist() == [8, 8]
