# SPDX-License-Identifier: Apache-2.0
"""The exceptions that end a run."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

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

    def __reduce__(self) -> tuple[Any, ...]:
        findings = [dataclasses.astuple(each) for each in self.findings]
        return type(self), (str(self), self.cycle, findings), self.__dict__


class CheckFailed(AssertionError):
    """Checks of the network or expected outputs failed, and the run has ended.

    cycle: in which; checks: the `Check`s that failed.
    """

    def __init__(self, text: str, cycle: int, checks: Sequence[Check]) -> None:
        super().__init__(text)
        self.cycle = cycle
        self.checks = checks

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.cycle, self.checks), self.__dict__
