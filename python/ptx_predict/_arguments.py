# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of a call as values of the kernel's parameters, for the option `arg`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def number(value: object) -> int | float | None:
    """The plain number that a Python or NumPy scalar holds; None of anything else, such as arrays and complex numbers."""
    if isinstance(value, (bool, int, float)):
        return int(value) if isinstance(value, bool) else value
    item: Any = getattr(value, "item", None)
    if item is None or getattr(value, "shape", None) != ():
        return None
    plain: object = item()  # of a NumPy scalar, or of an array without dimensions
    return number(plain) if isinstance(plain, (bool, int, float)) else None


def scalars(values: Iterable[object]) -> dict[str, int | float]:
    """Index and value of each argument that is a number, where each argument is one parameter, as in C."""
    found = ((index, number(value)) for index, value in enumerate(values))
    return {str(index): plain for index, plain in found if plain is not None}


def merged(computed: dict[str, int | float], options: dict[str, Any]) -> dict[str, Any]:
    """`options` with `computed` in their `arg`, where what is given there comes first."""
    if not computed:
        return options
    given: Any = options.get("arg")
    if given is None:
        return {**options, "arg": computed}
    if hasattr(given, "items"):
        return {**options, "arg": {**computed, **{str(name): value for name, value in given.items()}}}
    texts = [f"{index}={value}" for index, value in computed.items()]
    more: list[Any] = list(given) if isinstance(given, list) else [given]  # pyright: ignore[reportUnknownArgumentType]
    return {**options, "arg": texts + more}
