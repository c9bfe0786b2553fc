# SPDX-License-Identifier: Apache-2.0
"""Makes `sme` a simulator of cocotb when `cocotb_tools.runner` is imported, whose table of runners
is fixed. sme_cocotb.pth imports this at the start of Python, so it imports nothing else."""

import sys


class _Finder:
    def find_spec(self, name, path=None, target=None):
        if name != "cocotb_tools.runner":
            return None
        sys.meta_path.remove(self)
        from importlib.util import find_spec

        spec = find_spec(name)
        if spec is None:
            return None
        execute = spec.loader.exec_module

        def execute_and_register(module):
            execute(module)
            try:
                from sme.cocotb import register
            except ImportError:  # cocotb works without sme
                return
            register(module)

        spec.loader.exec_module = execute_and_register
        return spec


sys.meta_path.insert(0, _Finder())
