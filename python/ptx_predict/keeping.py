# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which candidates of a tuner are worth running: the one place for `keep=`.

`choose` takes candidates and a function that predicts one, and returns those to run, best first. It errs on the side of keeping: a candidate
that cannot be predicted is kept, what cannot be right (a time that is no time, an interval that does not hold its value) counts as not
predicted, and the list is never empty.
"""

from __future__ import annotations

import math
import os
import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Protocol, SupportsFloat, SupportsIndex, TypeVar, Union

    T = TypeVar("T")

    class Sink(Protocol):
        """Where lines go: an open file."""

        def write(self, text: str, /) -> object: ...

    #: What `keep=` takes: a whole number, a share, or "interval".
    KeepLike = Union[SupportsIndex, SupportsFloat, str, "Keep"]
    #: What `explain=` takes.
    Explain = str | os.PathLike[str] | Sink | Callable[["Verdict"], object]


class KeepingWarning(UserWarning):
    """Candidates that are kept although nothing is known of them, or something that cannot be right."""


class Refused(Exception):
    """Raised by a prediction: the device cannot hold the candidate, and why."""


class Verdict:
    """Why a candidate went or stayed."""

    __slots__ = ("candidate", "kept", "name", "place", "time_us", "why")

    def __init__(self, candidate: Any, name: str, kept: bool, why: str, time_us: float | None = None, place: int | None = None) -> None:
        #: As it was given.
        self.candidate = candidate
        #: As it is printed.
        self.name = name
        self.kept = kept
        #: The reason, a few words of English.
        self.why = why
        #: Predicted time, µs: an Estimate where the prediction is one; None if there is none.
        self.time_us = time_us
        #: Among the predicted ones, from 1, by time.
        self.place = place

    def __str__(self) -> str:
        return f"{'kept' if self.kept else 'left'}  {self.name}: {self.why}"

    def __repr__(self) -> str:
        return f"<Verdict {self}>"


class Keep:
    """A checked `keep=`: a number of candidates, a share of them, or all whose interval reaches the best one's."""

    __slots__ = ("number", "share")

    def __init__(self, keep: KeepLike) -> None:
        """TypeError for what is none of the three; ValueError for a number below 1, and for a share that does not lie in (0, 1]."""
        #: Candidates, if that was given.
        self.number: int | None = None
        #: Of all candidates, if that was given.
        self.share: float | None = None
        if isinstance(keep, Keep):
            self.number, self.share = keep.number, keep.share
        elif isinstance(keep, str):
            if keep != "interval":
                raise ValueError(f"keep is a number, a share or 'interval', not '{keep}'" + _percent(keep))
        elif type(keep).__name__ in ("bool", "bool_", "NoneType"):  # bool_: NumPy's
            raise TypeError(f"keep is a number, a share or 'interval', not {keep}")
        elif hasattr(keep, "__index__"):
            whole: Any = keep
            self.number = int(whole)
            if self.number < 1:
                raise ValueError(f"keep is at least one, not {self.number}")
        elif hasattr(keep, "__float__"):
            self.share = float(keep)
            if not 0 < self.share <= 1:
                raise ValueError(f"keep={self.share:g} is a share, and shares lie above 0 and up to 1" + _other_units(self.share))
        else:
            raise TypeError(f"keep is a number, a share or 'interval', not a {type(keep).__name__}")

    def count(self, of: int) -> int | None:
        """How many of so many candidates are kept, at least one; None: as many as their intervals say."""
        if self.number is not None:
            return min(self.number, of)
        # 0.07 * 100 is a little more than 7 in binary and means 7.
        return None if self.share is None else min(of, max(1, math.ceil(self.share * of * (1 - 1e-12))))

    def __repr__(self) -> str:
        return f"Keep({'interval' if self.number is None and self.share is None else self.number or self.share!r})"


def _percent(text: str) -> str:
    try:
        return f"; {text} is {float(text.strip().removesuffix('%')) / 100:g}" if text.strip().endswith("%") else ""
    except ValueError:
        return ""


def _other_units(share: float) -> str:
    if share <= 1 or not math.isfinite(share):
        return ""
    number = f"{share:.0f}" if share == int(share) else f"{int(share)} or {int(share) + 1}"
    return f"; for a number of candidates write {number}" + (f", for {share:g} % of them {share / 100:g}" if share <= 100 else "")


def checked(time: SupportsFloat | None) -> tuple[float, float, float]:
    """`time` with its bounds, µs. ValueError with the reason if it is no time, or has another unit."""
    unit = getattr(time, "unit", "us")
    if unit not in ("us", ""):
        raise ValueError(f"its time is in {unit}, not in us")
    if time is None or isinstance(time, bool):
        raise ValueError("it has no predicted time")
    value = float(time)
    if getattr(time, "status", "") == "unknown":
        raise ValueError("its time is not known")
    if not math.isfinite(value) or value <= 0:
        raise ValueError(f"its predicted time of {value:g} us is no time")
    low, high = getattr(time, "low", value), getattr(time, "high", value)
    low = -math.inf if low is None or math.isnan(low) else float(low)
    high = math.inf if high is None or math.isnan(high) else float(high)
    if not low <= value * (1 + 1e-9) or not value * (1 - 1e-9) <= high:
        raise ValueError(f"its interval, {low:g} to {high:g}, does not hold its time, {value:g}: they have different units")
    return value, low, high


def choose(
    candidates: Iterable[T],
    predict: Callable[[T], SupportsFloat | None],
    keep: KeepLike,
    *,
    explain: Explain | None = None,
    name: Callable[[T], str] = str,
    what: str = "candidates",
    stacklevel: int = 2,
) -> list[T]:
    """The candidates to run: best predicted first, then those that could not be predicted.

    `predict` returns a candidate's time in µs, an Estimate or a number, None if it does not know, or raises: Refused takes the candidate out,
    any other exception counts as not knowing. `keep` says how many of the predicted ones stay: see Keep. Those that are not known stay in
    addition, with one warning for all of them. If the device cannot hold a single candidate, something else is wrong, so all stay, with a
    warning. `explain` gets a Verdict for each candidate, in their order, or a line of text if it is a file or the path of one, which lines
    are added to. `name` is how a candidate is printed, `what` what they are called.
    """
    rule = Keep(keep)
    listed = list(candidates)
    verdicts: list[Verdict] = []
    times: list[tuple[float, float, float, int]] = []
    unknown: list[int] = []
    for index, candidate in enumerate(listed):
        verdict = Verdict(candidate, name(candidate), True, "")
        verdicts.append(verdict)
        try:
            time = predict(candidate)
            value, low, high = checked(time)
            verdict.time_us = time if isinstance(time, float) else value
            times.append((value, low, high, index))
        except Refused as error:
            verdict.kept, verdict.why = False, str(error)
        except Exception as error:  # whatever it is: not asking must never be better
            verdict.why = f"not predicted: {reason(error)}"
            unknown.append(index)

    order = _rank(rule, verdicts, times)
    if listed and not order and not unknown:
        _warn(f"none of {len(listed)} {what} fits the device, so all are kept; the first: {verdicts[0].why}", stacklevel)
        for verdict in verdicts:
            verdict.kept, verdict.why = True, f"as none fits: {verdict.why}"
        order = list(range(len(listed)))
    if unknown:
        _warn(f"{len(unknown)} of {len(listed)} {what} cannot be predicted and are kept; the first: {verdicts[unknown[0]].why}", stacklevel)
    if explain is not None:
        tell(explain, verdicts, stacklevel + 1)
    return [listed[index] for index in order + unknown]


def reason(error: BaseException) -> str:
    """What an error says, in a line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = lines[0] if lines else type(error).__name__
    return text if isinstance(error, ValueError) else f"{type(error).__name__}: {text}" if lines else text


def _rank(rule: Keep, verdicts: Sequence[Verdict], times: list[tuple[float, float, float, int]]) -> list[int]:
    """Indices of those that stay, best first; writes why into `verdicts`."""
    times.sort(key=lambda entry: (entry[0], entry[3]))
    kept: list[int] = []
    count = rule.count(len(times))
    reach = times[0][2] if times else math.inf
    for place, (value, low, _, index) in enumerate(times, 1):
        verdict = verdicts[index]
        verdict.place = place
        shown = f"{value:.4g} us, place {place} of {len(times)}"
        if count is not None:
            verdict.kept = place <= count
            verdict.why = shown + ("" if verdict.kept else f"; {count} {'is' if count == 1 else 'are'} kept")
        else:
            verdict.kept = place == 1 or low <= reach
            verdict.why = shown + ("" if place == 1 else f"; from {low:.4g} us on, {'within' if verdict.kept else 'above'} the best one's {reach:.4g} us")
        if verdict.kept:
            kept.append(index)
    return kept


def tell(explain: Explain, verdicts: Sequence[Verdict], stacklevel: int = 2) -> None:
    """Hands each verdict to `explain`, or writes lines. What goes wrong there is a warning: it is no reason to stop tuning."""
    try:
        if isinstance(explain, (str, os.PathLike)):
            with open(explain, "a", encoding="utf-8") as file:
                file.writelines(f"{verdict}\n" for verdict in verdicts)
        elif callable(explain):
            for verdict in verdicts:
                explain(verdict)
        else:
            for verdict in verdicts:
                explain.write(f"{verdict}\n")
    except Exception as error:
        _warn(f"explain: {reason(error)}", stacklevel)


def check_explain(explain: object) -> None:
    """TypeError if `explain` is nothing that `tell` can use."""
    if explain is not None and not isinstance(explain, (str, os.PathLike)) and not callable(explain) and not hasattr(explain, "write"):
        raise TypeError(f"explain is a function, a path or an open file, not a {type(explain).__name__}")


def _warn(text: str, stacklevel: int) -> None:
    warnings.warn(text, KeepingWarning, stacklevel + 1)
