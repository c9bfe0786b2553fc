# SPDX-License-Identifier: Apache-2.0
"""The check of documented examples notices output, exit codes and commands that are not as shown."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parent.parent / "examples"


def check(block: str, document: str = "README.md"):
    """The exit code and all output of the check on a document with one shell block."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / document
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block)
        run = subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


def shell(*lines: str, mark: str = ""):
    return "\n".join([f"```sh{mark}", *lines, "```", ""])


class Examples(unittest.TestCase):
    def accepts(self, *lines):
        code, output = check(shell(*lines))
        self.assertEqual((code, "1 run in 1 documents, 0 failed" in output), (0, True), output)

    def refuses(self, *lines, message):
        code, output = check(shell(*lines))
        self.assertEqual((code, message in output), (1, True), output)

    def test_output_as_shown_is_accepted(self):
        self.accepts("$ echo one; echo two >&2", "one", "two", "$ echo three", "three")

    def test_other_output_is_refused_with_its_line(self):
        self.refuses("$ echo one", "one", "$ echo two", "three",
                     message="README.md:4: 'echo two' printed something else:\n    two\n")

    def test_missing_and_additional_lines_are_refused(self):
        self.refuses("$ echo one", "one", "two", message="printed something else")
        self.refuses("$ seq 3", "1", "2", message="printed something else")

    def test_dots_stand_for_lines_and_for_parts_of_a_line(self):
        self.accepts("$ seq 5", "1", "...", "5")
        self.accepts("$ echo took 17 ms", "took ... ms")
        self.refuses("$ seq 5", "1", "...", "4", message="printed something else")

    def test_a_command_without_output_shown_must_succeed(self):
        self.accepts("$ true")
        self.refuses("$ false", message="'false' ended with 1")

    def test_an_error_may_be_shown_but_not_a_crash(self):
        self.accepts("$ echo bad; (exit 2)", "bad", "$ echo $?", "2")
        self.refuses("$ echo bad; (exit 139)", "bad", message="ended with 139")

    def test_the_tree_cannot_be_changed_by_an_example(self):
        self.accepts("$ rm README.md", "$ ls", "tools")

    def test_a_marked_block_is_reported_as_skipped(self):
        code, output = check(shell("$ false", mark=" no-run"))
        self.assertEqual((code, "0 run in 1 documents, 0 failed, 1 skipped" in output), (0, True))

    def test_every_document_is_checked_but_not_the_catalogue(self):
        wrong = shell("$ echo one", "two")
        self.assertEqual(check(wrong, "GUIDE.md")[0], 1)
        self.assertEqual(check(wrong, "lib/base/catalogue/unused.md")[0], 0)


unittest.main()
