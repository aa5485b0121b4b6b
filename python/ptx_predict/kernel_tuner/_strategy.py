# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The strategy: predict all configurations, run those that are worth it."""

from __future__ import annotations

import os
import warnings

from ..keeping import Keep, KeepingWarning, check_explain, choose, reason
from ._kernel import Kernel, Predictor
from ._package import OtherHooks, inner, member

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from ..estimate import Estimate
    from ..keeping import Explain, KeepLike

    Configuration = tuple[Any, ...]

#: Kernel Tuner's times are in ms, predictions in µs.
_US_PER_MS = 1000
#: Measured and predicted times that differ by more are in different units.
_SLIP = 100
#: What Kernel Tuner calls the time of a configuration.
_TIME = "time"


class Predicted:
    """For `strategy=` of Kernel Tuner's `tune_kernel`: predicts all configurations and runs those of `keep`, best first.

    `keep` is a number, a share such as 0.1, or "interval": all whose interval of times reaches the best one's. A configuration that cannot be
    predicted is run; what the device cannot hold is not. `device` is a name of `ptx-predict devices`, or the GPU's without it. `code(params)`
    makes a configuration's PTX, a path or a text; without it libnvrtc compiles Kernel Tuner's source with `compiler_options`, those of
    `tune_kernel` unless they are given (in simulation mode it does not say them). `explain` is a function, a path or an open file that gets
    why each configuration went or stayed. `workers` threads compile and predict, as many as there are cores. `options` are more of
    `ptx_predict.predict`, such as arg={"n": 1024}; a value may be a function of the configuration.

    `predictions` has, afterwards, each configuration's time in µs. Results of `tune_kernel` have `predicted_time`, `predicted_low` and
    `predicted_high` in ms, as `time` is.
    """

    def __init__(
        self,
        keep: KeepLike,
        *,
        device: str | None = None,
        code: Callable[[dict[str, Any]], Any] | None = None,
        compiler_options: Sequence[str] | None = None,
        explain: Explain | None = None,
        workers: int | None = None,
        **options: Any,
    ) -> None:
        """TypeError and ValueError for what `keep` and `explain` cannot be, ValueError for fewer than one worker."""
        check_explain(explain)
        if workers is not None and workers < 1:
            raise ValueError(f"workers is at least one, not {workers}")
        self.keep = Keep(keep)
        self.device = device
        #: Of each configuration, a tuple in the order of the tunable parameters: its time, µs; absent if it was not predicted.
        self.predictions: dict[Configuration, Estimate] = {}
        #: The names of the tunable parameters.
        self.names: list[str] = []
        self._code = code
        self._compiler_options = compiler_options
        self._explain = explain
        self._workers = workers or os.cpu_count() or 1
        self._options = options

    def tune(self, searchspace: Any, runner: Any, tuning_options: Any) -> list[dict[str, Any]]:
        """What Kernel Tuner calls. ValueError for an unknown device and for strategy options that there are not."""
        kept = self._chosen(searchspace, runner, tuning_options)
        results = [result for result in runner.run(kept, tuning_options) if result is not None]
        self._annotate(results)
        return results

    def beside(self, params: Mapping[str, Any]) -> dict[str, float]:
        """The prediction of a configuration as results have it, in ms; empty if there is none."""
        time = self.predictions.get(tuple(params.get(name) for name in self.names))
        if time is None:
            return {}
        names = {"predicted_time": float(time), "predicted_low": time.low, "predicted_high": time.high}
        return {name: value / _US_PER_MS for name, value in names.items()}

    def _chosen(self, searchspace: Any, runner: Any, tuning_options: Any) -> list[Configuration]:
        """The configurations to run, in their order. Where Kernel Tuner has other hooks, all, with a warning that names one."""
        configurations: list[Configuration] = [tuple(each) for each in member(searchspace, "sorted_list", "searchspace")()]
        self.predictions.clear()
        try:
            inner("strategies.common", "get_options")(tuning_options.strategy_options or {}, {}, unsupported=["x0"])
            self.names = [str(name) for name in member(tuning_options, "tune_params", "tuning options")]
            other = _other_objectives(tuning_options)
            if other:
                _warn(f"the objective is {', '.join(other)}, not a time: nothing is pruned")
                return configurations
            predictor = self._predictor(runner)
        except OtherHooks as error:
            _warn(f"{error}: nothing is pruned")
            return configurations
        outcomes = self._predict(predictor, configurations)

        def time(configuration: Configuration) -> Estimate | None:
            outcome = outcomes[configuration]
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        def name(configuration: Configuration) -> str:
            return ", ".join(f"{name}={value}" for name, value in zip(self.names, configuration))

        return choose(configurations, time, self.keep, explain=self._explain, name=name, what="configurations", stacklevel=4)

    def _predictor(self, runner: Any) -> Predictor:
        kernel = Kernel(runner, self._compiler_options)
        if self.device is not None:
            return Predictor(kernel, self.device, self._code, self._options)
        name = str(member(member(runner, "get_device_info", "runner")(), "name", "device"))
        try:
            return Predictor(kernel, name, self._code, self._options)
        except ValueError as error:
            raise ValueError(f"{reason(error)}; say device=, a name of ptx-predict devices") from None

    def _predict(self, predictor: Predictor, configurations: list[Configuration]) -> dict[Configuration, Estimate | Exception | None]:
        """What came of predicting each configuration."""
        from concurrent.futures import ThreadPoolExecutor

        def one(configuration: Configuration) -> Estimate | Exception | None:
            try:
                return predictor(dict(zip(self.names, configuration)))
            except Exception as error:  # `choose` decides what becomes of it
                return error

        with ThreadPoolExecutor(self._workers) as pool:
            outcomes = dict(zip(configurations, pool.map(one, configurations)))
        self.predictions.update((each, time) for each, time in outcomes.items() if time is not None and not isinstance(time, Exception))
        return outcomes

    def _annotate(self, results: list[dict[str, Any]]) -> None:
        """Puts predictions beside what was measured, and warns if they cannot be in the same unit."""
        ratios: list[float] = []
        for result in results:
            beside = self.beside(result)
            result.update(beside)
            measured = result.get(_TIME)
            if beside and isinstance(measured, (int, float)) and measured > 0 and beside["predicted_time"] > 0:
                ratios.append(measured / beside["predicted_time"])
        if ratios:
            middle = sorted(ratios)[len(ratios) // 2]
            if not 1 / _SLIP < middle < _SLIP:
                _warn(f"measured times are {middle:.3g} times the predicted ones: they may have another unit than ms, or the launch is another")


def _other_objectives(tuning_options: Any) -> list[str]:
    """What is tuned for that is no time, nor made of one by a metric."""
    metrics: Any = getattr(tuning_options, "metrics", None) or {}
    return [str(each) for each in member(tuning_options, "objective", "tuning options") if each != _TIME and each not in metrics]


def _warn(text: str) -> None:
    warnings.warn(text, KeepingWarning, stacklevel=4)
