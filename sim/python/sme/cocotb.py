# SPDX-License-Identifier: Apache-2.0
"""The runner of cocotb for networks: `get_runner("sme")` of `cocotb_tools.runner`.

    runner = get_runner("sme")
    runner.build(sources=["network.yaml"], hdl_toplevel="network", parameters={"depth": 8})
    runner.test(hdl_toplevel="network", test_module="test_network")

The source is the network; `build` checks it and compiles nothing. Signals have the names that they
have in its Verilog. With `waves=True`, the waveform is NETWORK.fst in the test folder.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import cocotb_tools.config
from cocotb_tools.runner import Runner, Verilog

from sme.commands import program


class Sme(Runner):
    """Runs test benches on a network."""

    supported_gpi_interfaces = {"verilog": ["vpi"]}

    def _set_env_test(self) -> None:
        super()._set_env_test()
        self.env.setdefault("COCOTB_TRUST_INERTIAL_WRITES", "1")  # they take effect in time

    def _simulator_in_path(self) -> None:
        program()

    def build(self, *arguments: Any, sources: Sequence[Any] = (), **more: Any) -> None:
        tagged = [
            Verilog(source) if str(source).endswith((".yaml", ".yml")) else source
            for source in sources
        ]
        super().build(*arguments, sources=tagged, **more)

    def _build_command(self) -> list[list[str]]:
        networks = [str(path) for path in self.sources if path.suffix in (".yaml", ".yml")]
        if len(networks) != 1:
            raise ValueError(f"sme runs one network, a file .yaml, but these are {networks}")
        self._network = networks[0]
        return [[program(), "vpi", self._network, "--list", *self._get_parameter_options(self.parameters)]]

    def _test_command(self) -> list[list[str]]:
        if self.pre_cmd is not None:
            raise RuntimeError("sme has no commands to run before a simulation")
        library = os.path.join(cocotb_tools.config.libs_dir, "libcocotbvpi_icarus.so")
        command = [program(), "vpi", self._network, "--library", library, *self.test_args]
        for word in self.plusargs:
            command += ["--plusarg", word]
        if self.waves:
            command += ["--trace", self._waves_file(), "--trace-state", "--allow", str(self.test_dir)]
        command += self._get_parameter_options(self.parameters)
        return [command]

    def _use_external_viewer(self) -> bool:
        return True

    def _waves_file(self) -> str:
        return f"{self.sim_hdl_toplevel}.fst"

    def _get_include_options(self, includes: Sequence[Any]) -> list[str]:
        return []  # a network says itself what it imports

    def _get_define_options(self, defines: Mapping[str, object]) -> list[str]:
        return []

    def _get_parameter_options(self, parameters: Mapping[str, object]) -> list[str]:
        return [word for name, value in parameters.items() for word in ("--set", f"{name}={value}")]


def register(runner: ModuleType) -> None:
    """Adds it to those of `cocotb_tools.runner`."""
    runner.SUPPORTED_RUNNERS["sme"] = Sme


if __name__ == "__main__":  # for Makefiles
    print(os.path.join(os.path.dirname(__file__), "Makefile.sme"))
