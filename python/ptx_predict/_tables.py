# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of a ranking or a sweep as columns."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from ._outcome import Columns
    from .errors import Message


#: Columns of texts, some of which look like numbers: the grid 4096 beside 64x64.
_TEXTS = frozenset("device model file path kernel demangled launch_file grid block cluster limiter limited_by tie reasons why".split())


def settled(columns: Columns, csv: bytes) -> Columns:
    """`columns` of the CSV; those that hold texts are texts, whatever stands in them."""
    wrong = [name for name, values in columns.items() if name in _TEXTS and values and isinstance(values[0], float)]
    if not wrong:
        return columns
    import csv as reader
    import io

    rows = list(reader.DictReader(io.StringIO(csv.decode(), newline="")))
    return {name: [row[name] for row in rows] if name in wrong else values for name, values in columns.items()}


def columns_of(csv: bytes) -> Columns:
    """The columns of CSV with a header: numbers, NaN for an empty field, if all fields are numbers or empty; else texts."""
    import csv as reader
    import io

    rows = list(reader.reader(io.StringIO(csv.decode(), newline="")))
    result: Columns = {}
    for index, name in enumerate(rows[0] if rows else ()):
        texts = [row[index] for row in rows[1:]]
        try:
            result[name] = [float(text) if text else float("nan") for text in texts]
        except ValueError:
            result[name] = texts
    return result


class Table:
    """Rows as columns: `table.columns["time_us"]` is a list; `table[0]` and iteration give rows as dicts; `len` counts rows."""

    __slots__ = ("columns", "csv", "messages")

    def __init__(self, columns: Mapping[str, list[float] | list[str]], csv: bytes = b"", messages: Sequence[Message] = ()) -> None:
        #: A list of numbers, NaN where a field is empty, or of texts, by the column's name.
        self.columns: Columns = dict(columns)
        #: Exactly what the command writes with --format=csv; empty if no single run of it made the rows.
        self.csv = csv
        #: Warnings and notes of the run.
        self.messages = list(messages)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()))) if self.columns else 0

    def __getitem__(self, row: int) -> dict[str, float | str]:
        return {name: values[row] for name, values in self.columns.items()}

    def __iter__(self) -> Iterator[dict[str, float | str]]:
        return (self[row] for row in range(len(self)))

    def to_pandas(self) -> Any:
        """A pandas.DataFrame. ImportError if pandas is not installed."""
        import importlib

        try:
            pandas: Any = importlib.import_module("pandas")
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: pip install pandas") from error
        return pandas.DataFrame(self.columns)

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        from .notebook import rows

        return rows(self)
