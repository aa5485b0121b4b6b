# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A number and how well it is known."""

from __future__ import annotations

from . import units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal

    Status = Literal["known", "estimated", "assumed", "unknown"]

_MARKS = {"known": "", "estimated": "~", "assumed": "?", "unknown": "!"}


class Estimate(float):
    """A number, how well it is known, and the bounds between which it lies: a float that remembers them.

    Calculations and comparisons are those of the value and result in plain floats. `str()` is the number as a report prints it, such as
    "9.6 us~": with its unit, and "~" if it is estimated, "?" if it is assumed, "!" if it is unknown.
    """

    __slots__ = ("high", "key", "low", "status")

    #: How well it is known: a result has the weakest status of what it is made from.
    status: Status
    #: Between these it lies; both are the value if it is known.
    low: float
    high: float
    #: Its key in the JSON, whose end says the unit: "time_us". Empty: a count or a share.
    key: str

    def __new__(cls, value: float, status: Status = "known", low: float | None = None, high: float | None = None, key: str = "") -> Estimate:
        if status not in _MARKS:
            raise ValueError(f"a status is one of {', '.join(_MARKS)}; not '{status}'")
        self = super().__new__(cls, value)
        self.status = status
        self.low = float(value) if low is None else low
        self.high = float(value) if high is None else high
        self.key = key
        return self

    @classmethod
    def of(cls, data: Mapping[str, Any], key: str = "") -> Estimate:
        """That of an object in the JSON, where null stands for what is infinite."""
        value: float | None = data["value"]
        number = float("inf") if value is None else value
        if data["status"] == "known":
            return cls(number, "known", key=key)
        low: float | None = data["low"]
        high: float | None = data["high"]
        return cls(number, data["status"], float("-inf") if low is None else low, float("inf") if high is None else high, key)

    @property
    def value(self) -> float:
        """The number alone."""
        return float(self)

    @property
    def unit(self) -> str:
        """Its unit: "us", "J", "W", "MHz", "B"; empty for counts and shares."""
        return units.unit(self.key)

    def __str__(self) -> str:
        return units.show(float(self), self.key) + _MARKS[self.status]

    def __format__(self, form: str) -> str:
        return float.__format__(self, form) if form else str(self)

    def __repr__(self) -> str:
        bounds = "" if self.status == "known" else f", low={self.low!r}, high={self.high!r}"
        return f"Estimate({float(self)!r}, {self.status!r}{bounds})"

    def __reduce__(self) -> tuple[type[Estimate], tuple[float, Status, float, float, str]]:
        return type(self), (float(self), self.status, self.low, self.high, self.key)
