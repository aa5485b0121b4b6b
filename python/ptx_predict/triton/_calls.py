# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls that are being tuned: what Triton's listener of measured times is not told."""

from __future__ import annotations

import threading

from . import _arguments, _compile
from ._package import triton

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

#: What a launch is called with beside the kernel's arguments and the compiler's options.
_OF_THE_LAUNCH = ("grid", "warmup", "stream")


class Call:
    """A call of a kernel under a tuner: its arguments without those of a configuration. It keeps no tensor alive."""

    __slots__ = ("fn", "grid", "named")

    def __init__(self, fn: Any, named: Mapping[str, Any], rest: Mapping[str, Any]) -> None:
        #: The function under the tuner.
        self.fn = fn
        #: Arguments and options of the compiler, by name.
        self.named = all_apart({name: value for name, value in {**named, **rest}.items() if name not in _OF_THE_LAUNCH})
        self.grid: Any = rest.get("grid")

    def compile(self, config: Mapping[str, Any], arch: int, pre_hook: Any = None) -> _compile.Compiled:
        """The kernel at a configuration, for sm_`arch`."""
        call = {**self.named, **config}
        if pre_hook is not None and any(_is_host_descriptor(value) for value in call.values()):
            # Such hooks write a configuration's block into the descriptors.
            call = all_apart(call)
            pre_hook(call)
        return _compile.compile(self.fn, arch=arch, **call)

    def __str__(self) -> str:
        """As far as a prediction depends on it, but for the grid."""
        return described(self.named)


def all_apart(call: Mapping[str, Any]) -> dict[str, Any]:
    """Each argument as `apart` says; what is passed twice stays one."""
    made = {id(value): apart(value) for value in call.values()}
    return {name: made[id(value)] for name, value in call.items()}


def apart(value: Any) -> Any:
    """A copy that a hook may write to: of a descriptor; in place of a tensor one that is not there."""
    if _is_host_descriptor(value):
        import copy

        made = copy.copy(value)
        made.block_shape = list(value.block_shape)
        made.base = apart(value.base)
        return made
    if isinstance(value, _arguments.Tensor):
        return value
    if _arguments.is_tensor(value):
        return _arguments.Tensor(tuple(value.shape), value.dtype, _arguments.steps(value), address=value.data_ptr() % 16)
    return value


def _is_host_descriptor(value: object) -> bool:
    return hasattr(value, "block_shape") and hasattr(value, "base")


def described(call: Mapping[str, Any]) -> str:
    """Arguments in words, tensors by type, shape, strides and alignment."""
    parts: list[str] = []
    for name, value in sorted(call.items()):
        if _arguments.is_tensor(value):
            parts.append(f"{name}:{value.dtype}{tuple(value.shape)}{_arguments.steps(value)}@{value.data_ptr() % 16}")
        elif _is_host_descriptor(value):
            parts.append(f"{name}:{value.base.dtype}{tuple(value.shape)}{tuple(value.strides)}{tuple(value.block_shape)}")
        else:
            parts.append(f"{name}={value!r}")
    return ";".join(parts)


_now = threading.local()


def note(call: Call) -> None:
    """This thread is tuning `call` now, and somebody listens."""
    if getattr(getattr(triton.knobs, "autotuning", None), "listener", None) is None:
        return
    calls: dict[Any, Call] = vars(_now).setdefault("calls", {})
    calls[id(base(call.fn))] = call


def noted(fn: Any) -> Call | None:
    """The call of the kernel `fn` that this thread tuned last."""
    calls: dict[Any, Call] = vars(_now).get("calls", {})
    call = calls.get(id(base(fn)))
    return call if call is not None and base(call.fn) is base(fn) else None


def forget() -> None:
    """All of this thread's calls."""
    vars(_now).clear()


def base(fn: Any) -> Any:
    """The function of the JIT under decorators."""
    while not hasattr(fn, "params") and hasattr(fn, "fn"):
        fn = fn.fn
    return fn
