# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a worker does: a chunk of candidates goes in, rows and messages come out.

Runs in any process that has the package. No exception leaves it that one candidate is to blame for.
"""

from __future__ import annotations

import csv
import io
import os
import time

from .. import _library, _options
from .._code import Code
from .._version import __version__
from . import candidates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..errors import Message

#: Columns that compare a place with others: they come when all are known.
COMPARED = ("rank", "tie", "slower", "reasons")
#: Behind the command's columns, until the ranks are known: the bound that ties of energies need.
HIGH_ENERGY = "energy_j_high"


class Problem:
    """A message about one candidate."""

    __slots__ = ("candidate", "column", "line", "name", "path", "severity", "text")

    def __init__(self, candidate: int, name: str, severity: str, path: str, line: int, column: int, text: str) -> None:
        #: Its place among the candidates, from 0.
        self.candidate = candidate
        #: Its path, or what else it is called.
        self.name = name
        #: "error", "warning" or "note".
        self.severity = severity
        #: Of the file; empty: of options.
        self.path = path
        #: From 1; 0: of the file as a whole.
        self.line = line
        self.column = column
        #: What is wrong and how to go on.
        self.text = text

    def __str__(self) -> str:
        place = self.path or self.name
        if self.line:
            place += f":{self.line}:{self.column}" if self.column else f":{self.line}"
        return f"{place}: {self.severity}: {self.text}"

    def __repr__(self) -> str:
        return f"<Problem of candidate {self.candidate}: {self}>"

    def cells(self) -> list[str | int]:
        """For JSON; `Problem(*cells)` is it again."""
        return [self.candidate, self.name, self.severity, self.path, self.line, self.column, self.text]


class Answer:
    """What came of a chunk."""

    __slots__ = ("groups", "header", "options", "problems", "rows", "seconds", "usage", "version")

    def __init__(self) -> None:
        #: The first line of the CSV; empty if nothing was ranked.
        self.header = b""
        #: Of each candidate its lines of CSV.
        self.rows: list[bytes] = []
        self.problems: list[Problem] = []
        #: What is wrong with the options for all candidates of a group, and how many groups there were.
        self.options: list[str] = []
        self.groups = 0
        #: Of candidates that no run took because of options: what was said, and whether the candidate has some of its own.
        self.usage: list[tuple[str, bool]] = []
        #: That the worker took.
        self.seconds = 0.0
        self.version = __version__


class Order:
    """A chunk for a worker: `what` names the function below that does it."""

    __slots__ = ("candidates", "first", "options", "what")

    def __init__(self, what: str, options: Mapping[str, object], first: int, of: Sequence[Any]) -> None:
        self.what = what
        self.options = options
        self.first = first
        self.candidates = of


def work(order: Order | bytes, tries: int = 0) -> Answer:
    """Does what the order says. `tries` only tells one attempt from the next, for executors that keep answers."""
    started = time.perf_counter()
    if isinstance(order, bytes):
        import pickle

        taken = pickle.loads(order)
        assert isinstance(taken, Order)
        order = taken
    answer = rank(order) if order.what == "rank" else pieces(order)
    answer.seconds = time.perf_counter() - started
    return answer


#
# rank
#


class _Entry:
    """A candidate whose code is known."""

    __slots__ = ("file", "index", "name", "own")

    def __init__(self, index: int, file: str | Code, own: Mapping[str, object]) -> None:
        self.index = index
        self.file = file
        self.own = own
        self.name = file.name if isinstance(file, Code) else file


def _made(index: int, candidate: object) -> _Entry:
    bare, own = candidates.split(candidate)
    if callable(bare) and not isinstance(bare, (Code, os.PathLike)):
        bare = bare()
        if isinstance(bare, tuple) and len(bare) == 2:
            bare, more = bare
            own = {**own, **more}
        if isinstance(bare, (str, bytes, bytearray)):
            data = bare.encode() if isinstance(bare, str) else bytes(bare)
            bare = Code(data, f"candidate-{index}." + ("cubin" if data[:4] == b"\x7fELF" else "ptx"))
    if isinstance(bare, Code):
        return _Entry(index, bare, own)
    if isinstance(bare, (str, os.PathLike)):
        return _Entry(index, os.fsdecode(bare), own)
    raise TypeError(f"it made {type(bare).__name__}, neither PTX as str or bytes nor a ptx_predict.Code nor a path")


def _groups(entries: Sequence[_Entry]) -> list[list[_Entry]]:
    """Neighbours that one run can rank, whose rows say whose they are: with the same options, and files of different names."""
    groups: list[list[_Entry]] = []
    names: set[str] = set()
    for entry in entries:
        alone = os.path.splitext(entry.name)[1] not in candidates.CODE
        if not groups or alone or entry.own != groups[-1][0].own or entry.name in names or not names:
            groups.append([])
            names = set()
        groups[-1].append(entry)
        if not alone:
            names.add(entry.name)
    return groups


class _Run:
    """A run of `ptx-predict rank`: its rows by file, without what compares them."""

    __slots__ = ("errors", "header", "messages", "rows")

    def __init__(self, options: Mapping[str, object], files: Sequence[str | Code]) -> None:
        spelled, named = _options.spell(options)
        asked = [("format", "csv"), ("top", "all"), *spelled]
        outcome = _library.run("rank", asked, files, named)
        self.messages = outcome.messages
        table = list(csv.reader(io.StringIO(outcome.output.decode(errors="surrogateescape"), newline="")))
        self.header = table[0] if table else []
        blank = [self.header.index(name) for name in COMPARED if name in self.header]
        highs = _high_energies(spelled, files, named, len(table) - 1) if options.get("by") == "energy" and table else []
        self.rows: list[tuple[str, list[str]]] = []
        for number, row in enumerate(table[1:]):
            for column in blank:
                row[column] = ""
            self.rows.append((row[self.header.index("file")], row + highs[number : number + 1]))
        if highs:
            self.header = [*self.header, HIGH_ENERGY]


def _high_energies(spelled: Sequence[tuple[str, str | None]], files: Sequence[str | Code], named: Mapping[str, bytes], rows: int) -> list[str]:
    """The upper bounds of the energies, which CSV does not have, in the order of its rows; empty: none."""
    import json

    data = json.loads(_library.run("rank", [("format", "json"), ("top", "all"), *spelled], files, named).output)
    highs = [place["energy_j"] for ranking in data["rankings"] for place in ranking["places"]]
    assert len(highs) == rows
    return ["" if energy.get("high") is None else repr(float(energy["high"])) for energy in highs]


def lines(rows: Sequence[Sequence[str]]) -> bytes:
    """The rows as the command writes CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode(errors="surrogateescape")


def rank(order: Order) -> Answer:
    """Rows of each candidate as `ptx-predict rank` has them for it alone, but without what compares it with others."""
    answer = Answer()
    answer.rows = [b""] * len(order.candidates)
    entries: list[_Entry] = []
    for offset, candidate in enumerate(order.candidates):
        try:
            entries.append(_made(order.first + offset, candidate))
        except (Exception, SystemExit) as error:  # of the candidate's own function
            _blame(answer, order.first + offset, candidates.name(candidates.split(candidate)[0], order.first + offset), error)
    common = {"j": 1, **order.options}
    for group in _groups(entries):
        try:
            _rank_group(answer, order.first, {**common, **group[0].own}, group)
        except (TypeError, ValueError, ImportError) as error:  # of its options, or of a front end
            for entry in group:
                _blame(answer, entry.index, entry.name, error)
    answer.problems.sort(key=lambda problem: problem.candidate)
    return answer


def _blame(answer: Answer, index: int, name: str, error: BaseException) -> None:
    kind = "" if isinstance(error, (ValueError, ImportError)) else f"{type(error).__name__}: "
    answer.problems.append(Problem(index, name, "error", "", 0, 0, f"{kind}{str(error).strip()}".split("\n")[0]))


def _rank_group(answer: Answer, first: int, options: Mapping[str, object], group: Sequence[_Entry]) -> None:
    run = _Run(options, [entry.file for entry in group])
    rows: dict[str, list[list[str]]] = {entry.name: [] for entry in group}
    if len(group) == 1:
        rows[group[0].name] = [row for _, row in run.rows]
    elif all(file in rows for file, _ in run.rows):
        for file, row in run.rows:
            rows[file].append(row)
    else:  # a name that CSV writes in another way
        for entry in group:
            _rank_group(answer, first, options, [entry])
        return
    if run.header:
        answer.header = lines([run.header])
    empty = [entry for entry in group if not rows[entry.name]]
    known = {entry.name: entry for entry in group}
    for entry in group:
        answer.rows[entry.index - first] = lines(rows[entry.name])
    if len(group) > 1:
        for entry in empty:  # why not, or what a run of several leaves out
            _rank_group(answer, first, options, [entry])
    elif empty:
        answer.problems += [_problem(entry, message) for entry in group for message in run.messages if message.severity != "note"]
        if not run.header and all(not message.path for message in run.messages):
            answer.usage += [(message.text, bool(group[0].own)) for message in run.messages[:1]]
        if not any(message.severity == "error" for message in run.messages):
            answer.problems.append(Problem(group[0].index, group[0].name, "error", "", 0, 0, _why_not(options, group[0])))
        return
    if len(empty) < len(group):
        answer.groups += 1
        _take_messages(answer, run.messages, {name: entry for name, entry in known.items() if rows[name]}, group)


def _take_messages(answer: Answer, messages: Sequence[Message], known: Mapping[str, _Entry], group: Sequence[_Entry]) -> None:
    """Messages of a run with rows: those of files are their candidates', those of options are everybody's."""
    stems = {os.path.splitext(name)[0]: entry for name, entry in known.items()}
    for message in messages:
        if message.severity == "note":
            continue
        if not message.path:
            answer.options.append(message.text)
            continue
        entry = known.get(message.path) or stems.get(os.path.splitext(message.path)[0])
        if entry is not None:
            answer.problems.append(_problem(entry, message))
        elif all(message.path != other.name for other in group):  # a file that several share
            answer.options.append(f"{message.path}:{message.line}:{message.column}: {message.text}")


def _problem(entry: _Entry, message: Message) -> Problem:
    return Problem(entry.index, entry.name, message.severity, message.path, message.line, message.column, message.text)


def _why_not(options: Mapping[str, object], entry: _Entry) -> str:
    """Why a candidate has no place."""
    import json

    spelled, named = _options.spell(options)
    output = _library.run("rank", [("format", "json"), *spelled], [entry.file], named).output
    reasons = [left["why"] for ranking in json.loads(output)["rankings"] for left in ranking["not_ranked"]] if output else []
    return reasons[0] if reasons else "there is no kernel to rank in it"


#
# Pieces of other subcommands
#


def pieces(order: Order) -> Answer:
    """Of each piece the rows of the command's CSV. A piece is a file, and options of its own. Neighbouring points of a sweep are one run."""
    answer = Answer()
    answer.rows = [b""] * len(order.candidates)
    if order.what == "scenario":
        file, first = order.candidates[0]
        last = order.candidates[-1][1]["points"]
        _piece(answer, order, slice(0, len(order.candidates)), file, {"points": f"{first['points']}:{last}"})
    else:
        for offset, (file, own) in enumerate(order.candidates):
            _piece(answer, order, slice(offset, offset + 1), file, own)
    return answer


def _piece(answer: Answer, order: Order, of: slice, file: str | Code, own: Mapping[str, object]) -> None:
    """Rows of the candidates `of` this order."""
    spelled, named = _options.spell({"j": 1, **order.options, **own})
    outcome = _library.run(order.what, [("format", "csv"), *spelled], [file], named)
    head, line_feed, rest = outcome.output.partition(b"\n")
    if head:
        answer.header = head + line_feed
    if of.stop - of.start == 1:
        answer.rows[of] = [rest]
    else:
        points = rest.splitlines(keepends=True)
        answer.rows[of] = points if len(points) == of.stop - of.start else [rest] + [b""] * (of.stop - of.start - 1)
    answer.groups += 1
    is_usage = not head and all(not message.path for message in outcome.messages)
    if is_usage:
        answer.usage += [(message.text, bool(own) and order.what != "scenario") for message in outcome.messages[:1]] * (of.stop - of.start)
    name = file.name if isinstance(file, Code) else file
    for m in outcome.messages:
        if m.severity == "note":
            continue
        if m.path or not head:
            answer.problems.append(Problem(order.first + of.start, name, m.severity, m.path, m.line, m.column, m.text))
        else:
            answer.options.append(m.text)
