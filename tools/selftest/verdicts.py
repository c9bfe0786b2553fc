# SPDX-License-Identifier: Apache-2.0
"""The verdicts of bench/papers: by kind of figure, by the worst end of a range, in both directions."""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path[:0] = [str(BENCH / "papers"), str(BENCH)]
from claims import FITTED, HEADER, MEASURED, MODELLED, Part, Setup, claim, gain, judged, left_out, samples_of  # noqa: E402
from support import measure  # noqa: E402


class Verdicts(unittest.TestCase):
    def test_a_measured_speed_is_judged_by_its_worst_end(self):
        self.assertEqual(judged(MEASURED, 2, 4, [1.9, 4.3]), "same")
        self.assertEqual(judged(MEASURED, 2, 4, [4.5, 9]), "better")
        self.assertEqual(judged(MEASURED, 2, 4, [1.7, 9]), "worse")
        self.assertEqual(judged(MEASURED, 2, 4, [1, 5], good="less"), "worse")
        self.assertEqual(judged(MEASURED, 2, 4, [1, 1.5], good="less"), "better")

    def test_what_is_neither_better_nor_worse_differs(self):
        self.assertEqual(judged(MEASURED, 0.5, 0.5, [0.12], good=""), "differs by -76 %")
        self.assertEqual(judged(MEASURED, 0.5, 0.5, [0.53], good=""), "same")

    def test_a_model_is_never_better(self):
        for how in (MODELLED, FITTED):
            self.assertEqual(judged(how, 27.5, 27.5, [48.2]), "misses by +75 %")
            self.assertEqual(judged(how, 2, 2, [0.2]), "misses by -90 %")
            self.assertEqual(judged(how, 18, 18, [17.5]), "within 3 %")
            self.assertEqual(judged(how, 1, 2, [1.9, 3]), "misses by +50 %")

    def test_without_a_figure_there_is_no_verdict(self):
        self.assertEqual(judged(MEASURED, None, None, [1]), "-")

    def test_each_kind_has_a_column(self):
        for how in (MEASURED, MODELLED, FITTED):
            row = claim("1", "a", 2, 4, [3, 3.5], "why", how).row()
            self.assertEqual(row[HEADER.index(how)], "3.00x to 3.50x")
            self.assertEqual([row[HEADER.index(other)] for other in (MEASURED, MODELLED, FITTED) if other != how], ["", ""])
        self.assertEqual(left_out("1", "a", "2x", "why").row()[-2], "not measured")
        self.assertEqual(claim("1", "a", 2, 4, [], "why").row()[-2], "not measured")

    def test_a_gain_has_the_spread_of_its_repetitions(self):
        self.assertEqual(gain(measure.Samples([6.0, 8.0]), measure.Samples([2.0, 4.0])), [1.5, 4.0])
        self.assertEqual(gain(measure.Samples([]), measure.Samples([2.0])), [])

    def test_known_figures_are_taken_and_written_again(self):
        row = dict(zip(("question", "peer", "median", "min", "max", "repetitions", "note"),
                       ("ring", "ours", "3", "2", "5", "4", "")))
        self.assertEqual(samples_of(row).columns("g")[:3], ["3", "2", "5"])
        part, measured = Part("a paper"), []
        setup = Setup(Path("."), Path("."), 2, False, {("ring", "ours"): row})
        found = setup.samples(part, "ring", {"ours": lambda: measured.append(1), "other": lambda: measured.append(1)})
        self.assertEqual((found["ours"].median, found["other"].values, measured), (3, [], []))
        self.assertEqual(part.rows, [["ring", "ours", "3", "2", "5", "4", ""]])


unittest.main()
