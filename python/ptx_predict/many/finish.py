# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the rows of a run to `out`: what compares the places, and the form.

Reads the rows twice, once for the times alone, so that only a few numbers of each row are held.
"""

from __future__ import annotations

import csv
import io
import math
import os
from array import array

from .work import HIGH_ENERGY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

FORMS = (".csv", ".jsonl", ".parquet")
#: Columns of rank that are no texts.
TYPES = {
    **dict.fromkeys(("rank", "launch_line", "dynamic_shared_bytes", "blocks_per_sm", "warps_per_sm"), int),
    **dict.fromkeys(("time_us", "time_us_low", "time_us_high", "power_w", "energy_j", "registers", "slower"), float),
    "tie": bool,
}
#: Rows of Parquet that are written at once.
GROUP = 1 << 16


def form_of(out: str) -> str:
    """The form that the path's ending names. ValueError for another ending."""
    form = os.path.splitext(out)[1]
    if form not in FORMS:
        raise ValueError(f"out= ends in {', '.join(FORMS)}; not '{out}'")
    return form


def check_form(out: str) -> None:
    """ImportError if Parquet is asked for and pyarrow is not installed."""
    if form_of(out) == ".parquet":
        parquet()


def parquet() -> Any:
    """pyarrow.parquet."""
    import importlib

    try:
        return importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise ImportError("out= in Parquet needs pyarrow: pip install pyarrow; .csv and .jsonl need nothing") from error


def shortest_decimal(value: float) -> str:
    """The number as the command writes it in CSV: the fewest digits that are read as the same number."""
    if not math.isfinite(value):
        return ""
    if value == math.trunc(value) and abs(value) < 1e15 and not (value == 0 and math.copysign(1, value) < 0):
        return str(int(value))
    import decimal

    text = repr(value)
    exact = decimal.Decimal(text)
    if -5 <= exact.adjusted() <= 15:
        return format(exact, "f").removesuffix(".0")
    mantissa, _, exponent = f"{exact.normalize():e}".partition("e")
    return f"{mantissa}e{exponent[0]}{exponent[1:].zfill(2)}"


def read(path: str) -> Iterator[list[str]]:
    """The rows of a file of CSV without a header."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        yield from csv.reader(file)


class Ranks:
    """What compares each row with the others of its device and model."""

    __slots__ = ("_high", "_places", "_rank", "_slower", "_tie", "best")

    def __init__(self, path: str, header: Sequence[str], by: str, best: int) -> None:
        column = {name: number for number, name in enumerate(header)}
        value_at = column["energy_j" if by == "energy" else "time_us"]
        high_at = column[HIGH_ENERGY if by == "energy" else "time_us_high"]
        device, model = column["device"], column["model"]
        values, highs = array("d"), array("d")
        places: dict[tuple[str, str], array[int]] = {}
        for number, row in enumerate(read(path)):
            values.append(float(row[value_at]))
            highs.append(float(row[high_at]) if row[high_at] else math.inf)
            key = (row[device], row[model])
            if key not in places:
                places[key] = array("q")
            places[key].append(number)
        self._rank = array("q", bytes(8 * len(values)))
        self._slower = array("d", bytes(8 * len(values)))
        self._tie = bytearray(len(values))
        #: The first rows of each device and model: place in the file by rank.
        self.best: dict[tuple[str, str], list[int]] = {}
        for key, rows in places.items():
            order = sorted(rows, key=values.__getitem__)  # equal ones stay in the order of the candidates
            self.best[key] = order[:best]
            before = -1
            for rank, number in enumerate(order, 1):
                self._rank[number] = rank
                if before >= 0:
                    self._tie[number] = values[number] <= highs[before]
                    self._slower[number] = values[number] / values[before] - 1 if values[before] else math.nan
                before = number

    def __len__(self) -> int:
        return len(self._rank)

    def cells(self, row: int) -> tuple[str, str, str]:
        """Rank, tie and slower of a row, as the command writes them."""
        return str(self._rank[row]), "true" if self._tie[row] else "false", shortest_decimal(self._slower[row])


def ranked(path: str, header: Sequence[str], ranks: Ranks) -> Iterator[list[str]]:
    """The rows with their ranks, in the order of the candidates."""
    rank, tie, slower = (header.index(name) for name in ("rank", "tie", "slower"))
    end = len(header) - (header[-1] == HIGH_ENERGY)
    for number, row in enumerate(read(path)):
        row[rank], row[tie], row[slower] = ranks.cells(number)
        yield row[:end]


def typed(header: Sequence[str], rows: Iterable[Sequence[str]], types: dict[str, type]) -> Iterator[list[Any]]:
    """The rows with numbers and truth values in place of their texts; None where a field is empty that is no text."""

    def number(text: str) -> int | float | None:
        return (int(text) if text.isdigit() else float(text)) if text else None

    def truth(text: str) -> bool | None:
        return text == "true" if text else None

    makers = [truth if kind is bool else str if kind is str else number for kind in (types.get(name, str) for name in header)]
    for row in rows:
        yield [make(text) for make, text in zip(makers, row)]


def infer(header: Sequence[str], rows: Iterable[Sequence[str]]) -> dict[str, type]:
    """Float for columns whose fields are all numbers or empty, as the library tells them; str for others."""
    numbers = set(range(len(header)))
    for row in rows:
        for column in tuple(numbers):
            try:
                float(row[column] or "0")
            except ValueError:
                numbers.remove(column)
    return {name: float if number in numbers else str for number, name in enumerate(header)}


def write(out: str, header: Sequence[str], rows: Iterable[Sequence[str]], types: dict[str, type]) -> None:
    """Writes `out` in the form that its ending names, all of it or nothing."""
    unfinished = out + ".unfinished"
    form = form_of(out)
    try:
        if form == ".parquet":
            _write_parquet(unfinished, header, rows, types)
        else:
            with open(unfinished, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
                if form == ".csv":
                    writer = csv.writer(file, lineterminator="\n")
                    writer.writerow(header)
                    writer.writerows(rows)
                else:
                    _write_json_lines(file, header, rows, types)
        os.replace(unfinished, out)
    finally:
        if os.path.exists(unfinished):
            os.remove(unfinished)


def _write_json_lines(file: io.TextIOWrapper, header: Sequence[str], rows: Iterable[Sequence[str]], types: dict[str, type]) -> None:
    import json

    encode = json.JSONEncoder(ensure_ascii=False).encode
    for row in typed(header, rows, types):
        file.write(encode(dict(zip(header, row))) + "\n")


def _write_parquet(path: str, header: Sequence[str], rows: Iterable[Sequence[str]], types: dict[str, type]) -> None:
    import importlib

    arrow: Any = importlib.import_module("pyarrow")
    kinds = {int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_(), str: arrow.string()}
    schema = arrow.schema([(name, kinds[types.get(name, str)]) for name in header])
    with parquet().ParquetWriter(path, schema) as writer:
        group: list[list[Any]] = []
        for row in typed(header, rows, types):
            group.append(row)
            if len(group) == GROUP:
                _flush(arrow, writer, schema, group)
                group = []
        if group:
            _flush(arrow, writer, schema, group)


def _flush(arrow: Any, writer: Any, schema: Any, rows: list[list[Any]]) -> None:
    columns = [arrow.array(column, type=field.type) for column, field in zip(zip(*rows), schema)]
    writer.write_table(arrow.Table.from_arrays(columns, schema=schema))
