# SPDX-License-Identifier: Apache-2.0
"""Test benches of cocotb on networks, and on their Verilog in Icarus Verilog: they see the same."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
from xml.etree import ElementTree

import pytest

import sme

pytest.importorskip("cocotb")
pytestmark = pytest.mark.skipif(
    "vpi" not in subprocess.run([sme.commands.program(), "help"], capture_output=True, text=True).stdout,
    reason="skipped: sme was built without vpi_user.h",
)

DESIGNS = pathlib.Path(__file__).parent / "designs"
NETWORK = """
network: count
buses:
  x: u8
  enable: bool
  sum: u16
  twice: wire u17
  lane[4]: u8
  later: delay 3 u8 = 7
  oldest: u8
processes:
  add:
    in: [x, enable]
    out: {y: sum}
    state: {mem: "u8[16] = 0", at: u4 = 0}
    step:
      y: if enable then y + u16(x) else y
      mem[at]: x when enable
      at: at + 1 when enable
      assert: mem[3] < 255
  double: {in: sum, out: {y: twice}, step: {y: u17(sum) * 2}}
  lanes[k < 4]: {in: x, out: {y: "lane[k]"}, step: {y: u8(u10(x) + k)}}
  delays: {in: x, out: {y: later}, step: {y: x, halt: x == 99}}
  shifts:
    in: later
    out: {y: oldest}
    state: {line: "u8[4] = 1"}
    step:
      line: "array(k < 4, if k == 0 then later else line[k - 1])"
      y: line[3]
inputs: {x: x.csv, enable: enable.csv}
"""


def runner_of(name):
    import _sme_cocotb  # as sme_cocotb.pth does in an installed package

    assert _sme_cocotb
    from cocotb_tools.runner import get_runner

    return get_runner(name)


def run(name, folder, sources, top="count", module="cocotb_bench", **more):
    """Runs a test bench; returns its verdicts and what it has seen."""
    runner = runner_of(name)
    runner.build(sources=sources, hdl_toplevel=top, build_dir=folder / name,
                 timescale=("1ns", "1ps"), log_file=folder / f"{name}.build")  # fmt: skip
    seen = folder / f"{name}.seen"
    seen.write_text("")
    environment = {"SEEN": os.fspath(seen)}
    results = runner.test(
        hdl_toplevel=top, test_module=module, seed=1, test_dir=folder / name,
        extra_env=environment, results_xml=os.fspath(folder / f"{name}.xml"),
        log_file=folder / f"{name}.log", **more,
    )  # fmt: skip
    cases = ElementTree.parse(results).getroot().iter("testcase")
    bad = ("failure", "error", "skipped")
    verdicts = {case.get("name"): [part.tag for part in case if part.tag in bad] for case in cases}
    verdicts = {name: tags for name, tags in verdicts.items() if tags != ["skipped"]}
    return verdicts, seen.read_text()


def verilog(folder, network):
    """The files of its Verilog."""
    sme.verilog(network, folder / "verilog")
    return [folder / "verilog" / name for name in (folder / "verilog/files.f").read_text().split()]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "count.yaml").write_text(NETWORK)
    for name in ("x", "enable"):
        (tmp_path / f"{name}.csv").write_text("1\n")
    monkeypatch.syspath_prepend(pathlib.Path(__file__).parent)
    monkeypatch.syspath_prepend(DESIGNS)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
    return tmp_path


def test_same_as_verilog(folder):
    listed = subprocess.check_output([sme.commands.program(), "vpi", "count.yaml", "--list"], cwd=folder, text=True)
    lines = listed.splitlines()
    assert {"count.clk input 1", "count.x input 8", "count.sum register 16", "count.twice wire 17",
            "count.add.mem memory 16", "count.lanes[3].unit.y wire 8"} <= set(lines)  # fmt: skip
    verdicts, seen = run("sme", folder, [folder / "count.yaml"], waves=True)
    assert verdicts == {
        name: [] for name in ("values_of_all_regions", "hierarchy", "kinds_of_writes", "a_failure", "a_timeout")
    }
    assert (folder / "sme" / "count.fst").stat().st_size > 0
    assert "error: 'count.twice' follows other signals" in (folder / "sme.log").read_text()
    if not shutil.which("iverilog"):
        pytest.skip("skipped: no Icarus Verilog")
    assert run("icarus", folder, verilog(folder, folder / "count.yaml")) == (verdicts, seen)
    assert len(seen.splitlines()) > 180


@pytest.mark.parametrize("top, package", [
    ("registers", "cocotbext.axi"), ("frames", "cocotbext.axi"), ("alu", "pyuvm"), ("edges", "cocotb"),
])  # fmt: skip
def test_packages(folder, top, package):
    pytest.importorskip(package)
    network = DESIGNS / f"{top}.yaml"
    verdicts, seen = run("sme", folder, [network], top, f"bench_{top}")
    assert [tags for tags in verdicts.values()] == [[]] and seen
    if not shutil.which("iverilog"):
        pytest.skip("skipped: no Icarus Verilog")
    assert run("icarus", folder, verilog(folder, network), top, f"bench_{top}") == (verdicts, seen)


def test_insides_and_members(folder, monkeypatch):
    network = DESIGNS / "views.yaml"
    monkeypatch.delenv("MEMBERS", raising=False)
    verdicts, seen = run("sme", folder, [network], "views", "bench_views")
    assert verdicts == {"inside_and_reset": [], "forced_wires": [], "a_release_of_what_is_not_forced": []}
    if shutil.which("iverilog"):
        assert run("icarus", folder, verilog(folder, network), "views", "bench_views") == (verdicts, seen)
    monkeypatch.setenv("MEMBERS", "1")
    more = {"test_args": ["--members"], "test_filter": "members"}
    assert run("sme", folder, [network], "views", "bench_views", **more)[0] == {"fields_and_members": []}
    monkeypatch.setenv("PACKED", "1")
    more = {"test_args": ["--packed-structs"], "test_filter": "packed"}
    assert run("sme", folder, [network], "views", "bench_views", **more)[0] == {"packed_structs": []}


def test_the_lesson(folder, monkeypatch):
    lesson = DESIGNS.parents[3] / "models/tutorial/8_cocotb"
    monkeypatch.syspath_prepend(lesson)
    assert run("sme", folder, [lesson / "network.yaml"], "lamp", "test_lamp")[0] == {"presses": []}


def test_make(folder):
    (folder / "Makefile").write_text(
        "SME_NETWORK = count.yaml\nCOCOTB_TOPLEVEL = count\nCOCOTB_TEST_MODULES = cocotb_bench\n"
        "include $(shell $(PYTHON_BIN) -m sme.cocotb)\n"
    )
    words = [f"PYTHON_BIN={sys.executable}", f"SME={sme.commands.program()}", "WAVES=1"]
    # some seeds write 255 to mem[3], which is a fault of the network
    seed = {"COCOTB_RANDOM_SEED": "1", "RANDOM_SEED": "1"}
    environment = os.environ | seed | {"SEEN": os.devnull, "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(["make", *words], cwd=folder, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert (folder / "results.xml").exists() and (folder / "count.fst").exists()


def command(folder, *words):
    import cocotb_tools.config
    import find_libpython

    environment = os.environ | {
        "GPI_USERS": f"{find_libpython.find_libpython()};{cocotb_tools.config.pygpi_entry_point()}",
        "PYGPI_PYTHON_BIN": sys.executable, "COCOTB_TOPLEVEL": "count", "TOPLEVEL_LANG": "verilog",
        "COCOTB_TEST_MODULES": "cocotb_bench", "SEEN": os.devnull,
    }  # fmt: skip
    library = os.path.join(cocotb_tools.config.libs_dir, "libcocotbvpi_icarus.so")
    words = words or ("count.yaml", "--library", library)
    return subprocess.Popen(
        [sme.commands.program(), "vpi", *words], cwd=folder, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


@pytest.mark.parametrize("kind, code, text", [
    ("FAULT", 1, "process 'add': the assert does not hold"),
    ("STARVED", 1, "is its clock running?"),
])  # fmt: skip
def test_a_run_that_ends_early(folder, monkeypatch, kind, code, text):
    monkeypatch.setenv(kind, "1")
    monkeypatch.setenv("COCOTB_TEST_FILTER", {"FAULT": "a_fault", "STARVED": "nothing"}[kind])
    ran = command(folder)
    out, err = ran.communicate(timeout=60)
    assert (ran.returncode, text in err) == (code, True), out + err
    assert "failure" in (folder / "results.xml").read_text()


def test_interrupted(folder, monkeypatch):
    monkeypatch.setenv("ENDLESS", "1")
    monkeypatch.setenv("COCOTB_TEST_FILTER", "endless")
    ran = command(folder)
    while "running" not in ran.stdout.readline():
        assert ran.poll() is None
    ran.send_signal(signal.SIGINT)
    ran.communicate(timeout=60)
    assert ran.returncode == 130


def test_mistakes(folder):
    (folder / "text.so").write_text("no library")
    for words, text in (
        (["count.yaml"], "give --library FILE"),
        (["count.yaml", "--library", "nothing.so"], "cannot load 'nothing.so'"),
        (["count.yaml", "--library", "text.so"], "cannot load 'text.so'"),
        (["count.yaml", "--library", "libm.so.6"], "has no 'vlog_startup_routines'"),
        (["nothing.yaml", "--library", "libm.so.6"], "cannot read 'nothing.yaml'"),
    ):
        ran = command(folder, *words)
        assert text in ran.communicate(timeout=60)[1]
        assert ran.returncode == 2


def test_a_network_called_like_its_module(folder):
    if not shutil.which("verilator"):
        pytest.skip("skipped: no Verilator")
    (folder / "pulse.v").write_text(
        "module pulse(input clk, output reg y = 0); always @(posedge clk) y <= ~y; endmodule\n"
    )
    (folder / "n.yaml").write_text(
        "network: pulse\nbuses: {y: bool}\n"
        "processes: {p: {verilog: {files: pulse.v, top: pulse}, out: y}}\n"
    )
    words = [sme.commands.program(), "vpi", "n.yaml", "--list"]
    listed = subprocess.check_output(words, cwd=folder, text=True).splitlines()
    assert "pulse.y register 1" in listed and all(line.startswith("pulse.") for line in listed)


def test_several_clocks(folder):
    library = DESIGNS.parents[3] / "lib/std/test/async_fifo.yaml"
    _, seen = run("sme", folder, [library], "async_fifo_test", "bench_domains")
    sim = sme.load(library)
    for line in seen.splitlines():
        sim.run(1)
        assert line.split() == [f"{sim['producer.number']:016b}", str(int(sim["b.valid"])),
                                f"{sim['b.data.number']:016b}", str(int(sim.cycle % 3 != 1))]  # fmt: skip
    assert sim.cycle == 60
    assert "'async_fifo_test.slow_clk' is driven by the clocks" in (folder / "sme.log").read_text()
