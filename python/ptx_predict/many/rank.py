# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ptx-predict rank` over many processes and machines."""

from __future__ import annotations

import csv
import os
from collections.abc import Sized

from . import candidates as kinds
from . import finish
from .ranking import BEST, Ranking
from .running import How, go, place
from .work import HIGH_ENERGY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from ..progress import Asked
    from .candidates import Candidate
    from .executors import Given
    from .journal import Journal

#: Options of the command that have no meaning here.
_NOT_HERE = {
    "top": "all candidates are ranked; .best(N) gives the first",
    "quiet": ".best(1) gives the first",
    "verbose": ".messages and messages= say why a candidate has no place",
}


def rank(
    candidates: Iterable[Candidate] | str | os.PathLike[str],
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
) -> Ranking:
    """Ranks candidates by predicted time, as `ptx-predict rank`, over any executor.

    candidates: paths (a folder stands for the code in it), ptx_predict.Code, functions that make code in a worker, or pairs of one of these
        and options of its own. An iterator is read as far as workers need it.
    executor: a concurrent.futures.Executor, a Dask client, or a function that makes an executor: then a broken one is made anew. None: this
        process, all its cores.
    chunk: candidates that a worker gets at once. None: what takes about a second.
    window: chunks that are under way at once. None: two for each worker, and one.
    out: file for all rows, in the order of the candidates: .csv as the command's, .jsonl or .parquet (needs pyarrow). None: a temporary file.
    messages: file for all messages about candidates, as JSON Lines.
    resume: whether to go on where a run with the same out, options and candidates stopped. False: begins anew.
    remakes: how often a broken executor is made anew.
    progress: True: a bar of tqdm, if that is installed; a function is told how many of how many candidates are done (0: nobody knows).
    options: the command's, by name.

    A candidate that cannot be ranked has no row and does not stop the others. ValueError for wrong options, and for files of another run
    beside `out`. Stopped if the executor is broken or the disk is full: the same call goes on.
    """
    for name, instead in _NOT_HERE.items():
        if options.pop(name, None) not in (None, False, "all"):
            raise ValueError(f"'{name}' is no option here: {instead}")
    by = str(options.get("by") or "time")
    if by not in ("time", "energy"):
        raise ValueError(f"by= is 'time' or 'energy'; not '{by}'")
    found = place(Ranking, out, by)
    listed: Iterable[Candidate] = [candidates] if isinstance(candidates, (str, os.PathLike)) else candidates
    total = len(listed) if isinstance(listed, Sized) and not isinstance(candidates, (str, os.PathLike)) else 0
    how = How(executor, chunk, window, messages, resume, remakes, progress)
    journal = go("rank", options, kinds.expand(listed), total, how, found)
    _finish(found, journal)
    journal.remove()
    return found


def _finish(found: Ranking, journal: Journal) -> None:
    """Writes `out`: the rows with their ranks."""
    header = next(csv.reader([journal.state.header]), [])
    if not header:
        finish.write(found.out, [], [], {})
        return
    ranks = finish.Ranks(journal.part, header, found.by, BEST)
    wanted = {number: (key, place) for key, numbers in ranks.best.items() for place, number in enumerate(numbers)}
    best: dict[tuple[str, str], list[Any]] = {key: [None] * len(numbers) for key, numbers in ranks.best.items()}

    def rows() -> Iterator[list[str]]:
        for number, row in enumerate(finish.ranked(journal.part, header, ranks)):
            if number in wanted:
                key, place = wanted[number]
                best[key][place] = row
            yield row

    names = [name for name in header if name != HIGH_ENERGY]
    finish.write(found.out, names, rows(), finish.TYPES)
    for key, first in best.items():
        found._best[key] = [dict(zip(names, row)) for row in finish.typed(names, first, finish.TYPES)]
