# SPDX-License-Identifier: Apache-2.0
import pathlib
import shutil
import subprocess

import pytest
import sme
from networks import counter

MODELS = pathlib.Path(__file__).parents[3] / "models"


def test_tests(tmp_path):
    results = sme.test(MODELS / "ring", only="sizes*")
    assert [(each.name, each.state) for each in results] == [
        (f"sizes[{k}]", "passed") for k in range(3)
    ]
    (tmp_path / "n.yaml").write_text(counter("always: n < 5"))
    failed = sme.test(tmp_path)
    assert [each.state for each in failed] == ["failed", "passed"]  # and the cover
    assert failed[0].network.endswith("n.yaml") and "again: sme run" in failed[0].text
    assert failed[0].seconds > 0
    (tmp_path / "broken.yaml").write_text("network: broken\nbuses: {x: u99999}\n")
    broken = [each for each in sme.test(tmp_path) if each.network.endswith("broken.yaml")]
    assert [each.state for each in broken] == ["not loaded"] and "broken.yaml:2:" in broken[0].text
    with pytest.raises(sme.NetworkError, match="no test matches 'nothing'"):
        sme.test(tmp_path / "n.yaml", only="nothing")


def test_untimed_runs():
    histories = sme.untimed(MODELS / "merge/network.yaml")
    assert {name: each.messages for name, each in histories.items()} == {
        "a": 60, "b": 25, "c": 90, "ab": 85, "all": 175,
    }  # fmt: skip
    assert histories == sme.untimed(MODELS / "merge/network.yaml", seed=3)
    with pytest.raises(sme.NetworkError, match="nothing"):
        sme.untimed(MODELS / "merge/nothing.yaml")


def test_fifos():
    front = sme.fifos(MODELS / "reconvergent/network.yaml")
    assert front[0]["cycles"] < front[-1]["cycles"] and front[0]["bits"] > front[-1]["bits"]
    assert all(row["held"] >= 4 for row in front)


def test_waveforms_and_verilog(tmp_path):
    for name, start in (("a", 0), ("b", 0), ("c", 1)):
        text = counter().replace("buses: {n: u16}", f"buses: {{n: u16 = {start}}}")
        (tmp_path / "n.yaml").write_text(text)
        with sme.load(tmp_path / "n.yaml", trace=tmp_path / f"{name}.vcd") as sim:
            sim.run(10)
    assert sme.diff(tmp_path / "a.vcd", tmp_path / "b.vcd") == ""
    assert "n" in sme.diff(tmp_path / "a.vcd", tmp_path / "c.vcd", max_differences=1)
    names = sme.verilog(MODELS / "fir/network.yaml", tmp_path / "v")
    assert (tmp_path / "v" / "fir.v").exists() and names


def test_pictures(tmp_path):
    if not shutil.which("dot"):
        pytest.skip("Graphviz was not found")
    picture = sme.graph(MODELS / "traffic/network.yaml")
    assert picture._repr_svg_() == picture and "controller" in picture and "<svg" in picture
    waves = sme.waves(MODELS / "traffic/network.yaml", "lights", cycles=12, first=3)
    assert waves.lstrip().startswith("<svg") and "main" in waves
    waves.save(tmp_path / "waves.svg")
    assert (tmp_path / "waves.svg").read_text() == waves


def test_a_missing_command(monkeypatch, tmp_path):
    monkeypatch.setenv("SME_COMMAND", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="the command 'sme' is neither"):
        sme.untimed(MODELS / "merge/network.yaml")


@pytest.mark.skipif(shutil.which("nm") is None, reason="no nm")
def test_a_program_that_loads_the_module_replaces_none_of_its_symbols():
    from sme import _sme

    listed = subprocess.run(
        ["nm", "-D", "--defined-only", _sme.__file__], capture_output=True, text=True, check=True
    )
    names = [line.split()[-1] for line in listed.stdout.splitlines()]
    assert "PyInit__sme" in names
    assert [name for name in names if "3sme" in name] == []
