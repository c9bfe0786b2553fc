# SPDX-License-Identifier: Apache-2.0
"""The documentation site: links are directed, dead ones are found, Markdown of GitHub becomes MkDocs'."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "site"))
sys.dont_write_bytecode = True

import links
import pages
import slugs


class Site(unittest.TestCase):
    def test_dead_links_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder)
            (site / "a.html").write_text('<h1 id="x">\n<a href="b.html">\n<a href="a.html#x">\n'
                                         '<a href="c.html">\n<a href="b.html#y">\n<img src="p.png">')
            (site / "b.html").write_text('<a href="#top" id="z"><a href="https://example.org/none">')
            self.assertEqual(list(links.problems(site)),
                             ["a.html:4: the link 'c.html' leads to no file",
                              "a.html:5: the link 'b.html#y' leads to no heading",
                              "a.html:6: the link 'p.png' leads to no file",
                              "b.html:1: the link '#top' leads to no heading"])

    def test_the_language_is_parted_and_links_follow(self):
        with tempfile.TemporaryDirectory() as folder:
            root, out = Path(folder) / "root", Path(folder) / "out"
            (root / "lib").mkdir(parents=True)
            (root / "LANGUAGE.md").write_text("# L\n[b](#two-b)\n## One\n```\n## no\n```\n## Two\n### Two b\n")
            (root / "lib/README.md").write_text("[x](../LANGUAGE.md#two-b) [y](../LANGUAGE.md) [z](.)\n")
            made = pages.Pages(root, out, [Path("LANGUAGE.md"), Path("lib/README.md")])
            made.write_documents()
            self.assertEqual(made.write_language(),
                             [("One", "language/one.md"), ("Two", "language/two.md")])
            self.assertEqual((out / "lib/index.md").read_text(),
                             "[x](../language/two.md#two-b) [y](../language/index.md) [z](index.md)\n")
            self.assertIn("[b](two.md#two-b)", (out / "language/index.md").read_text())

    def test_markdown_becomes_that_of_mkdocs(self):
        self.assertEqual(pages.rendered("a:\n- b\n- c\n", str), "a:\n\n- b\n- c\n")
        self.assertEqual(pages.rendered("| `a \\| b` |\n", str), "| `a | b` |\n")
        self.assertEqual(pages.rendered("```sh no-run\n$ [a](b)\n```\n", len),
                         "```console\n$ [a](b)\n```\n")
        self.assertEqual(pages.rendered("```yaml a.yaml\n```\n", str),
                         '```yaml title="a.yaml"\n```\n')

    def test_headings_are_named_as_by_github(self):
        self.assertEqual(slugs.slug("sme run --untimed"), "sme-run---untimed")


if __name__ == "__main__":
    unittest.main()
