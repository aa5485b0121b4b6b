# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run over many machines found: rows in a file, and messages."""

from __future__ import annotations

import itertools
import json
import os

from . import finish

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .work import Problem

#: Places that are kept in memory, and messages.
BEST = 1000
MESSAGES = 1000


class Rows:
    """Rows in a file. Iteration reads them one by one, as dicts; `len` counts them."""

    __slots__ = ("__weakref__", "_types", "candidates", "failed", "messages", "num_messages", "options", "out", "rows")

    def __init__(self, out: str) -> None:
        #: The file; a temporary one lives as long as this object.
        self.out = out
        #: Candidates, or pieces, that were done.
        self.candidates = 0
        self.rows = 0
        #: Candidates without a row.
        self.failed = 0
        #: The first messages about candidates, at most 1,000.
        self.messages: list[Problem] = []
        self.num_messages = 0
        #: What is wrong with the options for every candidate, such as an argument that none has.
        self.options: list[str] = []
        self._types: dict[str, type] | None = None

    def __len__(self) -> int:
        return self.rows

    def __iter__(self) -> Iterator[dict[str, Any]]:
        form = finish.form_of(self.out)
        if form == ".parquet":
            file: Any = finish.parquet().ParquetFile(self.out)
            for batch in file.iter_batches():
                yield from batch.to_pylist()
        elif form == ".jsonl":
            with open(self.out, encoding="utf-8", errors="surrogateescape") as lines:
                yield from map(json.loads, lines)
        else:
            if self._types is None:
                rows = finish.read(self.out)
                self._types = finish.infer(next(rows, []), rows)
            rows = finish.read(self.out)
            header = next(rows, [])
            for row in finish.typed(header, rows, self._types):
                yield dict(zip(header, row))

    def __repr__(self) -> str:
        failed = f", {self.failed} without a row" if self.failed else ""
        return f"<{type(self).__name__} of {self.candidates} candidates{failed}: {self.rows} rows in {os.path.basename(self.out)}>"


class Ranking(Rows):
    """All candidates by time, or by energy. The rows are in the order of the candidates, and have a `rank`."""

    __slots__ = ("_best", "by")

    def __init__(self, out: str, by: str) -> None:
        super().__init__(out)
        #: "time" or "energy".
        self.by = by
        self._types = finish.TYPES
        self._best: dict[tuple[str, str], list[dict[str, Any]]] = {}

    def best(self, count: int = 10, *, device: str | None = None, model: str | None = None) -> list[dict[str, Any]]:
        """The first places as dicts, by rank: at most 1,000 of each device and model.

        ValueError if there are several devices or models and the arguments do not say which.
        """
        fitting = [key for key in self._best if device in (None, key[0]) and model in (None, key[1])]
        if len(fitting) > 1:
            raise ValueError(f"there are {len(fitting)} rankings: {_names(fitting)}; device= and model= choose one")
        if not fitting and self._best:
            raise ValueError(f"there is no such ranking; there are {_names(list(self._best))}")
        return self._best[fitting[0]][:count] if fitting else []


def _names(keys: list[tuple[str, str]]) -> str:
    more = f" and {len(keys) - 8} more" if len(keys) > 8 else ""
    return ", ".join(f"{model} on {device}" for device, model in itertools.islice(keys, 8)) + more
