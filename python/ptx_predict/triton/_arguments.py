# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of a launch: tensors, also those that are not there, and which of them are parameters of the kernel."""

from __future__ import annotations

import math

from ._package import inner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

#: Elements of buffers in a launch file, by Triton's name of the type.
_ELEMENTS = {
    "fp16": "f16",
    "bf16": "bf16",
    "fp32": "f32",
    "fp64": "f64",
    "i8": "s8",
    "i16": "s16",
    "i32": "s32",
    "i64": "s64",
    "u16": "u16",
    "u32": "u32",
    "u64": "u64",
}


class Tensor:
    """Stands for a tensor that is not there: its shape and type, for kernels that are only predicted.

    `dtype` is Triton's, PyTorch's or NumPy's, or a name of one: "fp16", "float16". `strides` are in elements; without them the tensor is dense.
    `address` counts for its alignment alone: without it the tensor is aligned, as what an allocator returns is.
    """

    __slots__ = ("_address", "_strides", "dtype", "shape")

    def __init__(self, shape: int | Sequence[int], dtype: Any, strides: Sequence[int] | None = None, address: int = 0) -> None:
        """ValueError for a type that Triton has not, a negative extent, and strides that are not as many as extents."""
        self.shape: tuple[int, ...] = (shape,) if isinstance(shape, int) else tuple(int(extent) for extent in shape)
        if any(extent < 0 for extent in self.shape):
            raise ValueError(f"an extent of {self.shape} is negative")
        #: Triton's.
        self.dtype: Any = inner("triton.language", "dtype")(_language_name(type_name(dtype)))
        if strides is not None and len(strides) != len(self.shape):
            raise ValueError(f"{len(strides)} strides for {len(self.shape)} extents")
        self._strides = tuple(math.prod(self.shape[i + 1 :]) for i in range(len(self.shape))) if strides is None else tuple(strides)
        self._address = address

    def data_ptr(self) -> int:
        """The address."""
        return self._address

    def stride(self, dim: int | None = None) -> Any:
        """Elements from one to the next along each dimension, or along one."""
        return self._strides if dim is None else self._strides[dim]

    def numel(self) -> int:
        """Elements."""
        return math.prod(self.shape)

    def element_size(self) -> int:
        """Bytes of an element."""
        return max(1, int(self.dtype.itemsize))

    def __repr__(self) -> str:
        return f"Tensor({self.shape}, '{self.dtype}')"


def type_name(dtype: object) -> str:
    """Triton's name of a type: "fp16" for torch.float16. ValueError, with the nearest, if it has none."""
    names: Mapping[str, str] = inner("triton._utils", "type_canonicalisation_dict")
    text = str(dtype).split(".")[-1]
    if isinstance(dtype, type):
        text = dtype.__name__
    if text in names:
        return names[text]
    import difflib

    near = difflib.get_close_matches(text, [*names, *names.values()], 1)
    raise ValueError(f"Triton has no type '{text}'" + (f"; did you mean '{near[0]}'?" if near else ""))


def _language_name(name: str) -> str:
    """What triton.language calls a type that signatures call `name`: "int32" for "i32"."""
    if name == "u1":
        return "int1"
    return f"int{name[1:]}" if name[0] == "i" else f"uint{name[1:]}" if name[0] == "u" else name


def stand_in(value: Any) -> Any:
    """`value` as the JIT takes it: a NumPy array becomes a Tensor, all else stays."""
    if hasattr(value, "__array_interface__") and not hasattr(value, "data_ptr"):
        if not value.shape:  # NumPy's own kind of number
            return value.item()
        size = int(value.dtype.itemsize)
        return Tensor(value.shape, value.dtype, [int(step) // size for step in value.strides])
    return value


def is_tensor(value: object) -> bool:
    """Whether it is passed as a pointer."""
    return hasattr(value, "data_ptr") and hasattr(value, "dtype")


def is_descriptor(kind: object) -> bool:
    """Whether a type of a signature is a tensor descriptor that the host made."""
    return isinstance(kind, str) and kind.startswith("tensordesc")


def steps(tensor: Any) -> list[int] | None:
    """The strides of a tensor in elements; None if it does not say, as a dense one need not."""
    stride: Any = getattr(tensor, "stride", None)
    if stride is None:
        return None
    try:
        return [int(step) for step in stride()]
    except Exception:  # symbolic, or a class of somebody's own
        return None


def extent(tensor: Any) -> int | None:
    """Elements between the first and the last that a tensor reaches, both included; None if it does not say."""
    try:
        extents = [int(part) for part in tensor.shape]
    except Exception:  # symbolic, or a class of somebody's own
        return None
    if 0 in extents:
        return 0
    strides = steps(tensor)
    return math.prod(extents) if strides is None else 1 + sum((part - 1) * abs(step) for part, step in zip(extents, strides))


def element(kind: str) -> str:
    """The type of a buffer's elements in a launch file, for a pointer's type: "f16" for "*fp16"; bytes for what it has not."""
    return _ELEMENTS.get(kind.lstrip("*").removeprefix("k"), "u8")


def flat(name: str, kind: Any, value: Any) -> Iterator[tuple[str, str, Any]]:
    """What of an argument the kernel has parameters for: a name, Triton's type and the value of each. Constants have none."""
    if isinstance(kind, (tuple, list)):
        kinds: Sequence[Any] = kind
        for index, part in enumerate(kinds):
            yield from flat(f"{name}_{index}", part, value[index])
    elif kind != "constexpr":
        yield name, kind, value
