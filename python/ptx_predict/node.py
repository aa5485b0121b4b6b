# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects of the JSON with their keys as attributes."""

from __future__ import annotations

from .estimate import Estimate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, ClassVar

def wrap(value: Any, key: str, kinds: Mapping[str, type[Node]]) -> Any:
    """`value` of `key` with its objects as Nodes, of the class that `kinds` has for the key, and Estimates."""
    kind: str = value.__class__.__name__  # of what json.loads makes
    if kind == "dict":
        if "value" in value and "status" in value:
            return Estimate.of(value, key)
        return kinds.get(key, Node)(value)
    if kind == "list":
        return [wrap(part, key, kinds) for part in value]
    return value


def attribute(owner: object, data: dict[str, Any], kinds: Mapping[str, type[Node]], name: str) -> Any:
    """The attribute `name` of what has `data`: a key, also one with dashes; None for a key that may be absent, and is."""
    for key in (name, name.replace("_", "-")):
        if key in data:
            return wrap(data[key], key, kinds)
    if name.startswith("_"):
        raise AttributeError(name)
    if any(name in getattr(kind, "__annotations__", ()) for kind in type(owner).__mro__):
        return None
    import difflib

    near = difflib.get_close_matches(name, [key.replace("-", "_") for key in data], 1)
    raise AttributeError(f"this {type(owner).__name__} has no '{name}'" + (f"; did you mean '{near[0]}'?" if near else ""))


class Node:
    """An object of the JSON: its keys are attributes and items. Numbers that have a status are Estimates."""

    __slots__ = ("data",)

    #: The classes of the objects under its keys.
    _kinds: ClassVar[Mapping[str, type[Node]]] = {}

    def __init__(self, data: dict[str, Any]) -> None:
        #: As json.loads gives it.
        self.data = data

    def __getattr__(self, name: str) -> Any:
        if name == "data":  # not made yet, as while it is copied
            raise AttributeError(name)
        return attribute(self, self.data, self._kinds, name)

    def __getitem__(self, key: str) -> Any:
        return wrap(self.data[key], key, self._kinds)

    def __contains__(self, key: object) -> bool:
        return key in self.data

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def keys(self) -> list[str]:
        """The keys that are there."""
        return list(self.data)

    def items(self) -> list[tuple[str, Any]]:
        """Keys with their values."""
        return [(key, wrap(value, key, self._kinds)) for key, value in self.data.items()]

    def __eq__(self, other: object) -> bool:
        return self.data == other.data if isinstance(other, Node) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(key.replace("-", "_") for key in self.data)]

    def __repr__(self) -> str:
        shown = [key + ("" if "{" in (text := repr(value)) or len(text) > 60 else f"={text}") for key, value in self.data.items()]
        return f"<{type(self).__name__} {', '.join(shown)}>"
