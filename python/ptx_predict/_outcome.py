# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What comes of a run, however it runs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Union

    from .errors import Message

    Columns = dict[str, Union[list[float], list[str]]]

#: Exit codes.
DONE, FOUND, NOT_DONE = 0, 1, 2
#: Of the library alone: an input is for ptx-predict-ir.
NEEDS_IR = 3
#: Of the library alone: memory is gone, or LLVM could not go on.
FAILED = -2


class Outcome:
    """What came of a run."""

    __slots__ = ("_columns", "code", "messages", "output")

    def __init__(self, code: int, output: bytes, messages: list[Message], columns: Mapping[str, list[float] | list[str]] | None = None) -> None:
        #: 0: done; 1: done, and what was asked about was found; 2: not done, at least not all of it; negative: the library failed.
        self.code = code
        #: What the command writes to standard output.
        self.output = output
        self.messages = messages
        self._columns = columns

    def columns(self) -> Columns:
        """Of a run with format=csv, each column: numbers, NaN for an empty field, if all its fields are numbers or empty; else texts."""
        if self._columns is not None:
            return dict(self._columns)
        from ._tables import columns_of

        return columns_of(self.output)
