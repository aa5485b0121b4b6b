# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clocks, validations and sweeps of scenarios over the executors of rank: in pieces whose rows, joined, are those of the one run."""

from __future__ import annotations

import csv
import os
import re

from .. import _library, _options
from .._code import Code
from ..errors import PTXError
from . import finish
from .ranking import Rows
from .running import How, go, place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import TypeAlias

    from ..progress import Asked
    from .executors import Given

    #: A file alone, or in a pair with options of its own.
    Input: TypeAlias = "str | os.PathLike[str] | Code"
    Piece: TypeAlias = "Input | tuple[Input, Mapping[str, object]]"

#: The most points of a scenario's sweep.
MOST_POINTS = 100_000


def clocks(
    files: Iterable[Piece],
    *,
    executor: Given = None,
    chunk: int | None = None,
    window: int | None = None,
    out: str | os.PathLike[str] | None = None,
    messages: str | os.PathLike[str] | None = None,
    resume: bool = True,
    remakes: int = 1,
    progress: Asked = False,
    **options: object,
) -> Rows:
    """`ptx-predict clocks FILE… --format=csv` over any executor: time, power and energy of each kernel at each pair of clocks.

    Each file is a piece, alone or in a pair with options of its own; an option must fit every file. The other arguments are those of `rank`.
    """
    how = How(executor, chunk, window, messages, resume, remakes, progress)
    return _run("clocks", options, _each(files), 0, how, out)


def validate(
    datasets: Iterable[Piece],
    *,
    executor: Given = None,
    chunk: int | None = None,
    window: int | None = None,
    out: str | os.PathLike[str] | None = None,
    messages: str | os.PathLike[str] | None = None,
    resume: bool = True,
    remakes: int = 1,
    progress: Asked = False,
    **options: object,
) -> Rows:
    """`ptx-predict validate DATASET… --format=csv` over any executor: every measurement beside what each model predicts.

    Each dataset is a piece, as its rows share baselines. ValueError for `refit`, which fits to all datasets together. The other arguments are
    those of `rank`.
    """
    if options.get("refit") not in (None, "none"):
        raise ValueError("refit= fits to all datasets together, so it has no pieces: ptx_predict.run('validate', …) does it in one process")
    how = How(executor, chunk, window, messages, resume, remakes, progress)
    return _run("validate", options, _each(datasets), 0, how, out)


def scenario(
    file: Input,
    *,
    executor: Given = None,
    chunk: int | None = None,
    window: int | None = None,
    out: str | os.PathLike[str] | None = None,
    messages: str | os.PathLike[str] | None = None,
    resume: bool = True,
    remakes: int = 1,
    progress: Asked = False,
    **options: object,
) -> Rows:
    """`ptx-predict scenario FILE --sweep=… --format=csv` over any executor: a row for each point of the sweep.

    A chunk is neighbouring points. ValueError without a sweep, and for `points` and `best`. The other arguments are those of `rank`.
    """
    for name in ("points", "best"):
        if options.get(name) is not None:
            raise ValueError(f"'{name}' is no option here: all points are asked for, and .out has them")
    path = file if isinstance(file, Code) else os.fsdecode(file)
    total = _count_points(path, options)
    how = How(executor, chunk, window, messages, resume, remakes, progress)
    return _run("scenario", options, ((path, {"points": number}) for number in range(total)), total, how, out)


def _each(files: Iterable[Piece]) -> Iterator[tuple[str | Code, Mapping[str, object]]]:
    if isinstance(files, (str, os.PathLike, Code)):
        files = [files]
    for file in files:
        path, own = file if isinstance(file, tuple) else (file, {})
        yield (path if isinstance(path, Code) else os.fsdecode(path)), own


def _count_points(file: str | Code, options: Mapping[str, object]) -> int:
    """The number of points of a sweep, which the command says if it is asked for one that is not there."""
    spelled, named = _options.spell({**options, "points": f"{MOST_POINTS - 1}:{MOST_POINTS - 1}", "j": 1})
    outcome = _library.run("scenario", [("format", "csv"), *spelled], [file], named)
    for message in outcome.messages:
        there = re.search(r"there are points 0 to (\d+)", message.text)
        if there:
            return int(there[1]) + 1
    if outcome.code == 0:
        return MOST_POINTS
    errors = [message for message in outcome.messages if message.severity == "error"]
    if errors and errors[0].path:
        raise PTXError(errors)
    raise ValueError(errors[0].text if errors else "the scenario cannot be read")


def _run(
    what: str, options: Mapping[str, object], pieces: Iterable[object], total: int, how: How, out: str | os.PathLike[str] | None
) -> Rows:
    found = place(Rows, out)
    path = found.out
    journal = go(what, options, pieces, total, how, found)
    header = next(csv.reader([journal.state.header]), [])
    types: dict[str, type] = {}
    if finish.form_of(path) != ".csv":
        types = finish.infer(header, finish.read(journal.part))
    finish.write(path, header, finish.read(journal.part), types)
    journal.remove()
    return found
