# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chunks of the candidates, and what is known of each until its rows are written."""

from __future__ import annotations

import hashlib
import itertools

from . import candidates as kinds
from .work import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from .journal import Journal

#: The most bytes of code in memory that a chunk has.
BYTES = 1 << 20


class Job:
    """A chunk, or a candidate of a chunk that failed twice."""

    __slots__ = ("alone", "answer", "candidates", "first", "identity", "parts", "size", "tries", "whole")

    def __init__(self, first: int, of: list[Any], identity: str, size: int, tries: int) -> None:
        self.first = first
        self.candidates = of
        #: A digest of all candidates up to the last one of this.
        self.identity = identity
        #: Bytes that it holds.
        self.size = size
        #: How often a worker died of it.
        self.tries = tries
        #: Whether nothing else may run meanwhile, as it may break the pool.
        self.alone = tries > 0
        self.answer: Answer | None = None
        #: Of a chunk that is done one by one: what is still to be done. Of one of those: its chunk.
        self.parts: list[Job] = []
        self.whole: Job | None = None


class Source:
    """Chunks of the candidates, each as long as it is asked to be."""

    def __init__(self, candidates: Iterable[Any], journal: Journal) -> None:
        self._candidates: Iterator[Any] = iter(candidates)
        self._held: list[Any] = []
        self._digest = hashlib.blake2b(digest_size=16)
        self._journal = journal
        self.taken = 0
        self.is_empty = False

    def skip(self) -> None:
        """Passes over the candidates that the journal has. ValueError if they are other ones."""
        state = self._journal.state
        for candidate in itertools.islice(self._candidates, state.candidates):
            self._count(candidate)
        if self.taken != state.candidates or (state.identity and self._digest.hexdigest() != state.identity):
            raise ValueError(
                f"{self._journal.part} has rows of {state.candidates} candidates, which are not the first of these; "
                "resume=False begins anew, and deletes it"
            )

    def _count(self, candidate: Any) -> None:
        self._digest.update(kinds.identity(candidate).encode(errors="surrogateescape") + b"\n")
        self.taken += 1

    def take(self, count: int) -> Job | None:
        """The next chunk of at most `count` candidates, or None. Candidates that were suspected of killing a worker come by themselves."""
        first, tries = self.taken, 0
        for suspect in self._journal.state.suspects:
            if suspect.first <= first < suspect.end:
                count, tries = (1 if suspect.tries > 1 else min(count, suspect.end - first)), suspect.tries
            elif first < suspect.first:
                count = min(count, suspect.first - first)
        taken: list[Any] = []
        size = 0
        while len(taken) < count:
            candidate = self._held.pop() if self._held else next(self._candidates, self)
            if candidate is self:
                self.is_empty = True
                break
            more = _bytes(candidate)
            if taken and size + more > BYTES:
                self._held.append(candidate)
                break
            size += more
            self._count(candidate)
            taken.append(candidate)
        return Job(first, taken, self._digest.hexdigest(), size, tries) if taken else None


def _bytes(candidate: Any) -> int:
    bare = candidate[0] if isinstance(candidate, tuple) else candidate
    return len(getattr(bare, "data", "")) + 200


def singles(job: Job) -> list[Job]:
    """A job for each candidate of a chunk that failed twice."""
    job.answer = Answer()
    job.answer.rows = [b""] * len(job.candidates)
    job.parts = [Job(job.first + offset, [candidate], "", 0, job.tries) for offset, candidate in enumerate(job.candidates)]
    for part in job.parts:
        part.whole, part.alone = job, job.alone
    return list(job.parts)


def join(whole: Job, first: int, answer: Answer) -> None:
    assert whole.answer is not None
    whole.answer.header = whole.answer.header or answer.header
    whole.answer.rows[first - whole.first] = answer.rows[0]
    whole.answer.problems = sorted([*whole.answer.problems, *answer.problems], key=lambda problem: problem.candidate)
    whole.answer.options += answer.options
    whole.answer.groups += answer.groups
