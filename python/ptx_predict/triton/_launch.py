# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The launch of a Triton kernel as a launch file: what its metadata and arguments say, and nothing that they do not."""

from __future__ import annotations

import math

from . import _arguments
from ._descriptors import tensor_map

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ._compile import Compiled


def extents(grid: Any, arguments: dict[str, Any]) -> list[int]:
    """Blocks along each dimension: of a tuple, a number, or a function of the arguments. ValueError for what is no grid."""
    if callable(grid):
        grid = grid(arguments)
    parts: Sequence[Any] = grid if isinstance(grid, (tuple, list)) else (grid,)
    if not 1 <= len(parts) <= 3:
        raise ValueError(f"a grid has one to three extents, not {len(parts)}")
    whole = [int(part) for part in parts]
    if any(number != part for number, part in zip(whole, parts)):
        raise ValueError(f"the grid {tuple(parts)} is not made of whole blocks")
    if any(number < 1 for number in whole):
        raise ValueError(f"the grid {tuple(whole)} has no blocks")
    return whole


def check_grid(compiled: Compiled, grid: Sequence[int]) -> None:
    """ValueError if the grid must be in threads, not in blocks: more blocks than any tensor has elements."""
    sizes = [_arguments.extent(value) for _, _, value in compiled.parameters if _arguments.is_tensor(value)]
    known = [size for size in sizes if size is not None]
    blocks, threads = math.prod(grid), 32 * int(compiled.metadata["num_warps"])
    if known and len(known) == len(sizes) and blocks >= max(known) and blocks > threads:
        raise ValueError(f"the grid has {blocks} blocks of {threads} threads for tensors of up to {max(known)} elements: a grid counts blocks, not threads")


def launch(compiled: Compiled, grid: Sequence[int]) -> dict[str, Any]:
    """The entry of a launch file: grid, block, cluster, dynamic shared memory, arguments, buffers and tensor maps."""
    metadata = compiled.metadata
    ctas = int(metadata.get("num_ctas") or 1)
    entry: dict[str, Any] = {
        "kernel": compiled.name,
        "grid": [grid[0] * ctas, *grid[1:]],
        "block": [32 * int(metadata["num_warps"])],
        "dynamic_shared": int(metadata.get("shared") or 0),
    }
    if ctas > 1:
        entry["cluster"] = [ctas]
    parts = _Parts(compiled)
    # Scratch memory of the kernel and of a profiler: bytes of a block; a null pointer if there are none.
    for name in ("global_scratch", "profile_scratch"):
        parts.scratch(name, int(metadata.get(f"{name}_size") or 0) * math.prod(grid) * ctas)
    parts.write(entry)
    return entry


class _Parts:
    """Arguments of a launch by the parameter's index, with the buffers and tensor maps that they point to."""

    def __init__(self, compiled: Compiled) -> None:
        self.args: dict[str, Any] = {}
        self.buffers: dict[str, Any] = {}
        self.maps: dict[str, Any] = {}
        self._index = 0
        self._known: dict[int, str] = {}
        described = iter(compiled.metadata.get("tensordesc_meta") or ())
        maps = bool(compiled.metadata.get("tensordesc_meta"))
        for name, kind, value in compiled.parameters:
            if _arguments.is_descriptor(kind):
                self._descriptor(name, kind, value, next(described, None) if maps else None)
            elif kind.startswith("*"):
                self._pointer(name, kind, value)
            else:
                self._number(value)

    def _number(self, value: Any) -> None:
        if isinstance(value, float):
            if math.isfinite(value):
                self.args[str(self._index)] = value
        elif hasattr(value, "__index__"):
            self.args[str(self._index)] = int(value)
        self._index += 1

    def _pointer(self, name: str, kind: str, value: Any) -> None:
        buffer = self._buffer(name, kind, value)
        if buffer:
            self.args[str(self._index)] = {"buffer": buffer}
        self._index += 1

    def _buffer(self, name: str, kind: str, tensor: Any) -> str:
        """The name of a tensor's buffer; empty if nobody knows its size. A tensor that is passed twice has one."""
        if id(tensor) in self._known:
            return self._known[id(tensor)]
        size = _arguments.extent(tensor)
        if not size:
            return ""
        self.buffers[name] = {"type": _arguments.element(kind), "count": size}
        self._known[id(tensor)] = name
        return name

    def _descriptor(self, name: str, kind: str, value: Any, described: Any) -> None:
        """A tensor descriptor: a tensor map with shape and strides, or, before Hopper, a pointer with shape, strides and how it pads."""
        element = kind[kind.index("<") + 1 : kind.index("[")]
        shape, strides = [int(part) for part in value.shape], [int(part) for part in value.strides]
        buffer = self._buffer(name, "*" + element, value.base)
        if described is None:
            if buffer:
                self.args[str(self._index)] = {"buffer": buffer}
            self._index += 1
            flags = [int(getattr(value, "padding", "zero") == "nan"), int(bool(getattr(value, "round_f32_to_tf32", False)))]
            numbers = [*shape, *strides, *flags, *shape, *strides]
        else:
            made = tensor_map(buffer, element, shape, strides, value, described)
            if buffer and made:
                self.maps[name] = made
                self.args[str(self._index)] = {"tensor_map": name}
            self._index += 1
            numbers = [*shape, *strides]
        for number in numbers:
            self._number(number)

    def scratch(self, name: str, size: int) -> None:
        """A scratch pointer behind the parameters."""
        if size:
            self.buffers[f".{name}"] = {"type": "u8", "count": size}
        self.args[str(self._index)] = {"buffer": f".{name}"} if size else 0
        self._index += 1

    def write(self, entry: dict[str, Any]) -> None:
        """Into the entry of a launch file."""
        for key, part in (("args", self.args), ("buffers", self.buffers), ("tensor_maps", self.maps)):
            if part:
                entry[key] = part
