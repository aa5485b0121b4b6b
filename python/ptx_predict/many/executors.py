# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executors of every make: how many workers they have, what they cannot carry, and when they are broken."""

from __future__ import annotations

import concurrent.futures
import math
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from .work import Answer, Order

    #: An executor, something that has one (a Dask client), a function that makes one, or None: this process.
    Given: TypeAlias = "concurrent.futures.Executor | Callable[[], concurrent.futures.Executor] | Any | None"

#: Exceptions that say that a worker died or was lost, by name, as none of these packages need be installed: Dask's, Ray's, those of
#: process pools in other packages.
DEATHS = frozenset(
    (
        "ActorDiedError",
        "BrokenExecutor",
        "CancelledError",
        "CommClosedError",
        "FutureCancelledError",
        "KilledWorker",
        "LocalRayletDiedError",
        "NodeDiedError",
        "ObjectLostError",
        "OutOfMemoryError",
        "OwnerDiedError",
        "WorkerCrashedError",
        "WorkerLostError",
    )
)
#: Seconds after which a cluster is asked again how many workers it has.
ASKED_AGAIN = 5.0


class Here(concurrent.futures.Executor):
    """Does everything at once in this thread, with all cores where a run uses several."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        future.set_result(fn(*args, **kwargs))
        return future


def is_broken(error: BaseException) -> bool:
    """Whether the executor takes no more work."""
    return isinstance(error, concurrent.futures.BrokenExecutor)


def is_death(error: BaseException) -> bool:
    """Whether a worker is to blame, and not the work."""
    return any(kind.__name__ in DEATHS for kind in type(error).__mro__)


class Pool:
    """An executor, and how to make another one."""

    __slots__ = ("_counted", "_made", "_workers", "executor", "factory")

    def __init__(self, given: Given) -> None:
        found: Any = given
        self.factory: Callable[[], Any] | None = None
        self._made = False
        self._workers = 1
        self._counted = -math.inf
        if given is None:
            self.executor: Any = Here()
        elif not isinstance(given, type) and hasattr(given, "get_executor"):
            self.executor = found.get_executor()
        elif not isinstance(given, type) and hasattr(given, "submit"):
            self.executor = given
        elif callable(given):
            self.factory = given
            self.make()
        else:
            raise TypeError(f"an executor is a concurrent.futures.Executor or a function that makes one, not {type(given).__name__}")

    def make(self) -> None:
        """Another executor, from the function."""
        assert self.factory is not None
        made: Any = self.factory()
        self.executor = made.get_executor() if hasattr(made, "get_executor") else made
        if not hasattr(self.executor, "submit"):
            raise TypeError(f"the function made {type(made).__name__}, which is no executor")
        self._made = True

    @property
    def shares_memory(self) -> bool:
        """Whether its workers are threads of this process, so that nothing needs to be pickled."""
        return isinstance(self.executor, (Here, concurrent.futures.ThreadPoolExecutor))

    def workers(self) -> int:
        """How many chunks run at once; 1 at least. A cluster may grow, so that it is asked again now and then."""
        if time.monotonic() - self._counted > ASKED_AGAIN:
            self._workers = self._count()
            self._counted = time.monotonic()
        return self._workers

    def _count(self) -> int:
        executor = self.executor
        if isinstance(executor, Here):
            return 1
        for name in ("_max_workers", "num_workers"):
            number = getattr(executor, name, None)
            if isinstance(number, int):
                return max(1, number)
        client = getattr(executor, "_client", None)
        if client is not None:
            threads: dict[str, int] = client.nthreads()
            return max(1, sum(threads.values()))
        return 16

    def submit(self, function: Callable[..., Answer], order: Order, tries: int) -> concurrent.futures.Future[Answer]:
        """The future of an order. ValueError if a candidate cannot be sent to another process."""
        what = order if self.shares_memory else pickled(order)
        future: concurrent.futures.Future[Answer] = self.executor.submit(function, what, tries)
        return future

    def close(self, *, at_once: bool = False) -> None:
        """Ends an executor that the function made; any other one lives on."""
        if not self._made:
            return
        self._made = False
        try:
            self.executor.shutdown(wait=not at_once, cancel_futures=True)
        except TypeError:  # an executor that knows no cancel_futures
            self.executor.shutdown(wait=not at_once)


def pickled(order: Order) -> bytes:
    """The order for another process: by pickle, or by cloudpickle (of Dask and Ray) where pickle cannot."""
    import pickle

    try:
        return pickle.dumps(order, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        try:
            import importlib

            data: bytes = importlib.import_module("cloudpickle").dumps(order)
            return data
        except ImportError:
            raise ValueError(_culprit(order, error)) from error
        except Exception as other:
            raise ValueError(_culprit(order, other)) from other


def _culprit(order: Order, error: Exception) -> str:
    import pickle

    for offset, candidate in enumerate(order.candidates):
        try:
            pickle.dumps(candidate)
        except Exception as own:
            return (
                f"candidate {order.first + offset} cannot be sent to another process: {own}; use a function of a module, "
                "or functools.partial of one, or install cloudpickle"
            )
    return f"the options cannot be sent to another process: {error}"
