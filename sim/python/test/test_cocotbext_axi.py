# SPDX-License-Identifier: Apache-2.0
"""The tests of cocotbext-axi, unchanged, on networks with the same ports, as in Icarus Verilog.

They are in its source package, which tools/test downloads, as they are not in the installed one.
"""

import importlib
import os
import pathlib
import shutil
import sys
from xml.etree import ElementTree

import pytest
from test_cocotb import DESIGNS, pytestmark, runner_of  # noqa: F401

simulator = pytest.importorskip("cocotb_test.simulator")
PACKAGES = list(pathlib.Path(sys.prefix).glob("sources/cocotbext_axi-*.tar.gz"))
NIGHTLY = bool(os.environ.get("SME_NIGHTLY"))
# The bus, its width in bits, a part of the names of the tests, and the number of those tests. Most
# of the time goes to AXI, so only some of its tests run for each change.
CASES = [
    ("axi", 8, "run_test", 10), ("axi", 32, "words|stress", 3), ("axil", 16, "", 11),
    ("axis", 32, "", 4), ("apb", 8, "", 11),
]  # fmt: skip
ALL_CASES = [
    ("axi", 8, "", 11), ("axi", 16, "", 19), ("axi", 32, "", 27),
    *((bus, bits, "", tests) for bus, tests in (("axil", 11), ("axis", 4), ("apb", 11)) for bits in (8, 16, 32)),
]  # fmt: skip


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    if not PACKAGES:
        pytest.skip("skipped: no source package of cocotbext-axi in build/venv/sources; tools/test downloads it")
    folder = tmp_path_factory.mktemp("suite")
    shutil.unpack_archive(PACKAGES[0], folder)
    return next(folder.glob("*/tests"))


def passed(name, source, folder, names, toplevel, module, parameters, extra_env, **_):
    """Does what `run` of cocotb_test.simulator does; {test that passes: its simulated time}."""
    runner = runner_of(name)
    runner.build(sources=[source], hdl_toplevel=toplevel, parameters=parameters, build_dir=folder / name,
                 timescale=("1ns", "1ns"), log_file=folder / f"{name}.build")  # fmt: skip
    results = runner.test(
        hdl_toplevel=toplevel, test_module=module, test_dir=folder / name, seed=1, parameters=parameters,
        extra_env=extra_env, test_filter=names, results_xml=os.fspath(folder / f"{name}.xml"),
        log_file=folder / f"{name}.log",
    )  # fmt: skip
    cases = ElementTree.parse(results).getroot().iter("testcase")
    bad = {"failure", "error", "skipped"}
    return {
        case.get("name"): case.find("*/property[@name='sim_time_duration']").get("value")
        for case in cases
        if not bad & {part.tag for part in case}
    }


@pytest.mark.parametrize("bus, bits, names, tests", ALL_CASES if NIGHTLY else CASES)
def test_on_a_network(suite, tmp_path, monkeypatch, request, bus, bits, names, tests):
    monkeypatch.syspath_prepend(suite / bus)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
    calls = []
    monkeypatch.setattr(simulator, "run", lambda **given: calls.append(given))
    getattr(importlib.import_module(f"test_{bus}"), f"test_{bus}")(request, bits)
    [given] = calls
    seen = passed("sme", DESIGNS / "cocotbext_axi" / f"{bus}.yaml", tmp_path, names, **given)
    assert len(seen) == tests
    if NIGHTLY and shutil.which("iverilog"):
        assert passed("icarus", given["verilog_sources"][0], tmp_path, names, **given) == seen
