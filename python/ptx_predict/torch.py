# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's Inductor with fewer templates to benchmark: its list of choices, before it compiles them. Needs the packages torch and triton.

Nothing else of Inductor's is touched. docs/guide/PythonTriton.md has an example.
"""

from __future__ import annotations

import importlib
import warnings

from . import keeping
from .triton._arguments import Tensor
from .triton._calls import Call
from .triton._choose import Choice, predicted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .estimate import Estimate
    from .keeping import Explain, KeepLike
    from .triton._device import Facts


def prune(
    keep: KeepLike, *, device: str | None = None, explain: Explain | None = None, options: Mapping[str, Any] | None = None, jobs: int | None = None
) -> Callable[[], None]:
    """From now on Inductor benchmarks only those of its Triton templates that `keep` says; returns a function that ends this.

    The arguments are those of `ptx_predict.triton.prune`. What the device cannot hold is never assembled. Choices that are no Triton template,
    such as those of cuBLAS, always stay and do not count. With an Inductor that has no `add_preprocessing_fn` nothing is pruned, with a
    warning that names its version. ImportError if there is no torch.
    """
    choice = Choice(keep, device, explain, options, jobs)
    try:
        torch: Any = importlib.import_module("torch")
        version = str(torch.__version__)
    except (ModuleNotFoundError, AttributeError):  # none, or only a folder of that name
        raise ImportError("ptx_predict.torch needs the package torch: pip install torch", name="torch") from None
    chooser = Chooser(choice)
    try:
        select: Any = importlib.import_module("torch._inductor.select_algorithm")
        select.add_preprocessing_fn(chooser)
    except Exception as error:
        warnings.warn(f"torch {version} takes no preprocessing of choices, so nothing is pruned: {keeping.reason(error)}", keeping.KeepingWarning, 2)
        return lambda: None
    return lambda: _end(select, chooser)


def _end(select: Any, chooser: Chooser) -> None:
    """Takes it away; or, of an Inductor that has another list, switches it off."""
    chooser.ended = True
    functions: Any = getattr(select.get_algorithm_selector_cache(), "preprocessing_fns", None)
    if isinstance(functions, list) and chooser in functions:
        functions.remove(chooser)


class Chooser:
    """What Inductor calls with its choices."""

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        #: Returns what it is given.
        self.ended = False

    def __call__(self, choices: list[Any]) -> list[Any]:
        """Those of the choices that are benchmarked, in their order."""
        if self.ended:
            return choices
        try:
            return self._chosen(list(choices))
        except Exception as error:
            warnings.warn(f"all {len(choices)} choices are kept: {keeping.reason(error)}", keeping.KeepingWarning, 2)
            return choices

    def _chosen(self, choices: list[Any]) -> list[Any]:
        # Of a dynamic size there are choices for each hint, which do not compete.
        hints: dict[object, list[Any]] = {}
        for choice in choices:
            if _is_template(choice):
                hints.setdefault(getattr(choice, "hint_override", None), []).append(choice)
        left: set[int] = set()
        for templates in hints.values():
            calls = {id(template): _call(template) for template in templates}
            kept = self._choice.choose(templates, lambda template, facts: self._time(calls[id(template)], facts), _name, "choices")
            left |= {id(template) for template in templates} - {id(template) for template in kept}
        return [choice for choice in choices if id(choice) not in left]

    def _time(self, call: Call | Exception, facts: Facts) -> Estimate:
        if isinstance(call, Exception):
            raise call
        return predicted(call, {}, facts, self._choice.options)


def _is_template(choice: Any) -> bool:
    request: Any = getattr(choice, "bmreq", None)
    return all(hasattr(request, name) for name in ("module_path", "module_cache_key", "kernel_name", "extra_args", "input_tensor_meta"))


def _name(choice: Any) -> str:
    text = getattr(choice, "description", "")
    return f"{choice.name} ({text})" if text else str(choice.name)


def _call(choice: Any) -> Call | Exception:
    """The launch that Inductor would benchmark: the kernel of the module that it wrote, with stand-ins for its tensors; or why there is none."""
    try:
        request = choice.bmreq
        cache: Any = importlib.import_module("torch._inductor.codecache").PyCodeCache
        tuner: Any = getattr(cache.load_by_key_path(request.module_cache_key, request.module_path, set_sys_modules=False), request.kernel_name)
        inputs = request.input_tensor_meta
        metas = [*(inputs if isinstance(inputs, (list, tuple)) else [inputs]), request.output_tensor_meta]
        # Behind the arguments stands the grid.
        *extra, x, y, z = request.extra_args
        values = [*(Tensor([int(n) for n in meta.sizes], meta.dtype, [int(n) for n in meta.strides]) for meta in metas), *extra]
        fn: Any = tuner.fn
        names = [name for name, parameter in zip(fn.arg_names, fn.params) if not parameter.is_constexpr]
        if len(names) != len(values):
            raise ValueError(f"{fn.__name__} takes {len(names)} arguments, and Inductor has {len(values)}")
        return Call(fn, dict(zip(names, values)), {"grid": (int(x), int(y), int(z)), **tuner.configs[0].all_kwargs()})
    except Exception as error:
        return error.with_traceback(None)
