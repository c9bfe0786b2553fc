# SPDX-License-Identifier: Apache-2.0
"""The exceptions that end a run."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from sme._sme import Check


@dataclasses.dataclass(frozen=True)
class Finding:
    """Something that went wrong in a run."""

    code: str  # as `sme explain` takes it: 'index-out-of-range'
    message: str
    place: str  # file:line:column


class Fault(RuntimeError):
    """Processes broke rules in a cycle, and the run has ended.

    cycle: in which; findings: what each of them did, in the order of the file.
    """

    def __init__(self, text: str, cycle: int, findings: Iterable[tuple[str, str, str]]) -> None:
        super().__init__(text)
        self.cycle = cycle
        self.findings = [Finding(*each) for each in findings]


class CheckFailed(AssertionError):
    """Checks of the network or expected outputs failed, and the run has ended.

    cycle: in which; checks: the `Check`s that failed.
    """

    def __init__(self, text: str, cycle: int, checks: Sequence[Check]) -> None:
        super().__init__(text)
        self.cycle = cycle
        self.checks = checks
