# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What rank, clocks, validate and scenario have in common: how a run is set up, and what it leaves."""

from __future__ import annotations

import json
import os

from .. import _options
from .._code import Code
from .._version import __version__
from ..errors import Message, PTXError
from . import candidates as kinds
from . import finish
from .executors import Here, Pool
from .journal import Journal
from .ranking import MESSAGES
from .stream import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TypeVar

    from ..progress import Asked
    from .executors import Given
    from .ranking import Rows
    from .work import Answer

    R = TypeVar("R", bound=Rows)

#: Options that change no row.
_WITHOUT_EFFECT = ("j",)


class How:
    """The arguments that say how candidates are done, and not what is asked of them: see `rank`."""

    __slots__ = ("chunk", "executor", "messages", "progress", "remakes", "resume", "window")

    def __init__(
        self,
        executor: Given,
        chunk: int | None,
        window: int | None,
        messages: str | os.PathLike[str] | None,
        resume: bool,
        remakes: int,
        progress: Asked,
    ) -> None:
        if (chunk is not None and chunk < 1) or (window is not None and window < 1):
            raise ValueError("chunk= and window= are numbers from 1")
        self.executor = executor
        self.chunk = chunk
        self.window = window
        self.messages = messages
        self.resume = resume
        self.remakes = remakes
        self.progress = progress


def place(found: type[R], out: str | os.PathLike[str] | None, *arguments: str) -> R:
    """An object for the rows in `out`, or in a temporary file, which goes when the object goes. ValueError for another ending than those that
    are known; ImportError without what they need."""
    if out is not None:
        path = os.fspath(out)
        finish.check_form(path)
        return found(path, *arguments)
    import shutil
    import tempfile
    import weakref

    folder = tempfile.mkdtemp(prefix="ptx-predict-")
    made = found(os.path.join(folder, "rows.csv"), *arguments)
    weakref.finalize(made, shutil.rmtree, folder, ignore_errors=True)
    return made


def _fingerprint(options: Mapping[str, object]) -> list[list[str | None]]:
    """The options in the command's words, texts in memory by a digest, without what changes no row."""
    spelled, named = _options.spell(options)
    digests = sorted(kinds.identity(Code(data, name)) for name, data in named.items())
    return sorted(([name, value] for name, value in spelled if name not in _WITHOUT_EFFECT), key=str) + [["text", text] for text in digests]


def go(what: str, options: Mapping[str, object], candidates: Iterable[Any], total: int, how: How, found: Rows) -> Journal:
    """Brings the rows of all candidates into a journal beside `found.out`, and says in `found` what they are. The caller removes the journal.

    What is done stays in the journal if something comes between.
    """
    from ..progress import Progress

    journal = Journal(found.out)

    def check(answer: Answer) -> None:
        # What is wrong with the options of all: not that a single candidate has wrong ones of its own.
        usage = answer.usage if journal.state.rows == 0 and len(answer.usage) == len(answer.rows) else []
        if usage and (not any(own for _, own in usage) or (len(usage) > 1 and len({text for text, _ in usage}) == 1)):
            raise ValueError(usage[0][0])
        if what == "scenario" and journal.state.rows == 0 and not answer.header and answer.problems:
            raise PTXError([Message("error", p.path, p.line, p.column, p.text, f"{p}\n") for p in answer.problems])

    journal.open({"of": what, "ptx_predict": __version__, "options": _fingerprint(options)}, how.resume)
    try:
        if not journal.state.done:
            pool = Pool(how.executor)
            if isinstance(pool.executor, Here):
                options = {"j": None, **options}
            asked = how.progress
            with Progress(what, asked if isinstance(asked, bool) else False) as shown:

                def told(done: int) -> None:
                    if isinstance(asked, bool):
                        shown.update(done, total)
                    else:
                        asked(done, total)  # what it raises ends the run, such as an interrupt

                Stream(what, options, candidates, pool, journal, how, told=told, check=check).run()
    except (ValueError, TypeError, ImportError):
        if journal.state.candidates == 0:
            journal.remove()
        raise
    finally:
        journal.close()
    state = journal.state
    found.candidates, found.rows, found.failed = state.candidates, state.rows, state.failed
    found.options = state.said_by_all()
    _take_messages(found, journal, how.messages)
    return journal


def _take_messages(found: Rows, journal: Journal, path: str | os.PathLike[str] | None) -> None:
    """The journal's messages: the first ones for `found`, all for the file `path`."""
    names = ("candidate", "name", "severity", "path", "line", "column", "message")
    file = open(path, "w", encoding="utf-8", errors="surrogateescape") if path is not None else None
    try:
        for problem in journal.problems():
            found.num_messages += 1
            if len(found.messages) < MESSAGES:
                found.messages.append(problem)
            if file is not None:
                file.write(json.dumps(dict(zip(names, problem.cells())), ensure_ascii=False) + "\n")
    finally:
        if file is not None:
            file.close()
