# SPDX-License-Identifier: Apache-2.0
"""A result of a paper beside ours, and what the parts of this folder share."""

import math
import re
from dataclasses import dataclass, field
from pathlib import Path

from support import build, measure

MEASURED = "measured"       # on this machine
MODELLED = "modelled"       # by a clocked network, such as models/cmmp with the costs of the report's tables
FITTED = "fitted"           # modelled, with costs or inputs chosen to match some of the paper's figures
KINDS = [MEASURED, MODELLED, FITTED]
NEWER = "The measurement is newer than these results."
NEAR = 0.1                  # relative difference that counts as the same


@dataclass
class Claim:
    """One result of a paper. `ours` is empty where it could not be measured."""

    section: str
    what: str
    theirs: str
    ours: str
    verdict: str
    how: str
    why: str

    def row(self) -> list:
        columns = [self.ours if self.how == kind else "" for kind in KINDS]
        return [f"{self.section}: {self.what}", self.theirs, *columns,
                self.verdict if self.ours else "not measured", self.why]


HEADER = ["section: result", "theirs", *KINDS, "verdict", "why"]


@dataclass
class Part:
    """What a paper's module gives: claims, pages of tables, rows for the CSV file."""

    title: str
    claims: list = field(default_factory=list)
    pages: list = field(default_factory=list)
    rows: list = field(default_factory=list)
    failed: bool = False

    def keep(self, question: str, samples: dict) -> None:
        """Puts measurements into the CSV file."""
        for name, sample in samples.items():
            note = (sample.note.splitlines() or [""])[0]
            self.rows.append([question, name, *sample.columns(".6g"), note])
            self.failed |= sample.failed


@dataclass
class Setup:
    """What the modules are given."""

    folder: Path       # of the build
    results: Path      # where plots are written
    repetitions: int
    quick: bool        # small inputs
    known: dict = field(default_factory=dict)    # rows of the CSV file: then nothing is measured

    def model(self, name: str) -> Path:
        """The program of a model, such as `cmmp/harpy`."""
        return self.folder / "models" / name / Path(name).name

    def peer(self, question: str, name: str) -> Path:
        return self.folder / f"bench/{question}/bench_{question}_{name}"

    def samples(self, part: Part, question: str, measures: dict, repetitions: int = 0) -> dict:
        """Measures in turns, or takes the known rows, and puts them into the CSV file."""
        if self.known:
            rows = {name: self.known[question, str(name)] for name in measures if (question, str(name)) in self.known}
            part.rows += [list(row.values()) for row in rows.values()]
            return {name: samples_of(rows[name]) if name in rows else measure.Samples() for name in measures}
        found = measure.interleaved(measures, repetitions or self.repetitions)
        part.keep(question, found)
        return found

    def figures(self, part: Part, question: str, computed: dict) -> dict:
        """The same for numbers that do not depend on this machine, so that one run is enough; None if not known."""
        found = self.samples(part, question, computed, 1)
        for sample in found.values():
            if sample.note:
                raise measure.Failed(sample.note)
        return {name: sample.median if sample.values else None for name, sample in found.items()}

    def targets(self, *names: str) -> None:
        if not self.known:
            build.targets(self.folder, *names)


def samples_of(row: dict) -> measure.Samples:
    """Values with the median, the least and the greatest of a row of the CSV file."""
    if row["repetitions"] == "0":
        return measure.Samples([], row["note"], row["median"] == "failed")
    return measure.Samples([float(row[key]) for key in ("min", "median", "max")])


def number(pattern: str, text: str) -> float:
    """The first group of a pattern in what a program printed."""
    found = re.search(pattern, text)
    if not found:
        raise measure.Failed(f"the program does not print '{pattern}'")
    return float(found[1])


def seconds(*command, limit_s: float = 300) -> float:
    """Of a program that prints how many seconds its work took."""
    return number(r"(\d+\.\d+) s\b", measure.run(list(command), limit_s=limit_s).out)


class Agreeing:
    """Programs that compute the same print the same, apart from the seconds that they took."""

    def __init__(self) -> None:
        self.said = ""

    def seconds(self, *command, limit_s: float = 300) -> float:
        """As `seconds`. Raises Failed when this program prints something else than the one before."""
        out = measure.run(list(command), limit_s=limit_s).out
        said = re.sub(r"\d+\.\d+ s\b", "", out).strip(" ,:\n")
        if self.said not in ("", said):
            raise measure.Failed(f"it prints '{said}', others '{self.said}'")
        self.said = said
        return number(r"(\d+\.\d+) s\b", out)


def times(value) -> str:
    """A ratio as text; nothing where it was not measured."""
    return "" if value is None else f"{value:.2f}x"


def judged(how: str, low, high, values: list, good: str = "more") -> str:
    """The one rule for all verdicts, by the worst of our values. `good`: whether "more" or "less" is the better speed
    or size; empty if neither is."""
    if not values or low is None:
        return "-"
    off = [value / high - 1 if value > high else value / low - 1 if value < low else 0.0 for value in values]
    if how == MEASURED and good:
        worst = min(off) if good == "more" else -max(off)
        return "same" if abs(worst) <= NEAR else "better" if worst > 0 else "worse"
    worst = max(off, key=abs)
    if abs(worst) > NEAR:
        return f"{'differs' if how == MEASURED else 'misses'} by {100 * worst:+.0f} %"
    return "same" if how == MEASURED else f"within {math.ceil(100 * abs(worst))} %"


UNITS = {  # how a value is shown
    "x": lambda value: f"{value:.2f}x",
    "%": lambda value: f"{100 * value:.0f} %",
    " ms": lambda value: f"{value:.1f} ms",
    "change": lambda value: f"{100 * (value - 1):+.0f} %",
}


def shown(values: list, unit: str) -> str:
    """The only value, or the least and the greatest; empty without any."""
    return " to ".join(dict.fromkeys(UNITS[unit](value) for value in (min(values), max(values)))) if values else ""


def claim(section: str, what: str, low, high, values: list, why: str, how: str = MEASURED, unit: str = "x",
          good: str = "more", theirs: str = "") -> Claim:
    """A paper's figure or range beside our values. `low` is None where the paper has no figure that can be compared."""
    return Claim(section, what, theirs or " to ".join(dict.fromkeys(f"{each:g}{unit}" for each in (low, high))),
                 shown(values, unit), judged(how, low, high, values, good), how, why)


def left_out(section: str, what: str, theirs: str, why: str) -> Claim:
    """A result of a paper that we do not have."""
    return Claim(section, what, theirs, "", "", MEASURED, why)


def gain(slow: measure.Samples, fast: measure.Samples) -> list:
    """How many times faster `fast` is, at least and at most; empty when one was not measured."""
    if not slow.values or not fast.values:
        return []
    return [min(slow.values) / max(fast.values), max(slow.values) / min(fast.values)]


def percent(ratio) -> str:
    """A ratio as a share, such as 52 %."""
    return "not measured" if ratio is None else UNITS["%"](ratio)


def present(*values) -> list:
    """Without what was not measured."""
    return [value for value in values if value is not None]


def points(samples: dict) -> list:
    """For a plot: (x, median, least, greatest) of samples by x."""
    return [(x, sample.median, min(sample.values), max(sample.values))
            for x, sample in samples.items() if sample.values]
