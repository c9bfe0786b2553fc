# SPDX-License-Identifier: Apache-2.0
"""A result of a paper beside ours, and what the parts of this folder share."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from support import measure

HERE = "measured"           # on this machine
CMMP = "modelled"           # by models/cmmp, with the costs of the report's tables
FITTED = "fitted"           # modelled, with costs or inputs chosen to match some of the paper's figures
CLOCK = "modelled"          # by a clocked network: one processor for each process
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
        what = f"{self.section}: {self.what}"
        if not self.ours:
            return [what, self.theirs, "-", "not measured", self.how, self.why]
        return [what, self.theirs, self.ours, self.verdict, self.how, self.why]


HEADER = ["section: result", "theirs", "ours", "verdict", "how", "why"]


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

    def model(self, name: str) -> Path:
        """The program of a model, such as `cmmp/harpy`."""
        return self.folder / "models" / name / Path(name).name

    def peer(self, question: str, name: str) -> Path:
        return self.folder / f"bench/{question}/bench_{question}_{name}"

    def interleaved(self, measures: dict) -> dict:
        return measure.interleaved(measures, self.repetitions)


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


def compared(low: float, high: float, value, more_is_better: bool = True) -> str:
    """The one rule for all verdicts: whether a figure lies in a paper's range (a tenth around it too), or on
    which side. A result without a figure ("falls") is a range of a ratio ("less than 1")."""
    if value is None:
        return ""
    if low * (1 - NEAR) <= value <= high * (1 + NEAR):
        return "same"
    return "better" if (value > high) == more_is_better else "different"


def percent(ratio) -> str:
    """A ratio as a share, such as 52 %."""
    return "not measured" if ratio is None else f"{100 * ratio:.0f} %"


def change(ratio) -> str:
    """A ratio as a change, such as -10 %."""
    return f"{100 * (ratio - 1):+.0f} %"


def claim_of_ratio(section: str, what: str, low: float, high: float, value, why: str, how: str = HERE) -> Claim:
    """A claim about a ratio for which more is better."""
    theirs = f"{low:g}x" if low == high else f"{low:g} to {high:g}x"
    return Claim(section, what, theirs, times(value), compared(low, high, value), how, why)


def points(samples: dict) -> list:
    """For a plot: (x, median, least, greatest) of samples by x."""
    return [(x, sample.median, min(sample.values), max(sample.values))
            for x, sample in samples.items() if sample.values]
