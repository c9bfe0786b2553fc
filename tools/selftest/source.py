# SPDX-License-Identifier: Apache-2.0
"""The check of sources notices files, folders and links that are not as they should be."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parent.parent / "source"
SPDX = "# SPDX-License" + "-Identifier: Apache-2.0\n"


def check(files: dict):
    """The exit code and all output of the check on a tree of one good script and these files."""
    with tempfile.TemporaryDirectory() as folder:
        good = {"tools/README.md": "# tools\n", "tools/good.py": SPDX}
        for name, text in (good | files).items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        run = subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


class Source(unittest.TestCase):
    def accepts(self, files):
        self.assertEqual(check(files), (0, ""))

    def refuses(self, files, message):
        self.assertEqual(check(files), (1, message + "\n"))

    def test_a_long_file_is_noted(self):
        self.accepts({"tools/a.py": SPDX + "\n" * 399})
        self.assertEqual(check({"tools/a.py": SPDX + "\n" * 400}),
                         (0, "note: tools/a.py has 401 lines; is it more than one idea?\n"))

    def test_a_file_without_its_licence_is_refused(self):
        self.refuses({"tools/a.py": "pass\n"},
                     f"tools/a.py:1: needs one line '{SPDX[2:-1]}' at its top")

    def test_a_folder_of_code_without_a_readme_is_refused(self):
        self.accepts({"tools/test/a.py": SPDX})
        self.refuses({"tools/more/a.py": SPDX}, "tools/more: holds code, but no README.md")

    def test_a_file_that_does_not_belong_to_the_top_level_is_refused(self):
        self.accepts({"GUIDE.md": "", "CMakePresets.json": "{}", ".editorconfig": ""})
        self.refuses({"json": "{}"},
                     "json: is not a file of the top level; remove it or move it into a folder")

    def test_a_link_leads_to_a_file_and_a_heading(self):
        guide = "# Guide\n\n## The `sme` [command](tools/README.md)\n"
        self.accepts({"GUIDE.md": guide,
                      "A.md": "[a](GUIDE.md#the-sme-command) [b](tools) [c](https://x.org/y)\n"})
        self.refuses({"A.md": "one\n\n[a](GUIDE.md)\n"},
                     "A.md:3: the link 'GUIDE.md' leads to no file")
        self.refuses({"GUIDE.md": guide, "A.md": "[a](GUIDE.md#sme)\n"},
                     "A.md:1: the link 'GUIDE.md#sme' leads to no heading")
        self.refuses({"A.md": "## One\n\n[a](#two)\n"},
                     "A.md:3: the link '#two' leads to no heading")

    def test_a_document_names_files_that_exist(self):
        self.accepts({"tools/a.cpp": f"// {SPDX[2:]}", "A.md": "`tools/a.cpp`, `NAME_a.cpp`\n```sh\n`b.cpp`\n```\n"})
        self.refuses({"A.md": "one\n`tools/b.hpp`\n"}, "A.md:2: no file is called 'b.hpp'")

    def test_code_holds_no_links_and_no_headings(self):
        self.accepts({"A.md": "```sh\n$ x[k](y)\n```\n`array[k](x)`\n"})
        self.refuses({"A.md": "```sh\n# one\n```\n[a](#one)\n"},
                     "A.md:4: the link '#one' leads to no heading")


unittest.main()
