# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keyword arguments as options of the command."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ._code import Code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

#: Options that have another way here.
_ELSEWHERE = {
    "format": "a report has all forms: .json, .text, .html, .table",
    "o": "write the report's .json, .text or .html where you like",
    "dump": "ptx_predict.text(subcommand, …) returns what the command prints",
    "color": "a text has no colours",
    "help": "help(ptx_predict.predict) shows the options",
    "version": "ptx_predict.__version__ is the version",
    "time-report": "the whole process has one; the command's option shows it",
}


def _is(value: object, kinds: type | tuple[type, ...]) -> bool:
    """isinstance, after which a type checker takes what is inside for Any."""
    return isinstance(value, kinds)


def _text(value: Any, joint: str = ",") -> str:
    if isinstance(value, str):
        return value
    if _is(value, (tuple, list)):
        return joint.join(_text(part, "x") for part in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "__fspath__"):
        return os.fsdecode(value)
    if hasattr(value, "__index__"):
        return str(value.__index__())
    if hasattr(value, "__float__"):
        return repr(float(value))
    raise TypeError(f"an option takes numbers, texts and paths, not {type(value).__name__}")


def _values(value: Any, named: dict[str, bytes]) -> Iterable[str]:
    if isinstance(value, Code):
        named[value.name] = value.data
        yield value.name
    elif _is(value, list):
        for part in value:
            yield from _values(part, named)
    elif _is(value, Mapping):
        for name, part in value.items():
            yield f"{_text(name)}={_text(part)}"
    else:
        yield _text(value)


def spell(options: Mapping[str, object], *, as_text: bool = False) -> tuple[list[tuple[str, str | None]], dict[str, bytes]]:
    """The options as pairs of name and value (None: a flag), and the texts that they name in place of files.

    True is a flag, False and None are nothing; numbers, texts and paths are a value; a tuple is one value, joined by commas; a list repeats
    the option; a dict repeats it as NAME=VALUE; a Code stands for a file. ValueError for an option that has another way here, TypeError for
    another value.
    """
    result: list[tuple[str, str | None]] = []
    named: dict[str, bytes] = {}
    for keyword, value in options.items():
        name = keyword.rstrip("_").replace("_", "-")
        if name in _ELSEWHERE and not (as_text and name == "dump"):
            raise ValueError(f"'{keyword}' is no option here: {_ELSEWHERE[name]}")
        if value is None or value is False:
            continue
        if name == "flags":  # of a compiler, behind "--"
            result += [("--", text) for text in _values(value, named)]
        elif value is True:
            result.append((name, None))
        else:
            result += [(name, text) for text in _values(value, named)]
    return result, named
