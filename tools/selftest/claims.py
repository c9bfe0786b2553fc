# SPDX-License-Identifier: Apache-2.0
"""The check of claims notices figures that the results do not have, and figures without a source."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from support import report  # noqa: E402

TOOL = Path(__file__).resolve().parent.parent / "claims"
CLAIMS = """
class Claim:
    document, sentence = "README.md", "the ring takes {:.1f} ns a node"
    def text(self):
        return self.sentence.format(2.04)
CLAIMS = [Claim()]
SETTINGS = {"README.md": ["waits for 50 µs"]}
"""
GOOD = "# Ours\n\nOn one thread the ring\ntakes 2.0 ns a node. Then it takes a rest and waits for 50 µs.\n"
COMMIT = "# a processor; commit 0123abcd\nnodes,ns\n"


def page(csv: str, figure: str = "2.04") -> str:
    """A page of results as the script of its folder writes it beside this CSV file."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(report, "WRITTEN", [Path(folder) / "ring.csv"]):
        (Path(folder) / "ring.csv").write_text(csv)
        report.write_readme(Path(folder), "Ring", f"{figure} ns", [], where=csv.splitlines()[0][2:])
        return (Path(folder) / "README.md").read_text()


def check(text: str, *options: str, csv: str = COMMIT, results: str = ""):
    """The exit code, what is said, and the README afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {"README.md": text, "bench/claims.py": CLAIMS, "bench/ring/results/ring.csv": csv,
                              "bench/ring/results/README.md": results or page(csv)}.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        run = subprocess.run([sys.executable, TOOL, *options, folder], capture_output=True, text=True)
        return run.returncode, run.stderr, (Path(folder) / "README.md").read_text()


class Claims(unittest.TestCase):
    def refuses(self, text, message, **more):
        code, said, _ = check(text, **more)
        self.assertEqual(code, 1)
        self.assertIn(message, said)

    def test_figures_of_the_results_are_right(self):
        self.assertEqual(check(GOOD), (0, "", GOOD))

    def test_another_figure_is_refused_and_mended(self):
        wrong = GOOD.replace("2.0", "1.9")
        self.refuses(wrong, "README.md: the results say 'the ring takes 2.0 ns a node'; run tools/claims --fix")
        self.assertEqual(check(wrong, "--fix"), (0, "", GOOD.replace("\ntakes", " takes")))
        self.refuses("# Ours\n", "is there 0 times")

    def test_a_figure_without_a_source_is_refused(self):
        for claim in ("We are 3 times faster.", "It takes 1.5 to 2 ms.", "It is built in\n12 s.", "It costs 4 % of the speed.",
                      "It takes a thirtieth of the space or less.", "That is twice as fast.", "- a start: 40 MB of memory",
                      "It is five milliseconds faster.", "It shrank by a factor of three.", "Icarus needs thrice the time.",
                      "It beats Icarus 12x.", "It is ten times slower.", "It starts in half a second.", "It is fivefold.",
                      "| peer | |\n|---|---|\n| SystemC | 8.6 times slower |",
                      "| peer | ns a node |\n|---|---:|\n| SystemC | 17.7 |"):
            self.refuses(f"{GOOD}\n{claim}\n", "has no source")

    def test_what_is_no_measurement_may_stand(self):
        for text in ("It takes two values. A clock of 10 ns has an edge.", "`takes 3 s`", "```\ntakes 3 s\n```",
                     "**Wanted**: 5 times faster\n- start: under 2 s", "It draws it anew five times a second and is fast."):
            self.assertEqual(check(f"{GOOD}\n{text}\n")[:2], (0, ""), text)

    def test_results_name_their_commit(self):
        self.refuses(GOOD, "bench/ring/results/ring.csv:1: names no commit", csv="# a processor\nnodes,ns\n")

    def test_a_page_of_results_is_that_of_its_csv_file(self):
        for other in (page(COMMIT).replace("2.04", "1.04"), page(COMMIT + "10,3\n"), "# Ring\n"):
            self.refuses(GOOD, "bench/ring/results/README.md:1: was not written together with its CSV", results=other)

    def test_results_of_an_earlier_version_say_so(self):
        with tempfile.TemporaryDirectory() as folder:
            def tool(*options: str) -> str:
                run = subprocess.run([sys.executable, TOOL, *options, folder], capture_output=True, text=True)
                return run.stderr

            def git(*words: str) -> str:
                return subprocess.run(["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", *words],
                                      capture_output=True, text=True, check=True).stdout.strip()

            def commit(name: str, text: str) -> str:
                (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / name).write_text(text)
                git("add", ".")
                git("commit", "-m", name)
                return git("rev-parse", "--short=8", "HEAD")

            git("init", "-b", "main")
            commit("bench/claims.py", CLAIMS)
            commit("README.md", GOOD)
            csv = COMMIT.replace("0123abcd", commit("bench/ring/run", "measures"))
            commit("bench/ring/results/ring.csv", csv)
            commit("bench/ring/results/README.md", page(csv))
            self.assertEqual(tool(), "")
            commit("bench/ring/README.md", "what it measures")
            self.assertEqual(tool(), "")
            commit("bench/ring/run", "measures otherwise")
            self.assertEqual(tool().count("ring has changed since commit"), 2)
            self.assertEqual(tool("--fix") + tool(), "")
            commit("bench/ring/results/ring.csv", COMMIT)
            commit("bench/ring/results/README.md", page(COMMIT))
            self.assertIn("commit 0123abcd is no ancestor of this version", tool())


unittest.main()
