# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor descriptors that the host makes, as the tensor maps of a launch file."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

#: Types of a tensor map's elements, by Triton's name.
_TYPES = {
    "fp16": "f16",
    "bf16": "bf16",
    "fp32": "f32",
    "fp64": "f64",
    "i8": "u8",
    "u8": "u8",
    "i16": "u16",
    "u16": "u16",
    "i32": "s32",
    "u32": "u32",
    "i64": "s64",
    "u64": "u64",
}
#: Bytes of a swizzle, by the number in Triton's metadata.
_SWIZZLES = (0, 32, 64, 128)


def tensor_map(
    buffer: str, element: str, shape: Sequence[int], strides: Sequence[int], descriptor: Any, described: dict[str, Any]
) -> dict[str, Any] | None:
    """The map of a descriptor, for Triton's metadata of it; None if a launch file has no words for it: packed fp4, image to column."""
    if described.get("fp4_padded") or described.get("is_im2col") or not 0 <= int(described["swizzle"]) < len(_SWIZZLES):
        return None
    size = int(described["elem_size"])
    kind = _TYPES.get(element, "u8" if size == 1 else "")
    if not kind:
        return None
    if getattr(descriptor, "round_f32_to_tf32", False):
        kind = "tf32"
    made = {
        "buffer": buffer,
        "type": kind,
        "dims": list(reversed(shape)),
        "box": [int(part) for part in reversed(described["block_size"])],
        "swizzle": _SWIZZLES[int(described["swizzle"])],
    }
    if len(shape) > 1:
        made["strides"] = [step * size for step in reversed(strides[:-1])]
    if getattr(descriptor, "padding", "zero") == "nan":
        made["oob_fill"] = "nan"
    return made
