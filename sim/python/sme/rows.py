# SPDX-License-Identifier: Apache-2.0
"""What a run has recorded."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]


class Rows(dict[str, "numpy.ndarray[Any, Any]"]):
    """Arrays by the names of signals; row k of each is what cycle `first` + k read.

    A notebook shows the first rows as a table, if it has pandas.
    """

    def __init__(self, arrays: Mapping[str, numpy.ndarray[Any, Any]], first: int) -> None:
        super().__init__(arrays)
        self.first = first

    def frame(self) -> pandas.DataFrame:
        """Returns a DataFrame of pandas with a row for each cycle.

        Its columns are scalars: a family or an array has one for each element, "lane[2]", "grid[0, 1]",
        and a struct one for each field, "sample.value".
        """
        import pandas

        columns: dict[str, numpy.ndarray[Any, Any]] = {}
        for name, array in self.items():
            columns.update(_columns(name, array))
        count = len(next(iter(self.values()), ()))
        index = pandas.RangeIndex(self.first, self.first + count, name="cycle")
        return pandas.DataFrame(columns, index=index)

    def _repr_html_(self) -> str | None:
        try:
            return str(self.frame()._repr_html_())
        except ImportError:
            return None


def _columns(name: str, array: numpy.ndarray[Any, Any]) -> Iterator[tuple[str, numpy.ndarray[Any, Any]]]:
    if array.ndim > 1:
        shape = array.shape[1:]
        flat = array.reshape(len(array), math.prod(shape))
        for k in range(flat.shape[1]):
            place = ", ".join(str(each) for each in numpy.unravel_index(k, shape))
            yield from _columns(f"{name}[{place}]", flat[:, k])
    elif array.dtype.names:
        for field in array.dtype.names:
            yield from _columns(f"{name}.{field}", array[field])
    else:
        yield name, array
