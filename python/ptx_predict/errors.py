# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Messages with their places, and the errors that carry them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from .report import Report

    Severity = Literal["error", "warning", "note"]


class Message:
    """What the command says of its options (no path) or of a file."""

    __slots__ = ("column", "line", "path", "severity", "shown", "text")

    def __init__(self, severity: Severity, path: str, line: int, column: int, text: str, shown: str) -> None:
        #: "error", "warning" or "note".
        self.severity = severity
        #: Of the file, or empty: of the options.
        self.path = path
        #: From 1; 0: of the file as a whole.
        self.line = line
        #: From 1; 0: of the line as a whole.
        self.column = column
        #: What is wrong and how to go on.
        self.text = text
        #: As the command prints it: the place, the text, the line with a caret; ends with a line feed.
        self.shown = shown

    def __str__(self) -> str:
        return self.shown.rstrip("\n")

    def __repr__(self) -> str:
        place = self.path and f"{self.path}:{self.line}:{self.column}: "
        return f"<Message {place}{self.severity}: {self.text}>"


class PTXError(ValueError):
    """A wrong input: code, a launch file or another file that a run reads. `str()` shows the first error with its line and a caret.

    `report` is what could be answered all the same, such as of other files; None if nothing could.
    """

    def __init__(self, messages: Sequence[Message], report: Report | None = None) -> None:
        #: All messages of the run, in the command's order.
        self.messages = list(messages)
        self.report = report
        first = next((m for m in self.messages if m.severity == "error"), self.messages[0])
        #: Place and text of the first error, as in `Message`.
        self.path: str = first.path
        self.line: int = first.line
        self.column: int = first.column
        self.text: str = first.text
        super().__init__(first.shown.rstrip("\n"))

    def __reduce__(self) -> tuple[type[PTXError], tuple[list[Message], Report | None]]:
        return type(self), (self.messages, self.report)
