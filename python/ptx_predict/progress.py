# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far a run is: a bar of tqdm, or a function of the caller's."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Union

    #: True: a bar of tqdm, if that is installed; a function is told how many of how many parts are done.
    Asked = Union[bool, Callable[[int, int], object]]


def tqdm() -> Any:
    """tqdm's bar for a terminal or a notebook, or None if tqdm is not installed."""
    import importlib

    try:
        return importlib.import_module("tqdm.auto").tqdm
    except ImportError:
        return None


class Progress:
    """Shows how far a run is while a `with` lasts. What a caller's function raises comes out at the end of the `with`."""

    __slots__ = ("_bar", "_call", "_error", "_make", "_title")

    def __init__(self, title: str, asked: Asked) -> None:
        self._title = title
        self._call = None if isinstance(asked, bool) else asked
        self._make = tqdm() if asked is True else None
        self._bar: Any = None
        self._error: BaseException | None = None

    def update(self, done: int, of: int) -> None:
        """`done` of `of` parts are done. Any thread may call it, never two at once."""
        if self._call is not None and self._error is None:
            try:
                self._call(done, of)
            except BaseException as error:  # no exception may pass through the library
                self._error = error
        elif self._make is not None:
            if self._bar is None or self._bar.total != of:
                self.close()
                self._bar = self._make(total=of, desc=self._title, leave=False)
            self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.close()
        if self._error is not None and error is None:
            raise self._error
