# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of subcommands as reports, texts and tables, and their messages as errors."""

from __future__ import annotations

import os

from . import _library, _options, _outcome
from ._code import Code
from .errors import PTXError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeVar, Union

    from ._outcome import Outcome
    from ._tables import Table
    from .progress import Asked
    from .report import Report

    Input = Union[str, os.PathLike[str], Code]
    R = TypeVar("R", bound=Report)


def inputs(files: Iterable[Input]) -> list[str | Code]:
    """The files as the library takes them. TypeError for what is none."""
    result: list[str | Code] = []
    for file in files:
        if isinstance(file, (str, Code)):
            result.append(file)
        elif hasattr(file, "__fspath__"):
            result.append(os.fsdecode(file))
        else:  # from callers whose types nobody checks
            raise TypeError(f"a file is a path or a ptx_predict.Code, not {type(file).__name__}")
    return result


class _Request:
    """A subcommand with its files and options, to be run in any form."""

    __slots__ = ("files", "named", "options", "subcommand")

    def __init__(self, subcommand: str, files: Iterable[Input], options: Mapping[str, object], *, as_text: bool = False) -> None:
        self.subcommand = subcommand
        self.files = inputs(files)
        self.options, self.named = _options.spell(options, as_text=as_text)

    def run(self, form: str | None, progress: Asked = False) -> Outcome:
        options = [("format", form), *self.options] if form else self.options
        if not progress:
            return _library.run(self.subcommand, options, self.files, self.named)
        from .progress import Progress

        with Progress(self.subcommand, progress) as shown:
            return _library.run(self.subcommand, options, self.files, self.named, shown.update)

    def error(self, outcome: Outcome, report: Report | None = None) -> Exception:
        """The error that a run's messages come to."""
        messages = outcome.messages
        first = next((m for m in messages if m.severity == "error"), None)
        if first is None:
            return RuntimeError(f"ptx-predict {self.subcommand} failed without a message")
        if outcome.code == _outcome.FAILED:
            return MemoryError(first.text) if "memory" in first.text else RuntimeError(first.text)
        if not first.path:
            return ValueError(first.text)
        if first.line == 0 and first.path not in self.named and all(first.path != f.name for f in self.files if isinstance(f, Code)):
            try:  # to read it, for Python's own error
                with open(first.path, "rb"):
                    pass
            except OSError as error:
                return error
        return PTXError(messages, report)


def execute(kind: type[R], subcommand: str, files: Iterable[Input], options: Mapping[str, object], progress: Asked = False) -> R:
    """The report of a run. ValueError for wrong options, PTXError for wrong inputs, OSError for files that cannot be read.

    No error: a device that cannot hold a kernel, whose prediction then has no time, and notes in its applicability.
    """
    request = _Request(subcommand, files, options)
    outcome = request.run("json", progress)
    report = kind(subcommand, dict(options), request.files, outcome.code, outcome.output, outcome.messages)
    if outcome.code in (_outcome.DONE, _outcome.FOUND) or _says_it_itself(outcome):
        return report
    raise request.error(outcome, report if outcome.output else None)


def _says_it_itself(outcome: Outcome) -> bool:
    """Whether the report says why there is no answer: a device that cannot hold a kernel is no error of the input."""
    return outcome.code == _outcome.NOT_DONE and bool(outcome.output) and all(m.severity != "error" for m in outcome.messages)


def printed(subcommand: str, files: Iterable[Input], options: Mapping[str, object], form: str | None, *, partly: bool = False) -> str:
    """What the command prints in this form; with `partly` also if it could not do everything. Raises as `execute` does."""
    request = _Request(subcommand, files, options, as_text=True)
    outcome = request.run(form)
    if outcome.code not in (_outcome.DONE, _outcome.FOUND) and not (partly and outcome.output):
        raise request.error(outcome)
    return outcome.output.decode()


def tabulated(subcommand: str, files: Iterable[Input], options: Mapping[str, object], progress: Asked = False) -> Table:
    """The rows of a run as columns. Raises as `execute` does."""
    from ._tables import Table, settled

    request = _Request(subcommand, files, options)
    outcome = request.run("csv", progress)
    if outcome.code not in (_outcome.DONE, _outcome.FOUND):
        raise request.error(outcome)
    return Table(settled(outcome.columns(), outcome.output), outcome.output, outcome.messages)
