# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Candidates through an executor and into a journal: in order, with few in flight, and over the deaths of workers.

At any time only a window of chunks is held, so that memory does not grow with the number of candidates. A chunk takes about a second, with
more than 100 workers longer: how many candidates that is, is learned while the run goes on.
"""

from __future__ import annotations

import queue

from . import candidates as kinds
from .chunks import Job, Source, join, singles
from .executors import Pool, is_broken, is_death
from .journal import Suspect
from .work import Answer, Order, Problem, work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from concurrent.futures import Future
    from typing import Any

    from .journal import Journal
    from .running import How

#: What a chunk should take, in seconds, unless there were then more chunks a second than a scheduler can take; the most candidates that it has.
SECONDS = 1.0
CHUNKS_A_SECOND = 100
MOST = 1024
#: Bytes of code in memory, and of rows, that wait at once.
WAITING_BYTES = 64 << 20
#: After so many candidates that killed their worker something else is wrong.
MOST_DEATHS = 100


class Stopped(RuntimeError):
    """The run cannot go on now: the pool is broken, or there is no place for the rows. The same call goes on where it stopped."""

    def __init__(self, why: str, out: str, candidates: int) -> None:
        super().__init__(f"{why}; {candidates} candidates are done: the same call with out={out!r} goes on behind them")
        self.why = why
        self.out = out
        #: How many are done.
        self.candidates = candidates

    def __reduce__(self) -> tuple[type[Stopped], tuple[str, str, int]]:
        return type(self), (self.why, self.out, self.candidates)


class Stream:
    """A run of all candidates."""

    def __init__(
        self,
        what: str,
        options: Mapping[str, object],
        candidates: Iterable[Any],
        pool: Pool,
        journal: Journal,
        how: How,
        *,
        told: Callable[[int], None],
        check: Callable[[Answer], None],
    ) -> None:
        self.what = what
        self.options = options
        self.source = Source(candidates, journal)
        self.pool = pool
        self.journal = journal
        self.chunk = how.chunk
        self.window = how.window
        self.remakes = how.remakes
        self.told = told
        self.check = check
        self._size = how.chunk or 8
        self._jobs: list[Job] = []  # taken and not yet written, in order
        self._again: list[Job] = []  # to be submitted once more
        self._running: dict[Future[Answer], Job] = {}
        self._ready: queue.SimpleQueue[Future[Answer]] = queue.SimpleQueue()
        self._deaths = 0

    def run(self) -> None:
        """Brings all rows into the journal's file. Stopped if it cannot go on; what is done stays in the journal then."""
        self.source.skip()
        done = False
        try:
            while True:
                self._fill()
                if not self._running:
                    break
                self._take(self._ready.get())
                self._write()
            self._write()  # what was lost while it was submitted
            self.journal.finish()
            done = True
        finally:
            if not done:
                for future in self._running:
                    future.cancel()
            self.pool.close(at_once=not done)

    # Submitting

    def _fill(self) -> None:
        """Submits as much as the window holds; suspects alone."""
        while not any(job.alone for job in self._running.values()):
            if self._again:
                job = self._again[0]
                if job.alone and self._running:
                    return
                del self._again[0]
            else:
                if self.source.is_empty or len(self._jobs) >= self._room() or self._waiting() > WAITING_BYTES:
                    return
                suspect = any(s.first <= self.source.taken < s.end for s in self.journal.state.suspects)
                if suspect and self._running:
                    return
                taken = self.source.take(self._size)
                if taken is None:
                    return
                job = taken
                self._jobs.append(job)
            self._submit(job)

    def _room(self) -> int:
        return self.window or 2 * self.pool.workers() + 1

    def _waiting(self) -> int:
        return sum(job.size for job in self._jobs)

    def _submit(self, job: Job) -> None:
        order = Order(self.what, self.options, job.first, job.candidates)
        try:
            future = self.pool.submit(work, order, job.tries)
        except Exception as error:
            self._lost([job], error)
            return
        self._running[future] = job
        future.add_done_callback(self._ready.put)

    # What comes back

    def _take(self, future: Future[Answer]) -> None:
        job = self._running.pop(future, None)
        if job is None:  # of a pool that was broken
            return
        try:
            answer = future.result()
        except Exception as error:
            self._lost([job], error)
            return
        except BaseException as error:  # a future that was cancelled is no Exception in every version
            if not is_death(error):
                raise
            self._lost([job], error)
            return
        self._finished(job, answer)

    def _finished(self, job: Job, answer: Answer) -> None:
        if answer.version != Answer().version:
            raise ImportError(f"a worker has ptx_predict {answer.version}, this process {Answer().version}; install the same version everywhere")
        if not self.chunk and job.whole is None and not job.tries:
            wanted = max(SECONDS, self.pool.workers() / CHUNKS_A_SECOND)
            fits = int(len(job.candidates) * wanted / max(answer.seconds, 1e-6))
            self._size = max(1, min(MOST, fits, 4 * self._size))
        if job.whole is None:
            job.answer = answer
            job.candidates = []
            job.size = sum(map(len, answer.rows))
            return
        whole = job.whole
        whole.parts.remove(job)
        join(whole, job.first, answer)

    def _write(self) -> None:
        """Writes the answers that are next in order."""
        while self._jobs and self._jobs[0].answer is not None and not self._jobs[0].parts:
            job = self._jobs.pop(0)
            assert job.answer is not None
            self.check(job.answer)
            try:
                self.journal.append(job.answer, len(job.answer.rows), job.identity)
            except OSError as error:
                raise self._stopped(f"{self.journal.part}: {error.strerror}") from error
            self.told(self.journal.state.candidates)

    # Deaths

    def _lost(self, jobs: list[Job], error: BaseException) -> None:
        """Workers died of these jobs, or the executor cannot do them."""
        if is_broken(error):
            # All that was in flight is lost with the pool, whoever is to blame.
            jobs += [job for job in self._running.values() if job not in jobs]
            self._running.clear()
        elif isinstance(error, (ValueError, TypeError, ImportError)):
            raise error  # of the call, or of what is installed
        elif not is_death(error):
            raise self._stopped(f"the executor failed: {type(error).__name__}: {error}") from error
        for job in jobs:
            job.tries += 1
            job.alone |= is_broken(error)
            if job.tries < 2:
                self._again.append(job)
            elif job.whole is None and len(job.candidates) > 1:
                self._again += singles(job)
            else:
                self._blame(job, error)
        self._again.sort(key=lambda job: job.first)
        if is_broken(error):
            self._remake(error)

    def _blame(self, job: Job, error: BaseException) -> None:
        """A single candidate that a worker died of more than once."""
        self._deaths += 1
        bare = kinds.split(job.candidates[0])[0] if self.what == "rank" else self.what
        text = f"its worker died, each time that it was tried ({type(error).__name__})"
        answer = Answer()
        answer.rows = [b""]
        answer.problems = [Problem(job.first, kinds.name(bare, job.first), "error", "", 0, 0, text)]
        self._finished(job, answer)
        if self._deaths >= MOST_DEATHS:
            self._write()
            raise self._stopped(f"{self._deaths} candidates killed their workers") from error

    def _remake(self, error: BaseException) -> None:
        self._write()
        self.journal.suspect([Suspect(job.first, job.first + max(1, len(job.candidates)), job.tries) for job in self._again])
        if self.pool.factory is None:
            raise self._stopped(f"the pool is broken ({error}), and executor= is no function that makes another one") from error
        if self.remakes < 1:
            raise self._stopped(f"the pool broke again ({error})") from error
        self.remakes -= 1
        self.pool.close(at_once=True)
        self.pool.make()

    def _stopped(self, why: str) -> Stopped:
        return Stopped(why, self.journal.out, self.journal.state.candidates)
