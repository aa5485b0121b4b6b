# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that are predicted for the device at hand, and those of them to run."""

from __future__ import annotations

import os
import warnings

from .. import keeping
from . import _device, _launch
from ._package import compiles_in_threads
from ._predict import of as _predict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from ..estimate import Estimate
    from ..keeping import Explain, KeepLike
    from ._calls import Call
    from ._device import Facts

    T = TypeVar("T")


class Choice:
    """What every choice of a tuner has in common: how many stay, on which device, and who is told why."""

    __slots__ = ("device", "explain", "jobs", "keep", "options")

    def __init__(self, keep: KeepLike, device: str | None, explain: Explain | None, options: Mapping[str, Any] | None, jobs: int | None) -> None:
        """TypeError and ValueError for what `keep` and `explain` cannot be."""
        keeping.check_explain(explain)
        self.keep = keeping.Keep(keep)
        self.device = device
        self.explain = explain
        self.options = options
        self.jobs = jobs

    def facts(self) -> Facts:
        """Of the device. ValueError if there is none, or if Triton's GPU is of another architecture."""
        facts = _device.facts(self.device, self.options)
        other = _device.driver_arch()
        if other is not None and other != facts.arch:
            raise ValueError(f"device={facts.name} is sm_{facts.arch}, and the GPU here sm_{other}: predictions for the one say little of the other")
        return facts

    def choose(self, candidates: list[T], time: Callable[[T, Facts], Estimate], name: Callable[[T], str], what: str) -> list[T]:
        """Those to run, as `keeping.choose` says, of what `time` predicts, in threads. All of them, with a warning, if there is no device."""
        try:
            facts = self.facts()
        except Exception as error:
            warnings.warn(f"all {len(candidates)} {what} are kept: {keeping.reason(error)}", keeping.KeepingWarning, 3)
            return candidates
        found: dict[int, Estimate | Exception] = {}

        def attempt(candidate: T) -> None:
            try:
                found[id(candidate)] = time(candidate, facts)
            except Exception as error:
                found[id(candidate)] = error.with_traceback(None)

        def known(candidate: T) -> Estimate:
            result = found[id(candidate)]
            if isinstance(result, Exception):
                raise result
            return result

        self._each(attempt, candidates)
        return keeping.choose(candidates, known, self.keep, explain=self.explain, name=name, what=what, stacklevel=4)

    def _each(self, attempt: Callable[[T], None], candidates: list[T]) -> None:
        """In threads, as Triton's compiler is in C++ for the most part."""
        from concurrent.futures import ThreadPoolExecutor

        jobs = min(self.jobs or os.cpu_count() or 1, len(candidates))
        if jobs < 2 or not compiles_in_threads():
            for candidate in candidates:
                attempt(candidate)
            return
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(attempt, candidates))


def predicted(call: Call, config: Mapping[str, Any], facts: Facts, options: Mapping[str, Any] | None, pre_hook: Any = None) -> Estimate:
    """Predicted time of a call at a configuration. Refused if the device cannot hold it, any other exception if it cannot be predicted."""
    try:
        compiled = call.compile(config, facts.arch, pre_hook)
    except Exception as error:
        if _device.static_assertion(error):
            raise keeping.Refused(f"Triton refuses it: {keeping.reason(error)}") from error
        raise
    _device.check_holds(compiled, facts)
    if call.grid is None:
        raise ValueError("the launch has no grid=")
    grid = _launch.extents(call.grid, compiled.arguments)
    _launch.check_grid(compiled, grid)
    prediction = _predict(compiled, grid, facts.name, options).kernel.predictions[0]
    if prediction.time_us is None:
        why = "; ".join(prediction.applicability["notes"]) or "the model has no answer"
        # Registers are an estimate, and ptxas spills what does not fit.
        if prediction.occupancy.blocks_per_sm == 0 and prediction.occupancy.limiter != "registers":
            raise keeping.Refused(why)
        raise ValueError(why)
    return prediction.time_us
