# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ray as an executor: `rank(…, executor=RayExecutor())`."""

from __future__ import annotations

import concurrent.futures
import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class RayExecutor(concurrent.futures.Executor):
    """Does each call as a task of the Ray cluster that this process is connected to; connects to a local one if it is to none.

    options: of Ray's tasks, such as `num_cpus=2` or `runtime_env={"pip": […]}`; a task that dies is not tried again unless `max_retries=`
    says so. Calls take whatever Ray can send; ImportError if Ray is not installed. `shutdown` cancels what is not done, and leaves Ray alone.
    """

    def __init__(self, **options: object) -> None:
        try:
            self._ray: Any = importlib.import_module("ray")
        except ImportError as error:
            raise ImportError("RayExecutor needs Ray: pip install ray") from error
        if not self._ray.is_initialized():
            self._ray.init(log_to_driver=False)
        self._cores = float(str(options.get("num_cpus", 1))) or 1.0
        self._task = self._ray.remote(_call).options(**{"max_retries": 0, "num_cpus": 1, **options})
        self._under_way: dict[concurrent.futures.Future[Any], Any] = {}
        self._is_shut_down = False

    @property
    def num_workers(self) -> int:
        """Calls that the cluster does at once."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1) / self._cores))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        if self._is_shut_down:
            raise RuntimeError("cannot schedule new futures after shutdown")
        reference = self._task.remote(fn, args, kwargs)
        of_ray: concurrent.futures.Future[Any] = reference.future()
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        self._under_way[future] = reference
        future.add_done_callback(self._forget)

        def done(ended: concurrent.futures.Future[Any]) -> None:
            if not future.set_running_or_notify_cancel():
                return
            error = ended.exception()
            if error is None:
                future.set_result(ended.result())
            else:
                future.set_exception(getattr(error, "cause", None) or error)  # what the call raised, not Ray's name for it

        of_ray.add_done_callback(done)
        return future

    def _forget(self, future: concurrent.futures.Future[Any]) -> None:
        reference = self._under_way.pop(future, None)
        if reference is not None and future.cancelled():
            self._ray.cancel(reference)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._is_shut_down = True
        under_way = list(self._under_way)
        if cancel_futures:
            for future in under_way:
                future.cancel()
        if wait:
            concurrent.futures.wait(under_way)


def _call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return function(*args, **kwargs)
