# SPDX-License-Identifier: Apache-2.0
"""The layering check sees every way to cross a line, and nothing else."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parent.parent / "layering"
# The include path of a file of each part.
TREE = {
    "lib/base/text.hpp": "",
    "lib/bits/integer.hpp": "",
    "sim/runtime/observer.hpp": "",
    "lib/expr/program/program.hpp": "",
    "lib/yaml/design.hpp": "",
    "lib/yaml/read/tree.hpp": "",
    "lib/yaml/load/loader.hpp": "",
    "lib/include/sme/network.hpp": "",
    "lib/include/sme/simulator.hpp": "",
    "lib/include/sme/sme.hpp": "#include <sme/simulator.hpp>\n#include <sme/network.hpp>\n",
    "sim/engine/layout.hpp": "",
    "sim/trace/vcd.hpp": "",
    "sim/cli/options.hpp": "",
    "sim/cli/reports/page.hpp": '#include "cli/options.hpp"\n',
}


def findings(path: str, text: str):
    """What the check says about a tree in which one file has this text; the empty text when fine."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (TREE | {path: text}).items():
            file = Path(folder) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
        run = subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True)
        assert (run.returncode != 0) == bool(run.stderr), run
        return run.stderr


class Layering(unittest.TestCase):
    def accepts(self, path, text):
        self.assertEqual(findings(path, text), "")

    def refuses(self, path, text, message):
        self.assertEqual(findings(path, text), f"{path}:1: {message}\n")

    def test_what_the_table_draws_is_accepted_directly_and_through_others(self):
        self.accepts("sim/engine/layout.hpp", '#include "runtime/observer.hpp"\n'
                     '#include "base/text.hpp"\n#include <sme/network.hpp>\n#include <vector>\n')

    def test_a_line_the_table_does_not_draw_is_refused(self):
        self.refuses("sim/engine/layout.hpp", '#include "trace/vcd.hpp"\n',
                     "'sim/engine' may not use 'sim/trace' ('trace/vcd.hpp')")
        self.refuses("sim/engine/layout.hpp", '#include "expr/program/program.hpp"\n',
                     "'sim/engine' may not use 'lib/expr/program' ('expr/program/program.hpp')")
        self.refuses("lib/base/text.hpp", '#include "bits/integer.hpp"\n',
                     "'lib/base' may not use 'lib/bits' ('bits/integer.hpp')")

    def test_a_path_through_the_parent_folder_does_not_help(self):
        self.refuses("sim/engine/layout.hpp", '#  include "../trace/vcd.hpp"\n',
                     "'sim/engine' may not use 'sim/trace' ('../trace/vcd.hpp')")

    def test_the_validator_shares_nothing_with_the_engine(self):
        self.refuses("validator/judge.cpp", "#include <sme/simulator.hpp>\n",
                     "'validator' may not use 'sim/session/run' ('sme/simulator.hpp')")

    def test_a_public_header_belongs_to_the_part_that_implements_it(self):
        self.refuses("lib/yaml/load/loader.cpp", '#include "sme/simulator.hpp"\n',
                     "'lib/yaml/load' may not use 'sim/session/run' ('sme/simulator.hpp')")

    def test_nothing_uses_the_command_or_the_header_for_users(self):
        self.refuses("sim/trace/vcd.cpp", '#include "cli/options.hpp"\n',
                     "'sim/trace' may not use 'free' ('cli/options.hpp')")
        self.refuses("sim/trace/vcd.cpp", "#include <sme/sme.hpp>\n",
                     "'sim/trace' may not use 'public' ('sme/sme.hpp')")
        self.accepts("models/ring/ring.cpp", "#include <sme/sme.hpp>\n")

    def test_tests_may_use_anything(self):
        self.accepts("lib/base/test/text.cpp", '#include "engine/layout.hpp"\n')

    def test_a_public_header_includes_public_and_standard_headers_only(self):
        header = "lib/include/sme/network.hpp"
        self.accepts(header, "#include <vector>\n")
        self.refuses(header, '#include "runtime/observer.hpp"\n',
                     "a public header includes 'runtime/observer.hpp', which is not public")
        self.refuses(header, "#include <fmt/core.h>\n", "a public header includes 'fmt/core.h', "
                     "which is not of the standard library")

    def test_libyaml_stays_behind_its_part(self):
        self.accepts("lib/yaml/read/tree.cpp", "#include <yaml.h>\n")
        self.refuses("sim/cli/main.cpp", "#include <yaml.h>\n",
                     "'yaml.h' is for lib/yaml/read only")

    def test_a_folder_that_is_no_part_and_a_name_that_is_no_file_are_refused(self):
        self.refuses("lib/misc/text.hpp", "", "this folder is not in the table of parts")
        self.refuses("lib/bits/integer.hpp", '#include "bits/wide.hpp"\n',
                     "'bits/wide.hpp' names no file of ours")

    def test_folders_do_not_use_each_other_in_a_circle(self):
        self.refuses("sim/cli/options.hpp", '#include "cli/reports/page.hpp"\n',
                     "folders use each other in a circle: sim/cli, sim/cli/reports, sim/cli")
        self.accepts("sim/cli/reports/test/page.cpp", '#include "cli/commands/run.hpp"\n')


unittest.main()
