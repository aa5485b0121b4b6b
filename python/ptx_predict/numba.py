# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that Numba compiles: a Python function and the types of its arguments. Needs no GPU or driver.

Numba's CUDA target needs libNVVM: 'pip install "numba-cuda[cu13]"' (or cu12), or a CUDA toolkit.
"""

from __future__ import annotations

from importlib import import_module

from . import predict as _predict
from ._architectures import capability, nearest
from ._arguments import merged, number
from ._code import Code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from .report import Predictions

__all__ = ["compile", "predict"]

try:
    _cuda: Any = import_module("numba.cuda")
except ModuleNotFoundError as _error:
    if _error.name != "numba":
        raise
    raise ImportError("ptx_predict.numba needs Numba: pip install 'numba-cuda[cu13]'", name="numba") from None

#: The compute capability to compile for if neither a device nor `cc` says.
_USUAL: tuple[int, int] = (9, 0)
#: That of the oldest devices that every libNVVM has; where it does not say what it has, this stands in for older ones.
_OLD: tuple[int, int] = (7, 5)
#: What of `cuda.jit`'s options changes the code.
_COMPILED = ("fastmath", "opt", "launch_bounds")


def predict(
    function: Callable[..., Any],
    signature: Any = None,
    *,
    args: Sequence[Any] = (),
    cc: tuple[int, int] | None = None,
    fastmath: bool | None = None,
    **options: Any,
) -> Predictions:
    """Predicts a kernel that is a Python function, also one that `cuda.jit` decorates.

    `signature` is what `cuda.jit` takes: "void(float32[:, ::1], int32)" or a tuple of types. `args` are the arguments of a call: they take
    its place if it is missing, and tell loops and accesses their lengths and strides. A tuple stands for a C-contiguous array of that shape.
    `cc` is the compute capability to compile for; without it the device's, and without a device 9.0. Findings name lines of the Python source.
    `options` are those of `ptx_predict.predict`: device, grid, block, dynamic_smem, arg, …

    ImportError if libNVVM is missing; Numba's own errors for what it does not compile.
    """
    types = _types(function, signature, args)
    wanted = cc or capability(options.get("device"), options.get("device_file"))
    code = _compiled(function, types, wanted, fastmath)
    values: dict[str, int | float] = {}
    if args:
        parameters = [part for pair in zip(_arguments_of(types), args) for part in _parameters(*pair)]
        values = {str(index): value for index, value in enumerate(parameters) if value is not None}
    return _predict(code, **merged(values, options))


def compile(
    function: Callable[..., Any],
    signature: Any = None,
    *,
    args: Sequence[Any] = (),
    cc: tuple[int, int] | None = None,
    fastmath: bool | None = None,
) -> Code:
    """PTX of a function with the lines of its source, called after it: "axpy.ptx". Arguments and errors are those of `predict`."""
    return _compiled(function, _types(function, signature, args), cc, fastmath)


def _types(function: Any, signature: Any, args: Sequence[Any]) -> Any:
    """The types to compile for: `signature`, or those of `args`."""
    if signature is not None:
        return signature
    if not args:
        raise ValueError("a signature or args say for which types to compile")
    if any(isinstance(value, tuple) for value in args):
        raise ValueError("a shape in place of an array needs a signature, which says of what it is")
    kernel: Any = function if hasattr(function, "typeof_pyval") else _cuda.jit(function)
    return tuple(kernel.typeof_pyval(value) for value in args)


def _compiled(function: Any, types: Any, wanted: tuple[int, int] | None, fastmath: bool | None) -> Code:
    plain = getattr(function, "py_func", function)
    options = {name: value for name, value in getattr(function, "targetoptions", {}).items() if name in _COMPILED and value is not None}
    if fastmath is not None:
        options["fastmath"] = fastmath
    supported = _supported()
    asked: tuple[int, int] = wanted or _USUAL
    target = nearest(asked, supported) if supported else asked
    try:
        return Code(_ptx(plain, types, target, options), f"{plain.__name__}.ptx")
    except ImportError as error:  # NvvmSupportError is one
        raise ImportError(f"{error}: Numba needs libNVVM: pip install 'numba-cuda[cu13]' or a CUDA toolkit in CUDA_HOME") from error
    except Exception:
        if target >= _OLD:
            raise
    return Code(_ptx(plain, types, _OLD, options), f"{plain.__name__}.ptx")


def _ptx(function: Any, types: Any, cc: tuple[int, int], options: dict[str, Any]) -> str:
    text: str = _cuda.compile_ptx(function, types, lineinfo=True, cc=cc, **options)[0]
    return text


def _supported() -> list[tuple[int, int]]:
    """The compute capabilities that Numba compiles for; empty if it does not say."""
    for module in ("nvrtc", "nvvm"):  # of numba-cuda; of Numba's own CUDA target
        try:
            found: Any = import_module(f"numba.cuda.cudadrv.{module}").get_supported_ccs()
        except Exception:  # noqa: BLE001 - whatever a missing library or another version comes to
            continue
        if found:
            return [(int(each[0]), int(each[1])) for each in found]
    return []


def _arguments_of(types: Any) -> tuple[Any, ...]:
    """The types of the arguments of whatever `compile_ptx` takes as a signature."""
    if isinstance(types, str):
        types = import_module("numba.core.sigutils").normalize_signature(types)[0]
    listed: Any = getattr(types, "args", types)
    return tuple(listed)


def _parameters(kind: Any, value: Any) -> Iterator[int | float | None]:
    """What an argument puts into the parameters that Numba makes of it, one after the other; None for what nobody knows."""
    if hasattr(kind, "ndim") and hasattr(kind, "layout"):  # an array: meminfo, parent, elements, bytes of one, data, shape, strides
        size = kind.dtype.bitwidth // 8 if hasattr(kind.dtype, "bitwidth") else None
        shape: Any = getattr(value, "shape", value)
        yield from (None, None)
        if not hasattr(shape, "__len__") or len(shape) != kind.ndim:
            raise ValueError(f"for {kind} args has {value!r}, which is neither such an array nor its shape")
        elements = 1
        for length in shape:
            elements *= int(length)
        yield from (elements, getattr(value, "itemsize", size), None)
        yield from (int(length) for length in shape)
        yield from _strides(shape, value, size)
    elif hasattr(kind, "types"):  # a tuple
        for each, part in zip(kind.types, value):
            yield from _parameters(each, part)
    elif hasattr(kind, "bitwidth") or str(kind) in ("bool", "boolean"):
        yield number(value)
    else:
        raise ValueError(f"args cannot say which parameters {kind} becomes; give their values by index in arg=")


def _strides(shape: Sequence[int], value: Any, size: int | None) -> list[int | None]:
    """Bytes from one element to the next in each dimension: the array's, or those of a C-contiguous one."""
    own = getattr(value, "strides", None)
    if own is not None:
        return [int(each) for each in own]
    result: list[int | None] = []
    for length in reversed(shape):
        result.insert(0, size)
        size = size * int(length) if size is not None else None
    return result
