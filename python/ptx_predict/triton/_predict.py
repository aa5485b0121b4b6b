# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predictions of Triton kernels."""

from __future__ import annotations

from .. import Code, _run
from ..report import Predictions
from . import _compile, _device, _launch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ._compile import Compiled


def predict(fn: Any, *args: Any, grid: Any, device: str | None = None, options: Mapping[str, Any] | None = None, **meta: Any) -> Predictions:
    """Predicts a Triton kernel at one launch: `predict(kernel, x, y, n, grid=(64,), device="h100", BLOCK=128, num_warps=4)`.

    `fn` is what `compile` takes, or a CompiledKernel; the arguments are those of its call. Tensors need not be there: see Tensor. `grid` is in
    blocks, a tuple or a function of the arguments. `device` is one of `ptx-predict devices`; without it, that of Triton's driver if there is
    one, and of a CompiledKernel the one that stands for its architecture. `options` are more of `ptx_predict.predict`, by name:
    {"model": "all"}. A device that cannot hold the kernel has a prediction without a time. Raises what Triton's compiler and
    `ptx_predict.predict` raise; ValueError for an unknown name, and for a grid that seems to be in threads.
    """
    if _compile.is_compiled(fn):
        compiled = _compile.of(fn, *args, **meta)
    else:
        known = _device.facts(device, options)
        device = known.name
        compiled = _compile.compile(fn, *args, arch=known.arch, **meta)
    blocks = _launch.extents(grid, compiled.arguments)
    _launch.check_grid(compiled, blocks)
    return of(compiled, blocks, device, options)


def of(compiled: Compiled, grid: list[int], device: str | None, options: Mapping[str, Any] | None) -> Predictions:
    """Predicts a compiled kernel at a grid of so many blocks."""
    import json

    text = json.dumps({"launches": [_launch.launch(compiled, grid)]})
    given: dict[str, object] = {"device": device, "launch": Code(text, f"{compiled.name}.launch.yaml"), **(options or {})}
    ending = "ptx" if isinstance(compiled.ptx, str) else "cubin"
    return _run.execute(Predictions, "predict", [Code(compiled.ptx, f"{compiled.name}.{ending}")], given)
