# SPDX-License-Identifier: Apache-2.0
"""Runs cocotb's own tests on a network and in Icarus Verilog, and compares the verdicts.

    python3 sim/python/test/cocotb_suite.py COCOTB

COCOTB is a checkout of cocotb's repository, of the installed version, as its packages have no tests.
Each folder of tests that uses its sample module runs on designs/sample_module.yaml. A test that passes
in Icarus and not here must be in EXCLUDED, below the feature of Verilog that it needs and networks do
not have. Exits with 1 if one is not, or if one that is there passes.
"""

import logging
import os
import pathlib
import sys
import tempfile
from xml.etree import ElementTree

import _sme_cocotb  # noqa: F401
from cocotb_tools.runner import get_runner

NETWORK = pathlib.Path(__file__).parent / "designs" / "sample_module.yaml"
EXCLUDED = {
    "unpacked arrays of several dimensions or ranges": [
        "test_1dim_array_handles", "test_1dim_array_indexes", "test_exceptions", "test_ndim_array_handles",
        "test_ndim_array_indexes", "test_invalid_indexing", "test_null_range_width",
        "test_last_scheduled_write_wins_array",
    ],
    "structs as objects beside packed ones": ["test_struct_unpacked", "test_struct_format"],
    "strings, reals and integer variables": [
        "access_const_string_verilog", "access_var_string_verilog", "test_string_handle_takes_bytes",
        "test_string_ansi_color", "test_real_assign_double", "test_real_assign_int", "access_integer",
    ],
    "x and z": ["test_assign_Logic", "test_assign_Logic_4value", "test_assign_str_logic_scalar"],
    "interfaces, gates, conditional and nested generate blocks": [
        "pseudo_region_access", "test_arr_scope", "test_both_conds", "test_cond_scope", "test_intf_array",
        "test_nested_scope", "test_scoped_params", "access_gate",
    ],
    "vectors [0:0]": ["single_element_vector_is_logic_array", "test_edge_on_vectors"],
    "escaped names": ["test_extended_identifiers"],
    "deposits on wires": ["test_deposit_on_forced"],
}  # fmt: skip


def verdicts(simulator, source, modules, folder):
    """{test: whether it passes}; empty if the run leaves no results."""
    folder.mkdir()
    results = folder / "results.xml"
    runner = get_runner(simulator)
    runner.build(sources=[source], hdl_toplevel="sample_module", build_dir=folder, timescale=("1ps", "1ps"),
                 log_file=folder / "build.log")  # fmt: skip
    try:
        runner.test(hdl_toplevel="sample_module", test_module=modules, build_dir=folder,
                    extra_env={"SIM": "icarus"}, results_xml=os.fspath(results), log_file=folder / "log",
                    test_args=["--packed-structs"] if simulator == "sme" else [])  # fmt: skip
    except (SystemExit, RuntimeError):
        pass  # the results say why
    if not results.exists():
        return {}
    return {
        case.get("name"): not any(part.tag in ("failure", "error", "skipped") for part in case)
        for case in ElementTree.parse(results).getroot().iter("testcase")
    }


def main(repository):
    logging.disable(logging.CRITICAL)
    tests = pathlib.Path(repository) / "tests"
    excluded = {name for names in EXCLUDED.values() for name in names}
    total, passed, wrong = 0, 0, []
    with tempfile.TemporaryDirectory() as scratch:
        for makefile in sorted((tests / "test_cases").glob("*/Makefile")):
            folder = makefile.parent
            modules = sorted(file.stem for file in folder.glob("*.py") if "cocotb.test" in file.read_text())
            if not modules or "sample_module/Makefile" not in makefile.read_text():
                continue
            sys.path.insert(0, os.fspath(folder))
            work = pathlib.Path(scratch) / folder.name
            work.mkdir()
            verilog = tests / "designs/sample_module/sample_module.sv"
            there = verdicts("icarus", verilog, ",".join(modules), work / "icarus")
            here = verdicts("sme", NETWORK, ",".join(modules), work / "sme")
            sys.path.pop(0)
            good = [name for name, passes in there.items() if passes]
            same = [name for name in good if here.get(name)]
            total, passed = total + len(good), passed + len(same)
            wrong += [f"{folder.name}: {name}" for name in good if (name in same) == (name in excluded)]
            print(f"{folder.name}: {len(same)} of {len(good)} that pass in Icarus")
    left = total - len(excluded)
    print(f"{total} pass in Icarus; {len(excluded)} need a feature that networks do not have; "
          f"of the other {left}, {passed} pass here")  # fmt: skip
    for name in wrong:
        print("not as expected:", name)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
