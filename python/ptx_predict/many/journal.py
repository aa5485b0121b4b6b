# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is left of a run that does not end: rows in OUT.part, and in OUT.journal how far they go, so that the run can go on.

The journal has a line of JSON for the run, and one for each chunk once its rows are in the file. A torn last line counts as none.
"""

from __future__ import annotations

import contextlib
import json
import os

from .work import Answer, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, BinaryIO

SCHEMA = "ptx-predict/journal"
VERSION = 1


class Suspect:
    """Candidates from `first` to before `end` whose worker died, `tries` times."""

    __slots__ = ("end", "first", "tries")

    def __init__(self, first: int, end: int, tries: int) -> None:
        self.first = first
        self.end = end
        self.tries = tries


class State:
    """How far a run is."""

    __slots__ = ("bytes", "candidates", "done", "failed", "groups", "header", "identity", "rows", "said", "suspects")

    def __init__(self) -> None:
        self.candidates = 0
        self.rows = 0
        self.bytes = 0
        #: Candidates without a row.
        self.failed = 0
        #: A digest of all candidates so far.
        self.identity = ""
        self.header = ""
        self.groups = 0
        #: What is wrong with the options, with the number of groups that say so. What follows a semicolon may be about one group alone.
        self.said: dict[str, tuple[str, int]] = {}
        self.suspects: list[Suspect] = []
        #: Whether there are no more candidates.
        self.done = False

    def say(self, texts: Iterable[str]) -> None:
        """Counts what is said of the options."""
        for text in texts:
            core = text.split(";")[0]
            first, count = self.said.get(core, (text, 0))
            self.said[core] = (first if first == text else core, count + 1)

    def said_by_all(self) -> list[str]:
        """What holds for every group."""
        return [text for text, count in self.said.values() if count == self.groups]


class Journal:
    """The two files beside `out`."""

    __slots__ = ("_journal", "_rows", "out", "part", "path", "state")

    def __init__(self, out: str) -> None:
        self.out = out
        self.part = out + ".part"
        self.path = out + ".journal"
        self.state = State()
        self._rows: BinaryIO | None = None
        self._journal: BinaryIO | None = None

    def open(self, run: Mapping[str, object], resume: bool) -> None:
        """Begins the files, or goes on with those of the same run. ValueError if they are of another one."""
        if resume and os.path.exists(self.path):
            end = self._read(run)
            self._rows, self._journal = open(self.part, "r+b" if os.path.exists(self.part) else "w+b"), open(self.path, "r+b")
            for file, length in ((self._rows, self.state.bytes), (self._journal, end)):
                file.truncate(length)
                file.seek(length)
        else:
            self._rows, self._journal = open(self.part, "wb"), open(self.path, "wb")
            self._line({"schema": SCHEMA, "version": VERSION, **run})

    def _entries(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The entries up to a torn one, each with where it ends in the file."""
        end = 0
        with open(self.path, "rb") as file:
            for line in file:
                end += len(line)
                try:
                    entry = json.loads(line)
                except ValueError:
                    return
                if not line.endswith(b"\n") or not isinstance(entry, dict):
                    return
                yield end, entry

    def _read(self, run: Mapping[str, object]) -> int:
        """Reads how far the run went; returns where the last entry ends whose rows are there."""
        entries = self._entries()
        last, head = next(entries, (0, {}))
        asked: dict[str, object] = json.loads(json.dumps({"schema": SCHEMA, "version": VERSION, **run}))
        for key, value in asked.items():
            if head.get(key) != value:
                raise ValueError(
                    f"{self.part} is of another run: its {key} {_shown(head.get(key))} is not {_shown(value)}; "
                    "resume=False begins anew, and deletes it"
                )
        size = os.path.getsize(self.part) if os.path.exists(self.part) else 0
        state = self.state
        for end, entry in entries:
            if entry.get("bytes", 0) > size:
                break
            last = end
            state.suspects = [Suspect(*suspect) for suspect in entry.get("suspects", ())]
            if "candidates" not in entry:
                continue
            state.candidates, state.rows, state.bytes, state.failed = (entry[key] for key in ("candidates", "rows", "bytes", "failed"))
            state.identity = entry["identity"]
            state.header = entry.get("header", state.header)
            state.groups += entry["groups"]
            state.done = bool(entry.get("done"))
            state.say(entry.get("options", ()))
        return last

    def problems(self) -> Iterator[Problem]:
        """All messages about candidates, in their order."""
        for _, entry in self._entries():
            for cells in entry.get("problems", ()):
                yield Problem(*cells)

    def append(self, answer: Answer, count: int, identity: str) -> None:
        """Adds the rows of the next `count` candidates. OSError if the disk is full, for one; what was there before still counts."""
        assert self._rows is not None
        state = self.state
        data = b"".join(answer.rows)
        entry: dict[str, object] = {}
        if answer.header and not state.header:
            header = answer.header.decode(errors="surrogateescape")
            entry["header"] = state.header = header
        self._rows.write(data)
        self._rows.flush()
        state.candidates += count
        state.rows += data.count(b"\n")
        state.bytes += len(data)
        state.failed += sum(not row for row in answer.rows)
        state.identity = identity
        state.groups += answer.groups
        state.suspects = [suspect for suspect in state.suspects if suspect.end > state.candidates]
        state.say(answer.options)
        entry.update(
            candidates=state.candidates, rows=state.rows, bytes=state.bytes, failed=state.failed, identity=identity, groups=answer.groups
        )
        if answer.problems:
            entry["problems"] = [problem.cells() for problem in answer.problems]
        if answer.options:
            entry["options"] = answer.options
        if state.suspects:
            entry["suspects"] = [[s.first, s.end, s.tries] for s in state.suspects]
        self._line(entry)

    def suspect(self, suspects: list[Suspect]) -> None:
        """Notes which candidates may have killed a worker."""
        self.state.suspects = suspects
        self._line({"suspects": [[s.first, s.end, s.tries] for s in suspects]})

    def finish(self) -> None:
        """Notes that there are no more candidates."""
        state = self.state
        state.done = True
        keys = ("candidates", "rows", "bytes", "failed", "identity")
        self._line({**{key: getattr(state, key) for key in keys}, "groups": 0, "done": True})

    def _line(self, entry: Mapping[str, object]) -> None:
        assert self._journal is not None
        self._journal.write(json.dumps(entry, separators=(",", ":")).encode() + b"\n")
        self._journal.flush()

    def close(self) -> None:
        """Closes the files and leaves them where they are."""
        for file in (self._rows, self._journal):
            if file is not None:
                with contextlib.suppress(OSError):  # the disk is full; what counts was written before
                    file.close()
        self._rows = self._journal = None

    def remove(self) -> None:
        """Removes the files: the run has ended."""
        self.close()
        for path in (self.part, self.path):
            if os.path.exists(path):
                os.remove(path)


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "…"
