# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For which architecture a compiler writes code that a device's prediction is made of."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_known: dict[tuple[str, str], tuple[int, int]] = {}


def _names(value: Any) -> list[str]:
    if value is None or value is False:
        return []
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        return [str(value)]
    return [str(part) for part in value]


def capability(device: object, device_file: object = None) -> tuple[int, int] | None:
    """The compute capability of a device, or the lowest of several; None if none is named, or all are.

    Takes what the options `device` and `device_file` take. ValueError for an unknown device.
    """
    names = _names(device)
    if not names or "all" in names:
        return None
    return min(_of(name, device_file) for name in names)


def _of(name: str, device_file: object) -> tuple[int, int]:
    key = (name, repr(device_file))
    if key not in _known:
        from . import devices

        options: dict[str, Any] = {} if device_file is None else {"device_file": device_file}
        text: str = devices(name, **options).data["devices"][0]["compute_capability"]
        major, minor = text.split(".")
        _known[key] = int(major), int(minor)
    return _known[key]


def nearest(wanted: tuple[int, int], supported: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Of what a compiler supports the newest that a device of `wanted` can run; for older devices its oldest, whose code stands in."""
    older = [each for each in supported if each <= wanted]
    return max(older) if older else min(supported)
