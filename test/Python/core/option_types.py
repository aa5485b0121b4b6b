#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""option_types.py COMMAND [FILE]: python/ptx_predict/_signatures.py from what COMMAND's --help says of every subcommand.

Writes it to FILE, or prints it. test_signatures.py compares the file in the tree with it.
"""

import re
import subprocess
import sys

SUBCOMMANDS = (
    "predict advise lint diff emulate occupancy devices rank clocks split scaling scenario validate transfer systems objects calibrate explain"
).split()
#: Options that have another way in Python: see _options.py.
ELSEWHERE = {"format", "o", "dump", "color", "help", "version", "time-report"}
KEYWORDS = {"lambda", "from", "with", "in", "is", "not", "and", "or", "as"}
HEAD = '''# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The options of every subcommand as keyword arguments, for type checkers and editors; nothing imports this when a program runs.

Written by test/Python/core/option_types.py from what the command's --help says.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Literal, Optional, TypedDict, Union

from ._code import Code

#: With a suffix as the command takes it, such as "16Ki", also a text.
Number = Union[int, float, str]
Path = Union[str, PathLike[str], Code]
Paths = Union[Path, list[str], list[Path]]
Names = Union[str, list[str]]
#: (32, 8), 256, "32x8".
Shape = Union[int, str, tuple[int, ...]]
#: Several values as the command takes them, "1000:1980:490", or one by one.
Range = Union[Number, tuple[Number, ...]]
#: {"n": 1024}, {3: 1024}, "n=1024", ["n=1024", "m=8"].
Pairs = Union[str, list[str], Mapping[str, Number], Mapping[int, Number]]
#: {"block": [128, 256], "core-mhz": "1000:1980:490"}.
Sweeps = Union[str, list[str], Mapping[str, Union[Number, list[int], list[float], list[str], list[tuple[int, ...]]]]]
'''


def options(command, subcommand):
    """Name, form of the value ("" of a flag) and meaning of each option of the subcommand."""
    arguments = [command, *([] if subcommand == "predict" else [subcommand]), "--help"]
    text = subprocess.run(arguments, capture_output=True, encoding="utf-8", check=True).stdout
    # A form that is too long goes on in the next line, deeper than the options and less deep than what they mean.
    text = re.sub(r"\n {3,22}(?=[^ \n][^\n]*>)", "", text)
    found = []
    for line in text.splitlines():
        match = re.fullmatch(r"  --?([a-z0-9-]+)(?:\[?[= ]<(.*)>\]?)?(?: {2,}(.*))?", line)
        if match and not re.match(r"  [a-z]", line):
            found.append([match[1], match[2] or "", match[3] or ""])
        elif found and line.startswith(" " * 24):
            found[-1][2] += " " + line.strip()
        elif not line.startswith(" "):
            continue
    return [tuple(option) for option in found]


def literal(form):
    """The type of a choice among words, or None if the form is no such thing."""
    words = form.split("|")
    if len(words) < 2 or any(not re.fullmatch(r"[a-z0-9+,-]+", word) or word in ("name", "path", "number", "file", "list") for word in words):
        return None
    return "Literal[" + ", ".join(f'"{word}"' for word in words) + "]"


def kind(form, meaning):
    """The type of an option."""
    repeatable = "repeatable" in meaning
    if not form:
        return "bool"
    if form == "[glob=]us":
        return "Union[Number, list[float], list[str], Mapping[str, Number]]"
    if form.startswith("what="):
        return "Sweeps"
    if re.search(r"(^|[^\]])=(value|number|file)", form):
        return "Pairs"
    if form == "x[,y[,z]]":
        return "Union[Shape, list[Shape]]" if repeatable else "Shape"
    choice = literal(form)
    if choice:
        return f"Union[{choice}, list[{choice}]]" if repeatable else choice
    if form in ("number", "bytes", "watts", "steps", "percent", "share", "factor", "theta", "blocks", "number|all"):
        return "Union[Number, list[int], list[float], list[str]]" if repeatable else "Number"
    if re.search(r"^(values|core\[?,memory\]?|from:to.*)$", form):
        return "Range"
    if form == "glob,...":
        return "Union[str, tuple[str, ...]]"
    if "=" not in form and "[" not in form and re.search(r"file|^log$|^dir$|^folder$|\.(yaml|csv|json|ptx)$", form):
        return "Paths" if repeatable else "Path"
    return "Names" if repeatable else "str"


def optional(kind):
    """None is as good as no option, so that a caller need not leave it away."""
    return kind if kind == "bool" else f"Optional[{kind}]"


def module(command):
    """The text of _signatures.py."""
    parts = [HEAD]
    for subcommand in SUBCOMMANDS:
        rows = options(command, subcommand)
        assert rows, subcommand
        lines = [f"\n\nclass {subcommand.capitalize()}Options(TypedDict, total=False):"]
        lines.append(f'    """Of `{subcommand}`."""\n')
        for name, form, meaning in rows:
            if name in ELSEWHERE:
                continue
            word = name.replace("-", "_") + ("_" if name in KEYWORDS else "")
            lines.append(f"    {word}: {optional(kind(form, meaning))}")
            if name == "compiler":
                lines.append("    flags: Optional[list[str]]")
        parts.append("\n".join(lines) + "\n")
    return "".join(parts)


if __name__ == "__main__":
    written = module(sys.argv[1])
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.write(written)
    else:
        print(written, end="")
