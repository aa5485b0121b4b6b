# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton's autotuner with fewer configurations to run."""

from __future__ import annotations

import inspect
import warnings

from .. import keeping
from ._calls import Call, described, note
from ._choose import Choice, predicted
from ._launch import extents
from ._package import triton, version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from ..estimate import Estimate
    from ..keeping import Explain, KeepLike
    from ._device import Facts

#: Predictions that a tuner's hooks keep at most.
_REMEMBERED = 4096


def prune(
    fn: Any,
    keep: KeepLike,
    *,
    device: str | None = None,
    explain: Explain | None = None,
    options: Mapping[str, Any] | None = None,
    jobs: int | None = None,
) -> dict[str, Any]:
    """A `prune_configs_by` for `triton.autotune` of the kernel `fn`, the function under the decorator.

    Takes out what the device cannot hold, before ptxas sees it, and then keeps those that are predicted best: see `ptx_predict.keeping.Keep`
    for `keep`, and `choose` there for `explain` and for what happens to those that cannot be predicted. `device` and `options` are those of
    `predict`. `jobs` threads compile, one for each processor without it. If the GPU that Triton's driver has is of another architecture than `device`, nothing is taken out, with a warning.
    `perf_model` is the predicted time in µs, 0 where there is none; all remain after it as `top_k` is 1.0.
    """
    pruner = Pruner(fn, Choice(keep, device, explain, options, jobs))
    return {"early_config_prune": pruner.early_config_prune, "perf_model": pruner.perf_model, "top_k": 1.0}


def autotune(
    configs: Sequence[Any],
    key: Sequence[str],
    prune_configs_by: Mapping[str, Any] | None = None,
    *args: Any,
    keep: KeepLike,
    device: str | None = None,
    explain: Explain | None = None,
    options: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    **rest: Any,
) -> Callable[[Any], Any]:
    """`triton.autotune` that runs only what `keep` says: see `prune`. All other arguments are its own.

    A `prune_configs_by` that is given as well runs first, with its `early_config_prune`; its `perf_model` and `top_k` come after ours.
    """
    choice = Choice(keep, device, explain, options, jobs)

    def decorate(fn: Any) -> Any:
        given = dict(prune_configs_by or {})
        pruner = Pruner(fn, choice, given.get("early_config_prune"))
        if "prune_configs_by" not in inspect.signature(triton.autotune).parameters:
            _other_hooks("triton.autotune takes no prune_configs_by")
            return triton.autotune(configs, key, *args, **rest)(fn)
        own = {"perf_model": pruner.perf_model, "top_k": 1.0}
        return triton.autotune(configs, key, {**own, **given, "early_config_prune": pruner.early_config_prune}, *args, **rest)(fn)

    return decorate


class Pruner:
    """The hooks of one tuner, bound to its kernel."""

    def __init__(self, fn: Any, choice: Choice, first: Callable[..., Any] | None = None) -> None:
        self.fn = fn
        self._choice = choice
        self._first = first
        #: Predicted times, or why there is none, by the call: Triton may ask for one again.
        self._times: dict[str, Estimate | Exception] = {}

    def early_config_prune(self, *args: Any, **kwargs: Any) -> Any:
        """Triton's hook: `(configs, named_args, **kwargs)`."""
        if len(args) != 2 or not _are_configs(args[0]) or not isinstance(args[1], dict):
            _other_hooks("early_config_prune is not called with (configs, named_args, **kwargs)")
            return args[0] if args else kwargs.get("configs")
        named: dict[str, Any] = args[1]
        configs = list(args[0] if self._first is None else self._first(args[0], named, **kwargs))
        call = Call(self.fn, named, kwargs)
        note(call)
        self._times.clear()
        return self._choice.choose(configs, lambda config, facts: self._time(call, config, facts), shown, "configurations")

    def perf_model(self, **call: Any) -> float:
        """Triton's hook: the predicted time in µs of a launch with all its arguments by name; 0, which is best, if there is none."""
        try:
            return keeping.checked(self._time(Call(self.fn, call, call), None, self._choice.facts()))[0]
        except keeping.Refused:
            return float("inf")
        except Exception as error:
            warnings.warn(f"a configuration counts as best: {keeping.reason(error)}", keeping.KeepingWarning, 2)
            return 0.0

    def _time(self, call: Call, config: Any, facts: Facts) -> Estimate:
        """Predicted time of a configuration; raises as `predicted` does."""
        given: dict[str, Any] = {} if config is None else config.all_kwargs()
        arguments = {**call.named, **given}
        try:
            key = f"{described(arguments)};{extents(call.grid, arguments)}"
        except Exception:  # a grid of more than these: heuristics, defaults
            return predicted(call, given, facts, self._choice.options, getattr(config, "pre_hook", None))
        if key not in self._times:
            if len(self._times) >= _REMEMBERED:
                self._times.clear()
            try:
                self._times[key] = predicted(call, given, facts, self._choice.options, getattr(config, "pre_hook", None))
            except Exception as error:
                self._times[key] = error.with_traceback(None)
        known = self._times[key]
        if isinstance(known, Exception):
            raise known
        return known


def shown(config: Any) -> str:
    """A configuration as it is printed: what Triton prints, without what nobody set."""
    given: dict[str, Any] = config.all_kwargs()
    return ", ".join(f"{name}: {value}" for name, value in given.items() if not (name == "num_ctas" and value == 1))


def _are_configs(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(hasattr(config, "all_kwargs") for config in value)


def _other_hooks(what: str) -> None:
    warnings.warn(f"triton {version()}: {what}; nothing is pruned", keeping.KeepingWarning, 3)
